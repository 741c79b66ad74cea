import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isHeldBy } from '#core/holds/holds';
import { possibleActions } from '#core/operations/desk-action';
import { maxAttempts } from '#core/operations/operation';
import type { Fault } from '../../sandbox/testing/test-simulator.ts';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import type { DeskCase } from '../desk/desk-case.repository.ts';
import { factsOf } from '../desk-actions/desk-views.ts';
import { readHoldFacts } from '../holds/holds.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { Operation, ProviderCircuit } from '../provider-calls/operation.entity.ts';
import { connectBank } from '../providers/bank.ts';

// Answers to a payout order, whether or not the bank executed it, by attempt.

const fixture = usePaymentFixture();
let context: JobContext;
/** A context with a short timeout for the bank. */
let withShortTimeout: JobContext;
const connect = (changes: { apiKey?: string; waitMs?: number } = {}) => {
  const { BANK_API_URL: apiUrl, BANK_API_KEY } = fixture.bank.env;
  const { waitMs = 10_000, apiKey = BANK_API_KEY } = changes;
  const { completionWindowMs } = fixture.context.bank;
  const bank = connectBank({ apiUrl, apiKey, statementFormat: 'csv', completionWindowMs }, { waitMs });
  return { ...fixture.context, bank };
};
beforeAll(() => {
  context = connect();
  withShortTimeout = connect({ waitMs: 1_000 });
});
afterEach(async () => {
  fixture.bank.clearFaults();
  await closeCircuit();
});

const closeCircuit = () => fixture.database.fork().nativeUpdate(ProviderCircuit, {}, { failures: 0, openUntil: null });

/**
 * Each answer as a fault without and after executing the order; `counts`: whether it counts towards the circuit
 * breaker.
 */
const answers: Readonly<
  Record<string, { readonly fault: Omit<Fault, 'kind'>; readonly how: string; counts: boolean }>
> = {
  ...Object.fromEntries(
    [400, 409, 413, 422].map((status) => [status, { fault: { status }, how: 'error', counts: false }]),
  ),
  ...Object.fromEntries(
    [401, 403, 404, 429, 500, 502].map((status) => [status, { fault: { status }, how: 'error', counts: true }]),
  ),
  'a page with 400': { fault: { status: 400, page: true }, how: 'error', counts: false },
  'a page with 403': { fault: { status: 403, page: true }, how: 'error', counts: true },
  'a page with 502': { fault: { status: 502, page: true }, how: 'error', counts: true },
  'a cut connection': { fault: {}, how: 'drop', counts: true },
  'no answer': { fault: {}, how: 'timeout', counts: true },
};

/** Attempts before the one with the answer. Earlier ones were not executed and had no answer. */
const earlierAttempts = { first: 0, later: 1, last: maxAttempts - 1 } as const;

const cells = Object.keys(answers).flatMap((answer) =>
  [true, false].flatMap((executed) =>
    (Object.keys(earlierAttempts) as (keyof typeof earlierAttempts)[]).map(
      (attempt) => [answer, executed ? 'executed' : 'not executed', attempt] as const,
    ),
  ),
);

const payoutOf = async (id: string) => (await fixture.operations(id, 'payout')).at(-1) as Operation;
const failures = async () =>
  (await fixture.database.fork().findOne(ProviderCircuit, { provider: 'bank' }))?.failures ?? 0;
const ordersOf = (id: string) =>
  fixture.bank.calls.filter(({ method, idempotencyKey }) => method === 'POST' && idempotencyKey?.includes(id)).length;

/** The possible actions on the payout besides waiting and querying the bank again. */
async function actionsOf(id: string) {
  const em = fixture.database.fork();
  const transfer = await fixture.see(id);
  const holds = await readHoldFacts(em, transfer);
  const operation = await payoutOf(id);
  const deskCase = { reason: 'operation_abandoned', operationId: operation.id } as DeskCase;
  const operations = await fixture.operations(id);
  return { holds, actions: possibleActions(factsOf(deskCase, transfer, { operations, holds, at: fixture.now })) };
}

/** Expects that while the outcome is unknown, every other movement and every new payout is blocked. */
async function expectUnknown(id: string): Promise<void> {
  const { holds, actions } = await actionsOf(id);
  expect(holds.unknownPayouts).toEqual([(await payoutOf(id)).id]);
  for (const movement of ['refund', 'hand_refund', 'hand_payout', 'second_payout', 'account_correction'] as const)
    expect(isHeldBy('payout_unknown', movement)).toBe(true);
  expect(actions.filter((action) => action !== 'retry')).toEqual([]);
  expect(await fixture.operations(id, 'payout')).toHaveLength(1);
  expect(await fixture.operations(id, 'refund')).toEqual([]);
}

async function createAt(attempt: keyof typeof earlierAttempts): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  if (attempt === 'later') {
    fixture.bank.failNext({ kind: 'drop', path: '^/bank/' });
    await fixture.run(id, 'payout', context);
    fixture.later(2_000);
    await closeCircuit();
  }
  if (attempt === 'last') {
    const where = { transferId: id, kind: 'payout' as const };
    await fixture.database.fork().nativeUpdate(Operation, where, { attempts: earlierAttempts.last });
  }
  return id;
}

describe('an order to pay', () => {
  test.each(cells)(
    'that gets %s, %s, in the %s attempt is paid once or not at all',
    async (name, execution, attempt) => {
      const { fault, how, counts } = answers[name] as (typeof answers)[string];
      const isExecuted = execution === 'executed';
      const id = await createAt(attempt);
      fixture.bank.failNext({
        ...fault,
        kind: (isExecuted ? `do_then_${how}` : how) as Fault['kind'],
        path: '^/bank/',
        method: 'POST',
      });
      await fixture.run(id, 'payout', how === 'timeout' ? withShortTimeout : context);
      const isRefused = !counts;
      // The inquiry returned what the bank had done.
      const isQueried = isRefused || attempt === 'last';
      expect(await failures()).toBe(counts && !isQueried ? 1 : 0);
      const orders = ordersOf(id);
      if (isQueried && isExecuted) {
        await fixture.expectOutcome(id, 'completed');
      } else {
        expect((await fixture.see(id)).state).toBe('captured');
        expect((await payoutOf(id)).status).not.toBe('failed');
        await expectUnknown(id);
        expect(await fixture.openCases(id)).toEqual([]);
        const { nextAttemptAt, sentAt } = await payoutOf(id);
        if (isQueried)
          expect(nextAttemptAt).toEqual(new Date((sentAt?.getTime() ?? 0) + context.bank.completionWindowMs));
        fixture.now = nextAttemptAt as Date;
        await fixture.run(id, 'payout', context);
        if (isQueried) {
          // After the window, the bank's "unknown" is a confirmation, and no further order was given.
          expect(ordersOf(id)).toBe(orders);
          expect(await payoutOf(id)).toMatchObject({ status: 'failed', sequence: 1, nextAttemptAt: null });
          expect(await fixture.openCases(id)).toEqual([
            attempt === 'last' ? 'operation_abandoned' : 'operation_refused',
          ]);
          expect((await actionsOf(id)).actions).toEqual(['retry', 'give_up_and_refund', 'pay_by_hand']);
          expect(fixture.payouts(id)).toEqual([]);
          return;
        }
        // Ordered again under the same id and key.
        expect(ordersOf(id)).toBe(orders + 1);
        await fixture.expectOutcome(id, 'completed');
      }
      expect(fixture.payouts(id)).toMatchObject([{ externalId: id, status: 'paid' }]);
      expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'succeeded', sequence: 1 }]);
    },
  );
});

describe('an inquiry about a payout', () => {
  /** A payout whose request was rejected and whose completion window has passed. */
  async function createRefused(): Promise<string> {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'error', status: 422, path: '^/bank/', method: 'POST' });
    await fixture.run(id, 'payout', context);
    fixture.later(context.bank.completionWindowMs);
    return id;
  }

  test.each(Object.keys(answers))('that gets %s leaves the outcome unknown', async (name) => {
    const { fault, how, counts } = answers[name] as (typeof answers)[string];
    const id = await createRefused();
    fixture.bank.failNext({ ...fault, kind: how as Fault['kind'], path: '^/bank/', method: 'GET' });
    await fixture.run(id, 'payout', how === 'timeout' ? withShortTimeout : context);
    expect(await payoutOf(id)).toMatchObject({ status: 'unknown', awaiting: 'confirmation' });
    expect(await failures()).toBe(counts ? 1 : 0);
    await expectUnknown(id);
    const orders = ordersOf(id);
    fixture.now = (await payoutOf(id)).nextAttemptAt as Date;
    await fixture.run(id, 'payout', context);
    expect(await payoutOf(id)).toMatchObject({ status: 'failed' });
    expect(ordersOf(id)).toBe(orders);
  });
});

test('N2: an order still being executed is not considered failed because the bank does not know it yet', async () => {
  const id = await fixture.create({ state: 'captured' });
  let finishLater = async () => {};
  const slow: JobContext = {
    ...context,
    bank: {
      ...context.bank,
      pay: (request, key) => {
        finishLater = async () => void (await context.bank.pay(request, key));
        return context.bank.pay({ ...request, amount: 'no amount' }, key);
      },
    },
  };
  // The bank is still executing it when a proxy rejects the request.
  await fixture.run(id, 'payout', slow);
  await expectUnknown(id);
  await finishLater();
  fixture.later(context.bank.completionWindowMs);
  await fixture.run(id, 'payout', context);
  await fixture.expectOutcome(id, 'completed');
});

test('D3: with an invalid API key every payout waits, the circuit opens, and all are paid once the key is valid', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 9; count += 1) ids.push(await fixture.create({ state: 'captured' }));
  const rotated = connect({ apiKey: 'rotated' });
  for (const id of ids) await fixture.run(id, 'payout', rotated);
  const circuit = await fixture.database.fork().findOneOrFail(ProviderCircuit, { provider: 'bank' });
  expect(circuit.openUntil && circuit.openUntil > fixture.now).toBe(true);
  for (const id of ids) expect(await fixture.openCases(id)).toEqual([]);
  fixture.later(60_000);
  for (const id of ids) {
    await fixture.run(id, 'payout', context);
    await fixture.expectOutcome(id, 'completed');
  }
});
