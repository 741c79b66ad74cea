import type { PayoutMethod } from '../recipients/banks.ts';
import { dayMs, laPazWeekday } from '../time/time.ts';

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
  const day = laPazWeekday(new Date(time));
  return day === 0 || day === 6;
}
