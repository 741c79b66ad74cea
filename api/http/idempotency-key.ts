import type { Request } from 'express';
import { invalidInput } from '#core/contracts/failures';

/** The Idempotency-Key header of a request, or null without one. @throws Failure `invalid_input` for one that is none. */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidInput({ 'Idempotency-Key': 'Usa entre 1 y 255 letras, números o signos, sin espacios' });
}
