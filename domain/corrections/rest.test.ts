import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { namesNotClearedError } from '#core/review/screening';
import { startWatchman, type TestWatchman } from '../../sandbox/testing/start-watchman.ts';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { refusal } from '../../testing/desk-fixture.ts';
import { insertTestRecipient } from '../../testing/recipients.ts';
import { screenDueNames } from '../../testing/row-jobs.ts';
import { rotateEncryptionKeys } from '../../worker/retention/rotate-encryption-keys.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { listCaseAccounts } from '../desk-actions/desk.ts';
import { toDeskCaseView } from '../desk-actions/desk-views.ts';
import { Email } from '../emails/email.entity.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { readTarget } from '../personal-data/payout-target.ts';
import { Operation } from '../provider-calls/operation.entity.ts';
import { connectWatchman } from '../providers/watchman.ts';
import { bookMargins } from '../reconciliation/movements.repository.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

/** The promised amount for 100 EUR, as in the ledger once all of it is paid. */
const promised = 129_117n;
const paidOut = {
  ...{ 'bank BOB': '129117', 'card_processor EUR': '-10000', 'exchange BOB': '-129117' },
  ...{ 'exchange EUR': '9650', 'fee_income EUR': '350' },
};

beforeEach(() => {
  fixture.bank.clearFaults();
  fixture.bank.setMode({});
});

/** Makes the bank return an amount of a payout, decimal text; the full amount by default. */
async function returnPayout(externalId: string, amount?: string): Promise<void> {
  fixture.bank.returnPayout(externalId, amount === undefined ? {} : { amount });
  await sweepBankReturns(fixture.context);
}

/** A paid transfer of which the bank returned parts, decimal texts. */
async function returnedInPart(parts: readonly string[] = ['100.00'], paymentMethod?: string): Promise<string> {
  const id = await complaints.createPaidByCard(paymentMethod);
  for (const part of parts) await returnPayout(id, part);
  return id;
}

async function caseView(id: string) {
  const deskCase = await desk.caseOf(id);
  return toDeskCaseView(fixture.database.fork(), deskCase, { viewerId: desk.ana, at: fixture.now });
}

/** The returned amounts as its sender sees them. */
async function seen(id: string) {
  const view = await toTransferView(fixture.database.fork(), await fixture.see(id), fixture.now);
  const { state, returned, payoutReturned, restPaid, restRefunded, restTo } = view;
  return { state, returned, payoutReturned, restPaid, restRefunded, restTo };
}

/** The kinds of e-mails to its sender about returned amounts. */
async function emailKinds(id: string): Promise<string[]> {
  const { userId } = await fixture.see(id);
  const about = ['payout_returned_in_part', 'rest_paid', 'rest_refunded', 'transfer_refunded', 'payout_failed'];
  const emails = await fixture.database.fork().find(Email, { userId, kind: { $in: about } });
  return emails
    .filter(({ data }) => data.transferId === id)
    .map(({ kind }) => kind)
    .sort();
}

/** The ledger of the transfer; checks that each currency sums to zero and nothing is owed to the recipient. */
async function settledBooks(id: string): Promise<Record<string, string>> {
  const books = await fixture.balances(id);
  expect(books).not.toHaveProperty('payout_due BOB');
  return evenBooks(books);
}

function evenBooks(books: Record<string, string>): Record<string, string> {
  for (const currency of ['EUR', 'BOB']) {
    const of = Object.entries(books).filter(([account]) => account.endsWith(currency));
    expect([currency, of.reduce((sum, [, minor]) => sum + BigInt(minor), 0n)]).toEqual([currency, 0n]);
  }
  return books;
}

describe('a part that the bank returned', () => {
  it('is shown as owed to the recipient, and its case cannot be closed', async () => {
    const id = await returnedInPart();
    expect(await caseView(id)).toMatchObject({
      ...{
        reason: 'payout_returned_in_part',
        actions: ['pay_rest', 'refund_rest'],
        rest: '100.00',
        rest_share: '7.48',
      },
    });
    await expect(desk.act(id, 'resolve')).rejects.toEqual(refusal('action_not_possible'));
    expect(await emailKinds(id)).toEqual(['payout_returned_in_part']);
    expect(await seen(id)).toMatchObject({ state: 'completed', payoutReturned: '100.00', restTo: null });
  });

  it('is paid again by one person below the limit, under another key, and the case closes', async () => {
    const id = await returnedInPart();
    expect((await desk.act(id, 'pay_rest')).request).toBeNull();
    expect(await seen(id)).toMatchObject({ restPaid: '0.00', restTo: 'family' });
    await fixture.run(id, 'payout');
    const [first, second] = await desk.payoutsOf(id);
    expect(second).toMatchObject({ status: 'succeeded', sequence: 2, amountMinor: 10_000n, complaintId: null });
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
    expect(fixture.payouts(id).map(({ externalId, amount }) => [externalId, amount])).toEqual([
      [`${id}-2`, '100.00'],
      [id, '1291.17'],
    ]);
    expect(await settledBooks(id)).toEqual(paidOut);
    expect(await fixture.openCases(id)).toEqual([]);
    expect(await seen(id)).toEqual({
      ...{ state: 'completed', returned: '0.00', payoutReturned: '100.00', restPaid: '100.00', restRefunded: '0.00' },
      restTo: null,
    });
    expect(await emailKinds(id)).toEqual(['payout_returned_in_part', 'rest_paid']);
  });

  it('is refunded to the card by its share, and the case closes', async () => {
    const id = await returnedInPart();
    await desk.act(id, 'refund_rest');
    expect(await seen(id)).toMatchObject({ restRefunded: '0.00', restTo: 'sender' });
    await fixture.run(id, 'refund');
    expect(await fixture.operations(id, 'refund')).toMatchObject([
      { status: 'succeeded', amountMinor: 748n, restMinor: 10_000n },
    ]);
    expect((await fixture.intent(id)).latest_charge?.amount_refunded).toBe(748);
    expect(await settledBooks(id)).toEqual({
      ...{ 'bank BOB': '119117', 'card_processor EUR': '-9252', 'exchange BOB': '-119117' },
      ...{ 'exchange EUR': '8902', 'fee_income EUR': '350' },
    });
    expect(await fixture.openCases(id)).toEqual([]);
    expect(await seen(id)).toEqual({
      ...{ state: 'completed', returned: '7.48', payoutReturned: '100.00', restPaid: '0.00', restRefunded: '100.00' },
      restTo: null,
    });
    // One e-mail states what was refunded and why.
    expect(await emailKinds(id)).toEqual(['payout_returned_in_part', 'rest_refunded']);
  });

  it('awaits a second person from the limit on, and moves the requested amount or nothing', async () => {
    const id = await returnedInPart();
    const { request } = await desk.act(id, 'pay_rest', { twoPersonsUsdMinor: 1n });
    expect(request).toMatchObject({ amount: '100.00', currency: 'BOB', account: { bank_name: 'Banco Unión' } });
    expect(await desk.payoutsOf(id)).toHaveLength(1);
    await expect(desk.act(id, 'refund_rest')).rejects.toEqual(refusal('request_pending'));
    await returnPayout(id, '1.00');
    await expect(desk.decide(request?.id ?? '', desk.luis)).rejects.toEqual(refusal('request_ended'));
    const again = await desk.act(id, 'pay_rest', { twoPersonsUsdMinor: 1n });
    await desk.decide(again.request?.id ?? '', desk.luis);
    await fixture.run(id, 'payout');
    expect(await settledBooks(id)).toEqual(paidOut);
  });

  it('can be paid to another recipient of the same sender only, with two approvals', async () => {
    const id = await returnedInPart();
    const { userId } = await fixture.see(id);
    const recipientId = await addRecipient(userId, 'Elena Quispe');
    const foreign = await addRecipient(desk.luis, 'Otra');
    const accounts = await listCaseAccounts(fixture.database.fork(), (await desk.caseOf(id)).id);
    expect(accounts[0]).toMatchObject({ recipient_id: null });
    expect(accounts.map(({ recipient_id: own }) => own)).toContain(recipientId);
    await expect(desk.act(id, 'pay_rest', { recipientId: foreign })).rejects.toEqual(refusal('not_found'));
    const { request } = await desk.act(id, 'pay_rest', { recipientId });
    expect(request).toMatchObject({ account: { name: 'Elena Quispe' } });
    // Re-encryption with another key keeps the account that was decided on.
    await fixture.database.personalData.addKey();
    await rotateEncryptionKeys(fixture.database);
    await desk.decide(request?.id ?? '', desk.luis);
    await fixture.database.personalData.addKey();
    await rotateEncryptionKeys(fixture.database);
    expect(await rotateEncryptionKeys(fixture.database)).toBe(0);
    const [, payout] = await desk.payoutsOf(id);
    const target = payout?.payoutTarget;
    const newest = await fixture.database.personalData.currentPrefix();
    expect(target?.sealed?.startsWith(newest)).toBe(true);
    expect(target && (await readTarget(fixture.database.fork(), id, target))).toMatchObject({ bankAccount: '20000' });
    await fixture.run(id, 'payout');
    expect(await settledBooks(id)).toEqual(paidOut);
  });
});

/** Ways to settle the rest, and the state afterwards. `parts`: what the bank returned before, decimal texts. */
const fates: readonly {
  readonly name: string;
  readonly parts: readonly string[];
  readonly run: (id: string) => Promise<void>;
  readonly left: string | null;
  readonly back: string;
  readonly arrived: bigint;
}[] = [
  {
    name: 'parts paid at once',
    parts: ['100.00', '50.00'],
    run: (id) => pay(id),
    left: null,
    back: '0.00',
    arrived: promised,
  },
  {
    ...{ name: 'one part paid, the next refunded', parts: ['100.00'], left: null, back: '3.74', arrived: 124_117n },
    run: async (id) => {
      await pay(id);
      await returnPayout(id, '50.00');
      await refund(id);
    },
  },
  {
    ...{ name: 'one part refunded, the next paid', parts: ['100.00'], left: null, back: '7.48', arrived: 119_117n },
    run: async (id) => {
      await refund(id);
      await returnPayout(id, '50.00');
      await pay(id);
    },
  },
  {
    ...{ name: 'both parts refunded', parts: ['100.00'], left: null, back: '11.22', arrived: 114_117n },
    run: async (id) => {
      await refund(id);
      await returnPayout(id, '50.00');
      await refund(id);
    },
  },
  {
    ...{ name: 'the payout was returned in full', parts: ['100.00'], left: '10000', back: '0.00', arrived: 119_117n },
    run: async (id) => {
      await pay(id);
      await returnPayout(`${id}-2`);
    },
  },
  {
    ...{ name: 'the payout was returned in part', parts: ['100.00'], left: '3000', back: '0.00', arrived: 126_117n },
    run: async (id) => {
      await pay(id);
      await returnPayout(`${id}-2`, '30.00');
    },
  },
  {
    ...{
      name: 'the payout was returned and paid once more',
      parts: ['100.00'],
      left: null,
      back: '0.00',
      arrived: promised,
    },
    run: async (id) => {
      await pay(id);
      await returnPayout(`${id}-2`);
      await pay(id);
    },
  },
  {
    ...{ name: 'the bank refused the payment', parts: ['100.00'], left: '10000', back: '0.00', arrived: 119_117n },
    run: async (id) => {
      fixture.bank.setMode({ rejectNext: 1 });
      await pay(id);
    },
  },
  {
    ...{
      name: 'the bank refused it, and it was refunded',
      parts: ['100.00'],
      left: null,
      back: '7.48',
      arrived: 119_117n,
    },
    run: async (id) => {
      fixture.bank.setMode({ rejectNext: 1 });
      await pay(id);
      await refund(id);
    },
  },
  {
    ...{
      name: 'the payment without an answer was repeated',
      parts: ['100.00'],
      left: null,
      back: '0.00',
      arrived: promised,
    },
    run: async (id) => {
      fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/' });
      await pay(id);
      fixture.now = new Date(fixture.now.getTime() + 3_600_000);
      await fixture.run(id, 'payout');
    },
  },
  {
    ...{ name: 'a report paid it first', parts: ['100.00'], left: null, back: '0.00', arrived: promised },
    run: async (id) => {
      const { id: complaintId } = await complaints.report(id);
      await complaints.conclude(complaintId, { remedy: 'pay_again', payout: 10_000n });
      await complaints.approve(complaintId);
      await fixture.run(id, 'payout');
    },
  },
];

async function pay(id: string): Promise<void> {
  const { request } = await desk.act(id, 'pay_rest');
  if (request) await desk.decide(request.id, desk.luis);
  await fixture.run(id, 'payout');
}

async function refund(id: string): Promise<void> {
  const { request } = await desk.act(id, 'refund_rest');
  if (request) await desk.decide(request.id, desk.luis);
  await fixture.run(id, 'refund');
}

test.each(fates)('the rest ends in books that sum to zero: $name', async ({ parts, run, left, back, arrived }) => {
  const id = await returnedInPart(parts);
  await run(id);
  const books = evenBooks(await fixture.balances(id));
  expect(books['payout_due BOB'] ?? null).toBe(left);
  expect(books['bank BOB']).toBe(String(arrived));
  // None of it is our loss, beyond rounding a share in favour of the sender, which stays in the exchange.
  expect(Object.keys(books).filter((account) => account.startsWith('loss'))).toEqual([]);
  expect(await fixture.openCases(id)).toEqual(left === null ? [] : ['payout_returned_in_part']);
  if (left !== null) expect((await caseView(id)).actions).toEqual(['pay_rest', 'refund_rest']);
  const { returned, state, restTo } = await seen(id);
  expect({ returned, state, restTo }).toEqual({ returned: back, state: 'completed', restTo: null });
});

describe('an order about the rest', () => {
  it('blocks every other movement of the same money while its outcome is unknown', async () => {
    const id = await returnedInPart();
    const { id: complaintId } = await complaints.report(id);
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/' });
    await pay(id);
    expect((await caseView(id)).actions).toEqual([]);
    for (const action of ['pay_rest', 'refund_rest', 'keep_rest'] as const)
      await expect(desk.act(id, action)).rejects.toEqual(refusal('action_not_possible'));
    await expect(complaints.conclude(complaintId, { remedy: 'pay_again', payout: 100n })).rejects.toEqual(
      refusal('action_not_possible'),
    );
    await fixture.run(id, 'payout');
  });

  it('that was not sent can be replaced by a refund', async () => {
    const id = await returnedInPart();
    await desk.act(id, 'pay_rest');
    await refund(id);
    expect(await desk.payoutsOf(id)).toMatchObject([{ status: 'succeeded' }, { status: 'abandoned' }]);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toHaveLength(1);
    expect((await settledBooks(id))['bank BOB']).toBe('119117');
  });

  it('waits for a dispute, and resumes once it is won', async () => {
    const id = await returnedInPart();
    await desk.act(id, 'pay_rest');
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toHaveLength(1);
    expect((await desk.payoutsOf(id)).at(-1)).toMatchObject({ lastError: 'held: dispute_open' });
    fixture.stripe.decideDispute(disputeId, 'won');
    await syncDisputes(fixture.context, id);
    await fixture.run(id, 'payout');
    expect(await settledBooks(id)).toEqual(paidOut);
  });

  it('to a listed name is not paid before an admin clears it', async () => {
    const id = await returnedInPart();
    const { userId } = await fixture.see(id);
    const recipientId = await addRecipient(userId, 'Ramiro Condarco Villegas');
    const { request } = await desk.act(id, 'pay_rest', { recipientId });
    await desk.decide(request?.id ?? '', desk.luis);
    await fixture.run(id, 'payout', screened);
    expect((await desk.payoutsOf(id)).at(-1)).toMatchObject({ status: 'in_flight', lastError: namesNotClearedError });
    await screenDueNames(screened);
    fixture.now = new Date(fixture.now.getTime() + 5_000);
    await fixture.run(id, 'payout', screened);
    expect((await desk.payoutsOf(id)).at(-1)).toMatchObject({ status: 'failed' });
    expect(fixture.payouts(id)).toHaveLength(1);
    const open = (await fixture.cases(id)).find(({ resolvedAt }) => !resolvedAt);
    expect(open).toMatchObject({ reason: 'payout_returned_in_part', details: namesNotClearedError });
    expect(await seen(id)).toMatchObject({ restTo: null });
    // The account that was paid before can still be paid.
    await pay(id);
    expect(await settledBooks(id)).toEqual(paidOut);
  });
});

describe('a failed refund of the rest', () => {
  it('leaves the rest owed in the same case', async () => {
    const id = await returnedInPart(['100.00'], 'pm_card_refundFail');
    await refund(id);
    fixture.stripe.advanceClock(86_400);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    expect(await fixture.operations(id, 'refund')).toMatchObject([{ status: 'failed' }]);
    expect(await fixture.openCases(id)).toEqual(['payout_returned_in_part']);
    expect(evenBooks(await fixture.balances(id))).toEqual({
      ...{ ...paidOut, 'bank BOB': '119117', 'payout_due BOB': '10000' },
    });
    expect(await seen(id)).toMatchObject({ returned: '0.00', restRefunded: '0.00', restTo: null });
    await pay(id);
    expect(await settledBooks(id)).toEqual(paidOut);
  });
});

describe('a rest of a charge that was already returned to the sender', () => {
  it('covers our loss once two people decide so, and is owed again when the dispute is won after all', async () => {
    const id = await complaints.createPaidByCard();
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    fixture.stripe.decideDispute(disputeId, 'lost');
    await syncDisputes(fixture.context, id);
    await returnPayout(id, '100.00');
    const { request } = await act(id, 'keep_rest');
    const waiting = { kind: 'desk_request_waiting', userId: desk.luis, data: { transferId: id } };
    const [email] = await fixture.database.fork().find(Email, waiting);
    expect(email?.data).toMatchObject({ amount: '100.00', currency: 'BOB' });
    await desk.decide(request?.id ?? '', desk.luis);
    expect(await settledBooks(id)).toEqual({
      ...{ 'bank BOB': '119117', 'exchange BOB': '-119117', 'exchange EUR': '8902', 'fee_income EUR': '350' },
      'loss EUR': '-9252',
    });
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    fixture.stripe.decideDispute(disputeId, 'appealed');
    await syncDisputes(fixture.context, id);
    expect(evenBooks(await fixture.balances(id))).toEqual({
      ...{ ...paidOut, 'bank BOB': '119117', 'payout_due BOB': '10000' },
    });
    expect(await fixture.openCases(id)).toContain('payout_returned_in_part');
  });

  it('is kept if all of it was refunded at our expense', async () => {
    const id = await complaints.createPaidByCard();
    const { id: complaintId } = await complaints.report(id);
    await complaints.conclude(complaintId, { remedy: 'refund', amount: 10_000n });
    await complaints.approve(complaintId);
    await fixture.run(id, 'refund');
    await returnPayout(id, '100.00');
    const { request } = await act(id, 'keep_rest');
    await desk.decide(request?.id ?? '', desk.luis);
    expect((await settledBooks(id))['loss EUR']).toBe('-9252');
    // The rest of the payment was returned, too: nothing is owed any more.
    await returnPayout(id, '1191.17');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.balances(id)).toEqual({});
  });
});

/** Ana's action on the case about the rest, even if other cases are open. */
async function act(id: string, action: 'keep_rest') {
  const cases = await fixture.cases(id);
  const caseId = cases.find(({ reason, resolvedAt }) => reason === 'payout_returned_in_part' && !resolvedAt)?.id ?? '';
  return desk.act(id, action, { caseId });
}

describe('parts that add up to the whole payment', () => {
  it('cause a request for another account if nothing was done about them', async () => {
    const id = await returnedInPart(['1000.00', '291.17']);
    expect(await fixture.see(id)).toMatchObject({ state: 'payout_failed', payoutReturnedMinor: 0n });
    expect(await fixture.openCases(id)).toEqual(['payout_returned']);
    expect(await emailKinds(id)).toEqual(['payout_failed', 'payout_returned_in_part']);
  });

  it('stay owed after one was refunded: the others are paid', async () => {
    const id = await returnedInPart();
    await refund(id);
    await returnPayout(id, '1191.17');
    expect((await fixture.see(id)).state).toBe('completed');
    await pay(id);
    expect(await settledBooks(id)).toMatchObject({ 'bank BOB': '119117', 'exchange EUR': '8902' });
  });

  it('can cause a refund of the whole charge, with the fee', async () => {
    const id = await returnedInPart();
    await refund(id);
    await returnPayout(id, '1191.17');
    expect(await caseView(id)).toMatchObject({ rest: '1191.17', rest_share: '92.52' });
    await refund(id);
    expect((await fixture.see(id)).state).toBe('refunded');
    expect((await fixture.intent(id)).latest_charge?.amount_refunded).toBe(10_000);
    expect(await fixture.balances(id)).toEqual({});
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('stay owed after one was paid again, which the recipient keeps', async () => {
    const id = await returnedInPart();
    await pay(id);
    await returnPayout(id, '1191.17');
    expect(await caseView(id)).toMatchObject({ rest: '1191.17', actions: ['pay_rest', 'refund_rest'] });
    await refund(id);
    expect(await settledBooks(id)).toMatchObject({ 'bank BOB': '10000', 'fee_income EUR': '350' });
  });
});

it('the exchange margin is that of the amount that stays exchanged', async () => {
  const id = await fixture.create({ state: 'captured', referenceRate: 13_500_000n as never });
  await fixture.run(id, 'payout');
  const margin = async () => {
    await fixture.database.transaction((em) => bookMargins(em, [id], { closedUntil: null, at: fixture.now }));
    const [row] = await fixture.database.fork().execute<{ sum: string }[]>(
      `select sum(case when destination = 'exchange_margin' then amount_minor else -amount_minor end)::text as sum
         from settlement_posting where transfer_id = ?`,
      [id],
    );
    return row?.sum;
  };
  // 96.50 EUR at 13.38 instead of 13.50, and then 89.02.
  expect(await margin()).toBe('85');
  await returnPayout(id, '100.00');
  await refund(id);
  expect(await margin()).toBe('79');
});

describe('the database', () => {
  /** Inserts an operation as if a decided request had ordered it. */
  async function forge(
    id: string,
    { minor, kind = 'payout', requestId }: { minor: bigint; kind?: 'payout' | 'refund'; requestId?: string },
  ): Promise<void> {
    const request = requestId ?? randomUUID();
    const { id: caseId } = await desk.caseOf(id);
    await fixture.database.transaction(async (em) => {
      if (!requestId)
        await em.execute(
          `insert into desk_request (id, case_id, transfer_id, sender_id, action, moves_money, reason, amount_minor, currency,
             payout_target, requested_by_id, requested_at, decided_at, outcome)
           select ?, ?, t.id, t.user_id, ?, true, 'x', ?, 'BOB', ${kind === 'payout' ? 't.payout_target' : 'null'}, ?, now(), now(), 'done'
           from transfer as t where t.id = ?`,
          [request, caseId, kind === 'payout' ? 'pay_rest' : 'refund_rest', minor, desk.ana, id],
        );
      await em.execute(
        `insert into operation (id, transfer_id, kind, sequence, idempotency_key, provider, status, attempts, amount_minor, currency,
           returned_minor, created_at, changed_at, rest_request_id, payout_target, rest_minor)
         select gen_random_uuid(), t.id, '${kind}', 9, ?, '${kind === 'payout' ? 'bank' : 'stripe'}', 'pending', 0, ?,
           ${kind === 'payout' ? `'BOB'` : 't.currency'}, 0, now(), now(), ?,
           ${kind === 'payout' ? 't.payout_target, null' : 'null, 10001'} from transfer as t where t.id = ?`,
        [randomUUID(), minor, request, id],
      );
    });
  }

  it('rejects paying or refunding more of the rest than the bank returned, whatever was decided', async () => {
    const id = await returnedInPart();
    await expect(forge(id, { minor: 10_001n })).rejects.toThrow('more than the bank returned');
    await expect(forge(id, { minor: 748n, kind: 'refund' })).rejects.toThrow('more than the bank returned');
    await forge(id, { minor: 10_000n });
    // Pending operations count.
    await expect(forge(id, { minor: 1n, kind: 'refund' })).rejects.toThrow('more than the bank returned');
  });

  it('rejects an order without a decision, or without two people if it pays another account', async () => {
    const id = await returnedInPart();
    const { userId } = await fixture.see(id);
    const recipientId = await addRecipient(userId, 'Elena Quispe');
    const { request } = await desk.act(id, 'pay_rest', { recipientId });
    await expect(forge(id, { minor: 10_000n, requestId: request?.id ?? '' })).rejects.toThrow('not what was decided');
    const alone = `update desk_request set outcome = 'done', decided_at = now() where id = ?`;
    await fixture.database.fork().execute(alone, [request?.id ?? '']);
    await expect(forge(id, { minor: 10_000n, requestId: request?.id ?? '' })).rejects.toThrow('not what was decided');
  });

  it('rejects any change of an order, and a payment of money that was not returned', async () => {
    const id = await returnedInPart();
    await pay(id);
    const em = fixture.database.fork();
    const change = (set: string) =>
      em.execute(`update operation set ${set} where transfer_id = ? and rest_request_id is not null`, [id]);
    await expect(change('amount_minor = 1')).rejects.toThrow('keeps its report, account and amount');
    await expect(change(`payout_target = '{"bankAccount":"1"}'`)).rejects.toThrow('keeps its report');
    const whole = await complaints.createPaidByCard();
    await returnPayout(whole);
    await expect(forge(whole, { minor: 100n })).rejects.toThrow('more than the bank returned');
    const first = await em.find(Operation, { transferId: whole, kind: 'payout' });
    expect(first).toHaveLength(1);
  });
});

/** Adds a recipient to a user's list; returns its id. */
const addRecipient = (userId: string, name: string): Promise<string> =>
  insertTestRecipient(fixture.database.fork(), userId, {
    ...{ name, ci: '1234567', phone: '+591 70000001', bankName: 'Banco Sol', bankAccount: '20000', city: 'Oruro' },
  });

let watchman: TestWatchman;
/** A worker's context with name screening. */
let screened: JobContext;
beforeAll(async () => {
  watchman = await startWatchman();
  screened = { ...fixture.context, watchman: connectWatchman(watchman.env.WATCHMAN_URL), now: () => fixture.now };
});
afterAll(() => watchman.close());
