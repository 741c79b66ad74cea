import { t } from '@lingui/core/macro';
import { onOneLine } from '#core/locale/format';
import { formatLimit } from './format/numbers.ts';

// What forms say of a limit before the api refuses by it, and what is said when it did.

/** What is said of less than the least that may be sent (an amount of the wire), which is the same figure in both currencies. */
export function amountTooSmall(minimum: string): string {
  const least = formatLimit(minimum);
  return t`El monto mínimo para enviar es de ${least} USD/EUR`;
}

/** What is said of an amount of cryptocurrency that is not sold at once. */
export function cryptoAmountOutOfRange({ minimum, maximum }: { minimum: string; maximum: string }): string {
  const [least, most] = [formatLimit(minimum), onOneLine(`${formatLimit(maximum)} USD`)];
  return t`Puedes comprar entre ${least} y ${most} por vez.`;
}

/** What is said of senders below an age, in years. */
export const underAge = (least: number): string => t`Debes ser mayor de ${least} años para enviar dinero.`;
