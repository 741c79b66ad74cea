/** The account's balance: payouts to the merchant's bank, and settlement in one currency. */
import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start();
});
afterAll(() => client.close());
beforeEach(() => client.control('POST', '/reset'));

async function captured(currency: 'eur' | 'usd' = 'eur'): Promise<string> {
  const { id } = await client.pay('pm_card_bypassPending', { currency });
  await client.stripe.paymentIntents.capture(id);
  return id;
}

async function bookedFor(intentId: string): Promise<Stripe.BalanceTransaction> {
  const { data } = await client.stripe.charges.list({ payment_intent: intentId, expand: ['data.balance_transaction'] });
  return data[0]?.balance_transaction as Stripe.BalanceTransaction;
}

const available = async () =>
  (await client.stripe.balance.retrieve()).available.map(({ amount, currency }) => `${amount} ${currency}`);

describe('a payout', () => {
  const payOut = (body: object) => client.control<{ id: string }>('POST', '/stripe/payouts', body);

  test('takes the available balance and arrives', async () => {
    await captured();
    const { id } = await payOut({ currency: 'eur' });
    await client.idle();
    const { data } = await client.stripe.payouts.list({ status: 'paid', expand: ['data.balance_transaction'] });
    expect(data).toMatchObject([
      { id, amount: 9_680, currency: 'eur', balance_transaction: { type: 'payout', net: -9_680, source: id } },
    ]);
    expect(await available()).toEqual(['0 eur']);
    const types = (await client.stripe.events.list({ type: 'payout.*' })).data.map(({ type }) => type);
    expect(types).toEqual(['payout.paid', 'payout.created']);
  });

  test('that the bank returns is in the balance again', async () => {
    await captured();
    const { id } = await payOut({ currency: 'eur', amount: 5_000 });
    await client.idle();
    expect(await available()).toEqual(['4680 eur']);
    await client.control('POST', `/stripe/payouts/${id}/fail`);
    const payout = await client.stripe.payouts.retrieve(id, { expand: ['failure_balance_transaction'] });
    expect(payout).toMatchObject({
      ...{ status: 'failed', failure_code: 'account_closed' },
      failure_balance_transaction: { type: 'payout_failure', amount: 5_000, reporting_category: 'payout_reversal' },
    });
    expect(await available()).toEqual(['9680 eur']);
  });

  test('of more than is available is refused', async () => {
    await captured();
    await expect(payOut({ currency: 'eur', amount: 9_681 })).rejects.toThrow('409');
    await expect(payOut({ currency: 'usd' })).rejects.toThrow('409');
  });
});

describe('an account that is paid in one currency', () => {
  beforeEach(() => client.control('PUT', '/stripe/account', { settlement: { currency: 'usd', rate: 1.15 } }));

  test('gets a charge in another one converted, with the rate, and fees in its own', async () => {
    expect(await bookedFor(await captured('eur'))).toMatchObject({
      ...{ currency: 'usd', amount: 11_500, exchange_rate: 1.15, fee: 364, net: 11_136 },
      fee_details: [{ currency: 'usd', amount: 364 }],
    });
    expect(await available()).toEqual(['11136 usd']);
  });

  test('receives a charge in its own currency unchanged', async () => {
    expect(await bookedFor(await captured('usd'))).toMatchObject({
      currency: 'usd',
      amount: 10_000,
      exchange_rate: null,
    });
  });

  test('has refunds, disputes and the fee for countering them converted too', async () => {
    const [refunded, disputed] = [await captured('eur'), await captured('eur')];
    const refund = await client.stripe.refunds.create({ payment_intent: refunded, expand: ['balance_transaction'] });
    expect(refund).toMatchObject({
      ...{ amount: 10_000, currency: 'eur', balance_transaction: { amount: -11_500, currency: 'usd' } },
    });
    const { id } = await client.control<{ id: string }>('POST', `/stripe/payment_intents/${disputed}/dispute`);
    const evidence = { uncategorized_text: 'winning_evidence' };
    await client.stripe.disputes.update(id, { evidence });
    await client.idle();
    const { amount, currency, balance_transactions } = await client.stripe.disputes.retrieve(id);
    expect({ amount, currency }).toEqual({ amount: 10_000, currency: 'eur' });
    expect(balance_transactions).toMatchObject([
      { amount: -11_500, fee: 1_500, currency: 'usd', exchange_rate: 1.15 },
      { amount: 11_500, currency: 'usd', exchange_rate: 1.15 },
    ]);
    const { data } = await client.stripe.balanceTransactions.list({ source: id, type: 'stripe_fee' });
    expect(data.map((one) => `${one.net} ${one.currency}`)).toEqual(['1725 usd', '-1725 usd']);
  });
});
