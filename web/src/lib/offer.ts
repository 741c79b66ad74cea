import type { QuoteView } from '#core/contracts/http/rates';

/** What a sender decided to pay: to whom, and exactly the quote they were looking at. */
export interface Offer {
  /** Null: it is chosen after paying, and until then the transfer waits. */
  readonly recipient: { readonly id: string; readonly name: string; readonly bankName: string } | null;
  readonly quote: QuoteView;
  /** "YYYY-MM-DD", asked for with the first transfer only. */
  readonly birthDate: string | null;
}

/** Somebody an offer may be made to. */
export type OfferRecipient = NonNullable<Offer['recipient']>;
