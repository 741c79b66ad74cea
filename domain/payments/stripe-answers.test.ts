import { afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import type { DeskAction } from '#core/operations/desk-action';
import {
  laterMs,
  maxAttempts,
  type OperationKind,
  slowAttempts,
  slowRefusals,
  urgentAttempts,
} from '#core/operations/operation';
import { dayMs, hourMs } from '#core/time/time';
import { createStripe } from '#platform/stripe';
import type { Fault } from '../../sandbox/testing/test-simulator.ts';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { toDeskCaseView } from '../desk-actions/desk-views.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { Operation, ProviderCircuit } from '../provider-calls/operation.entity.ts';
import { Transfer } from '../transfers/transfer.entity.ts';

// Answers to requests that move money at Stripe, whether or not Stripe executed them.

const desk = useDeskFixture();
const fixture = desk.payments;

/** Without the SDK's retries, so that every answer reaches the attempt, and with a short timeout. */
let context: JobContext;
let withShortTimeout: JobContext;
beforeAll(() => {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl } = fixture.stripe.env;
  const connect = (requestMsMax: number) =>
    createStripe(
      { secretKey, apiUrl, requestsPerSecond: null, sellsCrypto: false },
      { repetitionsMax: 0, requestMsMax },
    );
  context = { ...fixture.context, stripe: connect(15_000) };
  withShortTimeout = { ...fixture.context, stripe: connect(1_000) };
});
const closeCircuit = () => fixture.database.fork().nativeUpdate(ProviderCircuit, {}, { failures: 0, openUntil: null });
afterEach(closeCircuit);

/**
 * Meaning of an answer. `refused`: the request itself is wrong. `own`: Stripe failed itself, which it repeats for the
 * key. `unknown`: anything else; `counts`: whether it counts towards the circuit breaker.
 */
type AnswerMeaning = {
  readonly fault: Omit<Fault, 'kind'>;
  readonly how?: string;
  readonly is: 'refused' | 'own' | 'unknown';
  readonly counts: boolean;
};
const answers: Readonly<Record<string, AnswerMeaning>> = {
  'an unknown 400': { fault: { status: 400, code: 'parameter_unknown' }, is: 'refused', counts: false },
  'a 404 with a code': { fault: { status: 404, code: 'resource_missing' }, is: 'refused', counts: false },
  'a 404 without a code': { fault: { status: 404 }, is: 'unknown', counts: true },
  401: { fault: { status: 401 }, is: 'unknown', counts: true },
  402: { fault: { status: 402, code: 'card_declined' }, is: 'unknown', counts: false },
  403: { fault: { status: 403 }, is: 'unknown', counts: true },
  'a key in use': { fault: { status: 409, code: 'idempotency_key_in_use' }, is: 'unknown', counts: false },
  'a lock': { fault: { status: 429, code: 'lock_timeout' }, is: 'unknown', counts: false },
  'a rate limit': { fault: { status: 429 }, is: 'unknown', counts: true },
  500: { fault: { status: 500 }, is: 'own', counts: true },
  'a page with 400': { fault: { status: 400, page: true }, is: 'unknown', counts: false },
  'a page with 403': { fault: { status: 403, page: true }, is: 'unknown', counts: true },
  'a page with 413': { fault: { status: 413, page: true }, is: 'unknown', counts: false },
  'a page with 502': { fault: { status: 502, page: true }, is: 'unknown', counts: true },
  // The SDK itself retries a request once after a closed connection.
  'a cut connection': { fault: { times: 2 }, how: 'drop', is: 'unknown', counts: true },
  'no answer': { fault: {}, how: 'timeout', is: 'unknown', counts: true },
};

interface Effect {
  readonly path: string;
  readonly create: () => Promise<string>;
  /** Asserts that it happened once. */
  readonly expectDone: (id: string) => Promise<void>;
  /** The actions possible once it is certain that it did not happen. */
  readonly actions: readonly DeskAction[];
}
const effects = {
  capture: {
    path: '/capture$',
    create: () => fixture.create(),
    expectDone: async (id) => {
      expect((await fixture.see(id)).state).toBe('captured');
      expect(await fixture.events(id, 'charge.captured')).toHaveLength(1);
    },
    actions: ['retry', 'give_up_and_refund'],
  },
  void: {
    path: '/cancel$',
    create: async () => {
      const id = await fixture.create({ state: 'in_review' });
      await fixture.reject(id);
      return id;
    },
    expectDone: async (id) => void (await fixture.expectOutcome(id, 'rejected')),
    actions: ['retry', 'resolve'],
  },
  refund: {
    path: '^/v1/refunds$',
    create: () => fixture.createRefunding(),
    expectDone: async (id) => {
      await fixture.expectOutcome(id, 'refunded');
      const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
      expect(data).toMatchObject([{ amount: 10_000, status: 'succeeded' }]);
    },
    actions: ['retry', 'refund_by_hand'],
  },
} as const satisfies Partial<Record<OperationKind, Effect>>;

const last = async (id: string, kind: OperationKind) => (await fixture.operations(id, kind)).at(-1) as Operation;
const failures = async () =>
  (await fixture.database.fork().findOne(ProviderCircuit, { provider: 'stripe' }))?.failures ?? 0;
const viewCase = async (id: string) =>
  toDeskCaseView(fixture.database.fork(), await desk.caseOf(id), { viewerId: desk.ana, at: fixture.now });

const cells = Object.keys(answers).flatMap((answer) =>
  (['executed', 'not executed'] as const).flatMap((execution) =>
    (['first', 'last'] as const).map((attempt) => [answer, execution, attempt] as const),
  ),
);

describe.each(Object.keys(effects) as (keyof typeof effects)[])('a %s', (kind) => {
  const { path, create, expectDone, actions } = effects[kind];

  test.each(cells)('that gets %s, %s, in the %s attempt takes effect once', async (name, execution, attempt) => {
    const { fault, how = 'error', is, counts } = answers[name] as AnswerMeaning;
    const isExecuted = execution === 'executed';
    const id = await create();
    if (attempt === 'last') {
      const where = { transferId: id, kind };
      await fixture.database.fork().nativeUpdate(Operation, where, { attempts: maxAttempts - 1 });
    }
    fixture.stripe.failNext({
      ...fault,
      kind: (isExecuted ? `do_then_${how}` : how) as Fault['kind'],
      path,
      method: 'POST',
    });
    await fixture.run(id, kind, how === 'timeout' ? withShortTimeout : context);
    fixture.stripe.clearFaults();
    // A reading shows what happened: after each certain answer, and before a capture is given up.
    const isRead = is !== 'unknown' || (kind === 'capture' && attempt === 'last');
    const operation = await last(id, kind);
    if (isRead && isExecuted) {
      expect(await failures()).toBe(0);
      await expectDone(id);
      return;
    }
    expect(await failures()).toBe(counts && (is !== 'unknown' || !isRead) ? 1 : 0);
    // Failed only if a reading confirmed that nothing happened.
    const first = (await fixture.operations(id, kind))[0];
    expect(first?.status === 'failed').toBe(isRead);
    const ended = isRead
      ? is === 'refused' && attempt === 'first'
        ? 'operation_refused'
        : 'operation_abandoned'
      : 'operation_abandoned';
    const isEnded = attempt === 'last' || is === 'refused';
    expect(await fixture.openCases(id)).toEqual(isEnded ? [is === 'refused' ? 'operation_refused' : ended] : []);
    if (isEnded) {
      if (isRead) expect((await viewCase(id)).actions).toEqual(actions);
      const requested = await desk.act(id, 'retry');
      if (requested.request) await desk.decide(requested.request.id, desk.luis);
    } else fixture.now = operation.nextAttemptAt as Date;
    await closeCircuit();
    await fixture.run(id, kind, context);
    await expectDone(id);
    // A new key only after a confirmed failure.
    expect((await last(id, kind)).sequence).toBe(isRead ? 2 : 1);
    expect(await fixture.openCases(id)).toEqual([]);
  });
});

describe('stripe 7: a capture that Stripe rejects for an unknown reason', () => {
  async function createRefused(): Promise<string> {
    const id = await fixture.create();
    fixture.stripe.failNext({ kind: 'error', status: 400, code: 'amount_too_odd', path: '/capture$' });
    await fixture.run(id, 'capture');
    expect(await fixture.openCases(id)).toEqual(['operation_refused']);
    return id;
  }

  it('can be given up: the authorization is voided, and nothing was charged', async () => {
    const id = await createRefused();
    await desk.act(id, 'give_up_and_refund');
    await fixture.run(id, 'void');
    await fixture.expectOutcome(id, 'rejected');
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it.each([
    ['whose authorization ends within a day', dayMs - hourMs, urgentAttempts],
    ['whose authorization lasts', 6 * dayMs, slowAttempts],
  ] as const)('opens a case sooner: one %s', async (_, leftMs, attempts) => {
    const id = await fixture.create();
    const captureBefore = new Date(fixture.now.getTime() + leftMs);
    await fixture.database.fork().nativeUpdate(Transfer, { id }, { captureBefore });
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      expect(await fixture.openCases(id)).toEqual([]);
      fixture.stripe.failNext({ kind: 'error', status: 402, code: 'card_declined', path: '/capture$' });
      await fixture.run(id, 'capture');
      fixture.now = (await last(id, 'capture')).nextAttemptAt as Date;
    }
    expect(await fixture.openCases(id)).toEqual(['operation_slow']);
  });
});

describe('stripe 6: a refund that our balance at Stripe does not cover', () => {
  it('is retried under new keys without limit, and opens a case after some hours', async () => {
    const id = await fixture.createRefunding();
    for (let refusals = 1; refusals <= maxAttempts + 2; refusals += 1) {
      fixture.stripe.failNext({
        kind: 'error',
        status: 400,
        code: 'balance_insufficient',
        path: '^/v1/refunds$',
        method: 'POST',
      });
      await fixture.run(id, 'refund');
      const refunds = await fixture.operations(id, 'refund');
      expect(refunds).toHaveLength(refusals + 1);
      expect(refunds.at(-2)).toMatchObject({ status: 'failed' });
      expect(refunds.at(-1)).toMatchObject({
        ...{ status: 'pending', sequence: refusals + 1, amountMinor: 10_000n },
        nextAttemptAt: new Date(fixture.now.getTime() + laterMs),
      });
      expect(await fixture.openCases(id)).toEqual(refusals < slowRefusals ? [] : ['operation_slow']);
      expect(await failures()).toBe(0);
      fixture.later(laterMs);
    }
    await fixture.run(id, 'refund');
    await fixture.expectOutcome(id, 'refunded');
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('is not made twice if Stripe made it after all', async () => {
    const id = await fixture.createRefunding();
    fixture.stripe.failNext({
      kind: 'do_then_error',
      status: 400,
      code: 'balance_insufficient',
      path: '^/v1/refunds$',
      method: 'POST',
    });
    await fixture.run(id, 'refund');
    await fixture.expectOutcome(id, 'refunded');
    expect(await fixture.operations(id, 'refund')).toHaveLength(1);
  });
});
