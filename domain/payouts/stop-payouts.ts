import type { BankRejectionCode } from '#core/payouts/bank-answers';
import type { EntityManager } from '#platform/database/database';
import { setSystemStop } from '../money-stops/money-stops.ts';

/**
 * Stops the payouts of a rail after a rejection that concerns our account at the bank, in the transaction of `em`,
 * because the next ones would be rejected too. Admins are notified once, and two of them lift the stop. `code`: the
 * bank's rejection.
 */
export async function stopPayouts(
  em: EntityManager,
  { rail, code, at }: { rail: 'bank'; code: string; at: Date },
): Promise<void> {
  const isFunds = (code as BankRejectionCode) === 'insufficient_funds';
  await setSystemStop(em, { scope: 'payouts', rail, cause: isFunds ? 'insufficient_funds' : 'daily_limit', at });
}
