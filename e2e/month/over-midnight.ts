import { expect } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { shiftDay } from '#core/reconciliation/days';
import { until } from '../until.ts';
import { toMinor } from './books.ts';
import { approve, open, payForReview } from './sending.ts';
import { giveUp, rejections } from './working.ts';
import { noteCharge, noteUnwinding, type Sent, setBank, type World } from './world.ts';

const count = 2;
/** How many days after its own a refund may be under way before it is overdue. */
const daysUnderWay = 10;
const underWay = new WeakMap<World, readonly Sent[]>();

/**
 * Late in the evening the bank refuses some payments, an admin gives them up, and Stripe takes its time to return their money: it is done after
 * midnight.
 */
export async function sendRefundsOverMidnight(world: World): Promise<void> {
  const { app, watch } = world;
  const those: Sent[] = [];
  for (let number = 0; number < count; number += 1) {
    const sent = await open(world, world.sent.length);
    await app.sandbox.keepRefundsPending(sent.intentId, true);
    await payForReview(world, sent);
    those.push(sent);
  }
  await setBank(world, { rejectNext: count, rejection: rejections.other });
  for (const sent of those) {
    await approve(world, sent);
    noteCharge(world, sent);
    await giveUp(world, sent);
    await watch.wait(sent.id, 'its refund is under way', ({ state }) => state === 'refunding');
    await until('Stripe has its refund', async () => (await app.sandbox.intent(sent.intentId)).refunds.length > 0);
    noteUnwinding(world, sent);
    sent.expected = 'refunded';
  }
  await setBank(world);
  underWay.set(world, those);
}

/**
 * Differences planted only at Stripe: until an hour after the end of the day our books may still catch up, so they are
 * not exceptions yet.
 */
const atStripeAlone = /^(charge|refund|dispute)_(unbooked|doubled)$/;

/**
 * Twenty minutes after midnight the refunds are not exceptions yet: together with what was planted only at Stripe on
 * the past day, they explain how much less Stripe has than our books. Later their outcome is known.
 */
export async function checkUnderWay(world: World): Promise<void> {
  const { app, admins, watch, session } = world;
  const those = underWay.get(world) ?? [];
  // Those that are not overdue yet are on their way, too.
  const overdue = world.sent.filter(
    ({ refundOverdueFrom: from }) => from !== undefined && session.day < shiftDay(from, daysUnderWay + 1),
  );
  const { days } = await admins[0].call(endpoints.reconciliation);
  const yesterday = days[0];
  expect(yesterday && yesterday.day < session.day).toBe(true);
  for (const currency of ['EUR', 'USD'] as const) {
    const refunds = [...those, ...overdue]
      .filter((sent) => sent.currency === currency)
      .reduce((sum, { amount }) => sum + amount, 0n);
    if (refunds === 0n) continue;
    const planted = world.planted
      .filter((one) => one.currency === currency && one.day === yesterday?.day && atStripeAlone.test(one.cause))
      .reduce((sum, { difference }) => sum + difference, 0n);
    const totals = yesterday?.totals.find((one) => one.side === 'stripe' && one.currency === currency);
    expect(toMinor(totals?.timing ?? '0.00')).toBe(planted - refunds);
  }
  for (const { intentId } of those) await app.sandbox.keepRefundsPending(intentId, false);
  for (const sent of those) await watch.wait(sent.id, 'its refund succeeded', ({ state }) => state === 'refunded');
}
