import { defaultFeeSchedule, type FeeSchedule } from '#core/money/fee';
import { formatMinor, parseMinor, type SendCurrency } from '#core/money/money';
import { parseRate, type Rate } from '#core/rates/rate';
import { makeQuote } from '#core/transfers/quote';

/** A rate that a page is about without paying at it (specification, section 9), and the fee it was shown with. */
export interface FixedRate {
  readonly rate: string;
  readonly fee: FeeSchedule;
}

const noFee: FeeSchedule = { fixedMinor: 0n, basisPoints: 0n };

export const fixed696: FixedRate = { rate: '6.96', fee: noFee };
export const fixed696WithFee: FixedRate = { rate: '6.96', fee: defaultFeeSchedule };
export const fixed15: FixedRate = { rate: '15.00', fee: defaultFeeSchedule };

/** What the recipient would get at a fixed rate, as decimal text; null for no amount. Never paid, never charged. */
export function exampleAt(fixed: FixedRate, amount: string, currency: SendCurrency): string | null {
  const amountMinor = parseMinor(amount);
  if (amountMinor === null || amountMinor === 0n) return null;
  const rate = parseRate(fixed.rate) as Rate;
  const quote = makeQuote({ amountMinor, currency, rate, referenceRate: null, fee: fixed.fee });
  return formatMinor(quote.bolivianosMinor);
}
