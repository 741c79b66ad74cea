import { t } from '@lingui/core/macro';
import { parseMinor, type SendCurrency } from '#core/money/money';
import { minimumMinor } from '#core/transfers/limits';
import { failureMessages } from './failure-messages.ts';
import { formatAmount } from './format/money.ts';

/** What is wrong with the typed amount, or null. `maximum` is the server's, null until it is known. */
export function amountProblem(amount: string, currency: SendCurrency, maximum: string | null): string | null {
  if (amount === '') return null;
  const minor = parseMinor(amount);
  if (minor === null) return t`Escribe un monto válido, por ejemplo 100 o 99,50`;
  if (minor < minimumMinor) return failureMessages.amount_too_small;
  const most = maximum === null ? null : parseMinor(maximum);
  if (most === null || minor <= most) return null;
  const limit = formatAmount(maximum ?? '', currency);
  return t`El monto máximo por envío es de ${limit}.`;
}
