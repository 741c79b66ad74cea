import { convert, type Rate } from '../rates/rate.ts';
import { exchangeMarkup } from './quote.ts';

/** The terms of a transfer that a better rate changes. */
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
  /** The market rate at the same moment, or null if unknown. */
  readonly reference: Rate | null;
}

/** The columns of a transfer that a better rate fills in; the accepted terms are kept. */
export interface BetterTerms {
  readonly rate: Rate;
  readonly bolivianosMinor: bigint;
  readonly rateSince: Date;
  /** The reference for the margin, from the moment of the rate. */
  readonly referenceRate: Rate | null;
  readonly markupBasisPoints: bigint | null;
  readonly acceptedRate: Rate;
  readonly acceptedBolivianosMinor: bigint;
}

/**
 * The terms of a transfer if the published rate gives its recipient more centavos than the accepted one, or null to
 * keep the accepted terms. Amount and fee are those of the card authorization; the rounding is the quote's.
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
