import { expect } from 'vitest';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints, failureView } from '#core/contracts/http/endpoints';
import { DeskCase } from '#domain/desk/desk-case.entity';
import { openCase } from '#domain/desk/desk-case.repository';
import { insertRequest } from '#domain/desk/desk-request.repository';
import { Transfer } from '#domain/transfers/transfer.entity';
import type { ApiConfiguration } from '#platform/configuration/api';
import { FakeStripe } from './fake-stripe.ts';
import {
  type EndpointName,
  type Ids,
  requestFixtures,
  sampleCryptoRequest,
  sampleRecipient,
} from './request-fixtures.ts';
import { TestApi, testPassword, unlimited } from './test-api.ts';
import type { Answer, TestBrowser } from './test-browser.ts';

/** Every endpoint of the contract, by name. */
export const table = Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][];

const limits = { dayUsdMinor: 10_000_000n, monthUsdMinor: 10_000_000n, unpaidTransfers: 10_000 };

/** A running api with rates in force, a visitor, two senders with a recipient and an unpaid transfer each, and an admin. */
export class TestApp {
  private constructor(
    readonly api: TestApi,
    readonly stripe: FakeStripe,
    readonly visitor: TestBrowser,
    readonly sender: TestBrowser,
    readonly other: TestBrowser,
    readonly admin: TestBrowser,
    readonly ids: Ids,
  ) {}

  static async open(env: ApiConfiguration): Promise<TestApp> {
    const stripe = await FakeStripe.start();
    const api = await TestApi.start(
      { ...env, stripe: { ...env.stripe, apiUrl: stripe.url }, limits },
      // No worker runs here.
      { rateLimitPoints: unlimited, rateRunWaitMs: 50 },
    );
    const sender = await api.person();
    const other = await api.person();
    const admin = await api.person('admin', 'Ana Quispe');
    await api.setRates(admin.user, 13_380_000n);
    const colleague = await api.person('admin', 'Luis Rojas');
    const proposed = await colleague.browser.send('POST', endpoints.setRate.path, {
      rate: '13.40',
      currency: 'EUR',
      reason: 'Prueba',
    });
    const walletAddress = env.crypto.walletAddress ?? '';
    const own = await createSenderData(sender.browser, walletAddress);
    const others = await createSenderData(other.browser, walletAddress);
    const desk = await createDesk(api, { own: own.transferId, other: others.transferId, adminId: colleague.user.id });
    return new TestApp(api, stripe, api.visitor(), sender.browser, other.browser, admin.browser, {
      ...own,
      walletAddress,
      otherRecipientId: others.recipientId,
      otherTransferId: others.transferId,
      otherIntentId: others.intentId,
      otherAlertId: others.alertId,
      otherRepeatId: others.repeatId,
      rateChangeId: proposed.body.change.id,
      otherCryptoOrderId: others.cryptoOrderId,
      ...desk,
    });
  }

  /** Someone who may make the call. */
  allowed(endpoint: Endpoint): TestBrowser {
    if (endpoint.access === 'public') return this.visitor;
    return endpoint.access === 'admin' ? this.admin : this.sender;
  }

  /** An endpoint's path with its sample's parameters, some of them changed. */
  pathOf(name: EndpointName, changed: Record<string, string> = {}): string {
    const params = { ...requestFixtures[name].params?.(this.ids), ...changed };
    return endpoints[name].path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? '');
  }

  bodyOf(name: EndpointName): Record<string, unknown> | undefined {
    return requestFixtures[name].body?.(this.ids);
  }

  /** Sends the correct request of an endpoint, with headers changed. */
  call(name: EndpointName, browser: TestBrowser, headers: Record<string, string> = {}): Promise<Answer> {
    return browser.send(endpoints[name].method, this.pathOf(name), this.bodyOf(name), headers);
  }

  /** Asserts that no failure was unexpected and that no log line holds personal data. */
  expectQuietLog(): void {
    const lines = (part: string | RegExp) => this.api.logged.filter((line) => line.search(part) >= 0);
    expect(lines(/failed unexpectedly|"statusCode":5/)).toEqual([]);
    const secret = this.sender.cookie.split('=')[1] ?? '';
    const { name, phone, bankAccount } = sampleRecipient;
    for (const personal of ['@example', name, phone.slice(-8), bankAccount, testPassword, '_secret_', secret]) {
      expect(lines(personal)).toEqual([]);
    }
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.stripe.close();
  }
}

async function createSenderData(browser: TestBrowser, walletAddress: string) {
  const recipientId: string = (await browser.send('POST', '/api/recipients', sampleRecipient)).body.id;
  const payment = await browser.send('POST', endpoints.createPaymentIntent.path, {
    amount: '20',
    currency: 'usd',
    recipientId,
  });
  const alert = await browser.send('POST', endpoints.createRateAlert.path, { currency: 'EUR', rate: '900' });
  const repeat = await browser.send('POST', endpoints.createRepeat.path, {
    ...{ recipientId, amount: '50', currency: 'usd', every: 'month', day: 31 },
  });
  const crypto = await browser.send('POST', endpoints.createOnrampSession.path, sampleCryptoRequest(walletAddress));
  return {
    recipientId,
    alertId: alert.body.id as string,
    repeatId: repeat.body.id as string,
    transferId: payment.body.transferId as string,
    intentId: payment.body.paymentIntentId as string,
    cryptoOrderId: crypto.body.orderId as string,
  };
}

/** A case about each transfer; the own one also has an admin's request. */
async function createDesk(api: TestApi, { own, other, adminId }: { own: string; other: string; adminId: string }) {
  const at = new Date();
  return api.database.transaction(async (em) => {
    for (const transferId of [own, other]) await openCase(em, { transferId, reason: 'contradiction', at });
    const caseOf = async (transferId: string) => (await em.findOneOrFail(DeskCase, { transferId })).id;
    const { userId: senderId } = await em.findOneOrFail(Transfer, { id: own });
    const request = await insertRequest(em, {
      ...{ caseId: await caseOf(own), transferId: own, senderId, action: 'resolve', reason: 'Nada' },
      ...{ requestedById: adminId, outcome: null, at },
    });
    return { caseId: await caseOf(other), deskRequestId: request.id };
  });
}

/** A failure of the closed list, as the contract says it looks. */
export function expectFailure(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  expect(failureView.safeParse(answer.body).error).toBeUndefined();
}
