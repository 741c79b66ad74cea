import { z } from 'zod';
import { line, nameTooShortMessage, personName } from '../contracts/text.ts';

/** What is said about fields of recipients, by the codes of the problems. */
export const recipientSentences = {
  recipient_email_malformed: 'Email inválido',
  phone_too_short: 'Número de teléfono debe tener al menos 8 caracteres',
  phone_malformed: 'Usa solo números, espacios, guiones y el signo +',
  ci_too_short: 'Número de CI debe tener al menos 5 caracteres',
  ci_malformed: 'Usa solo números, letras y guiones',
  bank_required: 'Banco de destino es requerido',
  account_too_short: 'Número de cuenta bancaria debe tener al menos 5 caracteres',
  account_malformed: 'Usa solo números, espacios y guiones',
  address_too_short: 'Dirección debe tener al menos 5 caracteres',
  city_required: 'Ciudad es requerida',
} as const;

const text = (least: number, most: number, message: string) => line(most, message).min(least, message);

const noEmail = recipientSentences.recipient_email_malformed;

/**
 * What a recipient must have, with the specification's words (section 5). Used as it is by the browser's form and by the
 * server. Upper bounds are ours: they keep a row within what the bank's API accepts.
 */
export const recipientInput = z.object({
  name: personName(100, nameTooShortMessage).min(2, nameTooShortMessage),
  email: z
    .string(noEmail)
    .trim()
    .pipe(z.union([z.literal(''), z.email(noEmail).max(254, noEmail)], noEmail))
    .default(''),
  phone: text(8, 20, recipientSentences.phone_too_short).regex(
    /^\+?[0-9][0-9 ()-]*$/,
    recipientSentences.phone_malformed,
  ),
  ci: text(5, 20, recipientSentences.ci_too_short).regex(
    /^[0-9A-Za-z][0-9A-Za-z -]*$/,
    recipientSentences.ci_malformed,
  ),
  bankName: text(2, 80, recipientSentences.bank_required),
  bankAccount: text(5, 30, recipientSentences.account_too_short).regex(
    /^\+?[0-9][0-9 -]*$/,
    recipientSentences.account_malformed,
  ),
  address: text(5, 200, recipientSentences.address_too_short),
  city: text(2, 80, recipientSentences.city_required),
  relationship: line(40).default(''),
});

/** A recipient as the sender types it; `email` and `relationship` are empty when not given. */
export type RecipientInput = z.output<typeof recipientInput>;
