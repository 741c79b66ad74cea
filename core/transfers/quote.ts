import { type FeeSchedule, feeOn } from '../money/fee.ts';
import type { SendCurrency } from '../money/money.ts';
import { convert, type Rate } from '../rates/rate.ts';

/** What a sender is offered: exact, in minor units, frozen with the transfer when it is opened. */
export interface Quote {
  readonly currency: SendCurrency;
  /** Charged to the card, fee included. */
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  /** amount - fee: the part that is exchanged. */
  readonly netMinor: bigint;
  /** Bolivianos per one unit of `currency`. */
  readonly rate: Rate;
  /** Centavos the family receives. */
  readonly bolivianosMinor: bigint;
  /** Our margin against the reference rate in basis points (positive: the sender gets less); null without a reference. */
  readonly markupBasisPoints: bigint | null;
}

/**
 * What the exchange itself earns us, in whole minor units of the sending currency: of the net amount the part by which
 * our rate lies below the market's reference. Negative when we pay more than the market.
 */
export function exchangeMargin({
  netMinor,
  markupBasisPoints,
}: {
  netMinor: bigint;
  markupBasisPoints: bigint;
}): bigint {
  return (netMinor * markupBasisPoints) / 10_000n;
}

/** Makes a quote: fee rounded up, bolivianos rounded down, nothing lost in between (fee + net = amount). */
export function makeQuote(input: {
  amountMinor: bigint;
  currency: SendCurrency;
  rate: Rate;
  referenceRate: Rate | null;
  fee: FeeSchedule;
}): Quote {
  const feeMinor = feeOn(input.amountMinor, input.fee);
  const netMinor = input.amountMinor - feeMinor;
  return {
    currency: input.currency,
    amountMinor: input.amountMinor,
    feeMinor,
    netMinor,
    rate: input.rate,
    bolivianosMinor: convert(netMinor, input.rate, 'down'),
    markupBasisPoints:
      input.referenceRate === null ? null : ((input.referenceRate - input.rate) * 10_000n) / input.referenceRate,
  };
}
