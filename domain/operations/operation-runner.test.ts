import { expect, test, vi } from 'vitest';
import { leaseMs } from '#core/operations/operation';
import { untilLockIsAwaited } from '../../infra/testing/lock-waits.ts';
import type { JobContext } from '../job-context.ts';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { cancelTransfer } from '../transfers/cancel.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { takeDueOperations } from './due-operations.repository.ts';
import { OperationRunner } from './operation-runner.ts';

const fixture = usePaymentFixture();

/** A context in which the capture of one payment waits until it is released. */
function whileCapturing(intentId: string, released: Promise<void>): JobContext {
  const { stripe } = fixture.context;
  const paymentIntents = Object.create(stripe.paymentIntents);
  paymentIntents.capture = async (...args: Parameters<typeof stripe.paymentIntents.capture>) => {
    if (args[0] === intentId) await released;
    return stripe.paymentIntents.capture(...args);
  };
  return { ...fixture.context, stripe: Object.assign(Object.create(stripe), { paymentIntents }) } as JobContext;
}

const stateOf = async (id: string) => (await fixture.see(id)).state;

test('an attempt whose provider is slow holds up no other attempt', async () => {
  const [slow, quick] = [await fixture.create(), await fixture.create()];
  const released = Promise.withResolvers<void>();
  const runner = new OperationRunner(whileCapturing(await fixture.intentId(slow), released.promise), 'stripe');
  await runner.take();
  await expect.poll(() => stateOf(quick), { timeout: 15_000, interval: 5 }).toBe('captured');
  const late = await fixture.create();
  await runner.take();
  await expect.poll(() => stateOf(late), { timeout: 15_000, interval: 5 }).toBe('captured');
  expect(await stateOf(slow)).toBe('approved');
  released.resolve();
  await runner.idle();
  expect(await stateOf(slow)).toBe('captured');
});

test('operations beyond the width of a runner follow, each attempted once, also with two runners', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => fixture.create()));
  const runners = [new OperationRunner(fixture.context, 'stripe'), new OperationRunner(fixture.context, 'stripe')];
  await Promise.all(runners.map((runner) => runner.take()));
  await Promise.all(runners.map((runner) => runner.idle()));
  for (const id of ids) {
    expect(await fixture.operations(id, 'capture')).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(await fixture.dueKinds(id)).toEqual(['payout']);
  }
});

test('a runner leaves the operations of the other provider, and those that are not due', async () => {
  const id = await fixture.create({ state: 'captured' });
  const runner = new OperationRunner(fixture.context, 'stripe');
  await runner.take();
  await runner.idle();
  expect(await stateOf(id)).toBe('captured');
  fixture.now = new Date(fixture.now.getTime() - 1_000);
  const early = new OperationRunner(fixture.context, 'bank');
  await early.take();
  await early.idle();
  expect(await stateOf(id)).toBe('captured');
});

/** Takes the payouts that are due, as a runner does. */
function takePayouts() {
  const { database, presence: takenBy } = fixture.context;
  const request = { provider: 'bank', now: fixture.now, takenBy, limit: 16 } as const;
  return database.statement((em) => takeDueOperations(em, request));
}

test('a payout is taken and begun by one commit, and made by the next', async () => {
  const id = await fixture.create({ state: 'captured' });
  const [statement, transaction] = [vi.spyOn(fixture.database, 'statement'), vi.spyOn(fixture.database, 'transaction')];
  const runner = new OperationRunner(fixture.context, 'bank');
  await runner.take();
  await runner.idle();
  expect([statement.mock.calls.length, transaction.mock.calls.length]).toEqual([2, 0]);
  vi.restoreAllMocks();
  await fixture.expectOutcome(id, 'completed');
  expect((await fixture.steps(id)).slice(-2)).toEqual(['start_payout', 'pay_out']);
  const another = await fixture.create({ state: 'captured' });
  const [taken] = await takePayouts();
  expect(taken).toMatchObject({ begun: true, transfer: { id: another, payoutStartedAt: fixture.now } });
  expect(taken?.transfer).toEqual({ ...(await fixture.see(another)) });
});

test('a payout whose transfer is being cancelled waits for that, holds up no other and is not made', async () => {
  const [id, other] = [await fixture.create({ state: 'captured' }), await fixture.create({ state: 'captured' })];
  const { userId } = await fixture.see(id);
  const locked = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const cancelling = fixture.database.transaction(async (em) => {
    await lockTransfer(em, id);
    locked.resolve();
    await taken.promise;
    // It ends the operation, which was taken meanwhile.
    await cancelTransfer(em, id, { senderId: userId, at: fixture.now });
  });
  await locked.promise;
  const runner = new OperationRunner(fixture.context, 'bank');
  await runner.take();
  await untilLockIsAwaited(fixture.database);
  taken.resolve();
  await cancelling;
  await runner.idle();
  expect([await stateOf(id), await stateOf(other)]).toEqual(['refunding', 'completed']);
  expect(fixture.payouts(id)).toEqual([]);
  expect(await fixture.steps(id)).not.toContain('start_payout');
});

test('a payout whose transfer changed while it was taken does not begin with that, and is made all the same', async () => {
  const id = await fixture.create({ state: 'captured' });
  // Between what the statement sees and the locking of the transfer.
  await fixture.asOwner(`create function wait_for_test() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$`);
  await fixture.asOwner(
    'create trigger wait_for_test before update on operation for each row execute function wait_for_test()',
  );
  let taking: ReturnType<typeof takePayouts> | undefined;
  await fixture.database.transaction(async (lock) => {
    await lock.execute('select pg_advisory_xact_lock(4711)');
    taking = takePayouts();
    await untilLockIsAwaited(fixture.database);
    await fixture.database.transaction(async (em) => {
      const read = (await lockTransfer(em, id)) as Transfer;
      const step = { name: 'warn_of_fraud', owner: 'payments', at: fixture.now } as const;
      await changeWithinState(em, read, { fraudWarning: 'made_with_stolen_card' }, step);
    });
  });
  expect(await taking).toMatchObject([{ begun: false }]);
  expect((await fixture.see(id)).payoutStartedAt).toBeNull();
  await fixture.asOwner('drop function wait_for_test() cascade');
  fixture.now = new Date(fixture.now.getTime() + leaseMs);
  const runner = new OperationRunner(fixture.context, 'bank');
  await runner.take();
  await runner.idle();
  await fixture.expectOutcome(id, 'completed');
});
