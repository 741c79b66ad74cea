import type { PayoutMethod } from '../recipients/banks.ts';
import { bolivianDays, isBusinessDay } from '../time/business-days.ts';
import { dayMs, laPazDay } from '../time/time.ts';

/**
 * When the family can expect the money that is sent on its way at a moment: on a wallet the next calendar day, at a bank the
 * next business day of La Paz, both at the same hour.
 */
export function estimateDelivery(from: Date, method: PayoutMethod): Date {
  let estimate = new Date(from.getTime() + dayMs);
  while (method === 'bank' && !isBusinessDay(laPazDay(estimate), bolivianDays))
    estimate = new Date(estimate.getTime() + dayMs);
  return estimate;
}

/** Whether the estimated day, as La Paz counts it, has ended: a transfer that has not arrived by then is late. */
export function isPastEstimate(estimate: Date, now: Date): boolean {
  return laPazDay(now) > laPazDay(estimate);
}
