/** An amount in minor units as people write it, e.g. `100,00 €`. Digits are moved as text, never divided. */
export function amountText(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('es', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const places = format.resolvedOptions().maximumFractionDigits ?? 2;
  const digits = String(amount).padStart(places + 1, '0');
  const split = digits.length - places;
  const decimal = places === 0 ? digits : `${digits.slice(0, split)}.${digits.slice(split)}`;
  return format.format(decimal as Intl.StringNumericLiteral);
}
