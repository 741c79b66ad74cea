import { formats } from '../locale/format.ts';
import { type Locale, locales } from '../locale/locale.ts';
import type { SendCurrency } from '../money/money.ts';

/** Increment it with any change of the wording: disclosures are stored with their version. */
export const disclosureVersion = 1;

/** The figures of a quote, as the wire has them: decimal texts. */
export interface DisclosureFigures {
  readonly currency: SendCurrency;
  /** Everything the card pays. */
  readonly amount: string;
  readonly fee: string;
  readonly netAmount: string;
  /** Bolivianos for one unit of `currency`. */
  readonly rate: string;
  readonly bs: string;
}

/** The disclosure in one language, as shown and stored. */
export interface DisclosureText {
  readonly language: Locale;
  readonly title: string;
  readonly lines: readonly (readonly [term: string, value: string])[];
}

/** Items and their order: 12 CFR 1005.31(b)(1). No taxes are due: 26 USC 4475 leaves card payments out. */
const languages = {
  es: {
    title: 'Antes de pagar',
    terms: [
      'Monto que se transfiere',
      'Comisión',
      'Impuestos',
      'Total que pagas',
      'Tasa de cambio',
      'Total que se recibe',
    ],
  },
  en: {
    title: 'Before you pay',
    terms: ['Transfer Amount', 'Transfer Fees', 'Transfer Taxes', 'Total', 'Exchange Rate', 'Total to Recipient'],
  },
} as const;

/** The legally required disclosure before payment, in one language. */
export function disclosureIn(language: Locale, figures: DisclosureFigures): DisclosureText {
  const { title, terms } = languages[language];
  const { money, rateLine, bolivianos } = formats[language];
  const { currency, amount, fee, netAmount, rate, bs } = figures;
  const values = [
    money(netAmount, currency),
    money(fee, currency),
    money('0.00', currency),
    money(amount, currency),
    rateLine(rate, currency),
    bolivianos(bs),
  ];
  return { language, title, lines: terms.map((term, index) => [term, values[index] ?? '']) };
}

/** The disclosure in every language it is owed in: English and the one we advertise in (12 CFR 1005.31(g)(1)). */
export const disclosureOf = (figures: DisclosureFigures): DisclosureText[] =>
  locales.map((language) => disclosureIn(language, figures));
