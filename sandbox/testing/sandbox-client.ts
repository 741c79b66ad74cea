/** A started sandbox with the clients that tests call it with: the real SDK and the control routes. */
import type Stripe from 'stripe';
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox.ts';
import { requestJson } from './control-client.ts';
import { stripeFor } from './start-stripe.ts';

export class SandboxClient {
  readonly sandbox: Sandbox;
  readonly stripe: Stripe;

  private constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
    this.stripe = stripeFor(sandbox.url);
  }

  static async start(options: SandboxOptions = {}): Promise<SandboxClient> {
    return new SandboxClient(await startSandbox({ asyncDelayMs: 0, ...options }));
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }

  control<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    return requestJson<T>(this.sandbox.url, method, `/sandbox${path}`, body);
  }

  /** Waits until nothing is due and no webhook is in flight. */
  async idle(): Promise<void> {
    const { idle } = await this.control<{ idle: boolean }>('GET', '/idle?timeoutMs=8000');
    if (!idle) throw new Error('The sandbox is not idle');
  }

  /** An unconfirmed card payment of 100.00 EUR with manual capture. */
  intent(params: Partial<Stripe.PaymentIntentCreateParams> = {}): Promise<Stripe.PaymentIntent> {
    return this.stripe.paymentIntents.create({
      amount: 10_000,
      currency: 'eur',
      capture_method: 'manual',
      allowed_payment_method_types: ['card'],
      ...params,
    });
  }

  /** A confirmed payment with this test card. */
  pay(card: string, params: Partial<Stripe.PaymentIntentCreateParams> = {}): Promise<Stripe.PaymentIntent> {
    return this.intent({ payment_method: card, confirm: true, ...params });
  }

  /** Types of the events about an intent, its charges and refunds, oldest first. */
  async eventTypes(intentId: string): Promise<string[]> {
    const path = `/stripe/events?payment_intent=${intentId}&limit=200`;
    const { data } = await this.control<{ data: { type: string }[] }>('GET', path);
    return data.map(({ type }) => type).reverse();
  }

  /** Confirms as a browser does: raw card data, publishable key, form-encoded. */
  async confirmInBrowser(intent: Stripe.PaymentIntent, number: string, more: Record<string, string> = {}) {
    const body = new URLSearchParams({
      client_secret: intent.client_secret ?? '',
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2030',
      'payment_method_data[card][cvc]': '123',
      use_stripe_sdk: 'true',
      ...more,
    });
    const response = await fetch(`${this.sandbox.url}/v1/payment_intents/${intent.id}/confirm`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_sandbox' },
      body,
    });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  }
}
