import { t } from '@lingui/core/macro';
import type { FieldProblem, fieldSentences } from '#core/contracts/field-problems';
import { refusedFieldText } from './failure-messages.ts';

/** Problems of what no form here lets a person type: only another program is refused for them. */
type OnlyOfPrograms =
  | 'locale_unknown'
  | 'amount_malformed'
  | 'amount_ambiguous'
  | 'currency_unknown'
  | 'recipient_missing'
  | 'birth_date_missing'
  | 'day_required'
  | 'zone_unknown'
  | 'payment_malformed'
  | 'dollars_only'
  | 'crypto_currency_malformed'
  | 'network_malformed'
  | 'wallet_malformed'
  | 'note_required'
  | 'range_malformed'
  | 'days_reversed'
  | 'amounts_reversed'
  | 'answer_required'
  | 'days_unknown'
  | 'rail_without_payouts'
  | 'idempotency_key_malformed';

type Shown = Exclude<keyof typeof fieldSentences, OnlyOfPrograms>;

/**
 * What the contracts say of a wrong field (core/contracts/field-problems.ts), in the language of the page. A new problem does not compile
 * until it has a text here, or is said above to be none of a person's.
 */
const texts: Readonly<Record<Shown, () => string>> = {
  unusable_characters: () => t`Hay caracteres que no se pueden usar`,
  name_required: () => t`Nombre requerido`,
  name_too_short: () => t`Nombre debe tener al menos 2 caracteres`,
  name_without_letters: () => t`Escribe el nombre con letras`,
  name_with_link: () => t`Escribe solo el nombre, sin enlaces ni los signos / y @`,
  name_mixed_alphabets: () => t`Escribe cada palabra del nombre con letras de un solo alfabeto`,
  email_required: () => t`Correo electrónico requerido`,
  email_malformed: () => t`Correo electrónico inválido`,
  password_required: () => t`Contraseña requerida`,
  password_too_short: () => t`La contraseña debe tener al menos 8 caracteres`,
  terms_not_accepted: () => t`Debes aceptar los términos y condiciones para continuar`,
  recovery_link_missing: () => t`Falta el enlace`,
  recovery_link_incomplete: () => t`El enlace está incompleto. Ábrelo otra vez desde tu correo o pide uno nuevo.`,
  recipient_email_malformed: () => t`Email inválido`,
  phone_too_short: () => t`Número de teléfono debe tener al menos 8 caracteres`,
  phone_malformed: () => t`Usa solo números, espacios, guiones y el signo +`,
  ci_too_short: () => t`Número de CI debe tener al menos 5 caracteres`,
  ci_malformed: () => t`Usa solo números, letras y guiones`,
  bank_required: () => t`Banco de destino es requerido`,
  account_too_short: () => t`Número de cuenta bancaria debe tener al menos 5 caracteres`,
  account_malformed: () => t`Usa solo números, espacios y guiones`,
  address_too_short: () => t`Dirección debe tener al menos 5 caracteres`,
  city_required: () => t`Ciudad es requerida`,
  rate_malformed: () => t`Escribe una tasa mayor que cero, con dos decimales como máximo`,
  reason_required: () => t`Escribe el motivo`,
  reference_required: () => t`Escribe la referencia que dio el banco`,
  description_too_short: () => t`Cuéntanos qué pasó, con al menos 10 letras`,
  country_required: () => t`Elige el país del documento`,
  document_too_short: () => t`El número del documento debe tener al menos 5 caracteres`,
  webhook_url_malformed: () => t`Escribe una dirección https pública, sin usuario ni contraseña`,
};

const hasText = (code: string): code is Shown => Object.hasOwn(texts, code);

/** What is wrong with a field, in the language of the page. */
export function fieldMessage({ code, most }: FieldProblem): string {
  if (hasText(code)) return texts[code]();
  if (code === 'too_long' && most !== undefined) return t`Usa como máximo ${most} caracteres`;
  return refusedFieldText(code) ?? t`Revisa este dato.`;
}
