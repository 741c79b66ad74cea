import type { PayoutMethod } from '../recipients/banks.ts';
import { dayMs, laPazDay, laPazWeekday } from '../time/time.ts';
import { holidaysOf } from './holidays.ts';

/**
 * When the family can expect the money that is sent on its way at a moment: on a wallet the next calendar day, at a bank the
 * next business day of La Paz, both at the same hour.
 */
export function estimateDelivery(from: Date, method: PayoutMethod): Date {
  let estimate = new Date(from.getTime() + dayMs);
  while (method === 'bank' && !isBusinessDay(estimate)) estimate = new Date(estimate.getTime() + dayMs);
  return estimate;
}

/** Whether the estimated day, as La Paz counts it, has ended: a transfer that has not arrived by then is late. */
export function isPastEstimate(estimate: Date, now: Date): boolean {
  return laPazDay(now) > laPazDay(estimate);
}

/** Whether banks in Bolivia work on the day it is in La Paz. */
function isBusinessDay(at: Date): boolean {
  const day = laPazDay(at);
  return ![0, 6].includes(laPazWeekday(at)) && !holidaysOf(Number(day.slice(0, 4))).includes(day);
}
