import { formatMoney } from '#core/money/format';

/** Formats minor units: EUR and USD as the product does, other currencies (in tests only) in Spanish format. */
export function amountText(minor: number, currency: string): string {
  const code = currency.toUpperCase();
  if (code === 'EUR' || code === 'USD') return formatMoney(BigInt(minor), code);
  const format = new Intl.NumberFormat('es', { style: 'currency', currency });
  const places = format.resolvedOptions().maximumFractionDigits ?? 2;
  // The exponent moves the decimal point in text, without floating point.
  return format.format(`${minor}E-${places}` as Intl.StringNumericLiteral);
}
