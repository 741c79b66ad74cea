import { formats, onOneLine } from '#core/locale/format';
import { groupDecimal } from '#core/money/format';
import { type Currency, formatMinor } from '#core/money/money';
import { language } from '../language.ts';

/** A decimal of the wire as the reader writes it: "11.55" becomes "11,55" in Spanish. */
export const formatDecimal = (decimal: string): string => (language() === 'es' ? decimal.replace('.', ',') : decimal);

/**
 * A percentage of the wire as the reader writes it: "1,25 %" or "1.25%", below zero "−0,40 %". `signed` puts a plus before what is
 * above zero: "+3,4 %".
 */
export const percentText = (percent: string, signs: 'plain' | 'signed' = 'plain'): string =>
  onOneLine(formats[language()].percent(percent, signs));

/** A whole number: "345.000" or "345,000". */
export const formatCount = (count: number): string => count.toLocaleString(language() === 'es' ? 'es-BO' : 'en');

/** "3 horas" or "3 hours": a whole number of a unit of time. */
export const formatLength = (value: number, unit: 'minute' | 'hour' | 'day'): string =>
  new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' }).format(value);

/** What stands between whole digits and decimals, and between thousands. */
export const separators = () =>
  language() === 'es' ? ({ decimals: ',', thousands: '.' } as const) : ({ decimals: '.', thousands: ',' } as const);

/** An amount of the wire as a sentence names it, whose currency follows: "3.000" or "3,000", and "10,50" or "10.50". */
export function formatLimit(decimal: string): string {
  const { thousands, decimals } = separators();
  return groupDecimal(decimal.replace(/\.00$/, ''), thousands, decimals);
}

/** An amount of the wire as the reader writes it: "100,00 EUR", "$ 100,00"; in English "EUR 100.00", "$100.00". */
export const formatAmount = (decimal: string, currency: Currency): string =>
  onOneLine(formats[language()].money(decimal, currency));

/** As `formatAmount`, of bolivianos: "Bs 1.291,40" or "BOB 1,291.40". */
export const formatBolivianos = (decimal: string): string => onOneLine(formats[language()].bolivianos(decimal));

/** As `formatAmount`, from minor units. */
export const formatMoney = (minor: bigint, currency: Currency): string => formatAmount(formatMinor(minor), currency);

/** "98,52 USDC" or "98.52 USDC". */
export const formatCryptoAmount = (decimal: string, currency: string): string =>
  onOneLine(formats[language()].crypto(decimal, currency));

/** "1 EUR = 13,38 Bs" or "1 EUR = 13.38 BOB" from a rate of the wire. */
export const formatRateLine = (rate: string, currency: Currency): string =>
  onOneLine(formats[language()].rateLine(rate, currency));

/** How bolivianos are written: "Bs" or "BOB". */
export const bolivianosSign = (): string => (language() === 'es' ? 'Bs' : 'BOB');

/** What one unit costs: "13,38 Bs" or "13.38 BOB" from a rate of the wire. */
export const formatRate = (rate: string): string => onOneLine(formats[language()].rate(rate));

/** How amounts of bolivianos name their currency: "Bs" or "BOB". */
export const bolivianosUnit = (): string => (language() === 'es' ? 'Bs' : 'BOB');
