import { recipientSentences } from '../recipients/recipient.ts';
import { accountSentences } from './http/auth.ts';
import { cryptoCurrencyMessage, dollarsMessage, networkMessage, walletMessage } from './http/crypto.ts';
import { answerMessage } from './http/disputes.ts';
import { noteMessage } from './http/operations.ts';
import { birthDateMessage, paymentIdMessage } from './http/payments.ts';
import { daysMessage } from './http/rate-series.ts';
import { amountMessage, currencyMessage, rateMessage, recipientMessage } from './http/values.ts';
import { nameLettersMessage, nameLinkMessage, nameTooShortMessage, unusableMessage } from './text.ts';

/**
 * What contracts say about single fields, in Spanish, by codes for programs. A client that shows another language looks the code
 * up, or the sentence where it checks a form by the same contract.
 */
export const fieldSentences = {
  unusable_characters: unusableMessage,
  name_too_short: nameTooShortMessage,
  name_without_letters: nameLettersMessage,
  name_with_link: nameLinkMessage,
  ...accountSentences,
  ...recipientSentences,
  amount_malformed: amountMessage,
  rate_malformed: rateMessage,
  currency_unknown: currencyMessage,
  recipient_missing: recipientMessage,
  birth_date_missing: birthDateMessage,
  payment_malformed: paymentIdMessage,
  dollars_only: dollarsMessage,
  crypto_currency_malformed: cryptoCurrencyMessage,
  network_malformed: networkMessage,
  wallet_malformed: walletMessage,
  note_required: noteMessage,
  answer_required: answerMessage,
  days_unknown: daysMessage,
  reason_required: 'Escribe el motivo',
  proof_too_large: 'El archivo puede tener 2 MB como máximo',
  proof_unreadable: 'El archivo no es un PDF, PNG o JPEG que se pueda leer',
  activation_out_of_range: 'Elige una hora futura, como máximo dentro de 30 días',
  page_gone: 'Esta página ya no existe. Vuelve al principio de la lista.',
  idempotency_key_malformed: 'Usa entre 1 y 255 letras, números o signos, sin espacios',
} as const;

/** A problem that a contract has a sentence for. */
export type FieldSentenceCode = keyof typeof fieldSentences;

/** Problems that need no sentence of a contract's own: they follow from what the contract asks for. */
const plainFieldProblems = [
  'required',
  'wrong_type',
  'wrong_format',
  'not_a_choice',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_few',
  'too_many',
  'invalid',
] as const;

export type FieldProblemCode = FieldSentenceCode | (typeof plainFieldProblems)[number];
export const fieldProblemCodes = [
  ...(Object.keys(fieldSentences) as FieldSentenceCode[]),
  ...plainFieldProblems,
] as const satisfies readonly FieldProblemCode[];

/** What is wrong with a field, and what is asked for: characters of a text, size of a number, elements of a list. */
export interface FieldProblem {
  readonly code: FieldProblemCode;
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** An issue of the validation library, as far as it says what is wrong. */
interface Issue {
  readonly code?: string | undefined;
  readonly message: string;
  readonly origin?: string;
  readonly input?: unknown;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
}

const bySentence = new Map<string, FieldSentenceCode>(
  Object.entries(fieldSentences).map(([code, sentence]) => [sentence, code as FieldSentenceCode]),
);

/** The problem that an issue is about. */
export function fieldProblemOf(issue: Issue): FieldProblem {
  return {
    code: bySentence.get(issue.message) ?? plainProblemOf(issue),
    ...(issue.minimum !== undefined && { least: Number(issue.minimum) }),
    ...(issue.maximum !== undefined && { most: Number(issue.maximum) }),
  };
}

function plainProblemOf(issue: Issue): FieldProblemCode {
  const isList = issue.origin === 'array' || issue.origin === 'set';
  switch (issue.code) {
    case 'invalid_type':
      return 'input' in issue && issue.input === undefined ? 'required' : 'wrong_type';
    case 'invalid_format':
      return 'wrong_format';
    case 'invalid_value':
    case 'invalid_union':
      return 'not_a_choice';
    case 'too_small':
      return issue.origin === 'string' ? 'too_short' : isList ? 'too_few' : 'too_small';
    case 'too_big':
      return issue.origin === 'string' ? 'too_long' : isList ? 'too_many' : 'too_large';
    default:
      return 'invalid';
  }
}
