/** Prices of the competitors: a margin in the rate and a fee by amount each. */
import { convert, type Rate, type SendCurrency, share } from './figures.ts';
import type { Market } from './market.ts';

export type PricedSite = 'westernUnion' | 'moneyGram' | 'ria' | 'remitly' | 'wise';

export interface Price {
  /** Bolivianos per unit sent. */
  rate: Rate;
  /** Paid in addition to the amount, in minor units of the sending currency. */
  feeMinor: bigint;
}

interface Tariff {
  /** Share of the market rate that is passed on, in basis points. */
  rate: number;
  /** Fees by the amount up to which they apply, the last without limit. Minor units. */
  fees: { upTo: bigint; fee: bigint }[];
  /** Further fee, in basis points of the amount. */
  feeBasisPoints: bigint;
  /** For a first transfer. */
  promo?: { rate: number; fee: bigint };
}

const REST = 1n << 62n;

const TARIFFS: Record<PricedSite, Tariff> = {
  westernUnion: {
    rate: 9_640,
    fees: [
      { upTo: 10_000n, fee: 290n },
      { upTo: 50_000n, fee: 390n },
      { upTo: 100_000n, fee: 490n },
      { upTo: REST, fee: 690n },
    ],
    feeBasisPoints: 0n,
  },
  moneyGram: {
    rate: 9_580,
    fees: [
      { upTo: 10_000n, fee: 199n },
      { upTo: 50_000n, fee: 299n },
      { upTo: REST, fee: 499n },
    ],
    feeBasisPoints: 0n,
    promo: { rate: 9_850, fee: 0n },
  },
  ria: {
    rate: 9_690,
    fees: [
      { upTo: 20_000n, fee: 200n },
      { upTo: 100_000n, fee: 300n },
      { upTo: REST, fee: 500n },
    ],
    feeBasisPoints: 0n,
  },
  remitly: {
    rate: 9_730,
    fees: [
      { upTo: 50_000n, fee: 299n },
      { upTo: REST, fee: 199n },
    ],
    feeBasisPoints: 0n,
    promo: { rate: 9_960, fee: 0n },
  },
  wise: { rate: 9_960, fees: [{ upTo: REST, fee: 85n }], feeBasisPoints: 320n },
};

export function marketRate(market: Market, currency: SendCurrency): Rate {
  return currency === 'USD' ? market.usdBob : market.eurBob;
}

/** A site's regular price for an amount (minor units, without the fee). */
export function priceOf(site: PricedSite, market: Market, currency: SendCurrency, amountMinor: bigint): Price {
  const { rate, fees, feeBasisPoints } = TARIFFS[site];
  const fixed = fees.find(({ upTo }) => amountMinor <= upTo)?.fee ?? 0n;
  return {
    rate: share(marketRate(market, currency), rate),
    feeMinor: fixed + (amountMinor * feeBasisPoints + 9_999n) / 10_000n,
  };
}

/** A site's price for a first transfer, where it has such an offer. */
export function promoOf(site: PricedSite, market: Market, currency: SendCurrency): Price | null {
  const { promo } = TARIFFS[site];
  return promo ? { rate: share(marketRate(market, currency), promo.rate), feeMinor: promo.fee } : null;
}

/** Bolivianos received for an amount whose fee is paid in addition, in minor units. */
export function received(amountMinor: bigint, { rate }: Price): bigint {
  return convert(amountMinor, rate);
}
