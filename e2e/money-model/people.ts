import type { z } from 'zod';
import type { AdminRole } from '#core/accounts/admin-roles';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';
import { type Answer, ApiClient, type CallOptions, pathOf } from '../api-client.ts';

export const password = 'una-clave-larga';

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type Output<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : undefined;

/** The outcome of a call: the body of a success, or the failure's status and code. */
export type Outcome<Body> =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly status: number; readonly code: string };

/** A user of the HTTP API who signs in again when the session has ended. */
export class Person {
  readonly id: string;
  readonly name: string;
  /** As the owner last set it; null for a sender, or an admin whose role was taken away. */
  role: AdminRole | null;
  blocked = false;
  readonly #email: string;
  readonly #client: ApiClient;
  #signedIn = false;

  constructor(url: () => string, account: { id: string; name: string; email: string; role: AdminRole | null }) {
    this.id = account.id;
    this.name = account.name;
    this.role = account.role;
    this.#email = account.email;
    this.#client = new ApiClient(url);
  }

  /** One call of the contract. A refusal is an outcome, not an error. @throws when the product fails (5xx, except what it declares). */
  async ask<E extends Endpoint>(
    endpoint: E,
    options: Omit<CallOptions, 'body'> & { body?: Input<E['body']> } = {},
  ): Promise<Outcome<Output<E>>> {
    if (!this.#signedIn) this.#signedIn = await this.#signIn();
    let answer = await this.#send(endpoint, options);
    if (answer.status === 401) {
      this.#signedIn = await this.#signIn();
      answer = await this.#send(endpoint, options);
    }
    if (answer.status === 500) throw new Error(`${endpoint.path} failed: ${JSON.stringify(answer.body)}`);
    if (answer.status < 300) return { ok: true, body: answer.body };
    return { ok: false, status: answer.status, code: String(answer.body?.code) };
  }

  #send(endpoint: Endpoint, options: CallOptions): Promise<Answer> {
    const json: Record<string, string> = options.body === undefined ? {} : { 'content-type': 'application/json' };
    return this.#client.request(endpoint.method, pathOf(endpoint, options), {
      headers: { ...json, ...options.headers },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
  }

  async #signIn(): Promise<boolean> {
    const body = { email: this.#email, password };
    return (await this.#send(endpoints.login, { body })).status < 300;
  }
}
