import { afterEach, describe, expect, it, vi } from 'vitest';
import { hourMs } from '#core/time/time';
import { transferStatuses } from '#core/transfers/states';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { handleStoredEvent } from '../../testing/row-jobs.ts';
import { PayoutUncertainError } from '../payouts/ask-bank.ts';
import { BankUnavailableError } from '../providers/bank.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { expireAuthorization, expirePayment } from './expire.ts';
import { syncRefunds } from './refund.ts';
import { storeStripeEvent } from './stripe-event.repository.ts';
import { syncPayment } from './sync-payment.ts';

/*
 * Captures and refunds made in Stripe's dashboard, outside our system. After each one the sender's screen, the books,
 * the operations and the desk agree.
 */

const fixture = usePaymentFixture();
afterEach(() => {
  fixture.bank.setMode({});
  fixture.bank.clearFaults();
});

/** Refunds in the dashboard, everything left unless an amount (minor units) is given, and handles the event. */
async function refundOutside(id: string, amount?: number) {
  const payment_intent = await fixture.intentId(id);
  await fixture.stripe.sdk.refunds.create({ payment_intent, ...(amount ? { amount } : {}) });
  await syncPayment(fixture.context, id);
}

/** The label in the sender's list. */
async function senderSees(id: string): Promise<string> {
  const em = fixture.database.fork();
  const { status } = await toTransferView(em, await fixture.see(id), fixture.now);
  return transferStatuses[status];
}

async function completed(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  await fixture.run(id, 'payout');
  return id;
}

async function payoutFailed(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  fixture.bank.setMode({ rejectNext: 1 });
  await fixture.run(id, 'payout');
  expect((await fixture.see(id)).state).toBe('payout_failed');
  return id;
}

const refundStatuses = async (id: string) => (await fixture.operations(id, 'refund')).map(({ status }) => status);

describe('a whole refund in Stripe’s dashboard', () => {
  it.each([
    ['captured', () => fixture.create({ state: 'captured' })],
    ['payout_failed', payoutFailed],
  ] as const)('ends a %s transfer as refunded, without a payout', async (_, create) => {
    const id = await create();
    await refundOutside(id);
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await senderSees(id)).toBe('Reembolsado');
    expect(await fixture.balances(id)).toEqual({});
    expect(await refundStatuses(id)).toEqual(['succeeded']);
    expect(await fixture.openCases(id)).toContain('refund_outside');
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id).filter(({ status }) => status === 'paid')).toEqual([]);
  });

  it('waits while the outcome of an attempted payout is unknown, and then depends on it', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
    await fixture.run(id, 'payout');
    fixture.bank.failNext({ kind: 'drop', path: '^/bank/', method: 'GET' });
    await expect(refundOutside(id)).rejects.toBeInstanceOf(BankUnavailableError);
    expect((await fixture.see(id)).state).toBe('captured');
    await syncPayment(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await fixture.openCases(id)).toEqual(['refund_outside']);
  });

  it('of a completed transfer is our loss: the recipient keeps the money, and a case opens', async () => {
    const id = await completed();
    await refundOutside(id);
    await syncPayment(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await senderSees(id)).toBe('Completado');
    expect(await fixture.balances(id)).toEqual({
      'bank BOB': '129117',
      'exchange BOB': '-129117',
      'exchange EUR': '9650',
      'fee_income EUR': '350',
      'loss EUR': '-10000',
    });
    expect(await fixture.openCases(id)).toEqual(['refund_outside']);
  });

  it.each([
    ['do_then_drop', 'completed', 'succeeded', '-10000'],
    ['drop', 'refunded', 'abandoned', undefined],
  ] as const)(
    'queries the bank first about an unanswered payout (%s): the transfer is %s',
    async (kind, state, payout, loss) => {
      const id = await fixture.create({ state: 'captured' });
      fixture.bank.failNext({ kind, path: '^/bank/' });
      await fixture.run(id, 'payout');
      // While it is pending, the refund blocks a new payout order, and nothing is decided.
      if (kind === 'drop') {
        await expect(refundOutside(id)).rejects.toBeInstanceOf(PayoutUncertainError);
        fixture.later(2_000);
        await fixture.run(id, 'payout');
        expect(await fixture.operations(id, 'payout')).toMatchObject([{ lastError: 'held: refund_outside' }]);
        expect((await fixture.see(id)).state).toBe('captured');
        fixture.later(fixture.context.bank.completionWindowMs);
        await syncPayment(fixture.context, id);
      } else await refundOutside(id);
      expect(fixture.payouts(id)).toHaveLength(kind === 'drop' ? 0 : 1);
      expect((await fixture.see(id)).state).toBe(state);
      expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: payout }]);
      expect((await fixture.balances(id))['loss EUR']).toBe(loss);
      expect(await fixture.openCases(id)).toContain('refund_outside');
    },
  );
});

describe('a partial refund in Stripe’s dashboard', () => {
  it.each([
    ['captured', () => fixture.create({ state: 'captured' })],
    ['payout_failed', payoutFailed],
    ['completed', completed],
  ] as const)('does not change the state of a %s transfer, and books the loss with a case', async (state, create) => {
    const id = await create();
    await refundOutside(id, 100);
    const after = await fixture.see(id);
    expect(after.state).toBe(state);
    // The sender's screen only applies views with a newer version.
    expect(await toTransferView(fixture.database.fork(), after, fixture.now)).toMatchObject({ returned: '1.00' });
    expect((await fixture.steps(id)).at(-1)).toBe('count_refunds');
    expect(await fixture.balances(id)).toMatchObject({ 'card_processor EUR': '-9900', 'loss EUR': '-100' });
    expect(await fixture.openCases(id)).toContain('refund_outside');
    expect(await refundStatuses(id)).toEqual(['succeeded']);
  });

  it('is followed by a refund of the rest only if the payout is given up', async () => {
    const id = await payoutFailed();
    await refundOutside(id, 100);
    await fixture.database.transaction((em) => moveTransfer(em, id, 'give_up_payout', { at: fixture.now }));
    await fixture.run(id, 'refund');
    fixture.now = new Date(fixture.now.getTime() + 2_000);
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect((await fixture.intent(id)).latest_charge?.amount_refunded).toBe(10_000);
    expect(await fixture.balances(id)).toEqual({});
  });

  it('of the whole rest, after an earlier part, is a whole refund', async () => {
    const id = await fixture.create({ state: 'captured' });
    await refundOutside(id, 4_000);
    await refundOutside(id);
    expect(await fixture.see(id)).toMatchObject({ state: 'refunded', returnedMinor: 10_000n });
    expect(await fixture.balances(id)).toEqual({});
  });
});

describe('a refund that succeeded and fails later', () => {
  it('is owed again, notifies the sender and opens a case', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_refundFail' });
    fixture.stripe.context.asyncDelayMs = 60_000;
    await refundOutside(id);
    expect((await fixture.see(id)).state).toBe('refunded');
    fixture.stripe.advanceClock(120);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    expect(await fixture.see(id)).toMatchObject({ state: 'refunding', returnedMinor: 0n });
    expect(await fixture.balances(id)).toEqual({ 'card_processor EUR': '-10000', 'refund_due EUR': '10000' });
    expect(await fixture.openCases(id)).toContain('refund_failed');
  });
});

describe('a refund in Stripe’s dashboard that fails while it is read', () => {
  /** A refund that failed at Stripe, unknown to the product, and Stripe's earlier answer about it. */
  async function createFailed() {
    const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_refundFail' });
    fixture.stripe.context.asyncDelayMs = 60_000;
    const payment_intent = await fixture.intentId(id);
    await fixture.stripe.sdk.refunds.create({ payment_intent });
    const before = await fixture.stripe.sdk.refunds.list({ payment_intent });
    fixture.stripe.advanceClock(120);
    await fixture.stripe.idle();
    return { id, before };
  }

  it('is read after the event about its failure, although the charge does not show it', async () => {
    const { id } = await createFailed();
    const [failed] = await fixture.events(id, 'refund.failed');
    if (!failed) throw new Error('Stripe reports no failure');
    await fixture.database.transaction((em) => storeStripeEvent(em, failed, fixture.now));
    await handleStoredEvent(fixture.context, failed.id);
    expect(await refundStatuses(id)).toEqual(['failed']);
  });

  it('stays failed when an older reading that saw it succeed is stored later', async () => {
    const { id, before } = await createFailed();
    const transfer = await fixture.see(id);
    await syncRefunds(fixture.context, transfer);
    const list = vi.spyOn(fixture.context.stripe.refunds, 'list').mockResolvedValueOnce(before);
    await syncRefunds(fixture.context, transfer);
    list.mockRestore();
    expect(await refundStatuses(id)).toEqual(['failed']);
    expect((await fixture.see(id)).state).toBe('captured');
  });
});

describe('a part that was refunded in Stripe’s dashboard after the payout', () => {
  it('is no longer a loss when the card rejects it', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_refundFail' });
    await fixture.run(id, 'payout');
    fixture.stripe.context.asyncDelayMs = 60_000;
    await refundOutside(id, 500);
    expect(await fixture.balances(id)).toMatchObject({ 'loss EUR': '-500' });
    fixture.stripe.advanceClock(120);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    expect(await fixture.balances(id)).not.toHaveProperty('loss EUR');
    expect(await refundStatuses(id)).toEqual(['failed']);
    expect(await fixture.see(id)).toMatchObject({ state: 'completed', returnedMinor: 0n });
  });
});

describe('a capture in Stripe’s dashboard', () => {
  const captureOutside = async (id: string) => {
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    await syncPayment(fixture.context, id);
  };

  it('of an approved transfer counts as the expected capture', async () => {
    const id = await fixture.create();
    await captureOutside(id);
    await fixture.run(id, 'capture');
    expect((await fixture.see(id)).state).toBe('captured');
    await fixture.run(id, 'payout');
    await fixture.expectOutcome(id, 'completed');
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('of a transfer in review does not approve it: a case opens', async () => {
    const id = await fixture.create({ state: 'in_review' });
    await captureOutside(id);
    expect((await fixture.see(id)).state).toBe('in_review');
    expect(await fixture.openCases(id)).toEqual(['contradiction']);
    expect(await fixture.balances(id)).toEqual({});
  });

  describe.each([
    ['all of it', 10_000, 'contradiction'],
    ['a part of it', 6_000, 'captured_in_part'],
  ] as const)('of %s before we knew of the authorization', (_, amount, reason) => {
    async function createCharged(): Promise<string> {
      const id = await fixture.create({ state: 'held' });
      await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id), { amount_to_capture: amount });
      await syncPayment(fixture.context, id);
      expect((await fixture.see(id)).state).toBe('in_review');
      expect(await fixture.openCases(id)).toEqual([reason]);
      return id;
    }
    const expectReturned = async (id: string, state: string) => {
      expect(await fixture.see(id)).toMatchObject({ state, authorizationVoidedAt: expect.any(Date) });
      expect((await fixture.intent(id)).latest_charge).toMatchObject({ amount_refunded: amount, refunded: true });
    };

    it('is refunded when an admin rejects it, or no decision is made in time', async () => {
      const rejected = await createCharged();
      await fixture.reject(rejected);
      await fixture.run(rejected, 'void');
      await expectReturned(rejected, 'rejected');
      const undecided = await createCharged();
      fixture.now = (await fixture.see(undecided)).captureBefore as Date;
      await expireAuthorization(fixture.context, undecided);
      await fixture.run(undecided, 'void');
      await expectReturned(undecided, 'expired');
    });

    it('is refunded when the sender cancels', async () => {
      const id = await createCharged();
      await fixture.cancel(id);
      await fixture.run(id, 'void');
      await expectReturned(id, 'cancelled');
    });

    it('continues when an admin approves it, or is refunded if the capture was partial', async () => {
      const id = await createCharged();
      await fixture.approve(id);
      await fixture.run(id, 'capture');
      const isWhole = amount === 10_000;
      expect((await fixture.see(id)).state).toBe(isWhole ? 'captured' : 'approved');
      const capture = isWhole ? { status: 'succeeded' } : { lastError: 'held: captured_in_part' };
      expect(await fixture.operations(id, 'capture')).toMatchObject([capture]);
    });

    it('opens a case when the authorization is only found afterwards', async () => {
      const id = await fixture.create({ state: 'held' });
      await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id), { amount_to_capture: amount });
      await syncPayment(fixture.context, id);
      expect((await fixture.see(id)).state).toBe('in_review');
      expect(await fixture.openCases(id)).toEqual([reason]);
    });

    it('is found when the quote expires', async () => {
      const id = await fixture.create({ state: 'held' });
      await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id), { amount_to_capture: amount });
      fixture.later(hourMs);
      await expirePayment(fixture.context, id);
      await fixture.run(id, 'void');
      expect((await fixture.see(id)).state).toBe('in_review');
      expect(await fixture.openCases(id)).toEqual([reason]);
    });
  });
});

describe('a refund in Stripe’s dashboard that is still pending when our refund starts', () => {
  async function createReturning() {
    const id = await payoutFailed();
    fixture.bank.setMode({});
    fixture.stripe.setAccount({ uncoveredRefunds: 'pending' });
    const payment_intent = await fixture.intentId(id);
    const outside = await fixture.stripe.sdk.refunds.create({ payment_intent, amount: 100 });
    await syncPayment(fixture.context, id);
    await fixture.cancel(id);
    // The first attempt finds the amount left.
    await fixture.run(id, 'refund');
    fixture.later(60_000);
    await fixture.run(id, 'refund');
    const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent });
    expect(data.map(({ amount, status }) => [amount, status])).toEqual([
      [9_900, 'pending'],
      [100, 'pending'],
    ]);
    expect((await fixture.see(id)).state).toBe('refunding');
    return { id, outsideId: outside.id };
  }

  it('does not delay ours: we refund the rest of the charge', async () => {
    const { id, outsideId } = await createReturning();
    expect((await fixture.operations(id, 'refund')).at(0)).toMatchObject({ providerReference: outsideId });
    fixture.stripe.setAccount({ uncoveredRefunds: 'none' });
    await syncPayment(fixture.context, id);
    await fixture.expectOutcome(id, 'refunded');
  });

  it('is replaced by another refund when it fails', async () => {
    const { id, outsideId } = await createReturning();
    fixture.stripe.failRefund(outsideId);
    fixture.stripe.setAccount({ uncoveredRefunds: 'none' });
    await syncPayment(fixture.context, id);
    await fixture.run(id, 'refund');
    await fixture.expectOutcome(id, 'refunded');
  });
});
