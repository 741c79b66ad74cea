import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { encryptAnew } from '../encrypt-anew.ts';
import { createTestUser } from '../testing/accounts.ts';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { cancel } from './cancel.ts';
import { correctAccount } from './correct-account.ts';
import { refuseStaleProof } from './new-account.ts';
import { findTransfer } from './transfer.repository.ts';
import { toTransferView } from './transfer-views.ts';

const fixture = usePaymentFixture();
afterEach(() => fixture.bank.setMode({}));

/** A transfer whose account the bank refused, and its sender. */
async function createRejected(): Promise<{ id: string; userId: string }> {
  const id = await fixture.create({ state: 'captured' });
  fixture.bank.setMode({ rejectNext: 1 });
  await fixture.run(id, 'payout');
  const { state, userId } = await fixture.see(id);
  expect(state).toBe('payout_failed');
  return { id, userId };
}

async function createRecipient(userId: string, bankAccount = '20000'): Promise<string> {
  const id = randomUUID();
  await fixture.database.fork().execute(
    `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
       created_at) values (?, ?, 'Rosa', '', '+591 70000001', '1234567', 'Banco Sol', ?, 'Av. 1', 'Oruro', '', now())`,
    [id, userId, bankAccount],
  );
  return id;
}

const rules = { newDeviceUsdMinor: 10_000n, sessions: { stepUpMs: 600_000 } };
const correct = (transferId: string, userId: string, recipientId: string, provenAt = fixture.now) =>
  fixture.database.transaction((em) =>
    correctAccount(em, rules, { userId, provenAt, transferId, recipientId, at: fixture.now }),
  );
const refusal = (code: string) => expect.objectContaining({ code });

describe('an account that the bank refused', () => {
  it('is corrected by the sender, and the transfer is paid again to the new one', async () => {
    const { id, userId } = await createRejected();
    const recipientId = await createRecipient(userId);
    await fixture.database.fork().execute(
      `insert into name_check (id, recipient_id, user_id, name, bank_name, bank_account, status, attempts, asked_at)
       values (gen_random_uuid(), ?, ?, 'Rosa', 'Banco Sol', '20000', 'different', 1, now())`,
      [recipientId, userId],
    );
    await encryptAnew(fixture.database);
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

  it('is corrected once, also by concurrent requests, and not after the money was taken back', async () => {
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

  it('of a larger amount is corrected by who proved lately who they are, as long as the new one got nothing from them', async () => {
    const { id, userId } = await createRejected();
    const recipientId = await createRecipient(userId, '30000');
    const before = new Date(fixture.now.getTime() - 600_001);
    await expect(correct(id, userId, recipientId, before)).rejects.toEqual(refusal('second_factor_stale'));
    expect(await correct(id, userId, recipientId)).toMatchObject({ state: 'captured' });
    const again = { userId, provenAt: before, usdMinor: 10_000n, bankAccount: '30-000', at: fixture.now };
    const pay = (more: object) => refuseStaleProof(fixture.database.fork(), rules, { ...again, ...more });
    await expect(pay({})).rejects.toEqual(refusal('second_factor_stale'));
    await fixture.run(id, 'payout');
    await pay({});
    await expect(pay({ bankAccount: '30001' })).rejects.toEqual(refusal('second_factor_stale'));
    await pay({ bankAccount: '30001', usdMinor: 9_999n });
    const stranger = (await createTestUser(fixture.database)).id;
    await expect(pay({ userId: stranger })).rejects.toEqual(refusal('second_factor_stale'));
  });

  it('is corrected by its sender only, with a recipient of their own', async () => {
    const { id, userId } = await createRejected();
    const stranger = (await createTestUser(fixture.database)).id;
    const theirs = await createRecipient(stranger);
    await expect(correct(id, stranger, theirs)).rejects.toEqual(refusal('not_found'));
    await expect(correct(id, userId, theirs)).rejects.toEqual(refusal('not_found'));
    expect((await fixture.see(id)).state).toBe('payout_failed');
  });

  it('is not needed to take the money back: the sender is shown that the transfer can be cancelled', async () => {
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
