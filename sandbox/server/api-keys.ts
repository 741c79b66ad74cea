/**
 * API keys: the secret key may call everything, the publishable key only the calls of Stripe.js, a restricted key those
 * of its permissions.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { Call, Permissions } from '../context.ts';
import { StripeError } from './errors.ts';

export interface ApiKeys {
  secret: string;
  publishable: string;
}

function given(request: Request): string | undefined {
  const header = request.headers.authorization ?? '';
  const [scheme = '', value = ''] = header.split(' ', 2);
  if (/^bearer$/i.test(scheme)) return value;
  // `curl -u sk_test_...:` sends Basic authentication with the key as user name.
  if (/^basic$/i.test(scheme)) return Buffer.from(value, 'base64').toString('utf8').split(':')[0];
  return undefined;
}

function same(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A key as error messages show it: never in full. */
export function masked(key: string): string {
  return `${key.slice(0, 8)}${'*'.repeat(4)}${key.length > 16 ? key.slice(-4) : ''}`;
}

/**
 * The kind of API key of a request. Throws 401 for a missing or unknown key, or a publishable one where it is not
 * allowed.
 * @param restricted the account's restricted keys and their permissions.
 */
export function authenticate(
  request: Request,
  keys: ApiKeys,
  publishableAllowed: boolean,
  restricted: Readonly<Record<string, Permissions>> = {},
): Pick<Call, 'key' | 'permissions'> {
  const key = given(request) ?? (publishableAllowed ? formKey(request) : undefined);
  if (!key) {
    const message =
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
    throw new StripeError(401, 'invalid_request_error', message);
  }
  if (same(key, keys.secret)) return { key: 'secret' };
  const permissions = Object.entries(restricted).find(([one]) => same(key, one))?.[1];
  if (permissions) return { key: 'secret', permissions };
  if (!same(key, keys.publishable)) {
    throw new StripeError(401, 'invalid_request_error', `Invalid API Key provided: ${masked(key)}`);
  }
  if (publishableAllowed) return { key: 'publishable' };
  throw new StripeError(
    401,
    'invalid_request_error',
    'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
    { code: 'secret_key_required' },
  );
}

/** Stripe.js may put its key into the body as `key`. */
function formKey(request: Request): string | undefined {
  const match = typeof request.body === 'string' ? /(?:^|&)key=(pk_test_\w+)/.exec(request.body) : null;
  return match?.[1];
}
