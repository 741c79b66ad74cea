import { formats, onOneLine } from '#core/locale/format';
import { type Currency, formatMinor } from '#core/money/money';
import { language } from '../language.ts';

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
