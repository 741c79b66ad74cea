import { z } from 'zod';
import { fieldSentences } from '../contracts/field-problems.ts';
import { line, personName } from '../contracts/text.ts';

const text = (least: number, most: number, message: string) => line(most, message).min(least, message);

const noEmail = fieldSentences.recipient_email_malformed;

/**
 * The required fields of a recipient, with the specification's texts (section 5). Shared by the browser's form and the
 * server. Upper bounds are ours: they keep a row within what the bank's API accepts.
 */
export const recipientInput = z.object({
  name: personName(100, fieldSentences.name_too_short).min(2, fieldSentences.name_too_short),
  email: z
    .string(noEmail)
    .trim()
    .pipe(z.union([z.literal(''), z.email(noEmail).max(254, noEmail)], noEmail))
    .default(''),
  phone: text(8, 20, fieldSentences.phone_too_short).regex(/^\+?[0-9][0-9 ()-]*$/, fieldSentences.phone_malformed),
  ci: text(5, 20, fieldSentences.ci_too_short).regex(/^[0-9A-Za-z][0-9A-Za-z -]*$/, fieldSentences.ci_malformed),
  bankName: text(2, 80, fieldSentences.bank_required),
  bankAccount: text(5, 30, fieldSentences.account_too_short).regex(
    /^\+?[0-9][0-9 -]*$/,
    fieldSentences.account_malformed,
  ),
  address: text(5, 200, fieldSentences.address_too_short),
  city: text(2, 80, fieldSentences.city_required),
  relationship: line(40).default(''),
});

/** A recipient as the sender types it; `email` and `relationship` are empty when not given. */
export type RecipientInput = z.output<typeof recipientInput>;
