import { expect } from 'vitest';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints, failureView } from '#core/contracts/http/endpoints';
import type { Env } from '#platform/env';
import { type EndpointName, sampleCryptoRequest, sampleRecipient, samples, type Things } from './samples.ts';
import { StripeStandIn } from './stripe-stand-in.ts';
import { TestApi, testPassword } from './test-api.ts';
import type { Answer, TestBrowser } from './test-browser.ts';

/** Every endpoint of the contract, by name. */
export const table = Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][];

/** The tests themselves make many attempts. */
const attemptLimits = {
  perEmail: 1000,
  perIp: 10_000,
  signUpsPerIp: 10_000,
  recoveriesPerEmail: 1000,
  recoveriesPerIp: 10_000,
  rateUpdates: 1000,
};
const limits = { dayUsdMinor: 10_000_000n, monthUsdMinor: 10_000_000n };

/** A running api with rates in force, a visitor, a sender with a recipient and an unpaid transfer, another such, and an admin. */
export class House {
  private constructor(
    readonly api: TestApi,
    readonly stripe: StripeStandIn,
    readonly visitor: TestBrowser,
    readonly sender: TestBrowser,
    readonly admin: TestBrowser,
    readonly things: Things,
  ) {}

  static async open(env: Env): Promise<House> {
    const stripe = await StripeStandIn.start();
    const api = await TestApi.start(
      { ...env, stripe: { ...env.stripe, apiUrl: stripe.url }, limits },
      // No worker runs here.
      { attemptLimits, rateRunWaitMs: 50 },
    );
    const sender = await api.person();
    const other = await api.person();
    const admin = await api.person('admin', 'Ana Quispe');
    await api.setRates(admin.user, 13_380_000n);
    const colleague = await api.person('admin', 'Luis Rojas');
    const asked = await colleague.browser.send('POST', endpoints.setRate.path, {
      rate: '13.40',
      currency: 'EUR',
      reason: 'Prueba',
    });
    const walletAddress = env.crypto.walletAddress ?? '';
    const own = await settle(sender.browser, walletAddress);
    const others = await settle(other.browser, walletAddress);
    return new House(api, stripe, api.visitor(), sender.browser, admin.browser, {
      ...own,
      walletAddress,
      otherRecipientId: others.recipientId,
      otherTransferId: others.transferId,
      otherIntentId: others.intentId,
      otherAlertId: others.alertId,
      rateChangeId: asked.body.change.id,
      otherCryptoOrderId: others.cryptoOrderId,
    });
  }

  /** Who may make a call. */
  allowed(endpoint: Endpoint): TestBrowser {
    if (endpoint.access === 'public') return this.visitor;
    return endpoint.access === 'admin' ? this.admin : this.sender;
  }

  /** An endpoint's path with its sample's parameters, some of them changed. */
  pathOf(name: EndpointName, changed: Record<string, string> = {}): string {
    const params = { ...samples[name].params?.(this.things), ...changed };
    return endpoints[name].path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? '');
  }

  bodyOf(name: EndpointName): Record<string, unknown> | undefined {
    return samples[name].body?.(this.things);
  }

  /** The correct call of an endpoint, by whoever, with headers changed. */
  call(name: EndpointName, browser: TestBrowser, headers: Record<string, string> = {}): Promise<Answer> {
    return browser.send(endpoints[name].method, this.pathOf(name), this.bodyOf(name), headers);
  }

  /** No failure was unexpected, and no log line holds anything personal. */
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

async function settle(browser: TestBrowser, walletAddress: string) {
  const recipientId: string = (await browser.send('POST', '/api/recipients', sampleRecipient)).body.id;
  const payment = await browser.send('POST', endpoints.createPaymentIntent.path, {
    amount: '20',
    currency: 'usd',
    recipientId,
  });
  const alert = await browser.send('POST', endpoints.createRateAlert.path, { currency: 'EUR', rate: '900' });
  const crypto = await browser.send('POST', endpoints.createOnrampSession.path, sampleCryptoRequest(walletAddress));
  return {
    recipientId,
    alertId: alert.body.id as string,
    transferId: payment.body.transferId as string,
    intentId: payment.body.paymentIntentId as string,
    cryptoOrderId: crypto.body.orderId as string,
  };
}

/** A failure of the closed list, as the contract says it looks. */
export function expectFailure(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  expect(failureView.safeParse(answer.body).error).toBeUndefined();
}
