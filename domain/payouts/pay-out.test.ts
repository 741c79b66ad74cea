import { afterEach, describe, expect, it } from 'vitest';
import { NonRetryableError } from '#platform/queues/retry';
import type { JobContext } from '../job-context.ts';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import type { Bank } from './bank.ts';
import { payOut } from './pay-out.ts';

const fixture = usePaymentFixture();
afterEach(() => {
  fixture.bank.clearFaults();
  fixture.bank.setMode({});
});

const withBank = (pay: Bank['pay']): JobContext => ({ ...fixture.context, bank: { pay } });

describe('payOut', () => {
  it('pays a captured transfer once and keeps the bank’s reference', async () => {
    const id = await fixture.create({ state: 'captured' });
    await Promise.all([payOut(fixture.context, id), payOut(fixture.context, id)]);
    await payOut(fixture.context, id);
    await fixture.expectOutcome(id, 'completed');
    const [payout] = fixture.payouts(id);
    expect(payout).toMatchObject({ amount: '1291.17', currency: 'BOB' });
    expect((await fixture.see(id)).payoutReference).toBe(payout?.reference);
    expect(await fixture.steps(id)).toEqual([
      ...[null, 'attach_intent', 'hold', 'approve', 'capture'],
      ...['start_payout', 'pay_out'],
    ]);
  });

  it('sends a transfer that the bank refuses to the refund, with the reason', async () => {
    const id = await fixture.create({ state: 'captured' });
    await fixture.loseJobs(id);
    fixture.bank.setMode({ rejectNext: 1 });
    await payOut(fixture.context, id);
    expect(await fixture.see(id)).toMatchObject({
      state: 'refunding',
      reason: 'El banco no pudo pagar: La cuenta de destino no existe.',
    });
    expect(await fixture.requestedJobs(id)).toEqual(['refund-payment']);
  });

  it.each(['error', 'do_then_error', 'do_then_drop'] as const)(
    'pays once with the next attempt after the bank failed (%s)',
    async (kind) => {
      const id = await fixture.create({ state: 'captured' });
      fixture.bank.failNext({ kind, path: '^/bank/' });
      const failure = await payOut(fixture.context, id).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(failure).not.toBeInstanceOf(NonRetryableError);
      expect((await fixture.see(id)).payoutStartedAt).not.toBeNull();
      await payOut(fixture.context, id);
      await fixture.expectOutcome(id, 'completed');
    },
  );

  it('gives up when the bank says that the request is wrong', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'error', status: 422, path: '^/bank/' });
    await expect(payOut(fixture.context, id)).rejects.toBeInstanceOf(NonRetryableError);
    expect((await fixture.see(id)).state).toBe('captured');
  });

  it('gives up when the bank answers about another payout or amount', async () => {
    for (const wrong of [{ externalId: 'another' }, { amount: '1.00' }]) {
      const id = await fixture.create({ state: 'captured' });
      const bank = withBank(async (request) => ({ ...(await fixture.context.bank.pay(request)), ...wrong }));
      await expect(payOut(bank, id)).rejects.toBeInstanceOf(NonRetryableError);
      expect((await fixture.see(id)).state).toBe('captured');
    }
  });

  it('does not call the bank for a cancelled transfer or one without a recipient', async () => {
    const forbidden = withBank(() => Promise.reject(new Error('the bank was called')));
    const cancelled = await fixture.create({ state: 'captured' });
    await fixture.cancel(cancelled);
    await payOut(forbidden, cancelled);
    const nameless = await fixture.create({ state: 'captured' });
    await fixture.database.fork().nativeUpdate(Transfer, { id: nameless }, { payoutTarget: null });
    await expect(payOut(forbidden, nameless)).rejects.toBeInstanceOf(NonRetryableError);
  });
});
