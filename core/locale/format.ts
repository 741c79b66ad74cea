import {
  formatAmount,
  formatBolivianos,
  formatCryptoAmount,
  formatEnglishAmount,
  formatEnglishNumber,
  formatEnglishRateLine,
  formatRateLine,
  groupDecimal,
} from '../money/format.ts';
import type { Currency } from '../money/money.ts';
import { laPazZone } from '../time/time.ts';
import type { Locale } from './locale.ts';

/** How one language writes money, percentages and dates. Amounts, rates and percentages are the wire's decimal texts, moments ISO 8601. */
export interface Format {
  /** "100,00 EUR", "$ 100,00", "Bs 1.291,40" — "EUR 100.00", "$100.00", "BOB 1,291.40". */
  money(decimal: string, currency: Currency): string;
  /** What arrives: "Bs 1.291,40" — "BOB 1,291.40". */
  bolivianos(decimal: string): string;
  /** Of one unit of a currency: "13,20 Bs" — "13.20 BOB". */
  rate(decimal: string): string;
  /** "1 EUR = 13,38 Bs" — "1 EUR = 13.38 BOB". */
  rateLine(rate: string, currency: Currency): string;
  /** "98,52 USDC" — "98.52 USDC". */
  crypto(decimal: string, currency: string): string;
  /**
   * "3,50 %" — "3.50%", thousands grouped, below zero with a minus sign ("−"); `signed` adds a plus to positive
   * numbers.
   */
  percent(decimal: string, signs?: 'plain' | 'signed'): string;
  /** The day on which something happens in Bolivia: "lunes, 23 de noviembre" — "Monday, November 23". */
  day(iso: string): string;
  /** A moment by Bolivia's clock, which it names: "23 de noviembre a las 10:00 (hora de Bolivia)" — "November 23 at 10:00 AM (Bolivia time)". */
  moment(iso: string): string;
  /** As documents say it: "23 de noviembre de 2026 a las 10:00 (hora de Bolivia)" — "November 23, 2026 at 10:00 AM (Bolivia time)". */
  fullMoment(iso: string): string;
  /** As tables say it, the day in Bolivia: "23/11/2026" — "Nov 23, 2026". */
  shortDay(iso: string): string;
  /** Of a month or a year as text ("2026-11", "2026"): "noviembre de 2026" — "November 2026"; "2026". */
  period(text: string): string;
}

const spanishDay = dates('es-BO', { weekday: 'long', day: 'numeric', month: 'long' });
const spanishMoment = dates('es-BO', {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const englishDay = dates('en-US', { weekday: 'long', day: 'numeric', month: 'long' });
const englishMoment = dates('en-US', { day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' });

const fullMoment = { day: 'numeric', month: 'long', year: 'numeric', minute: '2-digit' } as const;
const spanishFullMoment = dates('es-BO', { ...fullMoment, hour: '2-digit', hourCycle: 'h23' });
const englishFullMoment = dates('en-US', { ...fullMoment, hour: 'numeric' });
const spanishShortDay = dates('es-BO', { day: '2-digit', month: '2-digit', year: 'numeric' });
const englishShortDay = dates('en-US', { day: 'numeric', month: 'short', year: 'numeric' });
const spanishMonth = dates('es-BO', { month: 'long', year: 'numeric' });
const englishMonth = dates('en-US', { month: 'long', year: 'numeric' });

/** Writes the middle of a month, or a year as it is. */
const periodBy = (month: (iso: string) => string) => (text: string) =>
  text.length === 4 ? text : month(`${text}-15T12:00:00.000Z`);

/**
 * Keeps every figure of a text on one line with its unit, by no-break spaces: for what is shown, not for what is stored
 * or compared. "1 EUR = 13,38 Bs" may still break next to the "=".
 */
export const onOneLine = (text: string): string =>
  text.replace(/(\d) (?=Bs|BOB|EUR|USD|%)|(Bs|BOB|EUR|USD|\$) (?=[−-]?\d)/g, '$1$2\u00a0');

/** The one way in which each language writes figures and dates. */
export const formats: Readonly<Record<Locale, Format>> = {
  es: {
    money: formatAmount,
    bolivianos: formatBolivianos,
    rate: (decimal) => `${decimal.replace('.', ',')} Bs`,
    rateLine: formatRateLine,
    crypto: formatCryptoAmount,
    percent: (decimal, signs) => `${groupDecimal(signed(decimal, signs), '.', ',')} %`,
    day: spanishDay,
    moment: (iso) => `${spanishMoment(iso)} (hora de Bolivia)`,
    fullMoment: (iso) => `${spanishFullMoment(iso)} (hora de Bolivia)`,
    shortDay: spanishShortDay,
    period: periodBy(spanishMonth),
  },
  en: {
    money: formatEnglishAmount,
    bolivianos: (decimal) => formatEnglishAmount(decimal, 'BOB'),
    rate: (decimal) => `${decimal} BOB`,
    rateLine: formatEnglishRateLine,
    crypto: (decimal, currency) => `${formatEnglishNumber(decimal)} ${currency.toUpperCase()}`,
    percent: (decimal, signs) => `${groupDecimal(signed(decimal, signs), ',', '.')}%`,
    day: englishDay,
    moment: (iso) => `${englishMoment(iso)} (Bolivia time)`,
    fullMoment: (iso) => `${englishFullMoment(iso)} (Bolivia time)`,
    shortDay: englishShortDay,
    period: periodBy(englishMonth),
  },
};

/** The digits with the sign that is shown: none before a zero. */
function signed(decimal: string, signs: 'plain' | 'signed' = 'plain'): string {
  const digits = decimal.replace(/^[-+]/, '');
  if (/^[0.]*$/.test(digits)) return digits;
  return `${decimal.startsWith('-') ? '−' : signs === 'signed' ? '+' : ''}${digits}`;
}

/** Writes moments by Bolivia's clock. The formatter is made at its first use: pages that show no date need none. */
function dates(language: string, options: Intl.DateTimeFormatOptions): (iso: string) => string {
  let formatter: Intl.DateTimeFormat | undefined;
  return (iso) => {
    formatter ??= new Intl.DateTimeFormat(language, { ...options, timeZone: laPazZone });
    // Some versions of Unicode's data put a narrow space before AM and PM, which fonts of mail programs lack.
    return formatter.format(new Date(iso)).replaceAll('\u202f', ' ');
  };
}
