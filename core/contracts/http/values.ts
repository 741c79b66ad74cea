import { z } from 'zod';
import { maxMinor, parseMinor, sendCurrencies } from '../../money/money.ts';
import { parseRate } from '../../rates/rate.ts';
import { fieldSentences } from '../field-problems.ts';

/** A file in base64, of up to `lengthMax` characters. Zod's own check of base64 takes 100 ms for 10 MB, ten times as long. */
export const base64File = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .check(({ value, issues }) => {
      if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
        issues.push({ code: 'invalid_format', format: 'base64', input: value });
    })
    .meta({ format: 'base64', contentEncoding: 'base64' });

/** A decimal amount as sent by a program: text ("100.00") or a JSON number with at most two decimals. Becomes minor units. */
export const amountInput = z
  .union([z.string().trim().max(20, fieldSentences.amount_malformed), z.number()], {
    error: fieldSentences.amount_malformed,
  })
  .transform((value, context) => {
    const minor = parseMinor(String(value));
    if (minor !== null && minor > 0n && minor <= maxMinor) return minor;
    context.addIssue({ code: 'custom', message: fieldSentences.amount_malformed });
    return z.NEVER;
  });

/** A rate as an admin enters it: positive, at most two decimals (specification, section 5). */
export const adminRateInput = z
  .union([z.string().trim().max(20, fieldSentences.rate_malformed), z.number()], {
    error: fieldSentences.rate_malformed,
  })
  .transform((value, context) => {
    const rate = /^\d+(\.\d{1,2})?$/.test(String(value)) ? parseRate(String(value)) : null;
    if (rate !== null) return rate;
    context.addIssue({ code: 'custom', message: fieldSentences.rate_malformed });
    return z.NEVER;
  });

/** Any exact rate shown to a person earlier and sent back ("13.20"). */
export const shownRateInput = z
  .union([z.string().trim().max(20, fieldSentences.rate_malformed), z.number()], {
    error: fieldSentences.rate_malformed,
  })
  .transform((value, context) => {
    const rate = parseRate(String(value));
    if (rate !== null) return rate;
    context.addIssue({ code: 'custom', message: fieldSentences.rate_malformed });
    return z.NEVER;
  });

/** Upper or lower case on the way in ("eur"), always upper case inside. */
export const currencyInput = z
  .string({ error: fieldSentences.currency_unknown })
  // ASCII only: other letters have an upper case that is one of these, too.
  .transform((text) => (/^[a-z]{3}$/i.test(text) ? text.toUpperCase() : text))
  .pipe(z.enum(sendCurrencies, { error: fieldSentences.currency_unknown }));

/** Decimal text with two decimals, "1291.40". */
export const amountText = z
  .string()
  .regex(/^-?\d+\.\d{2}$/)
  .meta({ description: 'Monto decimal exacto, "1291.40"', example: '1291.40' });
/** Decimal text of an exchange rate, "13.38". */
export const rateText = z
  .string()
  .regex(/^\d+\.\d{2,6}$/)
  .meta({ description: 'Tasa exacta en bolivianos por unidad', example: '13.38' });
export const timestamp = z.iso.datetime().meta({ description: 'UTC, ISO 8601' });
/** Lower case, as the database writes it: an id is also a key elsewhere (idempotency, job, room). */
export const id = z.uuid().toLowerCase();
export const currency = z.enum(sendCurrencies);

/** One page of a list: `nextCursor` goes back as `cursor` for the next one, null at the end. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** Keyset paging: an opaque cursor from an earlier page and a page size. */
export const pageQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
