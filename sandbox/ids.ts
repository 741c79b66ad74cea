/** Identifiers in Stripe's shapes: a prefix that names the kind, then random letters and digits. */
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` random base62 characters. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    // 248 is the largest multiple of 62 below 256: dropping the rest keeps every character equally likely.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
  }
  return text;
}

/** @param prefix as `pi_3`, `evt_3`, `pm_1`. */
export function newId(prefix: string): string {
  return prefix + randomText(24 - (/\d$/.test(prefix) ? 1 : 0));
}
