import { afterEach, describe, expect, it } from 'vitest';
import type { PayoutAnswer } from '#core/contracts/bank';
import { circuitFailures, circuitPauseMs, maxAttempts, retryDelayMs, slowAttempts } from '#core/operations/operation';
import { hourMs } from '#core/time/time';
import { NonRetryableError } from '#platform/queues/retry';
import { attemptNow } from '../../testing/operations.ts';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { Operation, ProviderCircuit } from '../provider-calls/operation.entity.ts';
import { resumeOperation } from '../provider-calls/operation.repository.ts';
import { BankUnavailableError } from '../providers/bank.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { runOperation } from './run-operation.ts';

const fixture = usePaymentFixture();

let calls = 0;
/** A bank whose calls fail, by default because it never answers. */
const silent = (error: Error = new BankUnavailableError('the bank does not answer')): JobContext => ({
  ...fixture.context,
  bank: {
    ...fixture.context.bank,
    find: () => Promise.reject(error),
    pay: () => {
      calls += 1;
      return Promise.reject(error);
    },
  },
});

const later = (ms: number) => {
  fixture.now = new Date(fixture.now.getTime() + ms);
};
const payoutOf = async (id: string) => (await fixture.operations(id, 'payout')).at(-1) as Operation;
/** Closes every circuit, as an answer of the provider would. */
const closeCircuits = () =>
  fixture.database.fork().execute('update provider_circuit set failures = 0, open_until = null');

afterEach(async () => {
  calls = 0;
  await closeCircuits();
});

describe('an operation without a certain answer', () => {
  it('is retried under the same key with back-off, and then abandoned with a case', async () => {
    const id = await fixture.create({ state: 'captured' });
    const { idempotencyKey } = await payoutOf(id);
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      await closeCircuits();
      await fixture.run(id, 'payout', silent());
      await fixture.run(id, 'payout', silent());
      expect(calls).toBe(attempt);
      const operation = await payoutOf(id);
      expect(operation).toMatchObject({ attempts: attempt, idempotencyKey, lastError: 'the bank does not answer' });
      expect(await fixture.openCases(id)).toEqual(
        attempt < slowAttempts
          ? []
          : attempt < maxAttempts
            ? ['operation_slow']
            : ['operation_abandoned', 'operation_slow'],
      );
      if (attempt === maxAttempts) break;
      expect(operation).toMatchObject({
        status: 'unknown',
        nextAttemptAt: new Date(fixture.now.getTime() + retryDelayMs(attempt)),
      });
      later(retryDelayMs(attempt));
    }
    expect(await payoutOf(id)).toMatchObject({ status: 'abandoned', nextAttemptAt: null });
    expect((await fixture.see(id)).state).toBe('captured');
    later(24 * hourMs);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
  });

  it('is not attempted while its provider’s circuit is open, which costs no attempt', async () => {
    const ids: string[] = [];
    for (let count = 0; count < circuitFailures + 1; count += 1) ids.push(await fixture.create({ state: 'captured' }));
    const last = ids.pop() as string;
    for (const id of ids) await fixture.run(id, 'payout', silent());
    expect(calls).toBe(circuitFailures);
    await fixture.run(last, 'payout', silent());
    expect(calls).toBe(circuitFailures);
    const circuit = await fixture.database.fork().findOneOrFail(ProviderCircuit, { provider: 'bank' });
    expect(await payoutOf(last)).toMatchObject({ status: 'pending', attempts: 0, nextAttemptAt: circuit.openUntil });
    fixture.now = circuit.openUntil as Date;
    await fixture.run(last, 'payout');
    await fixture.expectOutcome(last, 'completed');
    expect(await fixture.database.fork().findOneOrFail(ProviderCircuit, { provider: 'bank' })).toMatchObject({
      failures: 0,
      openUntil: null,
    });
  });
});

describe('an attempt that fails because of us', () => {
  const failuresOf = async (provider: string) => {
    return (await fixture.database.fork().findOne(ProviderCircuit, { provider }))?.failures ?? 0;
  };

  it('is retried like one without an answer, and does not count against the provider', async () => {
    const id = await fixture.create({ state: 'captured' });
    for (const error of [new TypeError('x is not a function'), new RangeError('too long'), new Error('ours')]) {
      await fixture.run(id, 'payout', silent(error));
      expect(await payoutOf(id)).toMatchObject({ status: 'unknown', lastError: error.message });
      later(hourMs);
    }
    expect(await failuresOf('bank')).toBe(0);
    await fixture.run(id, 'payout', silent());
    expect(await failuresOf('bank')).toBe(1);
  });

  it('counts against the provider that did not answer, not against the operation’s provider', async () => {
    const id = await fixture.create({ state: 'captured' });
    await fixture.run(id, 'payout', silent());
    await closeCircuits();
    await fixture.database
      .fork()
      .nativeUpdate(Operation, { transferId: id, kind: 'payout' }, { status: 'abandoned', nextAttemptAt: null });
    await fixture.database.transaction((em) => moveTransfer(em, id, 'give_up_payout', { at: fixture.now }));
    await fixture.run(id, 'refund', silent());
    expect([await failuresOf('stripe'), await failuresOf('bank')]).toEqual([0, 1]);
  });

  it('ends with a case when our database rejects the write, without showing the statement’s data', async () => {
    const id = await fixture.create({ state: 'captured' });
    const { id: operationId } = await payoutOf(id);
    await fixture.database.fork().nativeUpdate(Operation, { id: operationId }, { attempts: maxAttempts - 1 });
    const { bank } = fixture.context;
    const pay: typeof bank.pay = async (...call) =>
      ({ ...(await bank.pay(...call)), reference: 'PG takes no \0' }) as PayoutAnswer;
    const find = silent().bank.find;
    await fixture.run(id, 'payout', { ...fixture.context, bank: { ...bank, pay, find } });
    expect(await payoutOf(id)).toMatchObject({ status: 'abandoned', attempts: maxAttempts });
    expect((await payoutOf(id)).lastError).toMatch(/^DriverException \(\w+\)$/);
    expect(await fixture.openCases(id)).toEqual(['operation_abandoned']);
    expect(await failuresOf('bank')).toBe(0);
  });

  it('is not retried when a retry cannot succeed: it opens a case at once', async () => {
    const id = await fixture.create();
    await fixture.stripe.sdk.paymentIntents.update(await fixture.intentId(id), { metadata: { transfer_id: 'other' } });
    await fixture.run(id, 'capture');
    expect(await fixture.operations(id, 'capture')).toMatchObject([
      { status: 'abandoned', attempts: 1, lastError: 'the payment intent does not match the transfer' },
    ]);
    expect(await fixture.openCases(id)).toEqual(['contradiction']);
    expect(await failuresOf('stripe')).toBe(0);
  });

  it.each([
    ['after it was sent, so that it may have had its effect', new Date(), 'abandoned'],
    ['before it was sent, so that it certainly had none', null, 'failed'],
  ] as const)('ends when it crashes its process every time %s', async (_, sentAt, status) => {
    const id = await fixture.create({ state: 'captured' });
    const { id: operationId } = await payoutOf(id);
    await fixture.database
      .fork()
      .nativeUpdate(
        Operation,
        { id: operationId },
        { status: 'in_flight', attempts: maxAttempts, nextAttemptAt: fixture.now, sentAt },
      );
    await attemptNow(silent(), operationId);
    expect(calls).toBe(0);
    expect(await payoutOf(id)).toMatchObject({ status });
    expect(await fixture.openCases(id)).toEqual(['operation_abandoned']);
  });
});

describe('the circuit of a provider', () => {
  const openUntil = async () =>
    (await fixture.database.fork().findOneOrFail(ProviderCircuit, { provider: 'bank' })).openUntil?.getTime();

  it('opens for the shortest time when many attempts fail at once, and for twice as long when the next ones fail', async () => {
    const many = circuitFailures + 2;
    const ids: string[] = [];
    for (let count = 0; count < many; count += 1) ids.push(await fixture.create({ state: 'captured' }));
    await Promise.all(ids.map((id) => fixture.run(id, 'payout', silent())));
    expect(calls).toBe(many);
    const first = fixture.now.getTime() + circuitPauseMs(circuitFailures);
    expect(await openUntil()).toBe(first);
    fixture.now = new Date(first);
    await Promise.all(ids.map((id) => fixture.run(id, 'payout', silent())));
    expect(calls).toBe(2 * many);
    expect(await openUntil()).toBe(first + circuitPauseMs(circuitFailures + 1));
  });
});

describe('the job of an operation', () => {
  const jobOf = async (id: string) => {
    const { id: operationId, dispatch } = await payoutOf(id);
    return { id: operationId, dispatch };
  };

  it('attempts it again after its process died in an attempt', async () => {
    const id = await fixture.create({ state: 'captured' });
    const job = await jobOf(id);
    const begun = { status: 'in_flight', attempts: 1, attemptStartedAt: fixture.now } as const;
    await fixture.database.fork().nativeUpdate(Operation, { id: job.id }, begun);
    expect(await runOperation(fixture.context, job)).toBeUndefined();
    await fixture.expectOutcome(id, 'completed');
  });

  it('does nothing once a newer job was added, or before it is due', async () => {
    const id = await fixture.create({ state: 'captured' });
    const job = await jobOf(id);
    await fixture.database.transaction((em) => resumeOperation(em, job, fixture.now));
    expect(await runOperation(fixture.context, job)).toBeUndefined();
    expect(fixture.payouts(id)).toEqual([]);
    const due = new Date(fixture.now.getTime() + hourMs);
    await fixture.database.fork().nativeUpdate(Operation, { id: job.id }, { nextAttemptAt: due });
    expect(await runOperation(fixture.context, await jobOf(id))).toEqual({ at: due });
    expect(fixture.payouts(id)).toEqual([]);
  });

  it('runs again when the row is due, with the error of the failed attempt', async () => {
    const id = await fixture.create({ state: 'captured' });
    const again = await runOperation(silent(), await jobOf(id));
    const { nextAttemptAt: at, lastError: error } = await payoutOf(id);
    expect(again).toEqual({ at, error });
  });

  it('fails permanently when the operation is given up', async () => {
    const id = await fixture.create();
    await fixture.stripe.sdk.paymentIntents.update(await fixture.intentId(id), { metadata: { transfer_id: 'other' } });
    const [capture] = await fixture.operations(id, 'capture');
    const job = { id: capture?.id ?? '', dispatch: 1 };
    await expect(runOperation(fixture.context, job)).rejects.toThrow(NonRetryableError);
  });
});

it('calls a bank that does not answer for an hour about twenty times at most', async () => {
  const id = await fixture.create({ state: 'captured' });
  for (let elapsed = 0; elapsed < hourMs; elapsed += fixture.context.sweepEveryMs) {
    await fixture.run(id, 'payout', silent());
    later(fixture.context.sweepEveryMs);
  }
  expect(calls).toBeGreaterThan(5);
  expect(calls).toBeLessThanOrEqual(20);
});
