import { createHmac, randomBytes } from 'node:crypto';

/** A new signing secret: 256 random bits. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

/**
 * The signature of a body, as Stripe signs: `t=<seconds since 1970>,v1=<HMAC-SHA256 of "t.body", hex>`, with a `v1` for
 * each valid secret, so that a receiver may switch to a new one at any time.
 */
export function signatureOf(body: string, secrets: readonly string[], at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
  return [`t=${t}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
}
