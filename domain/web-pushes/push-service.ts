import { createHash, ECDH } from 'node:crypto';
import { Failure } from '#core/contracts/failures';
import type { PushSubscriptionInput } from '#core/contracts/http/account';
import type { PushConfiguration } from '#platform/configuration/worker';
import { isAllowedUrl, type PostResult, post } from '#platform/http/post';
import type { WebPushText } from './web-push-texts.ts';

/** A browser's subscription as stored. */
export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Whether an address belongs to a known push service: it comes from a browser, and must not redirect our calls. */
export function isKnownPushService(endpoint: string, hosts: readonly string[]): boolean {
  if (!isAllowedUrl(endpoint, { anywhere: false })) return false;
  const { host } = new URL(endpoint);
  return hosts.some((known) => (known.startsWith('*.') ? host.endsWith(known.slice(1)) : host === known));
}

/**
 * Validates a browser's subscription: a known push service, and a valid encryption key.
 * @throws Failure `push_service_unknown`.
 */
export function readSubscription(browser: PushSubscriptionInput, hosts: readonly string[]): Subscription {
  if (!isKnownPushService(browser.endpoint, hosts)) throw new Failure('push_service_unknown');
  try {
    // Throws if the point is not on the curve.
    ECDH.convertKey(browser.p256dh, 'prime256v1', 'base64url');
  } catch {
    throw new Failure('push_service_unknown');
  }
  return browser;
}

/**
 * Sends a notification to a browser, encrypted for it (RFC 8291). Until delivery, its push service keeps the last one
 * with a key, for at most `ttlMs`, so duplicates collapse. Never throws for the service's answers.
 */
export async function sendToBrowser(
  { publicKey, privateKey, subject, hosts, anywhere }: PushConfiguration,
  { endpoint, p256dh, auth }: Subscription,
  { text, key, ttlMs }: { text: WebPushText; key: string; ttlMs: number },
): Promise<PostResult> {
  if (!anywhere && !isKnownPushService(endpoint, hosts)) return { error: 'address' };
  // Loaded with the first notification: most workers send none for a while.
  const { default: webPush } = await import('web-push');
  const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(text), {
    vapidDetails: { subject, publicKey, privateKey },
    TTL: Math.max(0, Math.floor(ttlMs / 1000)),
    urgency: 'normal',
    // At most 32 characters of base64url (RFC 8030, 5.4).
    topic: createHash('sha256').update(key).digest('base64url').slice(0, 32),
  });
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return post(endpoint, { body: request.body ?? Buffer.alloc(0), headers, anywhere });
}
