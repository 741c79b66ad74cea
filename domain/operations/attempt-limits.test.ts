import { expect, test } from 'vitest';
import { operationKindNames } from '#core/operations/operation';
import { stripeCallMs } from '#platform/stripe';
import { bankCallMs } from '../payouts/bank.ts';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { attemptCalls, leaseMsOf } from './attempt-limits.ts';
import { takeDueOperations } from './due-operations.repository.ts';
import { runOperation } from './run-operation.ts';

const fixture = usePaymentFixture();

test.each(operationKindNames)('D7: a %s is leased for longer than all its calls may take together', (kind) => {
  const { stripe, bank } = attemptCalls[kind];
  expect(leaseMsOf(kind)).toBeGreaterThan(stripe * stripeCallMs + bank * bankCallMs);
});

test('D7: an operation that is taken has the lease of its kind, whichever way it is taken', async () => {
  const [charging, paying] = [await fixture.create(), await fixture.create({ state: 'captured' })];
  const { database, now } = fixture;
  for (const [id, kind, provider] of [
    [charging, 'capture', 'stripe'],
    [paying, 'payout', 'bank'],
  ] as const) {
    const taken = await database.statement((em) => takeDueOperations(em, { provider, now, takenBy: 1, limit: 1 }));
    const until = new Date(now.getTime() + leaseMsOf(kind));
    expect(taken).toMatchObject([{ operation: { transferId: id, kind, nextAttemptAt: until } }]);
    expect((await fixture.operations(id, kind))[0]?.nextAttemptAt).toEqual(until);
  }
  const job = await fixture.create({ state: 'captured' });
  const [payout] = await fixture.operations(job, 'payout');
  let during: Date | null | undefined;
  const { bank } = fixture.context;
  const pay: typeof bank.pay = async (...order) => {
    during = (await fixture.operations(job, 'payout'))[0]?.nextAttemptAt;
    return bank.pay(...order);
  };
  await runOperation({ ...fixture.context, bank: { ...bank, pay } }, payout?.id ?? '');
  expect(during).toEqual(new Date(now.getTime() + leaseMsOf('payout')));
});

test('D7: an attempt that takes as long as its calls may is not taken by another process', async () => {
  const id = await fixture.create();
  const [capture] = await fixture.operations(id, 'capture');
  const { stripe } = fixture.context;
  const paymentIntents = Object.create(stripe.paymentIntents);
  let calls = 0;
  paymentIntents.capture = async (...args: Parameters<typeof stripe.paymentIntents.capture>) => {
    calls += 1;
    fixture.later(attemptCalls.capture.stripe * stripeCallMs);
    if (calls === 1) await runOperation(context, capture?.id ?? '');
    return stripe.paymentIntents.capture(...args);
  };
  const context = { ...fixture.context, stripe: Object.assign(Object.create(stripe), { paymentIntents }) };
  await runOperation(context, capture?.id ?? '');
  expect(calls).toBe(1);
  expect((await fixture.see(id)).state).toBe('captured');
});
