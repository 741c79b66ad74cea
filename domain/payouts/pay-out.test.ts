import { afterEach, describe, expect, it } from 'vitest';
import type { PayoutAnswer } from '#core/contracts/bank';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { testTarget } from '../../testing/transfers.ts';
import type { JobContext } from '../jobs/job-context.ts';
import type { Bank } from '../providers/bank.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { Transfer } from '../transfers/transfer.entity.ts';

const fixture = usePaymentFixture();
afterEach(() => {
  fixture.bank.clearFaults();
  fixture.bank.setMode({});
});

const withBank = (pay: Bank['pay']): JobContext => ({ ...fixture.context, bank: { ...fixture.context.bank, pay } });

describe('a payout', () => {
  it('pays a captured transfer once and keeps the bank’s reference', async () => {
    const id = await fixture.create({ state: 'captured' });
    await Promise.all([fixture.run(id, 'payout'), fixture.run(id, 'payout')]);
    await fixture.run(id, 'payout');
    await fixture.expectOutcome(id, 'completed');
    const [payout] = fixture.payouts(id);
    expect(payout).toMatchObject({ amount: '1291.17', currency: 'BOB' });
    expect((await fixture.see(id)).payoutReference).toBe(payout?.reference);
    expect(await fixture.steps(id)).toEqual([
      ...[null, 'attach_intent', 'hold', 'approve', 'capture'],
      ...['start_payout', 'pay_out'],
    ]);
  });

  it('pays the full account number, of which the database shows only the last digits', async () => {
    const id = await fixture.create({ state: 'captured' });
    const paid: unknown[] = [];
    const { bank } = fixture.context;
    const watched = withBank((request, key) => {
      paid.push(request.beneficiary);
      return bank.pay(request, key);
    });
    await fixture.run(id, 'payout', watched);
    const { address: _, ...beneficiary } = testTarget;
    expect(paid).toEqual([beneficiary]);
    expect((await fixture.see(id)).payoutTarget?.bankAccount).toBe('•••5678');
  });

  it('holds the money of a transfer whose account the bank rejects until the account is corrected', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.setMode({ rejectNext: 1 });
    await fixture.run(id, 'payout');
    expect(await fixture.see(id)).toMatchObject({
      state: 'payout_failed',
      reason: 'El banco no pudo pagar: La cuenta de destino no existe.',
    });
    expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'failed' }]);
    expect(await fixture.openCases(id)).toEqual(['payout_rejected']);
    await fixture.database.transaction((em) => moveTransfer(em, id, 'pay_again', { at: fixture.now }));
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await fixture.openCases(id)).toEqual([]);
    expect(fixture.payouts(id).filter(({ externalId }) => externalId === `${id}-2`)).toHaveLength(1);
  });

  it.each(['error', 'do_then_error', 'do_then_drop'] as const)(
    'pays once with the next attempt after the bank failed (%s)',
    async (kind) => {
      const id = await fixture.create({ state: 'captured' });
      fixture.bank.failNext({ kind, path: '^/bank/' });
      await fixture.run(id, 'payout');
      expect((await fixture.see(id)).payoutStartedAt).not.toBeNull();
      expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'unknown', attempts: 1 }]);
      fixture.now = new Date(fixture.now.getTime() + 2_000);
      await fixture.run(id, 'payout');
      await fixture.expectOutcome(id, 'completed');
    },
  );

  it('queries a payout whose answer was lost when the retried request is rejected', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/' });
    await fixture.run(id, 'payout');
    fixture.bank.failNext({ kind: 'error', status: 400, path: '^/bank/', method: 'POST' });
    fixture.now = new Date(fixture.now.getTime() + 2_000);
    await fixture.run(id, 'payout');
    await fixture.expectOutcome(id, 'completed');
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('gives up when the bank answers with another payout or amount', async () => {
    for (const wrong of [{ externalId: 'another' }, { amount: '1.00' }]) {
      const id = await fixture.create({ state: 'captured' });
      const bank = withBank(
        async (request, key) => ({ ...(await fixture.context.bank.pay(request, key)), ...wrong }) as PayoutAnswer,
      );
      await fixture.run(id, 'payout', bank);
      expect((await fixture.see(id)).state).toBe('captured');
      expect(await fixture.openCases(id)).toEqual(['contradiction']);
    }
  });

  it('does not call the bank for a cancelled transfer or one without a recipient', async () => {
    const forbidden = withBank(() => Promise.reject(new Error('the bank was called')));
    const cancelled = await fixture.create({ state: 'captured' });
    await fixture.cancel(cancelled);
    await fixture.run(cancelled, 'payout', forbidden);
    expect((await fixture.see(cancelled)).state).toBe('refunding');
    const nameless = await fixture.create({ state: 'captured' });
    await fixture.database.fork().nativeUpdate(Transfer, { id: nameless }, { payoutTarget: null });
    await fixture.run(nameless, 'payout', forbidden);
    expect(await fixture.openCases(nameless)).toEqual(['operation_refused']);
  });
});
