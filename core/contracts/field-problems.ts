import type { RefusedFieldCode } from './refused-fields.ts';

/**
 * What contracts say about single fields, in Spanish, by codes for programs. A client that shows another language looks the code
 * up. Without a schema, so that a browser may have it with little.
 */
export const fieldSentences = {
  unusable_characters: 'Hay caracteres que no se pueden usar',
  name_required: 'Nombre requerido',
  name_too_short: 'Nombre debe tener al menos 2 caracteres',
  name_without_letters: 'Escribe el nombre con letras',
  name_with_link: 'Escribe solo el nombre, sin enlaces ni los signos / y @',
  name_mixed_alphabets: 'Escribe cada palabra del nombre con letras de un solo alfabeto',
  email_required: 'Correo electrónico requerido',
  email_malformed: 'Correo electrónico inválido',
  password_required: 'Contraseña requerida',
  password_too_short: 'La contraseña debe tener al menos 8 caracteres',
  terms_not_accepted: 'Debes aceptar los términos y condiciones para continuar',
  locale_unknown: 'Elige español o inglés',
  recovery_link_missing: 'Falta el enlace',
  recovery_link_incomplete: 'El enlace está incompleto. Ábrelo otra vez desde tu correo o pide uno nuevo.',
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
  amount_malformed: 'Escribe un monto válido, por ejemplo 100 o 99.50',
  amount_ambiguous: 'Escribe lo que pagas o lo que debe llegar, no los dos',
  rate_malformed: 'Escribe una tasa mayor que cero, con dos decimales como máximo',
  currency_unknown: 'Elige USD o EUR',
  recipient_missing: 'Elige un destinatario',
  birth_date_missing: 'Escribe tu fecha de nacimiento',
  day_required: 'Elige un día',
  zone_unknown: 'Elige una zona horaria',
  payment_malformed: 'Identificador de pago inválido',
  dollars_only: 'Solo se puede pagar en USD',
  crypto_currency_malformed: 'Moneda inválida',
  network_malformed: 'Red inválida',
  wallet_malformed: 'Billetera inválida',
  note_required: 'Escribe la nota',
  range_malformed: 'Elige un rango de días, de diez años como máximo',
  days_reversed: 'El último día no puede estar antes del primero',
  amounts_reversed: 'El monto mayor no puede ser menos que el menor',
  answer_required: 'Escribe la respuesta',
  days_unknown: 'Elige 30 o 365 días',
  reason_required: 'Escribe el motivo',
  rail_without_payouts: 'Solo los pagos tienen una vía',
  reference_required: 'Escribe la referencia que dio el banco',
  description_too_short: 'Cuéntanos qué pasó, con al menos 10 letras',
  country_required: 'Elige el país del documento',
  document_too_short: 'El número del documento debe tener al menos 5 caracteres',
  webhook_url_malformed: 'Escribe una dirección https pública, sin usuario ni contraseña',
} as const;

/** A problem that has a sentence: a contract's, or one that only the server finds. */
export type FieldSentenceCode = keyof typeof fieldSentences | RefusedFieldCode;

/** Problems without a specific message in a contract: they follow from its requirements. */
export const plainFieldProblems = [
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

/** A problem with a field and its requirement: length of a text, size of a number, elements of a list. */
export interface FieldProblem {
  readonly code: FieldProblemCode;
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** The parts of the validation library's issue that describe the problem. */
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
