import { afterEach, describe, expect, it } from 'vitest';
import { maxAttempts } from '#core/operations/operation';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { Operation } from '../provider-calls/operation.entity.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';

const fixture = usePaymentFixture();
afterEach(async () => {
  fixture.bank.clearFaults();
  fixture.bank.setMode({});
  await fixture.database.fork().execute('update provider_circuit set failures = 0, open_until = null');
});

/** A charged transfer whose payout has one attempt left. */
async function createAtLastAttempt(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  const where = { transferId: id, kind: 'payout' as const };
  await fixture.database.fork().nativeUpdate(Operation, where, { attempts: maxAttempts - 1 });
  return id;
}

/** A charged transfer whose payout was given up with an unknown outcome, although the bank made it. */
async function createForgotten(): Promise<string> {
  const id = await createAtLastAttempt();
  fixture.bank.failCalls(({ method }) => (method === 'POST' ? { kind: 'do_then_drop' } : { kind: 'drop' }));
  await fixture.run(id, 'payout');
  fixture.bank.clearFaults();
  expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'abandoned' }]);
  expect(fixture.payouts(id)).toMatchObject([{ status: 'paid' }]);
  return id;
}

describe('the last attempt at a payout', () => {
  it('completes the transfer when the bank confirms the payment', async () => {
    const id = await createAtLastAttempt();
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('applies the bank’s rejection', async () => {
    const id = await createAtLastAttempt();
    fixture.bank.setMode({ rejectNext: 1 });
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('payout_failed');
    expect(await fixture.openCases(id)).toEqual(['payout_rejected']);
  });

  it('certainly fails, with a case, when the bank does not know it after its completion window', async () => {
    const id = await createAtLastAttempt();
    fixture.bank.failNext({ kind: 'drop', path: '^/bank/', method: 'POST' });
    await fixture.run(id, 'payout');
    expect(await fixture.openCases(id)).toEqual([]);
    fixture.later(fixture.context.bank.completionWindowMs);
    await fixture.run(id, 'payout');
    expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'failed', nextAttemptAt: null }]);
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await fixture.openCases(id)).toEqual(['operation_abandoned']);
  });

  it('is abandoned when the bank’s address answers with an unknown page', async () => {
    const id = await createAtLastAttempt();
    fixture.bank.failCalls(({ method }) => (method === 'POST' ? { kind: 'drop' } : { kind: 'error', status: 404 }));
    await fixture.run(id, 'payout');
    expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'abandoned' }]);
  });
});

describe('an abandoned payout that the bank made', () => {
  it('is not paid a second time: the first payment is adopted', async () => {
    const id = await createForgotten();
    await fixture.database.transaction(async (em) => {
      await moveTransfer(em, id, 'reject_payout', { at: fixture.now });
      await moveTransfer(em, id, 'pay_again', { at: fixture.now });
    });
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'succeeded' }, { status: 'abandoned' }]);
    expect(fixture.bank.payouts().filter(({ externalId }) => externalId.startsWith(id))).toHaveLength(1);
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('is not refunded to the card as well: a person has to decide', async () => {
    const id = await createForgotten();
    await fixture.database.transaction((em) => moveTransfer(em, id, 'give_up_payout', { at: fixture.now }));
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunding');
    expect((await fixture.intent(id)).latest_charge?.amount_refunded).toBe(0);
    expect(await fixture.openCases(id)).toContain('contradiction');
  });

  it('is refunded to the card once the bank has returned all of it', async () => {
    const id = await createForgotten();
    await fixture.database.transaction((em) => moveTransfer(em, id, 'give_up_payout', { at: fixture.now }));
    fixture.bank.returnPayout(id);
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
  });
});
