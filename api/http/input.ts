import type { Request } from 'express';
import { z } from 'zod';
import { invalidInput } from '#core/contracts/failures';

const unusableText = 'Hay caracteres que no se pueden usar';
/** Messages for issues that our own schemas give none. */
const spanish = z.locales.es().localeError;

/** Parses one part of a request; unknown keys are dropped. @throws Failure `invalid_input` with a message per field. */
export function parseInput(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value, { error: spanish });
  if (!parsed.success) throw invalidInput(fieldsOf(parsed.error));
  const unusable = fieldWithNullByte(parsed.data);
  if (unusable !== null) throw invalidInput({ [unusable]: unusableText });
  return parsed.data;
}

/** The Idempotency-Key header of a request, or null without one. @throws Failure `invalid_input` for one that is none. */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidInput({ 'Idempotency-Key': 'Usa entre 1 y 255 letras, números o signos, sin espacios' });
}

/** The first message for each field of a failed parse. */
export function fieldsOf(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join('.')] ??= issue.message;
  return fields;
}

/** PostgreSQL's text cannot hold U+0000. Contracts keep all text at the first level, so only that is looked at. */
function fieldWithNullByte(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const found = Object.entries(data).find(([, value]) => typeof value === 'string' && value.includes('\0'));
  return found ? found[0] : null;
}
