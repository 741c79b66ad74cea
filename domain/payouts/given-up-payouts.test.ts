import { afterEach, expect, test } from 'vitest';
import { maxAttempts } from '#core/operations/operation';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { viewCase } from '../desk-actions/desk.ts';
import { syncRefunds } from '../payments/refund.ts';
import { Operation, ProviderCircuit } from '../provider-calls/operation.entity.ts';
import { expireCorrections } from './expire-corrections.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;
afterEach(async () => {
  fixture.bank.clearFaults();
  fixture.bank.setMode({});
  await fixture.database.fork().nativeUpdate(ProviderCircuit, {}, { failures: 0, openUntil: null });
});
const actionsOf = async (id: string) => {
  const open = (await fixture.cases(id)).filter(({ resolvedAt }) => !resolvedAt);
  const views = await Promise.all(
    open.map((one) => viewCase(fixture.database.fork(), one.id, { viewerId: desk.ana, at: fixture.now })),
  );
  return views.map(({ reason, actions }) => [reason, ...actions]);
};

/** The bank paid; its answers were lost until the attempts were used up. */
async function createPaidButAbandoned(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
  await fixture.run(id, 'payout');
  const [payout] = await fixture.operations(id, 'payout');
  const last = { attempts: maxAttempts - 1, nextAttemptAt: fixture.now };
  await fixture.database.fork().nativeUpdate(Operation, { id: payout?.id ?? '' }, last);
  fixture.bank.failNext({ kind: 'drop', path: '^/bank/', times: 20 });
  await fixture.run(id, 'payout');
  fixture.bank.clearFaults();
  expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'abandoned' }]);
  expect(fixture.payouts(id)).toHaveLength(1);
  return id;
}

test('a cancellation does not refund a payout that the bank accepted and then does not know', async () => {
  const id = await fixture.create({ state: 'captured' });
  fixture.bank.setMode({ pendNext: 1 });
  await fixture.run(id, 'payout');
  const [payout] = await fixture.operations(id, 'payout');
  expect(payout).toMatchObject({ status: 'in_flight', awaiting: 'result' });
  // The bank's query API does not know it for an hour; its payout API does.
  const real = fixture.context.bank;
  const bank = { ...real, find: async () => null };
  const context = { ...fixture.context, bank };
  fixture.now = payout?.nextAttemptAt ?? fixture.now;
  await fixture.run(id, 'payout', context);
  expect(await fixture.openCases(id)).toEqual(['contradiction']);
  await fixture.cancel(id);
  await fixture.run(id, 'payout', context);
  fixture.later(real.completionWindowMs);
  await fixture.run(id, 'payout', context);
  fixture.bank.settle(id);
  if ((await fixture.see(id)).state === 'refunding') await fixture.run(id, 'refund');
  const charge = (await fixture.intent(id)).latest_charge;
  expect([fixture.payouts(id)[0]?.status, charge?.amount_refunded]).not.toEqual(['paid', 10_000]);
});

test('does not refund a cancelled transfer after a retry while the bank denies a payout that it accepted', async () => {
  const id = await fixture.create({ state: 'captured' });
  fixture.bank.setMode({ pendNext: 1 });
  await fixture.run(id, 'payout');
  const real = fixture.context.bank;
  const context = { ...fixture.context, bank: { ...real, find: async () => null } };
  fixture.now = (await fixture.operations(id, 'payout'))[0]?.nextAttemptAt ?? fixture.now;
  await fixture.run(id, 'payout', context);
  await fixture.cancel(id);
  await fixture.run(id, 'payout', context);
  await desk.act(id, 'retry', { reason: '' });
  fixture.later(real.completionWindowMs);
  await fixture.run(id, 'payout', context);
  expect(await fixture.see(id)).toMatchObject({ state: 'captured' });
});

test('refunds a cancelled transfer whose abandoned payout the bank made and returned in full', async () => {
  const id = await createPaidButAbandoned();
  await fixture.cancel(id);
  fixture.bank.returnPayout(id);
  await sweepBankReturns(fixture.context);
  expect(await fixture.see(id)).toMatchObject({ state: 'refunding' });
  await fixture.run(id, 'refund');
  expect(await fixture.see(id)).toMatchObject({ state: 'refunded', returnedMinor: 10_000n });
  expect(await fixture.balances(id)).toEqual({});
});

test('an abandoned payout that was returned in full leaves an action', async () => {
  const id = await createPaidButAbandoned();
  fixture.bank.returnPayout(id);
  await sweepBankReturns(fixture.context);
  fixture.later(60 * 86_400_000);
  await expireCorrections(fixture.context);
  expect((await fixture.see(id)).state === 'refunding' || (await actionsOf(id)).some((one) => one.length > 1)).toBe(
    true,
  );
});

test('an abandoned payout that was returned in part leaves an action', async () => {
  const id = await createPaidButAbandoned();
  fixture.bank.returnPayout(id, { amount: '500.00' });
  await sweepBankReturns(fixture.context);
  const found = (await actionsOf(id)).find(([reason]) => reason === 'payout_returned_in_part');
  expect(found?.length).toBeGreaterThan(1);
});

test('a payout sent while an outside refund is read is not forgotten', async () => {
  const id = await fixture.create({ state: 'captured' });
  await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id) });
  const real = fixture.context.database;
  let calls = 0;
  const database = Object.create(real, {
    transaction: {
      value: async (work: never) => {
        calls += 1;
        if (calls === 2) {
          // Another worker sends the payout now; the bank pays and its answer is lost.
          fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
          await fixture.run(id, 'payout');
        }
        return real.transaction(work);
      },
    },
  });
  await syncRefunds({ ...fixture.context, database }, await fixture.see(id)).catch(() => undefined);
  fixture.later(86_400_000);
  for (const { kind } of await fixture.dueOperations(id)) await fixture.run(id, kind);
  expect((await fixture.see(id)).state).toBe('completed');
});
