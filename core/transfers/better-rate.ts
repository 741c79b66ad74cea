import { convert, type Rate } from '../rates/rate.ts';
import { exchangeMarkup } from './quote.ts';

/** What a transfer is paid at, as far as a better rate changes it. */
export interface AcceptedTerms {
  /** Whether its sender was promised the better of the accepted rate and that of the approval. */
  readonly takesBetterRate: boolean;
  readonly netMinor: bigint;
  readonly rate: Rate;
  readonly bolivianosMinor: bigint;
  /** Present once a better rate was applied: it is never done twice. */
  readonly acceptedRate?: Rate | null | undefined;
}

/** The rate that is published for the transfer's currency. */
export interface PublishedRate {
  readonly rate: Rate;
  /** When it came into force. */
  readonly since: Date;
  /** Stale: not usable for payments. */
  readonly paused: boolean;
  /** What the market pays at the same moment; null where that is not known. */
  readonly reference: Rate | null;
}

/** The columns of a transfer that a better rate fills in; the accepted terms are kept. */
export interface BetterTerms {
  readonly rate: Rate;
  readonly bolivianosMinor: bigint;
  readonly rateSince: Date;
  /** What the margin is measured against, from the moment of the rate. */
  readonly referenceRate: Rate | null;
  readonly markupBasisPoints: bigint | null;
  readonly acceptedRate: Rate;
  readonly acceptedBolivianosMinor: bigint;
}

/**
 * What a transfer is paid at when the published rate gives its recipient more centavos than the accepted one, or null: what was accepted
 * stays. Amount and fee are those that the card was held for; the rounding is the quote's.
 */
export function betterTerms(accepted: AcceptedTerms, published: PublishedRate): BetterTerms | null {
  const { takesBetterRate, netMinor, acceptedRate } = accepted;
  if (!takesBetterRate || acceptedRate != null || published.paused) return null;
  const { rate, since, reference } = published;
  const bolivianosMinor = convert(netMinor, rate, 'down');
  if (bolivianosMinor <= accepted.bolivianosMinor) return null;
  return {
    ...{ rate, bolivianosMinor, rateSince: since, referenceRate: reference },
    markupBasisPoints: exchangeMarkup(rate, reference),
    ...{ acceptedRate: accepted.rate, acceptedBolivianosMinor: accepted.bolivianosMinor },
  };
}
