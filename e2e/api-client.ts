import { randomInt, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';
import type { Sandbox } from '../sandbox/testing/control-client.ts';
import { until } from './until.ts';

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type Output<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : undefined;

export interface CallOptions {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect the bodies of failed calls freely.
  body: any;
}

/** A failed call: its status and the body's stable code. */
export class CallFailed extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: Answer['body'];

  constructor(path: string, answer: Answer) {
    super(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    this.status = answer.status;
    this.code = answer.body?.code;
    this.body = answer.body;
  }
}

/** An HTTP client of the api for one user: keeps the session cookie and is typed by the contracts. */
export class ApiClient {
  readonly #url: () => string;
  /** The test stack trusts this machine as a proxy, so every client sends a distinct address for the rate limits. */
  readonly #address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  #cookie = '';

  /** `url` is called before every request, because a killed api may come back elsewhere. */
  constructor(url: () => string) {
    this.#url = url;
  }

  /** Any request at all, for calls that are meant to be wrong. */
  async request(
    method: string,
    path: string,
    init: { body?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.#url()}${path}`, {
      method,
      headers: { 'x-forwarded-for': this.#address, ...(this.#cookie ? { cookie: this.#cookie } : {}), ...init.headers },
      ...(init.body === undefined ? {} : { body: init.body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
    });
    for (const line of response.headers.getSetCookie()) {
      if (line.startsWith('chasqui_session=')) this.#cookie = line.split(';')[0] ?? '';
    }
    const text = await response.text();
    let body: unknown = text;
    try {
      body = text === '' ? undefined : JSON.parse(text);
    } catch {
      // Not JSON: keep the text.
    }
    return { status: response.status, headers: response.headers, body };
  }

  /** A call of the contract. @throws CallFailed on any status but success. */
  async call<E extends Endpoint>(
    endpoint: E,
    options: Omit<CallOptions, 'body'> & { body?: Input<E['body']> } = {},
  ): Promise<Output<E>> {
    const path = pathOf(endpoint, options);
    const answer = await this.request(endpoint.method, path, {
      headers: { ...(options.body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    if (answer.status >= 400) throw new CallFailed(`${endpoint.method} ${path}`, answer);
    return answer.body as Output<E>;
  }

  get cookie(): string {
    return this.#cookie;
  }
}

/** Fills an endpoint's path and query in. */
export function pathOf(endpoint: Endpoint, options: CallOptions): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(options.params?.[name] ?? ''));
  const query = new URLSearchParams(Object.entries(options.query ?? {}).map(([key, value]) => [key, String(value)]));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** A running product, and the mailbox in which its people read their e-mail. */
export interface Product {
  url(): string;
  readonly sandbox: Pick<Sandbox, 'mails'>;
}

/** The code in the newest verification e-mail to an unverified address. */
export const emailedCode = ({ sandbox }: Pick<Product, 'sandbox'>, email: string): Promise<string> =>
  until('the e-mail with the code has arrived', async () =>
    (await sandbox.mails(email)).map(({ subject }) => /^\d{6}\b/.exec(subject)?.[0]).find((code) => code !== undefined),
  );

/** A fresh sender, signed up and signed in, whose address is proven. */
export async function signUp(app: Product, name = 'Carmen Rojas'): Promise<ApiClient> {
  const client = new ApiClient(() => app.url());
  const email = `sender-${randomUUID()}@example.com`;
  await client.call(endpoints.register, { body: { name, email, password: 'una-clave-larga', acceptedTerms: true } });
  await client.call(endpoints.proveEmail, { body: { code: await emailedCode(app, email) } });
  return client;
}

/** Signs an existing account in. */
export async function signIn(url: () => string, email: string, password: string): Promise<ApiClient> {
  const client = new ApiClient(url);
  await client.call(endpoints.login, { body: { email, password } });
  return client;
}

export const sampleRecipient = {
  name: 'Rosa Mamani',
  email: '',
  phone: '+591 71234567',
  ci: '4567890',
  bankName: 'Banco Unión',
  bankAccount: '10000012345678',
  address: 'Av. Buenos Aires 1450',
  city: 'La Paz',
  relationship: 'Mamá',
};

/** Adds a recipient and freezes a quote with a payment intent, as the dashboard does before the card form opens. */
export async function openPayment(
  sender: ApiClient,
  options: { amount?: string; currency?: 'eur' | 'usd'; recipientId?: string; key?: string } = {},
) {
  const recipientId =
    options.recipientId ?? (await sender.call(endpoints.createRecipient, { body: sampleRecipient })).id;
  return sender.call(endpoints.createPaymentIntent, {
    body: {
      amount: options.amount ?? '100.00',
      currency: options.currency ?? 'eur',
      recipientId,
      birthDate: '1990-05-17',
    },
    headers: { 'idempotency-key': options.key ?? randomUUID() },
  });
}

/** What Stripe.js does when the user presses pay: confirms the intent with the card, directly at Stripe. */
export async function payWithCard(
  stripeUrl: string,
  payment: { paymentIntentId: string; clientSecret: string },
  number = '4242424242424242',
): Promise<Answer> {
  const response = await fetch(`${stripeUrl}/v1/payment_intents/${payment.paymentIntentId}/confirm`, {
    method: 'POST',
    headers: { authorization: 'Bearer pk_test_sandbox', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      client_secret: payment.clientSecret,
      use_stripe_sdk: 'true',
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2034',
      'payment_method_data[card][cvc]': '123',
    }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
