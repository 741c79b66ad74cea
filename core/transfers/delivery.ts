import type { PayoutMethod } from '../recipients/banks.ts';

/** Bolivia has one zone, UTC-4, without daylight saving. */
const laPazOffsetHours = -4;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * When the family can expect the money: a wallet the next calendar day, a bank the next business day, both at the same
 * hour. National holidays are not counted yet, so a bank may need a day more around them.
 */
export function estimateDelivery(paidAt: Date, method: PayoutMethod): Date {
  let estimate = paidAt.getTime() + dayMs;
  while (method === 'bank' && isWeekendInLaPaz(estimate)) estimate += dayMs;
  return new Date(estimate);
}

function isWeekendInLaPaz(time: number): boolean {
  const day = new Date(time + laPazOffsetHours * hourMs).getUTCDay();
  return day === 0 || day === 6;
}
