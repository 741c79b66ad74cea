import { afterEach, describe, expect, it } from 'vitest';
import { maxAttempts, slowRefusals } from '#core/operations/operation';
import { bankRejectionCodes, rejectionClassOf } from '#core/payouts/bank-answers';
import { dayMs, hourMs } from '#core/time/time';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { toDeskCaseViews } from '../desk-actions/desk-views.ts';
import { Email } from '../emails/email.entity.ts';
import { findActiveStops } from '../money-stops/money-stop.repository.ts';
import { type Operation, ProviderCircuit } from '../provider-calls/operation.entity.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';

const desk = useDeskFixture();
const fixture = desk.payments;

const closeCircuit = () => fixture.database.fork().nativeUpdate(ProviderCircuit, {}, { failures: 0, openUntil: null });
afterEach(async () => {
  await closeCircuit();
  await desk.liftStops();
});

const message = 'Un texto del banco.';
async function createRejected(code: string): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  fixture.bank.setMode({ rejectNext: 1, rejection: { code, message } });
  await fixture.run(id, 'payout');
  fixture.bank.setMode({});
  return id;
}

const payoutsOf = (id: string) => fixture.operations(id, 'payout');
const last = async (id: string) => (await payoutsOf(id)).at(-1) as Operation;
const failures = async () =>
  (await fixture.database.fork().findOne(ProviderCircuit, { provider: 'bank' }))?.failures ?? 0;
const emails = (kind: string) => fixture.database.fork().count(Email, { kind });
async function actionsOf(id: string) {
  const em = fixture.database.fork();
  const [view] = await toDeskCaseViews(em, [await desk.caseOf(id)], { viewerId: desk.ana, at: fixture.now });
  return view?.actions;
}
async function senderSees(id: string): Promise<string> {
  const em = fixture.database.fork();
  const toSender = await em.find(Email, { kind: { $in: ['payout_failed', 'transfer_refunded', 'transfer_ended'] } });
  const own = toSender.filter(({ data }) => JSON.stringify(data).includes(id));
  return JSON.stringify([await toTransferView(em, await fixture.see(id), fixture.now), own]);
}

describe.each(bankRejectionCodes)('the rejection %s', (code) => {
  const about = rejectionClassOf(code);

  it('D2: does not refund the sender, and confirms that the order ended', async () => {
    const id = await createRejected(code);
    expect((await payoutsOf(id))[0]).toMatchObject({ status: 'failed', sequence: 1, lastError: `${code}: ${message}` });
    expect(await fixture.operations(id, 'refund')).toEqual([]);
    expect((await fixture.intent(id)).latest_charge?.amount_refunded).toBe(0);
    expect(await failures()).toBe(0);
    const expected = {
      account: ['payout_failed', ['payout_rejected'], 1],
      person: ['captured', ['payout_not_allowed'], 1],
      own: ['captured', [], 2],
      unknown: null,
    }[about];
    const seen = [(await fixture.see(id)).state, await fixture.openCases(id), (await payoutsOf(id)).length];
    expect(seen).toEqual(expected);
  });

  it('is shown to its sender only if it concerns the account', async () => {
    const id = await createRejected(code);
    const seen = await senderSees(id);
    expect(seen.includes(message)).toBe(about === 'account');
    expect(seen.includes('payout_failed')).toBe(about === 'account');
    expect(seen).not.toContain(code);
  });
});

describe.each([
  ['compliance_hold', 'payout_not_allowed'],
  ['a_code_of_tomorrow', 'payout_unexplained'],
] as const)('a payout that the bank rejects with %s', (code, reason) => {
  it('opens a case with all actions possible after a confirmed rejection', async () => {
    const id = await createRejected(code);
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await desk.caseOf(id)).toMatchObject({ reason, details: `${code}: ${message}` });
    expect(await actionsOf(id)).toEqual(['retry', 'give_up_and_refund', 'pay_by_hand']);
    expect(await senderSees(id)).not.toContain(message);
  });

  it('is paid under a new id when an admin retries it', async () => {
    const id = await createRejected(code);
    await desk.act(id, 'retry');
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    expect(fixture.payouts(id)).toMatchObject([
      { externalId: `${id}-2`, status: 'paid' },
      { externalId: id, status: 'rejected' },
    ]);
    expect(await fixture.openCases(id)).toEqual([]);
  });
});

describe('a payout that the bank cannot make from our account', () => {
  const activeStops = () => findActiveStops(fixture.database.fork());
  it('D2: stops the others, and all are made once two people lift the stop, the rejected one under a new id', async () => {
    const before = await emails('money_stopped');
    const [id, other] = [await createRejected('insufficient_funds'), await fixture.create({ state: 'captured' })];
    expect(await activeStops()).toMatchObject([{ scope: 'payouts', rail: 'bank', cause: 'insufficient_funds' }]);
    const once = await emails('money_stopped');
    expect(once).toBeGreaterThan(before);
    for (const one of [id, other]) {
      await fixture.run(one, 'payout');
      expect(await last(one)).toMatchObject({ status: 'in_flight', sentAt: null, lastError: 'held: money_stop' });
    }
    expect(fixture.payouts(other)).toEqual([]);
    expect(await emails('money_stopped')).toBe(once);
    await desk.liftStops();
    for (const one of [id, other]) {
      expect((await last(one)).nextAttemptAt).toEqual(fixture.now);
      await fixture.run(one, 'payout');
      await fixture.expectOutcome(one, 'completed');
    }
    expect(fixture.payouts(id).map(({ externalId }) => externalId)).toEqual([`${id}-2`, id]);
  });

  it.each(['daily_limit', 'daily_limit_reached'])(
    'stops the others when it hits the account’s limit (%s)',
    async (code) => {
      await createRejected(code);
      expect(await activeStops()).toMatchObject([{ cause: 'daily_limit' }]);
    },
  );

  it('is retried until the bank can pay, and opens a case after several rejections', async () => {
    const id = await createRejected('insufficient_funds');
    for (let refusals = 2; refusals <= maxAttempts + 2; refusals += 1) {
      await desk.liftStops();
      fixture.bank.setMode({ rejectNext: 1, rejection: { code: 'insufficient_funds', message } });
      await fixture.run(id, 'payout');
      expect(await payoutsOf(id)).toHaveLength(refusals + 1);
      expect(await fixture.openCases(id)).toEqual(refusals < slowRefusals ? [] : ['operation_slow']);
    }
    await desk.liftStops();
    await fixture.run(id, 'payout');
    await fixture.expectOutcome(id, 'completed');
    expect(await fixture.openCases(id)).toEqual([]);
  });
});

describe('D16: a payout that the bank accepts without a result', () => {
  /** A payout that stays pending until the test sets its result. */
  async function createPending(): Promise<string> {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.setMode({ pendNext: 1 });
    await fixture.run(id, 'payout');
    fixture.bank.setMode({});
    expect(await last(id)).toMatchObject({ status: 'in_flight', awaiting: 'result', attempts: 0 });
    return id;
  }
  const poll = async (id: string) => {
    fixture.now = (await last(id)).nextAttemptAt as Date;
    await fixture.run(id, 'payout');
  };
  const orders = (id: string) =>
    fixture.bank.calls.filter(({ method, idempotencyKey }) => method === 'POST' && idempotencyKey?.includes(id));

  it('is polled with back-off and never ordered again, and costs neither attempts nor the circuit', async () => {
    const id = await createPending();
    const pauses: number[] = [];
    for (let polls = 0; polls < 30; polls += 1) {
      const before = fixture.now.getTime();
      await poll(id);
      pauses.push(fixture.now.getTime() - before);
      expect(await last(id)).toMatchObject({ status: 'in_flight', awaiting: 'result', attempts: 0 });
    }
    expect(pauses[0]).toBe(5_000);
    expect(pauses.at(-1)).toBe(hourMs);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(orders(id)).toHaveLength(1);
    expect(await failures()).toBe(0);
    fixture.bank.settle(id);
    await poll(id);
    await fixture.expectOutcome(id, 'completed');
  });

  it.each([
    ['account_closed', 'payout_failed', ['payout_rejected']],
    ['beneficiary_deceased', 'captured', ['payout_not_allowed']],
    ['daily_limit_reached', 'captured', []],
    ['a_code_of_tomorrow', 'captured', ['payout_unexplained']],
  ] as const)('may still be rejected with %s', async (code, state, cases) => {
    const id = await createPending();
    fixture.bank.settle(id, { code, message });
    await poll(id);
    expect((await fixture.see(id)).state).toBe(state);
    expect(await fixture.openCases(id)).toEqual(cases);
    expect((await payoutsOf(id))[0]).toMatchObject({ status: 'failed', lastError: `${code}: ${message}` });
  });

  it('is not considered unpaid when the bank no longer knows it: a case opens', async () => {
    const id = await createPending();
    const forgetful = { ...fixture.context, bank: { ...fixture.context.bank, find: () => Promise.resolve(null) } };
    fixture.later(dayMs);
    await fixture.run(id, 'payout', forgetful);
    expect(await last(id)).toMatchObject({ status: 'abandoned' });
    expect(await fixture.openCases(id)).toEqual(['contradiction']);
    expect(await actionsOf(id)).toEqual(['retry']);
    fixture.bank.settle(id);
    await desk.act(id, 'retry');
    await fixture.run(id, 'payout');
    await fixture.expectOutcome(id, 'completed');
  });
});
