import type { Currency } from './money.ts';

/**
 * Inserts thousands separators and the decimal point: "1.291,4" from "1291.4". Negative numbers get a minus sign ("−")
 * instead of the hyphen used in JSON.
 */
export function groupDecimal(decimal: string, thousands: '.' | ',', point: '.' | ','): string {
  const [whole = '0', ...fraction] = decimal.replace(/^-/, '−').split('.');
  return [whole.replace(/\B(?=(\d{3})+(?!\d))/g, thousands), ...fraction].join(point);
}

/** As written in Bolivia: 1.291,40. */
const boliviano = (decimal: string): string => groupDecimal(decimal, '.', ',');

/** "Bs 1.291,40" from an amount of bolivianos as the api sends it ("1291.40"). */
export function formatBolivianos(decimal: string): string {
  return `Bs ${boliviano(decimal)}`;
}

/** An amount as a person reads it: "100,00 EUR", "$ 100,00", "Bs 1.291,40"; takes the api's decimal text. */
export function formatAmount(decimal: string, currency: Currency): string {
  if (currency === 'BOB') return formatBolivianos(decimal);
  return currency === 'USD' ? `$ ${boliviano(decimal)}` : `${boliviano(decimal)} EUR`;
}

/** "98,52 USDC" from an amount of USDC as the api sends it. */
export function formatCryptoAmount(decimal: string, currency: string): string {
  return `${boliviano(decimal)} ${currency.toUpperCase()}`;
}

/** "1 EUR = 13,38 Bs" from a rate as the api sends it. */
export function formatRateLine(rate: string, currency: Currency): string {
  return `1 ${currency} = ${boliviano(rate)} Bs`;
}

/** "1,447.50" from the api's decimal text. */
export const formatEnglishNumber = (decimal: string): string => groupDecimal(decimal, ',', '.');

/** "$100.00", "−$100.00", "BOB 1,447.50" from the api's decimal text, as readers of English write it. */
export function formatEnglishAmount(decimal: string, currency: Currency): string {
  const grouped = formatEnglishNumber(decimal);
  return currency === 'USD' ? grouped.replace(/^−?/, '$&$$') : `${currency} ${grouped}`;
}

/** "1 EUR = 13.38 BOB" from a rate as the api sends it. */
export function formatEnglishRateLine(rate: string, currency: Currency): string {
  return `1 ${currency} = ${rate} BOB`;
}
