import { afterEach, describe, expect, it, test } from 'vitest';
import { bankRejectionCodes } from '#core/payouts/bank-answers';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { Email } from '../emails/email.entity.ts';
import { Operation, ProviderCircuit } from '../provider-calls/operation.entity.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';

// A sender may cancel until the money is deposited (12 CFR 1005.34): what counts is the bank's execution of the order,
// not the order itself.

const desk = useDeskFixture();
const fixture = desk.payments;
afterEach(async () => {
  await desk.liftStops();
  await fixture.database.fork().nativeUpdate(ProviderCircuit, {}, { failures: 0, openUntil: null });
});

const view = async (id: string) => toTransferView(fixture.database.fork(), await fixture.see(id), fixture.now);
const payout = async (id: string) => (await fixture.operations(id, 'payout')).at(-1) as Operation;
const orders = (id: string) =>
  fixture.bank.calls.filter(({ method, idempotencyKey }) => method === 'POST' && idempotencyKey?.includes(id)).length;
async function emailsOf(id: string): Promise<Email[]> {
  const all = await fixture.database
    .fork()
    .find(Email, { kind: { $like: 'transfer_%' } }, { orderBy: { createdAt: 'asc' } });
  return all.filter(({ data }) => (data as { transferId?: string }).transferId === id);
}
const afterWindow = () => fixture.later(fixture.context.bank.completionWindowMs);
const runDue = async (id: string) => {
  const { nextAttemptAt } = await payout(id);
  if (nextAttemptAt && nextAttemptAt > fixture.now) fixture.now = nextAttemptAt;
  await fixture.run(id, 'payout');
};

/** A charged transfer whose order, or the answer to it, was lost. */
async function createUnknown(kind: 'drop' | 'do_then_drop'): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  fixture.bank.failNext({ kind, path: '^/bank/', method: 'POST' });
  await fixture.run(id, 'payout');
  return id;
}

async function expectPending(id: string): Promise<void> {
  expect(await view(id)).toMatchObject({
    ...{ state: 'captured', status: 'pending', cancellable: false, cancellableUntil: null },
    ...{ cancelRequested: true, cancelPending: true },
  });
}

describe('D8: a cancellation in the minutes after paying', () => {
  it('refunds at once while the bank was not ordered to pay', async () => {
    const id = await fixture.create({ state: 'captured' });
    expect((await view(id)).cancellable).toBe(true);
    await fixture.cancel(id);
    expect(await view(id)).toMatchObject({ state: 'refunding', cancelRequested: true, cancelPending: false });
    expect((await emailsOf(id)).map(({ kind }) => kind)).not.toContain('transfer_cancel_requested');
  });

  it.each(['compliance_hold', 'a_code_of_tomorrow', 'insufficient_funds'])(
    'refunds at once after a rejection that waits for something else (%s)',
    async (code) => {
      const id = await fixture.create({ state: 'captured' });
      fixture.bank.setMode({ rejectNext: 1, rejection: { code, message: 'No.' } });
      await fixture.run(id, 'payout');
      expect((await view(id)).cancellable).toBe(true);
      await fixture.cancel(id);
      await fixture.run(id, 'refund');
      await fixture.expectOutcome(id, 'refunded');
      expect(await fixture.openCases(id)).toEqual([]);
      expect(orders(id)).toBe(1);
    },
  );

  it('refunds at once after the bank confirmed that it did not execute a rejected order', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'error', status: 422, path: '^/bank/' });
    await fixture.run(id, 'payout');
    const paidAt = (await fixture.see(id)).paidAt as Date;
    await runDue(id);
    fixture.now = paidAt;
    await fixture.cancel(id);
    expect((await view(id)).state).toBe('refunding');
  });

  it('is recorded while the bank does not answer, and stops further orders', async () => {
    const id = await createUnknown('drop');
    expect((await view(id)).cancellable).toBe(true);
    const { outcome } = await fixture.cancel(id);
    expect(outcome.kind).toBe('request');
    await expectPending(id);
    const [mail] = (await emailsOf(id)).slice(-1);
    expect(mail?.kind).toBe('transfer_cancel_requested');
    // The bank is queried at once, and gets no further order.
    expect((await payout(id)).nextAttemptAt).toEqual(fixture.now);
    fixture.bank.failNext({ kind: 'drop', path: '^/bank/', method: 'GET' });
    for (let attempts = 0; attempts < 3; attempts += 1) {
      await fixture.run(id, 'payout');
      await expectPending(id);
      fixture.later(10_000);
    }
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'done' });
    afterWindow();
    await fixture.run(id, 'payout');
    expect(await view(id)).toMatchObject({ state: 'refunding', cancelPending: false });
    await fixture.run(id, 'refund');
    await fixture.expectOutcome(id, 'refunded');
    expect(orders(id)).toBe(1);
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('comes too late when the bank had paid: the transfer completes, and the sender is notified', async () => {
    const id = await createUnknown('do_then_drop');
    await fixture.cancel(id);
    await expectPending(id);
    await fixture.run(id, 'payout');
    await fixture.expectOutcome(id, 'completed');
    expect(await view(id)).toMatchObject({ cancelRequested: true, cancelPending: false, cancellable: false });
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'refused', code: 'already_deposited' });
    const paid = (await emailsOf(id)).find(({ kind }) => kind === 'transfer_paid');
    expect(paid?.data).toMatchObject({ cancelRequestedAt: (await fixture.see(id)).cancelRequestedAt?.toISOString() });
    expect(orders(id)).toBe(1);
  });

  it.each([...bankRejectionCodes, 'a_code_of_tomorrow'])(
    'is carried out when the bank had rejected it (%s)',
    async (code) => {
      const id = await fixture.create({ state: 'captured' });
      fixture.bank.setMode({ rejectNext: 1, rejection: { code, message: 'No.' } });
      fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
      await fixture.run(id, 'payout');
      await fixture.cancel(id);
      await expectPending(id);
      await fixture.run(id, 'payout');
      expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'failed' }]);
      await fixture.run(id, 'refund');
      await fixture.expectOutcome(id, 'refunded');
      expect(await fixture.openCases(id)).toEqual([]);
    },
  );

  it.each([
    ['paid', undefined, 'completed'],
    ['rejected', { code: 'account_closed', message: 'No.' }, 'refunding'],
  ] as const)('waits for the result of an order that the bank accepted (%s)', async (_, rejection, state) => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.setMode({ pendNext: 1 });
    await fixture.run(id, 'payout');
    await fixture.cancel(id);
    await expectPending(id);
    for (let polls = 0; polls < 5; polls += 1) {
      await runDue(id);
      await expectPending(id);
    }
    // Long after the window: the bank knows it, so nothing is certain yet.
    afterWindow();
    await runDue(id);
    await expectPending(id);
    fixture.bank.settle(id, rejection);
    await runDue(id);
    expect((await view(id)).state).toBe(state);
    expect(orders(id)).toBe(1);
  });

  it('queries an abandoned payout again without another order', async () => {
    const id = await createUnknown('drop');
    const given = { status: 'abandoned', nextAttemptAt: null } as const;
    await fixture.database.fork().nativeUpdate(Operation, { transferId: id, kind: 'payout' }, given);
    await fixture.cancel(id);
    expect(await payout(id)).toMatchObject({ status: 'unknown', nextAttemptAt: fixture.now });
    afterWindow();
    await fixture.run(id, 'payout');
    expect((await view(id)).state).toBe('refunding');
    expect(orders(id)).toBe(1);
  });

  it('during the attempt at an order is carried out according to the result', async () => {
    const answers = [
      ['rejects', { rejectNext: 1 }, 'refunding'],
      ['pays', {}, 'completed'],
    ] as const;
    for (const [, mode, state] of answers) {
      const id = await fixture.create({ state: 'captured' });
      fixture.bank.setMode(mode);
      const { bank } = fixture.context;
      const pay: typeof bank.pay = async (...order) => {
        const answer = await bank.pay(...order);
        await fixture.cancel(id);
        return answer;
      };
      await fixture.run(id, 'payout', { ...fixture.context, bank: { ...bank, pay } });
      expect((await view(id)).state).toBe(state);
      fixture.bank.setMode({});
    }
  });

  it('between the reading and the order of a payout prevents the order', async () => {
    const id = await createUnknown('drop');
    fixture.later(2_000);
    // The attempt has read the transfer when its sender cancels.
    const { database } = fixture.context;
    const transaction: typeof database.transaction = async (work) => {
      if (!(await fixture.see(id)).cancelRequestedAt) await fixture.cancel(id);
      return database.transaction(work);
    };
    const claims = { claimed: false };
    const racing = Object.assign(Object.create(database), {
      transaction: (work: Parameters<typeof transaction>[0]) => {
        // The first transaction claims the operation.
        if (claims.claimed) return transaction(work);
        claims.claimed = true;
        return database.transaction(work);
      },
      fork: () => database.fork(),
    });
    await fixture.run(id, 'payout', { ...fixture.context, database: racing });
    await expectPending(id);
    expect(orders(id)).toBe(1);
    afterWindow();
    await runDue(id);
    expect((await view(id)).state).toBe('refunding');
  });
});

test('a payout whose answer is lost can be cancelled for 30 minutes and no longer, like any other', async () => {
  const id = await createUnknown('do_then_drop');
  fixture.later(31 * 60_000);
  expect(await view(id)).toMatchObject({ cancellable: false, cancelPending: false });
  expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'refused', code: 'cancel_too_late' });
});
