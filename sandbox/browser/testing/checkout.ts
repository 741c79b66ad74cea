/** A checkout for tests: the sandbox, a page with the real Stripe packages, a browser with a phone's viewport. */
import type { FrameLocator, Page, Request } from 'playwright-core';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { useBrowser, viewports } from '../../../infra/testing/browser.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { type PageServer, servePage } from './page-server.ts';

export const cards = {
  accepted: '4242424242424242',
  withoutFunds: '4000000000009995',
  withChallenge: '4000002760003184',
  declinedAfterChallenge: '4000008400001629',
};

export interface Outcome {
  paymentIntent?: { id: string; status: string; metadata?: unknown };
  error?: { type: string; code: string; decline_code?: string; message: string; payment_intent?: { status: string } };
}

export const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 5000 });

export class Checkout {
  sandbox!: Sandbox;
  stripe!: Stripe;
  pages!: PageServer;
  page!: Page;
  /** Requests of the page since the test began. */
  requests: Request[] = [];

  /** The sandbox as a browser reaches it. */
  get origin(): string {
    return `http://localhost:${this.sandbox.port}`;
  }

  async start(): Promise<void> {
    this.sandbox = await startSandbox();
    this.pages = await servePage(this.origin);
    this.stripe = new Stripe('sk_test_sandbox', {
      host: '127.0.0.1',
      port: this.sandbox.port,
      protocol: 'http',
      telemetry: false,
      maxNetworkRetries: 0,
    });
  }

  async stop(): Promise<void> {
    await this.pages?.close();
    await this.sandbox?.close();
  }

  /** Continues in a new page. */
  useNewPage(page: Page): void {
    this.requests = [];
    this.page = page;
    page.on('request', (request) => this.requests.push(request));
  }

  newIntent(): Promise<Stripe.PaymentIntent> {
    return this.stripe.paymentIntents.create({
      amount: 10_050,
      currency: 'eur',
      capture_method: 'manual',
      allowed_payment_method_types: ['card'],
    });
  }

  /** URL of the test page for this intent; `more` are its further query parameters. */
  address(intent: { client_secret: string | null }, more: Record<string, string> = {}): string {
    const query = { sandbox: this.origin, client_secret: intent.client_secret ?? '', ...more };
    return `${this.pages.url}/?${new URLSearchParams(query)}`;
  }

  /** A new intent and its card form, ready. */
  async open(more: Record<string, string> = {}): Promise<Stripe.PaymentIntent> {
    const intent = await this.newIntent();
    await this.page.goto(this.address(intent, more));
    await this.page.locator('[data-ready="lista"]').waitFor();
    return intent;
  }

  /** The frame of the card form. */
  get form(): FrameLocator {
    return this.page.frameLocator('[data-stripe-frame=elements-frame]');
  }

  /** The frame of the bank's question. */
  get challenge(): FrameLocator {
    return this.page.frameLocator('[data-stripe-frame=three-d-secure-frame]');
  }

  async typeCard(number: string): Promise<void> {
    await this.form.getByTestId('card-number').fill(number);
    await this.form.getByTestId('card-expiry').fill('12/40');
    await this.form.getByTestId('card-cvc').fill('123');
  }

  async pay(): Promise<void> {
    await this.page.getByRole('button', { name: 'Pagar' }).click();
  }

  /** What Stripe's promise last resolved with; waits for the first. */
  async outcome(): Promise<Outcome> {
    const output = this.page.getByTestId('outcome');
    await output.filter({ hasText: '{' }).waitFor();
    return JSON.parse((await output.textContent()) ?? '');
  }

  /** The intent's status on the server. */
  async statusOf(intent: { id: string }): Promise<string> {
    return (await this.stripe.paymentIntents.retrieve(intent.id)).status;
  }

  /** The data-testid (or else text) of the focused element, also in shadow roots and frames. */
  async focused(): Promise<string | null> {
    for (const frame of this.page.frames().toReversed()) {
      const focused = await frame.evaluate(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        if (!element || !document.hasFocus()) return null;
        if (element === document.body || element instanceof HTMLIFrameElement) return null;
        return element.getAttribute('data-testid') ?? element.textContent;
      });
      if (focused !== null) return focused;
    }
    return null;
  }
}

/** What a browser logs of a declined card, of a challenge that was answered already, and of a connection that a test cuts. */
const expectedErrors = [/status of 402/, /status of 400.*\/challenge/, /ERR_FAILED/];

/** One checkout per test file, a new page per test. */
export function checkoutOfFile(): Checkout {
  const checkout = new Checkout();
  const browser = useBrowser();
  beforeAll(() => checkout.start(), 60_000);
  beforeEach(async () => checkout.useNewPage(await browser.newPage({ viewport: viewports.phone, expectedErrors })));
  afterAll(() => checkout.stop());
  return checkout;
}
