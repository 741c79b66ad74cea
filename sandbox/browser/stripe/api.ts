/** Client of the sandbox server: the calls of Stripe.js to api.stripe.com, and the answer to a 3-D Secure challenge. */
import type { PaymentIntent, StripeError } from '@stripe/stripe-js';
import { type Language, localised } from './messages.ts';

/** Values of a form-encoded request; nested objects become `a[b]=c`, as Stripe reads them. */
export interface FormParams {
  [name: string]: FormParams | string | number | boolean | null | undefined;
}

export type ApiResult =
  | { paymentIntent: PaymentIntent; error?: undefined }
  | { paymentIntent?: undefined; error: StripeError };

export type ChallengeOutcome = 'complete' | 'fail' | 'cancel';

/** Thrown for wrong use of the API, never for card or network failures. */
export class IntegrationError extends Error {
  override name = 'IntegrationError';
}

/** The PaymentIntent's id inside its client secret. Throws IntegrationError when the text is not a client secret. */
export function intentIdOf(clientSecret: unknown): string {
  const id = typeof clientSecret === 'string' ? /^(pi_[^_]+)_secret_.+$/.exec(clientSecret)?.[1] : undefined;
  if (!id) {
    throw new IntegrationError(
      'Invalid value: client_secret should be a PaymentIntent client secret of the form pi_..._secret_....',
    );
  }
  return id;
}

function encodeInto(body: URLSearchParams, params: FormParams, path: (name: string) => string): void {
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'object') encodeInto(body, value, (inner) => `${path(name)}[${inner}]`);
    else body.append(path(name), String(value));
  }
}

/** A form-encoded body or query string. */
export function formEncode(params: FormParams): URLSearchParams {
  const body = new URLSearchParams();
  encodeInto(body, params, (name) => name);
  return body;
}

const CONNECTION_ERROR: StripeError = { type: 'api_connection_error' };

export class SandboxApi {
  /** Of the sandbox server, without a trailing slash. */
  readonly origin: string;
  readonly publishableKey: string;
  /** Of the messages of errors. */
  readonly language: Language;

  constructor(origin: string, publishableKey: string, language: Language) {
    this.origin = origin;
    this.publishableKey = publishableKey;
    this.language = language;
  }

  /** The same server, with messages in another language. */
  in(language: Language): SandboxApi {
    return new SandboxApi(this.origin, this.publishableKey, language);
  }

  /** The PaymentIntent as a publishable key may see it. */
  retrieve(clientSecret: string): Promise<ApiResult> {
    const path = `/v1/payment_intents/${intentIdOf(clientSecret)}`;
    return this.#ask(`${path}?${formEncode({ client_secret: clientSecret })}`, {});
  }

  confirm(clientSecret: string, params: FormParams): Promise<ApiResult> {
    const path = `/v1/payment_intents/${intentIdOf(clientSecret)}/confirm`;
    return this.#ask(path, {
      method: 'POST',
      body: formEncode({ ...params, client_secret: clientSecret, use_stripe_sdk: true }),
    });
  }

  /** Sends the cardholder's answer; resolves with the PaymentIntent afterwards. */
  async answerChallenge(clientSecret: string, outcome: ChallengeOutcome): Promise<ApiResult> {
    const path = `/sandbox/stripe/payment_intents/${intentIdOf(clientSecret)}/challenge`;
    const answer = await this.#ask(path, {
      method: 'POST',
      body: formEncode({ client_secret: clientSecret, outcome }),
    });
    if (answer.error?.type === 'api_connection_error') return answer;
    // Read the intent again: the challenge may have been completed elsewhere in the meantime.
    return this.retrieve(clientSecret);
  }

  async #ask(path: string, init: RequestInit): Promise<ApiResult> {
    let parsed: { error?: StripeError } | PaymentIntent;
    try {
      const response = await fetch(`${this.origin}${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${this.publishableKey}` },
        credentials: 'omit',
      });
      parsed = await response.json();
    } catch {
      return { error: localised(CONNECTION_ERROR, this.language) };
    }
    if ('error' in parsed && parsed.error) return { error: localised(parsed.error, this.language) };
    return { paymentIntent: parsed as PaymentIntent };
  }
}
