import type { QuoteView } from '#core/contracts/http/rates';
import type { SendCurrency } from '#core/money/money';

/** Places of figures in prerendered HTML, which app/first-figures.ts writes: of the first quote, and the rates in force. */
export type FirstFigureName = 'amount' | 'bs' | 'fee' | 'rate' | `rate-${SendCurrency}`;

/** An answer of the server, with when it came (ms since 1970). */
export interface FirstQuote {
  readonly amount: string;
  readonly currency: SendCurrency;
  readonly quote: QuoteView;
  readonly at: number;
}

declare global {
  /** What the prerendered page has asked the server before the app was there; null when no figures came. */
  var firstQuote: Promise<FirstQuote | null> | undefined;
}

/** That answer for who asks first, so that it is not asked for twice. */
export function takeFirstQuote(): Promise<FirstQuote | null> {
  const asked = globalThis.firstQuote;
  globalThis.firstQuote = undefined;
  return asked ?? Promise.resolve(null);
}
