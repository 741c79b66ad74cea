import { amountLeaving, type FeeSchedule, feeOn } from '../money/fee.ts';
import type { SendCurrency } from '../money/money.ts';
import { convert, convertBack, type Rate } from '../rates/rate.ts';

/** The exact offer to a sender, in minor units, frozen with the transfer when it is opened. */
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
  /** The market rate, or null if unknown. */
  readonly referenceRate: Rate | null;
  /** Our margin against the reference rate in basis points (positive: the sender gets less); null without a reference. */
  readonly markupBasisPoints: bigint | null;
}

/**
 * Our exchange margin in whole minor units of the sending currency, rounded towards zero: the share of the net amount
 * by which our rate is below the market's reference. Negative when we pay more than the market.
 */
export function exchangeMargin(quote: { netMinor: bigint; rate: Rate; referenceRate: Rate }): bigint {
  const { netMinor, rate, referenceRate } = quote;
  return (netMinor * (referenceRate - rate)) / referenceRate;
}

/** Makes a quote: fee rounded up, bolivianos rounded down, nothing lost in between (fee + net = amount). */
export function makeQuote(input: {
  amountMinor: bigint;
  currency: SendCurrency;
  rate: Rate;
  referenceRate: Rate | null;
  fee: FeeSchedule;
}): Quote {
  const { amountMinor, currency, rate, referenceRate, fee } = input;
  const feeMinor = feeOn(amountMinor, fee);
  const netMinor = amountMinor - feeMinor;
  return {
    currency,
    amountMinor,
    feeMinor,
    netMinor,
    rate,
    bolivianosMinor: convert(netMinor, rate, 'down'),
    referenceRate,
    markupBasisPoints: exchangeMarkup(rate, referenceRate),
  };
}

/** How far a rate lies below the market's reference, in basis points towards zero; null without a reference. */
export function exchangeMarkup(rate: Rate, referenceRate: Rate | null): bigint | null {
  return referenceRate === null ? null : ((referenceRate - rate) * 10_000n) / referenceRate;
}

/**
 * The smallest amount, in minor units of the sending currency, that delivers at least `bolivianosMinor` centavos to the
 * family. It may deliver slightly more: one cent on the card is worth several centavos.
 * @throws RangeError when the fee takes everything
 */
export function amountDelivering(
  bolivianosMinor: bigint,
  { rate, fee }: { readonly rate: Rate; readonly fee: FeeSchedule },
): bigint {
  return amountLeaving(convertBack(bolivianosMinor, rate, 'up'), fee);
}
