import { expect } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { allExceptions, checkStates } from './closing.ts';
import { reconcile } from './run.ts';
import type { Month, World } from './world.ts';

/**
 * After the days are closed, Stripe completes the overdue refunds. Write-offs are booked back, and explanations no
 * longer apply; the only remaining difference is the day at Stripe and in our books.
 */
export async function finishOverdueRefunds(month: Month, world: World): Promise<void> {
  const { app, admins, sent } = world;
  const those = sent.filter(({ refundOverdueFrom }) => refundOverdueFrom !== undefined);
  expect(those).not.toHaveLength(0);
  for (const one of those) {
    await app.sandbox.keepRefundsPending(one.intentId, false);
    one.expected = 'refunded';
  }
  await month.rest.untilQuiet();
  await reconcile(month, world);
  await checkStates(world);
  const ids = those.map(({ id }) => id);
  const decided = (await allExceptions(admins[0], 'decided')).filter(({ cause }) => cause === 'refund_overdue');
  expect(decided.map(({ transfer_id, status }) => [transfer_id, status])).toEqual(ids.map((id) => [id, 'settled']));
  const open = await allExceptions(admins[0], 'open');
  expect(open.map(({ transfer_id, cause }) => [transfer_id, cause])).toEqual(
    ids.map((id) => [id, 'refund_day_differs']),
  );
  for (const { id } of open) {
    await admins[0].call(endpoints.explainException, { params: { id }, body: { note: 'Stripe lo hizo al final.' } });
  }
  for (const id of ids) {
    const { profit } = await admins[0].call(endpoints.transferProfit, { params: { id } });
    expect(profit.map(({ loss }) => loss)).toEqual(['0.00']);
  }
  const { days } = await admins[0].call(endpoints.reconciliation);
  const left = days.filter(({ closed_at }) => closed_at === null).flatMap(({ totals }) => totals);
  expect(left.length).toBeGreaterThan(0);
  expect(left.map(({ unexplained }) => unexplained)).toEqual(left.map(() => '0.00'));
}
