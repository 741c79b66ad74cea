import type { Request } from 'express';
import { z } from 'zod';
import { Failure } from '#core/contracts/failures';
import { fieldProblemOf } from '#core/contracts/field-problems';
import { invalidInput } from '#core/contracts/invalid-input';

/** Messages for issues that our own schemas give none. */
const spanish = z.locales.es().localeError;

/**
 * Parses one part of a request; unknown keys are dropped. @throws Failure `invalid_input` with the problem of each
 * field.
 */
export function parseInput(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value, { error: spanish, reportInput: true });
  if (!parsed.success) throw wrongInput(parsed.error);
  const unusable = fieldWithNullByte(parsed.data);
  if (unusable !== null) throw invalidInput({ [unusable]: 'unusable_characters' });
  return parsed.data;
}

/** The Idempotency-Key header of a request, or null without one. @throws Failure `invalid_input` if it is malformed. */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidInput({ 'Idempotency-Key': 'idempotency_key_malformed' });
}

/** The failure of a parse: the first problem of each field. */
export function wrongInput({ issues }: z.ZodError): Failure<'invalid_input'> {
  // Later entries replace earlier ones of the same key.
  const first = issues.map((issue) => [issue.path.join('.'), issue] as const).reverse();
  return new Failure('invalid_input', {
    fields: Object.fromEntries(first.map(([path, { message }]) => [path, message])),
    problems: Object.fromEntries(first.map(([path, issue]) => [path, fieldProblemOf(issue)])),
  });
}

/** PostgreSQL's text type cannot store U+0000. Contracts keep all text at the first level, so only that is checked. */
function fieldWithNullByte(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const found = Object.entries(data).find(([, value]) => typeof value === 'string' && value.includes('\0'));
  return found ? found[0] : null;
}
