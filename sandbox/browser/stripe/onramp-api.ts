/** Client of the onramp form: reads the session and sends the buyer's steps, with the publishable key. */
import type { StripeError } from '@stripe/stripe-js';
import { type FormParams, formEncode, IntegrationError, type SandboxApi } from './api.ts';
import { localised } from './messages.ts';

/** The fields of a session that the form shows. */
export interface SessionView {
  id: string;
  object: string;
  client_secret: string;
  livemode: boolean;
  status: 'initialized' | 'requires_payment' | 'fulfillment_processing' | 'fulfillment_complete' | 'rejected';
  transaction_details: {
    source_amount: string | null;
    source_currency: string | null;
    destination_amount: string | null;
    destination_currency: string | null;
    destination_network: string | null;
    wallet_address: string | null;
    fees: { network_fee_amount: string; transaction_fee_amount: string } | null;
  };
}

export type SessionResult = { session: SessionView; error?: undefined } | { session?: undefined; error: StripeError };

/** The session's id inside its client secret. Throws IntegrationError when the text is not a client secret. */
export function sessionIdOf(clientSecret: unknown): string {
  const id = typeof clientSecret === 'string' ? /^(cos_[^_]+)_secret_.+$/.exec(clientSecret)?.[1] : undefined;
  if (!id) throw new IntegrationError('Invalid value: clientSecret should be of the form cos_..._secret_....');
  return id;
}

export class OnrampApi {
  readonly #api: SandboxApi;
  readonly #clientSecret: string;
  readonly #id: string;

  /** @param api determines server, key and language of messages. */
  constructor(api: SandboxApi, clientSecret: string) {
    this.#api = api;
    this.#clientSecret = clientSecret;
    this.#id = sessionIdOf(clientSecret);
  }

  read(): Promise<SessionResult> {
    const query = formEncode({ client_secret: this.#clientSecret });
    return this.#ask(`/v1/crypto/onramp_sessions/${this.#id}?${query}`, {});
  }

  /** The buyer has opened the form. */
  start(): Promise<SessionResult> {
    return this.#report({ step: 'start' });
  }

  pay(card: FormParams): Promise<SessionResult> {
    return this.#report({ step: 'pay', payment_method_data: { type: 'card', card } });
  }

  #report(params: FormParams): Promise<SessionResult> {
    return this.#ask(`/sandbox/stripe/onramp_sessions/${this.#id}/checkout`, {
      method: 'POST',
      body: formEncode({ ...params, client_secret: this.#clientSecret }).toString(),
    });
  }

  async #ask(path: string, init: RequestInit): Promise<SessionResult> {
    const { origin, publishableKey, language } = this.#api;
    try {
      const response = await fetch(`${origin}${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${publishableKey}` },
        credentials: 'omit',
      });
      const body = await response.json();
      return response.ok ? { session: body } : { error: localised(body.error, language) };
    } catch {
      return { error: localised({ type: 'api_connection_error' }, language) };
    }
  }
}
