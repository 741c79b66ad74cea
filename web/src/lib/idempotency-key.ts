/** A new key for the Idempotency-Key header. `crypto.randomUUID` is missing on plain-http addresses, this is not. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
