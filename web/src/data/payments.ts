import { queryOptions } from '@tanstack/react-query';
import type { QuoteView } from '#core/contracts/http/rates';
import type { RecipientView } from '#core/contracts/http/recipients';
import { type CallOutput, call } from '../lib/http.ts';
import { paymentKeys } from './query-keys.ts';

/** A payment that the server opened: its transfer with the frozen quote, and what the card form needs. */
export type PreparedPayment = CallOutput<'createPaymentIntent'>;

/** What a sender decided to pay: to whom, and exactly the quote they were looking at. */
export interface Offer {
  /** Null: it is chosen after paying, and until then the transfer waits. */
  readonly recipient: {
    readonly id: string;
    readonly name: string;
    readonly bankName: string;
    /** The whole number, where it is known; its end is shown. */
    readonly bankAccount?: string;
    /** What the bank says of the name, where it is known. */
    readonly nameCheck?: RecipientView['nameCheck'];
  } | null;
  readonly quote: QuoteView;
  /** "YYYY-MM-DD", asked for with the first transfer only. */
  readonly birthDate: string | null;
  /** The payment of a transfer that was left unpaid; without it a new one is opened. */
  readonly payment?: PreparedPayment;
  /** The reminder of a repeating transfer that it answers. */
  readonly reminderId?: string;
}

/** Somebody an offer may be made to. */
export type OfferRecipient = NonNullable<Offer['recipient']>;

/** What the browser needs to know of the card provider, and whether it is in test mode. */
export const paymentConfigQuery = queryOptions({
  queryKey: paymentKeys.config,
  queryFn: ({ signal }) => call('paymentConfig', { signal }),
});
