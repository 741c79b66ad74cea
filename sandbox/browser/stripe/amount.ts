import { formats } from '#core/locale/format';
import { formatMinor } from '#core/money/money';
import type { Language } from './messages.ts';

/** Formats minor units: EUR and USD as the product does, other currencies (in tests only) as the browser does. */
export function amountText(minor: number, currency: string, language: Language): string {
  const code = currency.toUpperCase();
  if (code === 'EUR' || code === 'USD') return formats[language].money(formatMinor(BigInt(minor)), code);
  const format = new Intl.NumberFormat(language, { style: 'currency', currency });
  const places = format.resolvedOptions().maximumFractionDigits ?? 2;
  // The exponent moves the decimal point in text, without floating point.
  return format.format(`${minor}E-${places}` as Intl.StringNumericLiteral);
}
