/** Parameter schemas with Stripe's error codes. All values arrive as text. */
import { z } from 'zod';
import { invalidRequest, StripeError } from './errors.ts';
import type { Form } from './form.ts';

type Refusal = { code?: string; message: string };

/** Adds an issue that `readParameters` turns into an error with this code. */
function refuse(context: z.RefinementCtx, refusal: Refusal): never {
  context.addIssue({ code: 'custom', message: refusal.message, params: { stripe: refusal.code } });
  return z.NEVER;
}

/** Text of at most `max` characters. Stripe reads an empty string as "unset", which is refused here. */
export function text(max = 5000): z.ZodType<string> {
  return z.string().transform((value, context) => {
    if (value === '')
      return refuse(context, { code: 'parameter_invalid_empty', message: 'You passed an empty string.' });
    if (value.length > max) {
      return refuse(context, { message: `Invalid string: too long. The maximum length is ${max} characters.` });
    }
    return value;
  });
}

export const integer: z.ZodType<number> = z.string().transform((value, context) => {
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  return refuse(context, { code: 'parameter_invalid_integer', message: `Invalid integer: ${value.slice(0, 40)}` });
});

export const flag: z.ZodType<boolean> = z.string().transform((value, context) => {
  if (value === 'true' || value === 'false') return value === 'true';
  return refuse(context, { message: `Invalid boolean: ${value.slice(0, 40)}` });
});

export function oneOf<const T extends string>(values: readonly T[]): z.ZodType<T> {
  return z.string().transform((value, context) => {
    if ((values as readonly string[]).includes(value)) return value as T;
    return refuse(context, { message: `Invalid value: must be one of ${values.join(', ')}` });
  });
}

/** A value, or the empty string to unset it (read as null). */
export function emptyable<T>(schema: z.ZodType<T>): z.ZodType<T | null> {
  return z.preprocess((value) => (value === '' ? null : value), schema.nullable());
}

export function listOf<T>(schema: z.ZodType<T>, max = 300): z.ZodType<T[]> {
  const values = (value: unknown) => (value !== null && typeof value === 'object' ? Object.values(value) : value);
  return z.preprocess(values, z.array(schema).max(max));
}

/** A parameter that is accepted without effect. */
export const ignored: z.ZodType<unknown> = z.unknown();

/** A parameter that is refused whatever its value. */
function refused(message: string): z.ZodType<undefined> {
  return z.unknown().transform((_, context) => refuse(context, { message }));
}

/** A parameter of Stripe's whose effect the sandbox does not simulate: refused instead of silently ignored. */
export const unsupported = refused('The sandbox does not support this parameter.');

/** Stripe refuses it for card payments, and there are no others here. */
export const statementDescriptor = refused(
  'The statement_descriptor parameter is not supported for card payments. Use statement_descriptor_suffix instead.',
);

/** https://docs.stripe.com/get-started/account/statement-descriptors */
export const statementDescriptorSuffix: z.ZodType<string> = text(22).transform((value, context) => {
  if (/[<>\\'"*]/.test(value)) {
    const message = 'The statement descriptor suffix may not contain < > \\ \' " *';
    return refuse(context, { code: 'invalid_characters', message });
  }
  if (/\p{L}/u.test(value)) return value;
  return refuse(context, { message: 'The statement descriptor suffix must contain at least one letter.' });
});

const metadataEntries = z.record(z.string(), z.string()).transform((entries, context) => {
  const tooMuch = Object.keys(entries).length > 50 && 'Metadata can have up to 50 keys.';
  const longKey = Object.keys(entries).some((key) => key.length > 40) && 'Metadata keys can have up to 40 characters.';
  const longValue =
    Object.values(entries).some((value) => value.length > 500) && 'Metadata values can have up to 500 characters.';
  const message = tooMuch || longKey || longValue;
  return message ? refuse(context, { message }) : entries;
});

/** Keys to set; an empty value unsets its key, null unsets all. */
export type MetadataChange = Record<string, string> | null;
export const metadata: z.ZodType<MetadataChange> = emptyable(metadataEntries);

/** Metadata after a change, as Stripe merges it. */
export function withMetadata(
  before: Record<string, string>,
  change: MetadataChange | undefined,
): Record<string, string> {
  if (change === undefined) return before;
  if (change === null) return {};
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== ''));
}

export interface TimeRange {
  gt?: number;
  gte?: number;
  lt?: number;
  lte?: number;
}
const bounds = z.strictObject({
  gt: integer.optional(),
  gte: integer.optional(),
  lt: integer.optional(),
  lte: integer.optional(),
});
/** `created=1` or `created[gte]=1`. */
export const timeRange: z.ZodType<TimeRange> = z.preprocess(
  (value) => (typeof value === 'string' ? { gte: value, lte: value } : value),
  bounds,
) as z.ZodType<TimeRange>;

export const expand = { expand: listOf(text(), 20).optional() };

export const pages = {
  limit: integer.optional(),
  starting_after: text().optional(),
  ending_before: text().optional(),
};

function nameOf(path: PropertyKey[]): string {
  return path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');
}

function valueAt(form: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], form);
}

function errorFrom(issue: z.core.$ZodIssue, form: Form): StripeError {
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? '']);
    return invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  const param = nameOf(issue.path);
  if (issue.code === 'custom') {
    const code = issue.params?.stripe as string | undefined;
    return invalidRequest(issue.message, { ...(code ? { code } : {}), param });
  }
  if (valueAt(form, issue.path) === undefined) {
    return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  return invalidRequest(`Invalid value for ${param}.`, { param });
}

/** Parses a form by a schema; throws the StripeError of the first issue. */
export function readParameters<T>(schema: z.ZodType<T>, form: Form): T {
  const read = schema.safeParse(form);
  if (read.success) return read.data;
  const issues = read.error.issues;
  // A misspelt parameter also makes the right one missing; the unknown name is the more helpful message.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  throw issue ? errorFrom(issue, form) : new StripeError(400, 'invalid_request_error', 'Invalid parameters.');
}
