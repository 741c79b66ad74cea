import { describe, expect, it } from 'vitest';
import { dayMs } from '#core/time/time';
import { createTestUser } from '../../testing/accounts.ts';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { insertTestRecipient } from '../../testing/recipients.ts';
import { type TransferOverrides, testTarget } from '../../testing/transfers.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { Email } from '../emails/email.entity.ts';
import { type Operation, updateOperation } from '../provider-calls/operation.repository.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { refuseStaleProof } from '../transfers/new-account.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';
import { cancel } from './cancel.ts';
import { correctAccount } from './correct-account.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;

/** A transfer whose account the bank rejected, and its sender. */
async function createRejected(overrides: Partial<TransferOverrides> = {}): Promise<{ id: string; userId: string }> {
  const id = await fixture.create({ state: 'captured', ...overrides });
  fixture.bank.setMode({ rejectNext: 1 });
  await fixture.run(id, 'payout');
  const { state, userId } = await fixture.see(id);
  expect(state).toBe('payout_failed');
  return { id, userId };
}

/** A recipient of a sender, by default the person to whom the fixture's transfers go. */
const createRecipient = (
  userId: string,
  bankAccount = '20000',
  { name, ci }: { name: string; ci: string } = testTarget,
): Promise<string> =>
  insertTestRecipient(fixture.database.fork(), userId, {
    ...{ name, ci, phone: '+591 70000001', bankName: 'Banco Sol', bankAccount, address: 'Av. 1', city: 'Oruro' },
  });

const rules = {
  ...{ newDeviceUsdMinor: 10_000n, sessions: { stepUpMs: 600_000 } },
  desk: { reviewTwoPersonsUsdMinor: 200_000n },
};
const correct = (
  transferId: string,
  userId: string,
  recipientId: string,
  { provenAt = fixture.now, ...limits }: { provenAt?: Date; desk?: typeof rules.desk } = {},
) =>
  fixture.database.transaction((em) =>
    correctAccount(em, { ...rules, ...limits }, { userId, provenAt, transferId, recipientId, at: fixture.now }),
  );
const refusal = (code: string) => expect.objectContaining({ code });

describe('an account that the bank rejected', () => {
  it('is corrected by the sender, and the transfer is paid again to the new one', async () => {
    const { id, userId } = await createRejected();
    const recipientId = await createRecipient(userId);
    await fixture.database.fork().execute(
      `insert into name_check (id, recipient_id, user_id, name, bank_name, bank_account, sealed, account_hash, status, attempts, asked_at)
       select gen_random_uuid(), id, user_id, name, bank_name, bank_account, sealed, account_hash, 'different', 1, now()
       from recipient where id = ?`,
      [recipientId],
    );
    await expect(correct(id, userId, recipientId)).rejects.toEqual(refusal('name_not_confirmed'));
    await fixture.database
      .fork()
      .execute('update name_check set confirmed_at = now() where recipient_id = ?', [recipientId]);
    const view = await correct(id, userId, recipientId);
    expect(view).toMatchObject({
      state: 'captured',
      recipientId,
      bankName: 'Banco Sol',
      reason: null,
      bolivianos: '1291.17',
    });
    expect((await fixture.steps(id)).slice(-3)).toEqual(['reject_payout', 'correct_account', 'pay_again']);
    expect(await fixture.openCases(id)).toEqual([]);
    await fixture.run(id, 'payout');
    expect(await fixture.see(id)).toMatchObject({ state: 'completed', payoutTarget: { bankAccount: '•••0000' } });
    const paid = fixture.bank.payouts().filter(({ externalId }) => externalId.startsWith(id));
    expect(paid.map(({ externalId, status }) => [externalId, status])).toEqual(
      expect.arrayContaining([
        [id, 'rejected'],
        [`${id}-2`, 'paid'],
      ]),
    );
  });

  it('is corrected once, even by concurrent requests, and not after the refund', async () => {
    const { id, userId } = await createRejected();
    const recipientId = await createRecipient(userId);
    const results = await Promise.allSettled([1, 2].map(() => correct(id, userId, recipientId)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(correct(id, userId, recipientId)).rejects.toEqual(refusal('account_not_correctable'));
    expect(await fixture.operations(id, 'payout')).toHaveLength(2);
    const other = await createRejected();
    await fixture.cancel(other.id);
    await expect(correct(other.id, userId, recipientId)).rejects.toEqual(refusal('account_not_correctable'));
  });

  it('of a larger amount needs a recent proof of identity, if the sender has not paid the new one before', async () => {
    const { id, userId } = await createRejected();
    const recipientId = await createRecipient(userId, '30000');
    const before = new Date(fixture.now.getTime() - 600_001);
    await expect(correct(id, userId, recipientId, { provenAt: before })).rejects.toEqual(
      refusal('second_factor_stale'),
    );
    expect(await correct(id, userId, recipientId)).toMatchObject({ state: 'captured' });
    const again = {
      userId,
      provenAt: before,
      transferId: id,
      usdMinor: 10_000n,
      bankAccount: '30-000',
      at: fixture.now,
    };
    const pay = (more: object) => refuseStaleProof(fixture.database.fork(), rules, { ...again, ...more });
    await expect(pay({})).rejects.toEqual(refusal('second_factor_stale'));
    await fixture.run(id, 'payout');
    await pay({});
    await expect(pay({ bankAccount: '30001' })).rejects.toEqual(refusal('second_factor_stale'));
    const stranger = (await createTestUser(fixture.database)).id;
    await pay({ userId: stranger, bankAccount: '30001', usdMinor: 9_999n });
    await expect(pay({ userId: stranger })).rejects.toEqual(refusal('second_factor_stale'));
  });

  it('is corrected by its sender only, with one of their recipients', async () => {
    const { id, userId } = await createRejected();
    const stranger = (await createTestUser(fixture.database)).id;
    const theirs = await createRecipient(stranger);
    await expect(correct(id, stranger, theirs)).rejects.toEqual(refusal('not_found'));
    await expect(correct(id, userId, theirs)).rejects.toEqual(refusal('not_found'));
    expect((await fixture.see(id)).state).toBe('payout_failed');
  });

  it('need not be corrected for a refund: the sender sees that the transfer can be cancelled', async () => {
    const { id, userId } = await createRejected();
    const em = fixture.database.fork();
    const transfer = await findTransfer(em, id);
    if (!transfer) throw new Error('no transfer');
    expect(await toTransferView(em, transfer, fixture.now)).toMatchObject({
      cancellable: true,
      cancellableUntil: null,
    });
    const view = await fixture.database.transaction((tx) => cancel(tx, { userId, transferId: id, at: fixture.now }));
    expect(view).toMatchObject({ state: 'refunding', cancellable: false });
    expect(await fixture.openCases(id)).toEqual([]);
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.balances(id)).toEqual({});
  });
});

describe('N8: another recipient than approved', () => {
  const zenon = { name: 'Zenon Apaza', ci: '7654321' };
  const paidTo = (id: string) => fixture.payouts(id).filter(({ status }) => status === 'paid');
  const limits = { desk: { reviewTwoPersonsUsdMinor: 0n } };

  it.each([
    ['another name', { ...testTarget, name: zenon.name }],
    ['another identity number', { ...testTarget, ci: zenon.ci }],
  ])('with %s is not paid before an admin approves', async (_, person) => {
    const { id, userId } = await createRejected();
    await correct(id, userId, await createRecipient(userId, '20000', person));
    expect(await fixture.openCases(id)).toEqual(['recipient_changed']);
    expect(await desk.caseOf(id)).toMatchObject({ details: 'Rosa Mamani, Banco Unión, •••5678' });
    await fixture.run(id, 'payout');
    expect(paidTo(id)).toEqual([]);
    expect((await fixture.operations(id, 'payout')).at(-1)).toMatchObject({ lastError: 'held: recipient_changed' });
    const approved = await desk.act(id, 'release_hold', { reason: 'Llamé a quien envía' });
    expect(approved).toMatchObject({ outcome: 'recipient_approved', request: null });
    await fixture.run(id, 'payout');
    expect(await fixture.see(id)).toMatchObject({ state: 'completed', payoutTarget: { name: person.name } });
    expect(paidTo(id)).toHaveLength(1);
  });

  it('is approved by two people where two approved the transfer', async () => {
    const { id, userId } = await createRejected();
    await correct(id, userId, await createRecipient(userId, '20000', zenon));
    const requested = await desk.act(id, 'release_hold', { reviewTwoPersonsUsdMinor: 0n });
    expect(requested.request).toMatchObject({ action: 'release_hold', amount: null });
    const [email] = await fixture.database
      .fork()
      .find(Email, { key: { $like: `desk_request_waiting-${requested.request?.id}%` } });
    expect(email?.data).toMatchObject({ requestedBy: 'Ana', amount: '1291.17', currency: 'BOB' });
    await fixture.run(id, 'payout');
    expect(paidTo(id)).toEqual([]);
    await desk.decide(requested.request?.id ?? '', desk.luis);
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
  });

  it('may be rejected, which refunds the sender', async () => {
    const { id, userId } = await createRejected();
    await correct(id, userId, await createRecipient(userId, '20000', zenon));
    const view = await desk.act(id, 'give_up_and_refund');
    expect(view).toMatchObject({ outcome: 'refunding', transaction: { state: 'refunding' } });
    expect(paidTo(id)).toEqual([]);
  });

  it('can neither be paid by hand nor closed without a decision', async () => {
    const { id, userId } = await createRejected();
    await correct(id, userId, await createRecipient(userId, '20000', zenon));
    const refused = refusal('action_not_possible');
    await expect(desk.act(id, 'pay_by_hand')).rejects.toEqual(refused);
    await expect(desk.act(id, 'resolve')).rejects.toEqual(refused);
  });

  it('stays unapproved when the bank rejects it and its sender chooses yet another one', async () => {
    const { id, userId } = await createRejected();
    await correct(id, userId, await createRecipient(userId, '20000', zenon));
    const [refused] = (await fixture.operations(id, 'payout')).slice(-1);
    await fixture.database.transaction(async (em) => {
      await updateOperation(em, refused as Operation, { status: 'failed', nextAttemptAt: null }, fixture.now);
      const changes = { correctAccountBy: new Date(fixture.now.getTime() + dayMs) };
      await moveTransfer(em, id, 'reject_payout', { at: fixture.now, changes });
    });
    await correct(id, userId, await createRecipient(userId, '20001', zenon));
    expect(await desk.caseOf(id)).toMatchObject({
      reason: 'recipient_changed',
      details: 'Rosa Mamani, Banco Unión, •••5678',
    });
    await fixture.run(id, 'payout');
    expect(paidTo(id)).toEqual([]);
  });

  it('needs no approval if it is the same person with another account, except for a large amount', async () => {
    const small = await createRejected();
    await correct(small.id, small.userId, await createRecipient(small.userId));
    expect(await fixture.openCases(small.id)).toEqual([]);
    const large = await createRejected();
    const spelled = { name: 'ROSA  mamani', ci: '4567890' };
    await correct(large.id, large.userId, await createRecipient(large.userId, '20000', spelled), limits);
    expect(await fixture.openCases(large.id)).toEqual(['recipient_changed']);
    const same = await createRejected();
    const again = await createRecipient(same.userId, testTarget.bankAccount, testTarget);
    await fixture.database
      .fork()
      .execute('update recipient set bank_name = ? where id = ?', [testTarget.bankName, again]);
    await correct(same.id, same.userId, again, limits);
    expect(await fixture.openCases(same.id)).toEqual([]);
  });

  it('needs two people if the amount is large together with those of the last 24 hours', async () => {
    const { id: userId } = await createTestUser(fixture.database);
    const recipient = { id: await createRecipient(userId), target: { ...testTarget, bankAccount: '40000' } };
    // A cent more than one of them.
    const reviewTwoPersonsUsdMinor = 11_001n;
    const correctTo = async (bankAccount: string) => {
      const { id } = await createRejected({ userId, recipient });
      await correct(id, userId, await createRecipient(userId, bankAccount), { desk: { reviewTwoPersonsUsdMinor } });
      return id;
    };
    expect(await fixture.openCases(await correctTo('50000'))).toEqual([]);
    const second = await correctTo('50001');
    expect(await fixture.openCases(second)).toEqual(['recipient_changed']);
    const { request, resolved_at } = await desk.act(second, 'release_hold', { reviewTwoPersonsUsdMinor });
    expect({ action: request?.action, resolved_at }).toEqual({ action: 'release_hold', resolved_at: null });
  });
});

it('a corrected account is paid even if a cancellation came too late for the returned payment', async () => {
  const id = await fixture.create({ state: 'captured' });
  const { userId } = await fixture.see(id);
  fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
  await fixture.run(id, 'payout');
  await fixture.cancel(id);
  await fixture.run(id, 'payout');
  expect(await fixture.see(id)).toMatchObject({ state: 'completed', cancelRequestedAt: expect.any(Date) });
  fixture.bank.returnPayout(id);
  await sweepBankReturns(fixture.context);
  expect((await fixture.see(id)).state).toBe('payout_failed');
  const recipientId = await createRecipient(userId, '30000');
  expect(await correct(id, userId, recipientId)).toMatchObject({ state: 'captured', cancelRequested: false });
  await fixture.run(id, 'payout');
  expect((await fixture.see(id)).state).toBe('completed');
});
