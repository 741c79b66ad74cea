import { failures } from '#core/failures';
import { formatAmount } from '#core/format';
import { minimumMinor } from '#core/limits';
import { parseMinor, type SendCurrency } from '#core/money';

/** What is wrong with the typed amount, as a sentence, or null. `maximum` is the server's, null until it is known. */
export function amountProblem(amount: string, currency: SendCurrency, maximum: string | null): string | null {
  if (amount === '') return null;
  const minor = parseMinor(amount);
  if (minor === null) return 'Escribe un monto válido, por ejemplo 100 o 99,50';
  if (minor < minimumMinor) return failures.amount_too_small.message;
  const most = maximum === null ? null : parseMinor(maximum);
  if (most !== null && minor > most) return `El monto máximo por envío es de ${formatAmount(maximum ?? '', currency)}.`;
  return null;
}
