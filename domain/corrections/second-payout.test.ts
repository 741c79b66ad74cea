import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { maxAttempts } from '#core/operations/operation';
import type { RecipientInput } from '#core/recipients/recipient';
import { dayMs } from '#core/time/time';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { refusal } from '../../testing/desk-fixture.ts';
import { testTarget } from '../../testing/transfers.ts';
import { rotateEncryptionKeys } from '../../worker/retention/rotate-encryption-keys.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { sweepComplaints } from '../complaint-handling/sweep-complaints.ts';
import { findLetters } from '../complaints/complaint.repository.ts';
import { confirmLift, requestLift, setMoneyStop } from '../money-stops/money-stops.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { readTarget } from '../personal-data/payout-target.ts';
import { Operation } from '../provider-calls/operation.entity.ts';
import { addRecipient } from '../recipients/recipient.repository.ts';
import { findTransferProfit } from '../reconciliation/days.repository.ts';
import { reconcile } from '../reconciliation/reconcile.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

/** The promised amount, in centavos. */
const promised = 129_117n;
const part = { remedy: 'pay_again', payout: 30_000n } as const;
const whole = { remedy: 'pay_again', payout: promised } as const;

beforeEach(() => {
  fixture.bank.clearFaults();
  fixture.bank.setMode({});
});

/** A paid transfer with a report that two people decided to resolve by a second payout. */
async function decided(
  result: typeof part | typeof whole = part,
  id?: string,
): Promise<{ id: string; complaintId: string }> {
  const transferId = id ?? (await complaints.createPaidByCard());
  const { id: complaintId } = await complaints.report(transferId);
  await complaints.conclude(complaintId, result);
  await complaints.approve(complaintId);
  return { id: transferId, complaintId };
}

/** Makes the bank return an amount of a payout, decimal text; the full amount by default. */
async function returnPayout(externalId: string, amount?: string): Promise<void> {
  fixture.bank.returnPayout(externalId, amount === undefined ? {} : { amount });
  await sweepBankReturns(fixture.context);
}

/** Adds a recipient to a user's list; returns its id. */
async function addTo(
  userId: string,
  changes: { name: string; bankName: string; bankAccount: string },
): Promise<string> {
  const input = { ...testTarget, email: '', relationship: 'Madre', ...changes } as RecipientInput;
  const added = fixture.database.transaction((em) => addRecipient(em, { userId, input, at: fixture.now }));
  return (await added).id;
}

const kindsOf = async (complaintId: string) =>
  (await findLetters(fixture.database.fork(), [complaintId])).map(({ kind, number }) => `${kind} ${number}`).sort();

describe('a recipient who was paid', () => {
  it('is paid the missing amount once two people have decided, at our expense, under a separate key', async () => {
    const id = await complaints.createPaidByCard();
    const { id: complaintId } = await complaints.report(id);
    const waiting = await complaints.conclude(complaintId, part);
    expect(waiting).toMatchObject({ state: 'awaiting_approval', repayable: '1291.17', payout: { amount: '300.00' } });
    expect(await desk.payoutsOf(id)).toHaveLength(1);
    expect(await complaints.kindsTo(complaintId, desk.luis)).toEqual(['complaint_opened', 'complaint_waiting']);
    await expect(complaints.approve(complaintId, desk.ana)).rejects.toEqual(refusal('own_request'));
    expect(await complaints.approve(complaintId)).toMatchObject({
      ...{ state: 'correcting', second_payout: { status: 'pending', sequence: 2, amount: '300.00', currency: 'BOB' } },
      repayable: '991.17',
    });
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id).map(({ externalId, amount, status }) => [externalId, amount, status])).toEqual([
      [`${id}-2`, '300.00', 'paid'],
      [id, '1291.17', 'paid'],
    ]);
    expect(await fixture.see(id)).toMatchObject({
      state: 'completed',
      paidAgainMinor: 30_000n,
      payoutReturnedMinor: 0n,
    });
    expect(await fixture.steps(id)).toContain('pay_second_time');
    expect(await fixture.balances(id)).toMatchObject({ 'bank BOB': '159117', 'loss BOB': '-30000' });
    expect(await fixture.balances(id)).not.toHaveProperty('payout_due BOB');
    expect(await complaints.view(complaintId)).toMatchObject({
      state: 'closed',
      second_payout: { status: 'succeeded' },
    });
    expect(await kindsOf(complaintId)).toEqual(['corrected 1', 'received 1', 'result 1']);
    const { letters } = await complaints.view(complaintId);
    const [es, en] = letters.at(-1)?.texts ?? [];
    expect(es?.paragraphs[0]).toMatch(
      /El banco pagó otra vez a tu familia: Bs 300,00 en .* terminada en \d{4}, con la referencia/,
    );
    expect(en?.paragraphs[0]).toMatch(
      /The bank paid your family again: BOB 300\.00 at .* ending in \d{4}, with the reference/,
    );
    expect(await fixture.openCases(id)).toEqual([]);
    expect(await findTransferProfit(fixture.database.fork(), id)).toContainEqual({
      ...{ currency: 'BOB', profit: { fee: 0n, margin: 0n, processor: 0n, loss: -30_000n, total: -30_000n } },
    });
  });

  it('can be paid to another account of the sender’s recipients only', async () => {
    const id = await complaints.createPaidByCard();
    const { userId } = await fixture.see(id);
    const mine = await addTo(userId, { name: 'Rosa Mamani', bankName: 'Banco FIE', bankAccount: '40009999' });
    const foreign = await addTo(desk.luis, { name: 'Otra', bankName: 'Banco FIE', bankAccount: '1' });
    const { id: complaintId } = await complaints.report(id);
    await expect(complaints.conclude(complaintId, { ...whole, recipientId: foreign })).rejects.toEqual(
      refusal('not_found'),
    );
    await complaints.conclude(complaintId, { ...whole, recipientId: mine });
    await complaints.approve(complaintId);
    await fixture.run(id, 'payout');
    const second = fixture.payouts(id).find(({ externalId }) => externalId === `${id}-2`);
    expect(second).toMatchObject({ amount: '1291.17', status: 'paid' });
    expect(await desk.payoutsOf(id)).toMatchObject([
      { payoutTarget: null },
      { payoutTarget: { bankAccount: '•••9999' } },
    ]);
    // Report and payout are re-encrypted together, and keep the same account.
    await fixture.database.personalData.addKey();
    await rotateEncryptionKeys(fixture.database);
    const [, payout] = await desk.payoutsOf(id);
    if (!payout?.payoutTarget) throw new Error('no second payout');
    expect(await readTarget(fixture.database.fork(), id, payout.payoutTarget)).toMatchObject({
      bankAccount: '40009999',
    });
    expect(await rotateEncryptionKeys(fixture.database)).toBe(0);
    expect(await complaints.view(complaintId)).toMatchObject({ payout: { bank_name: 'Banco FIE' }, repayable: '0.00' });
  });

  it('is paid no more than the promised amount in total', async () => {
    const { id } = await decided(part);
    await fixture.run(id, 'payout');
    const other = await complaints.report(id, 'late');
    await expect(complaints.conclude(other.id, whole)).rejects.toEqual(refusal('amount_differs'));
    await expect(complaints.conclude(other.id, { remedy: 'pay_again' })).rejects.toEqual(refusal('amount_differs'));
    await expect(complaints.conclude(other.id, { remedy: 'refund', amount: 100n, payout: 100n })).rejects.toEqual(
      refusal('amount_differs'),
    );
  });

  it('is not paid while the charge is disputed, and is paid once we have won', async () => {
    const { id, complaintId } = await decided();
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toHaveLength(1);
    expect((await fixture.operations(id, 'payout')).at(-1)).toMatchObject({ status: 'in_flight', sentAt: null });
    fixture.stripe.decideDispute(disputeId, 'won');
    await syncDisputes(fixture.context, id);
    fixture.later(dayMs);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toHaveLength(2);
    expect((await complaints.view(complaintId)).state).toBe('closed');
  });

  it('is paid once, however many attempts get no answer', async () => {
    const { id, complaintId } = await decided();
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/' });
    await fixture.run(id, 'payout');
    expect((await complaints.view(complaintId)).state).toBe('correcting');
    fixture.now = new Date(fixture.now.getTime() + 3_600_000);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toHaveLength(2);
    expect(await fixture.balances(id)).toMatchObject({ 'loss BOB': '-30000' });
    expect((await complaints.view(complaintId)).state).toBe('closed');
  });

  it('waits while payouts are stopped', async () => {
    const { id, complaintId } = await decided();
    const { ana, luis } = desk;
    const at = fixture.now;
    const stop = { scope: 'payouts', rail: null, reason: 'Prueba', personId: ana, at } as const;
    const { id: stopId } = await fixture.database.transaction((em) => setMoneyStop(em, stop));
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toHaveLength(1);
    // The next part does not depend on the bank: nothing was sent to it.
    fixture.now = new Date(fixture.now.getTime() + 60_000);
    fixture.bank.failNext({ kind: 'drop', path: '^/bank/' });
    await fixture.run(id, 'payout');
    expect((await fixture.operations(id, 'payout')).at(-1)).toMatchObject({ status: 'in_flight', attempts: 0 });
    fixture.bank.clearFaults();
    await fixture.database.transaction((em) => requestLift(em, { stopId, personId: ana, reason: 'Prueba', at }));
    await fixture.database.transaction((em) => confirmLift(em, { stopId, personId: luis, at }));
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toHaveLength(2);
    expect((await complaints.view(complaintId)).state).toBe('closed');
  });

  it('causes a refund of the fee where Regulation E requires it, after the bank has paid', async () => {
    const id = await complaints.fromUnitedStates(await complaints.createPaidByCard());
    const { id: complaintId } = await complaints.report(id, 'not_received');
    await complaints.conclude(complaintId, whole);
    await complaints.approve(complaintId);
    await fixture.run(id, 'payout');
    const { feeMinor } = await fixture.see(id);
    expect(await fixture.operations(id, 'refund')).toMatchObject([{ amountMinor: feeMinor }]);
    expect((await complaints.view(complaintId)).state).toBe('correcting');
    await fixture.run(id, 'refund');
    expect((await complaints.view(complaintId)).state).toBe('closed');
    // If the payout is returned later, the fee is not refunded a second time.
    await returnPayout(`${id}-2`);
    await complaints.conclude(complaintId, whole);
    await complaints.approve(complaintId);
    await fixture.run(id, 'payout');
    expect(await complaints.view(complaintId)).toMatchObject({ state: 'closed', amount: null });
    expect(await fixture.operations(id, 'refund')).toHaveLength(1);
  });
});

describe('a second payout that the bank', () => {
  it('rejects opens a case, reopens the report’s decision and notifies the sender', async () => {
    const { id, complaintId } = await decided();
    fixture.bank.setMode({ rejectNext: 1 });
    await fixture.run(id, 'payout');
    expect(await fixture.see(id)).toMatchObject({ state: 'completed', paidAgainMinor: 0n });
    expect(await fixture.openCases(id)).toEqual(['correction_failed']);
    const open = await complaints.view(complaintId);
    expect(open).toMatchObject({
      state: 'investigating',
      finding: null,
      payout: null,
      told_at: null,
      actions: ['conclude'],
    });
    expect(open.notes).toMatchObject([{ text: 'Tenías razón.', author: 'Ana' }]);
    expect(await kindsOf(complaintId)).toEqual(['received 1', 'reopened 1', 'result 1']);
    expect(await fixture.balances(id)).not.toHaveProperty('loss BOB');
    // The sender corrected the account; the bank pays.
    await complaints.conclude(complaintId, part);
    await complaints.approve(complaintId);
    expect(await fixture.openCases(id)).toEqual([]);
    await fixture.run(id, 'payout');
    expect(await desk.payoutsOf(id)).toMatchObject([{}, { status: 'failed' }, { status: 'succeeded', sequence: 3 }]);
    expect(await kindsOf(complaintId)).toEqual(['corrected 1', 'received 1', 'reopened 1', 'result 1', 'result 2']);
  });

  it('rejects as a request, and confirms as not executed, does the same', async () => {
    const { id, complaintId } = await decided();
    fixture.bank.failNext({ kind: 'error', status: 422, path: '^/bank/' });
    await fixture.run(id, 'payout');
    expect(await fixture.openCases(id)).toEqual([]);
    fixture.later(fixture.context.bank.completionWindowMs);
    await fixture.run(id, 'payout');
    expect(await fixture.openCases(id)).toEqual(['correction_failed']);
    expect((await complaints.view(complaintId)).state).toBe('investigating');
  });

  it('returns in full reopens a closed report and reverses the loss', async () => {
    const { id, complaintId } = await decided();
    await fixture.run(id, 'payout');
    await returnPayout(`${id}-2`);
    expect(await fixture.openCases(id)).toEqual(['correction_failed']);
    expect(await complaints.view(complaintId)).toMatchObject({
      state: 'investigating',
      closed_at: null,
      repayable: '1291.17',
    });
    expect(await fixture.see(id)).toMatchObject({ state: 'completed', paidAgainMinor: 0n });
    expect(await fixture.balances(id)).not.toHaveProperty('loss BOB');
  });

  it('returns in part opens a case, and leaves the rest as our loss', async () => {
    const { id, complaintId } = await decided();
    await fixture.run(id, 'payout');
    await returnPayout(`${id}-2`, '100.00');
    expect(await fixture.openCases(id)).toEqual(['payout_returned_in_part']);
    expect((await complaints.view(complaintId)).state).toBe('closed');
    expect(await fixture.see(id)).toMatchObject({ paidAgainMinor: 20_000n });
    expect(await fixture.balances(id)).toMatchObject({ 'loss BOB': '-20000' });
  });

  it('never answers about is retried until a person decides, who can only retry it', async () => {
    const { id, complaintId } = await decided();
    const [, second] = await desk.payoutsOf(id);
    await fixture.database.fork().nativeUpdate(Operation, { id: second?.id ?? '' }, { attempts: maxAttempts - 1 });
    fixture.bank.failNext({ kind: 'error', status: 503, path: '^/bank/', times: 5 });
    await fixture.run(id, 'payout');
    fixture.bank.clearFaults();
    expect(await fixture.openCases(id)).toEqual(['operation_abandoned']);
    await sweepComplaints(fixture.context);
    expect((await complaints.view(complaintId)).state).toBe('correcting');
    const response = await desk.act(id, 'retry', { reason: '' });
    expect(response.request).toMatchObject({ amount: '300.00', currency: 'BOB' });
    await desk.decide(response.request?.id ?? '', desk.luis);
    await fixture.run(id, 'payout');
    expect(await fixture.openCases(id)).toEqual([]);
    expect((await complaints.view(complaintId)).state).toBe('closed');
  });
});

describe('the first payout', () => {
  it('that the bank returns in full after the second one does not ask for another account, and covers the loss', async () => {
    const { id } = await decided(whole);
    await fixture.run(id, 'payout');
    await returnPayout(id);
    expect(await fixture.see(id)).toMatchObject({
      state: 'completed',
      payoutReturnedMinor: promised,
      paidAgainMinor: promised,
    });
    expect(await fixture.openCases(id)).toEqual(['payout_returned_in_part']);
    expect(await fixture.balances(id)).toMatchObject({ 'bank BOB': String(promised) });
    expect(await fixture.balances(id)).not.toHaveProperty('loss BOB');
    expect(await fixture.balances(id)).not.toHaveProperty('payout_due BOB');
  });

  it('that was returned in part is completed without a loss', async () => {
    const id = await complaints.createPaidByCard();
    await returnPayout(id, '300.00');
    await decided(part, id);
    await fixture.run(id, 'payout');
    expect(await fixture.balances(id)).toMatchObject({ 'bank BOB': String(promised) });
    expect(await fixture.balances(id)).not.toHaveProperty('loss BOB');
  });
});

describe('the database', () => {
  it('rejects a second payout that two people did not decide on, and any change of one', async () => {
    const id = await complaints.createPaidByCard();
    const { id: complaintId } = await complaints.report(id);
    await complaints.conclude(complaintId, part);
    const insert = (amount: number) =>
      fixture.database.fork().execute(
        `insert into operation (id, transfer_id, kind, sequence, idempotency_key, provider, status, attempts, amount_minor, currency,
           returned_minor, created_at, changed_at, complaint_id, payout_target)
         select gen_random_uuid(), transfer_id, 'payout', 9, 'forged', 'bank', 'pending', 0, ${amount}, 'BOB', 0, now(), now(), id, payout_target
         from complaint where id = ?`,
        [complaintId],
      );
    await expect(insert(30_000)).rejects.toThrow('not what two persons decided on');
    await complaints.approve(complaintId);
    await fixture.run(id, 'payout');
    await expect(insert(30_001)).rejects.toThrow('not what two persons decided on');
    const redirect = `update operation set payout_target = '{"bankAccount":"1"}' where complaint_id = ?`;
    await expect(fixture.database.fork().execute(redirect, [complaintId])).rejects.toThrow(
      'keeps its report, account and amount',
    );
    const alone = `update complaint set approved_by_id = null where id = ?`;
    await expect(fixture.database.fork().execute(alone, [complaintId])).rejects.toThrow(
      'complaint_payout_two_persons_check',
    );
  });
});

/** Random events on the payouts of a paid transfer: another payout, or a return of some of either, in centavos. */
const happenings = fc.array(
  fc.record({
    what: fc.constantFrom('again', 'first back', 'second back'),
    minor: fc.bigInt(1n, promised),
  }),
  { minLength: 1, maxLength: 4 },
);

it('after any sequence of payouts and returns, the books match the bank to the centavo', async () => {
  const decimal = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
  let again = 0;
  await fc.assert(
    fc.asyncProperty(happenings, async (events) => {
      const id = await complaints.createPaidByCard();
      for (const { what, minor } of events) {
        if (what === 'again') {
          const { id: complaintId, state } = await complaints.report(id).catch(() => ({ id: '', state: '' }));
          if (state !== 'investigating') continue;
          const decided = await complaints
            .conclude(complaintId, { remedy: 'pay_again', payout: minor })
            .catch(() => null);
          if (!decided) continue;
          await complaints.approve(complaintId);
          await fixture.run(id, 'payout');
          again += 1;
          continue;
        }
        const payouts = fixture.payouts(id).filter((one) => (one.externalId === id) === (what === 'first back'));
        const [payout] = payouts;
        if (payout) await returnPayout(payout.externalId, decimal(minor)).catch(() => undefined);
      }
      const cents = (text: string) => BigInt(text.replace('.', ''));
      const paid = fixture
        .payouts(id)
        .reduce((sum, one) => sum + (one.status === 'paid' ? cents(one.amount) - cents(one.returnedAmount) : 0n), 0n);
      const { state } = await fixture.see(id);
      const due: Record<string, bigint> = {
        'bank BOB': paid,
        'payout_due BOB': paid < promised ? promised - paid : 0n,
        'loss BOB': paid > promised ? promised - paid : 0n,
      };
      const books = await fixture.balances(id);
      for (const [account, minor] of Object.entries(due)) {
        expect([account, books[account] ?? '0']).toEqual([account, String(minor)]);
      }
      expect(state).toBe(paid > 0n ? 'completed' : state);
    }),
    {
      numRuns: 8,
      // Random sequences may contain no further payout.
      examples: [[[{ what: 'again', minor: promised / 2n }]]],
    },
  );
  expect(again).toBeGreaterThan(0);
}, 180_000);

// Runs last, because it moves the clocks of Stripe and the bank.
it('a second payout appears in the bank’s statement after the first one and reconciles with our books', async () => {
  const { id } = await decided(whole);
  await fixture.run(id, 'payout');
  // A weekend and a holiday may lie between.
  for (const days of [1, 6]) {
    fixture.now = new Date(fixture.now.getTime() + days * dayMs);
    fixture.bank.advanceClock((days * dayMs) / 1000);
    fixture.stripe.advanceClock((days * dayMs) / 1000);
    await reconcile(fixture.context);
  }
  const entries = await fixture.database
    .fork()
    .execute('select kind, amount_minor::text as minor from bank_entry where transfer_id = ?', [id]);
  expect(entries).toEqual([
    { kind: 'payout', minor: `-${promised}` },
    { kind: 'payout', minor: `-${promised}` },
  ]);
  const found = await fixture.database.fork().execute('select cause from book_exception where transfer_id = ?', [id]);
  expect(found).toEqual([]);
});
