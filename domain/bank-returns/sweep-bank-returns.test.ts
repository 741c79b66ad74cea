import { afterEach, describe, expect, it } from 'vitest';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { Email } from '../emails/email.entity.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { BankReturn } from '../payouts/bank-return.entity.ts';
import { cancelTransfer } from '../payouts/cancel.ts';
import { BookException } from '../reconciliation/book-exception.entity.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { sweepBankReturns } from './sweep-bank-returns.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;
afterEach(() => {
  fixture.bank.clearFaults();
  fixture.bank.setMode({});
});

/** Admins who receive e-mails. */
const admins = 2;

const raised = (returnId: string) =>
  fixture.database.fork().find(BookException, { key: { $like: `return_unknown: return ${returnId}:%` } });
const writtenAbout = (returnId: string) =>
  fixture.database.fork().count(Email, { key: { $like: `book_exceptions-return-${returnId}-%` } });

const sweep = () => sweepBankReturns(fixture.context);
const returnsOf = (externalId: string) => fixture.database.fork().find(BankReturn, { externalId });

/** A completed transfer of 100 EUR, paid out as 1,291.17 Bs. */
async function createCompleted(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  await fixture.run(id, 'payout');
  expect((await fixture.see(id)).state).toBe('completed');
  return id;
}

const paidOut = {
  'bank BOB': '129117',
  'card_processor EUR': '-10000',
  'exchange BOB': '-129117',
  'exchange EUR': '9650',
  'fee_income EUR': '350',
};
const { 'bank BOB': _, ...charged } = { ...paidOut, 'payout_due BOB': '129117' };

describe('a payment that the bank returns', () => {
  it('reopens the completed transfer with a case, and the books owe the payout again', async () => {
    const id = await createCompleted();
    expect(await fixture.balances(id)).toEqual(paidOut);
    fixture.bank.returnPayout(id);
    await sweep();
    expect(await fixture.see(id)).toMatchObject({
      state: 'payout_failed',
      reason: 'El banco devolvió el pago: La cuenta de destino está cerrada.',
    });
    expect(await fixture.operations(id, 'payout')).toMatchObject([
      { status: 'failed', amountMinor: 129_117n, returnedMinor: 129_117n },
    ]);
    expect(await fixture.openCases(id)).toEqual(['payout_returned']);
    expect(await fixture.balances(id)).toEqual(charged);
  });

  it('is applied once, however many sweeps see it', async () => {
    const id = await createCompleted();
    fixture.bank.returnPayout(id);
    await Promise.all([sweep(), sweep(), sweep()]);
    await sweep();
    expect(await returnsOf(id)).toHaveLength(1);
    expect((await fixture.steps(id)).filter((step) => step === 'return_payout')).toHaveLength(1);
  });

  it('is paid again to the corrected account, and its case closes', async () => {
    const id = await createCompleted();
    fixture.bank.returnPayout(id);
    await sweep();
    await fixture.database.transaction((em) => moveTransfer(em, id, 'pay_again', { at: fixture.now }));
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }]);
    expect(await fixture.balances(id)).toEqual(paidOut);
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('can be returned again after it was paid to the corrected account', async () => {
    const id = await createCompleted();
    fixture.bank.returnPayout(id);
    await sweep();
    await fixture.database.transaction((em) => moveTransfer(em, id, 'pay_again', { at: fixture.now }));
    await fixture.run(id, 'payout');
    fixture.bank.returnPayout(`${id}-2`);
    await sweep();
    expect((await fixture.see(id)).state).toBe('payout_failed');
    expect(await fixture.balances(id)).toEqual(charged);
  });

  it('is refunded to the card if its sender prefers that, and nothing is left in the books', async () => {
    const id = await createCompleted();
    fixture.bank.returnPayout(id);
    await sweep();
    const { userId } = await fixture.see(id);
    await fixture.database.transaction((em) => cancelTransfer(em, id, { senderId: userId, at: fixture.now }));
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect((await fixture.intent(id)).latest_charge?.amount_refunded).toBe(10_000);
    expect(await fixture.balances(id)).toEqual({});
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('leaves the transfer completed when only a part is returned, with a case and that part owed in the books', async () => {
    const id = await createCompleted();
    fixture.bank.returnPayout(id, { amount: '1000.00', code: 'over_limit', message: 'Supera el límite.' });
    await sweep();
    const after = await fixture.see(id);
    expect(after.state).toBe('completed');
    // The sender's screen only applies views with a newer version.
    expect(await toTransferView(fixture.database.fork(), after, fixture.now)).toMatchObject({
      payoutReturned: '1000.00',
    });
    expect((await fixture.steps(id)).at(-1)).toBe('count_bank_returns');
    expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'succeeded', returnedMinor: 100_000n }]);
    expect(await fixture.openCases(id)).toEqual(['payout_returned_in_part']);
    expect(await fixture.balances(id)).toEqual({ ...paidOut, 'bank BOB': '29117', 'payout_due BOB': '100000' });
  });

  it('reopens the transfer once its parts add up to the full payment', async () => {
    const id = await createCompleted();
    fixture.bank.returnPayout(id, { amount: '1000.00' });
    fixture.bank.returnPayout(id, { amount: '200.00' });
    fixture.bank.returnPayout(id, { amount: '91.17' });
    await sweep();
    expect(await fixture.see(id)).toMatchObject({ state: 'payout_failed', payoutReturnedMinor: 0n });
    expect(await fixture.openCases(id)).toEqual(['payout_returned']);
    expect(await fixture.balances(id)).toEqual(charged);
  });

  it('is recognized even if the bank’s answer to the payout was lost', async () => {
    const whole = await fixture.create({ state: 'captured' });
    const part = await fixture.create({ state: 'captured' });
    for (const id of [whole, part]) {
      fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/' });
      await fixture.run(id, 'payout');
    }
    fixture.bank.returnPayout(whole);
    fixture.bank.returnPayout(part, { amount: '91.17' });
    await sweep();
    expect((await fixture.see(whole)).state).toBe('payout_failed');
    expect(await fixture.balances(whole)).toEqual(charged);
    const { state, payoutReference } = await fixture.see(part);
    expect({ state, payoutReference }).toEqual({
      state: 'completed',
      payoutReference: fixture.payouts(part)[0]?.reference,
    });
    expect(await fixture.openCases(part)).toEqual(['payout_returned_in_part']);
    expect(await fixture.balances(part)).toEqual({ ...paidOut, 'bank BOB': '120000', 'payout_due BOB': '9117' });
  });

  it('of an unknown payout is recorded and does not block later returns', async () => {
    const id = await createCompleted();
    const foreign = 'foreign-1';
    const { beneficiary } = { beneficiary: { name: 'Rosa', ci: '1', bankName: 'BNB', bankAccount: '2' } };
    await fetch(`${fixture.bank.env.BANK_API_URL}/v1/payouts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${fixture.bank.env.BANK_API_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': foreign,
      },
      body: JSON.stringify({ externalId: foreign, amount: '10.00', currency: 'BOB', beneficiary }),
    });
    const { id: returnId } = fixture.bank.returnPayout(foreign);
    fixture.bank.returnPayout(id);
    await sweep();
    expect(await returnsOf(foreign)).toMatchObject([{ operationId: null, problem: null }]);
    expect((await fixture.see(id)).state).toBe('payout_failed');
    const found = { cause: 'return_unknown', reference: foreign, actualMinor: 1_000n, differenceMinor: 0n };
    expect(await raised(returnId)).toMatchObject([{ ...found, status: 'open', transferId: null }]);
    expect(await writtenAbout(returnId)).toBe(admins);
  });

  it('is read page by page', async () => {
    const id = await createCompleted();
    for (let count = 0; count < 101; count += 1) fixture.bank.returnPayout(id, { amount: '0.01' });
    await sweep();
    expect(await returnsOf(id)).toHaveLength(101);
    expect(await fixture.operations(id, 'payout')).toMatchObject([{ returnedMinor: 101n }]);
  });

  it('of a transfer refunded in Stripe’s dashboard ends it as refunded: nothing is owed', async () => {
    const id = await createCompleted();
    await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id) });
    await syncPayment(fixture.context, id);
    fixture.bank.returnPayout(id);
    await sweep();
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.balances(id)).toEqual({});
  });

  it('of a transfer partly refunded in Stripe’s dashboard allows a refund of the rest only', async () => {
    const id = await createCompleted();
    await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 500 });
    await syncPayment(fixture.context, id);
    fixture.bank.returnPayout(id);
    await sweep();
    await fixture.cancel(id);
    await fixture.run(id, 'refund');
    fixture.now = new Date(fixture.now.getTime() + 2_000);
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.balances(id)).toEqual({});
  });
});
