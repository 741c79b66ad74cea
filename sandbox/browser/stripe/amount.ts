import { formatMoney } from '#core/money/format';

/** An amount in minor units, written as the product writes its own currencies; others, of tests only, as Spain does. */
export function amountText(minor: number, currency: string): string {
  const code = currency.toUpperCase();
  if (code === 'EUR' || code === 'USD') return formatMoney(BigInt(minor), code);
  const format = new Intl.NumberFormat('es', { style: 'currency', currency });
  const places = format.resolvedOptions().maximumFractionDigits ?? 2;
  // The exponent moves the decimal point in text: no float ever carries the amount.
  return format.format(`${minor}E-${places}` as Intl.StringNumericLiteral);
}
