/** Idempotency keys: a key gets its first response again for 24 hours. */
import { createHmac } from 'node:crypto';
import type { SandboxContext } from '../context.ts';
import { randomText } from '../ids.ts';
import { StripeError } from './errors.ts';
import type { ApiResponse } from './respond.ts';

const KEPT_SECONDS = 24 * 3600;
const KEY_MAX = 255;

/** Keyed digest of an input. Inputs may contain card data, which must not be guessable from the stored digest. */
export function inputDigest(context: SandboxContext, input: string): string {
  let secret = context.storage.setting<string | null>('input_secret', null);
  if (!secret) {
    // A single statement: works with and without an open transaction.
    secret = randomText(32);
    context.storage.setSetting('input_secret', secret);
  }
  return createHmac('sha256', secret).update(input).digest('hex');
}

export interface KeyedRequest {
  key: string;
  /** Method and path. */
  request: string;
  digest: string;
}

export function checkKey(key: string): void {
  if (key.length <= KEY_MAX) return;
  const message = `Idempotency keys can have up to ${KEY_MAX} characters.`;
  throw new StripeError(400, 'invalid_request_error', message);
}

/** The first response under this key, or undefined. Throws idempotency_error if the request differs. */
export function replay(context: SandboxContext, { key, request, digest }: KeyedRequest): ApiResponse | undefined {
  const row = context.storage.one('SELECT * FROM idempotency WHERE key = ?', key);
  if (!row) return undefined;
  if (Number(row.created) < context.clock.seconds() - KEPT_SECONDS) {
    context.storage.run('DELETE FROM idempotency WHERE key = ?', key);
    return undefined;
  }
  if (row.request !== request) {
    const message = `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${row.request}' vs '${request}'). Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new StripeError(400, 'idempotency_error', message);
  }
  if (row.input !== digest) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new StripeError(400, 'idempotency_error', message);
  }
  const headers = { 'idempotent-replayed': 'true' };
  return { status: Number(row.status), body: JSON.parse(String(row.body)) as object, headers };
}

export function remember(context: SandboxContext, { key, request, digest }: KeyedRequest, response: ApiResponse): void {
  context.storage.run(
    'INSERT INTO idempotency (key, request, input, status, body, created) VALUES (?, ?, ?, ?, ?, ?)',
    ...[key, request, digest, response.status, JSON.stringify(response.body), context.clock.seconds()],
  );
}

/** Keys of requests in progress. */
export class KeysInUse {
  readonly #keys = new Set<string>();

  take(key: string): void {
    if (this.#keys.has(key)) {
      const message = `There is currently another in-progress request using this Idempotency Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`;
      throw new StripeError(409, 'idempotency_error', message, { code: 'idempotency_key_in_use' });
    }
    this.#keys.add(key);
  }

  give(key: string): void {
    this.#keys.delete(key);
  }
}
