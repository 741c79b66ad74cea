import type { QuoteView } from '#core/contracts/http/rates';

/** What a sender decided to pay: to whom, and exactly the quote they were looking at. */
export interface Offer {
  readonly recipient: { readonly id: string; readonly name: string; readonly bankName: string };
  readonly quote: QuoteView;
  /** "YYYY-MM-DD", asked for with the first transfer only. */
  readonly birthDate: string | null;
}
