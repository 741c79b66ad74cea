import { afterEach, beforeEach, expect, test } from 'vitest';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { refusal } from '../../testing/desk-fixture.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import type { DeskCase } from '../desk/desk-case.entity.ts';
import { toDeskCaseView } from '../desk-actions/desk-views.ts';
import { findActiveStops } from '../money-stops/money-stop.repository.ts';
import type { Operation } from '../provider-calls/operation.entity.ts';

// Orders to pay returned money follow the same answers, stops and holds as every other order to the bank.

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

beforeEach(() => {
  fixture.bank.clearFaults();
  fixture.bank.setMode({});
});
afterEach(() => desk.liftStops());

/** A paid transfer of which the bank returned 100 bolivianos, and whose rest was ordered again. */
async function createOrdered(): Promise<string> {
  const id = await complaints.createPaidByCard();
  fixture.bank.returnPayout(id, { amount: '100.00' });
  await sweepBankReturns(fixture.context);
  await desk.act(id, 'pay_rest');
  return id;
}

async function actionsOf(id: string) {
  const viewer = { viewerId: desk.ana, at: fixture.now };
  return (await toDeskCaseView(fixture.database.fork(), await desk.caseOf(id), viewer)).actions;
}

const last = async (id: string) => (await desk.payoutsOf(id)).at(-1) as Operation;
const restTo = async (id: string) => (await fixture.see(id)).restTo ?? null;

async function expectPaid(id: string, externalIds: readonly string[]): Promise<void> {
  expect(fixture.payouts(id).map(({ externalId }) => externalId)).toEqual(externalIds);
  expect((await fixture.balances(id))['bank BOB']).toBe('129117');
  expect(await fixture.balances(id)).not.toHaveProperty('loss BOB');
  expect(await fixture.see(id)).toMatchObject({ state: 'completed', restPaidMinor: 10_000n });
  expect(await fixture.openCases(id)).toEqual([]);
}

test('one that our account cannot cover stops payouts and is repeated for the same request once the stop is lifted', async () => {
  const id = await createOrdered();
  const rejection = { code: 'insufficient_funds', message: 'Sin saldo.' };
  fixture.bank.setMode({ rejectNext: 1, rejection });
  await fixture.run(id, 'payout');
  fixture.bank.setMode({});
  expect(await findActiveStops(fixture.database.fork())).toMatchObject([{ rail: 'bank', cause: rejection.code }]);
  const [, refused, again] = await desk.payoutsOf(id);
  expect(refused).toMatchObject({ status: 'failed', restRequestId: again?.restRequestId });
  expect(again).toMatchObject({ status: 'pending', amountMinor: 10_000n, payoutTarget: refused?.payoutTarget });
  await fixture.run(id, 'payout');
  expect(await last(id)).toMatchObject({ sentAt: null, lastError: 'held: money_stop' });
  expect(await restTo(id)).toBe('family');
  await desk.liftStops();
  await fixture.run(id, 'payout');
  await expectPaid(id, [`${id}-3`, `${id}-2`, id]);
});

test.each(['compliance_hold', 'a_code_of_tomorrow', 'account_closed'])(
  'one that is rejected with %s leaves the rest owed in the same case',
  async (code) => {
    const id = await createOrdered();
    fixture.bank.setMode({ rejectNext: 1, rejection: { code, message: 'No se pudo.' } });
    await fixture.run(id, 'payout');
    expect(await last(id)).toMatchObject({ status: 'failed', lastError: `${code}: No se pudo.` });
    expect(await findActiveStops(fixture.database.fork())).toEqual([]);
    expect(await fixture.openCases(id)).toEqual(['payout_returned_in_part']);
    expect(await actionsOf(id)).toEqual(['pay_rest', 'refund_rest']);
    expect(await restTo(id)).toBeNull();
  },
);

test('an accepted order without a result is only polled, and blocks every other movement of the rest', async () => {
  const id = await createOrdered();
  fixture.bank.setMode({ pendNext: 1 });
  await fixture.run(id, 'payout');
  fixture.bank.setMode({});
  expect(await last(id)).toMatchObject({ status: 'in_flight', awaiting: 'result' });
  expect(await actionsOf(id)).toEqual([]);
  const orders = () => fixture.bank.calls.filter(({ method }) => method === 'POST').length;
  const before = orders();
  fixture.bank.settle(`${id}-2`);
  fixture.now = (await last(id)).nextAttemptAt as Date;
  await fixture.run(id, 'payout');
  expect(orders()).toBe(before);
  await expectPaid(id, [`${id}-2`, id]);
});

test('one whose request was rejected has failed only if the bank does not know it after its completion window', async () => {
  const id = await createOrdered();
  fixture.bank.failNext({ kind: 'error', status: 422, path: '^/bank/' });
  await fixture.run(id, 'payout');
  expect(await last(id)).toMatchObject({ status: 'in_flight', awaiting: 'confirmation' });
  expect(await actionsOf(id)).toEqual([]);
  expect(await restTo(id)).toBe('family');
  fixture.later(fixture.context.bank.completionWindowMs);
  await fixture.run(id, 'payout');
  expect(await last(id)).toMatchObject({ status: 'failed' });
  expect(await actionsOf(id)).toEqual(['pay_rest', 'refund_rest']);
  expect(await restTo(id)).toBeNull();
});

test('an unanswered one keeps its case until its outcome is known', async () => {
  const id = await createOrdered();
  await desk.abandonPayout(id);
  expect(await fixture.openCases(id)).toEqual(['operation_abandoned', 'payout_returned_in_part']);
  const { id: caseId } = (await fixture.cases(id)).find(({ reason }) => reason === 'operation_abandoned') as DeskCase;
  await expect(desk.act(id, 'resolve', { caseId })).rejects.toEqual(refusal('action_not_possible'));
  const { request } = await desk.act(id, 'retry', { caseId });
  await desk.decide(request?.id ?? '', desk.luis);
  await fixture.run(id, 'payout');
  await expectPaid(id, [`${id}-2`, id]);
});
