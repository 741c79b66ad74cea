import { formats, onOneLine } from '#core/locale/format';
import { groupDecimal } from '#core/money/format';
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
