/** Identifiers in Stripe's shapes: a prefix that names the kind, then random letters and digits. */
import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random bytes at hand, because a call of the system for each id costs more than the rest of it. */
const bytes = Buffer.alloc(4096);
let used = bytes.length;

function randomByte(): number {
  if (used === bytes.length) {
    randomFillSync(bytes);
    used = 0;
  }
  return bytes.readUInt8(used++);
}

/** `length` random base62 characters. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    // 248 is the largest multiple of 62 below 256: dropping the rest keeps every character equally likely.
    if (byte < 248) text += ALPHABET[byte % 62];
  }
  return text;
}

/** @param prefix as `pi_3`, `evt_3`, `pm_1`. */
export function newId(prefix: string): string {
  return prefix + randomText(24 - (/\d$/.test(prefix) ? 1 : 0));
}
