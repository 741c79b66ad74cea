/** The account's balance and balance transactions, from captures, refunds and disputes. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';
import { missingObject } from '../server/errors.ts';
import { expand, pages, text, timeRange } from '../server/parameters.ts';
import { accountMode } from './account-mode.ts';
import { type Page, pageOf } from './lists.ts';

const DAY_SECONDS = 86_400;
const AVAILABLE_AFTER_DAYS = 2;

/** Stripe's list price for cards: 2.9 % and 30 minor units. */
function feeOf(amount: number): number {
  return Math.round((amount * 29) / 1000) + 30;
}

type MovementType =
  | ('charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal')
  | ('stripe_fee' | 'adjustment' | 'payout' | 'payout_failure');

interface Movement {
  type: MovementType;
  /** Minor units; negative reduces the balance. */
  amount: number;
  currency: string;
  /** Null: it belongs to the account itself. */
  source: string | null;
  availableAtOnce?: boolean;
  /** What Stripe takes for it, in minor units; its list price unless given. */
  fee?: number;
  description?: string;
}

/** What a chargeback costs besides its amount, in minor units; a won one does not return it. */
const DISPUTE_FEE = 1500;

const descriptions: Partial<Record<MovementType, string>> = {
  refund: 'REFUND FOR CHARGE',
  dispute: 'Chargeback withdrawal',
  dispute_reversal: 'Chargeback reversal',
  stripe_fee: 'Radar for Fraud Teams',
  adjustment: 'Balance adjustment',
  payout: 'STRIPE PAYOUT',
  payout_failure: 'STRIPE PAYOUT FAILURE',
};
/** Where it is not the type of the movement. */
const reportingCategories: Partial<Record<MovementType, string>> = {
  stripe_fee: 'fee',
  adjustment: 'other_adjustment',
  payout_failure: 'payout_reversal',
};
const feeNames: Partial<Record<MovementType, string>> = {
  charge: 'Stripe processing fees',
  dispute: 'Dispute fee',
};

/** A refund does not return the fee. */
function listPriceOf(type: MovementType, amount: number): number {
  if (type === 'charge') return feeOf(amount);
  return type === 'dispute' ? DISPUTE_FEE : 0;
}

/** An amount in the currency that the account is paid in. */
function settled(
  context: SandboxContext,
  { amount, currency }: Movement,
): Pick<Stripe.BalanceTransaction, 'amount' | 'currency' | 'exchange_rate'> {
  const { settlement } = accountMode(context);
  if (!settlement || settlement.currency === currency) return { amount, currency, exchange_rate: null };
  const { currency: paid, rate } = settlement;
  return { amount: Math.round(amount * rate), currency: paid, exchange_rate: rate };
}

/** Books a movement of the balance; returns the balance transaction's id. */
export function recordMovement(call: Call, movement: Movement): string {
  const { clock, storage } = call.context;
  const created = clock.seconds();
  const { amount, currency, exchange_rate } = settled(call.context, movement);
  const fee = movement.fee ?? listPriceOf(movement.type, amount);
  const isDispute = movement.type === 'dispute' || movement.type === 'dispute_reversal';
  const wait = movement.availableAtOnce ? 0 : AVAILABLE_AFTER_DAYS * DAY_SECONDS;
  const transaction: Stripe.BalanceTransaction = {
    id: newId('txn_3'),
    object: 'balance_transaction',
    amount,
    available_on: created + wait,
    balance_type: 'payments',
    created,
    currency,
    description: movement.description ?? descriptions[movement.type] ?? null,
    exchange_rate,
    fee,
    fee_details:
      fee > 0
        ? [{ amount: fee, application: null, currency, description: feeNames[movement.type], type: 'stripe_fee' }]
        : [],
    net: amount - fee,
    reporting_category: reportingCategories[movement.type] ?? movement.type,
    source: movement.source,
    status: 'pending',
    type: isDispute ? 'adjustment' : movement.type,
  } as Stripe.BalanceTransaction;
  storage.insert('balance_transaction', transaction, {});
  return transaction.id;
}

/** The transaction with its status at the current time. */
function asOfNow(context: SandboxContext, transaction: Stripe.BalanceTransaction): Stripe.BalanceTransaction {
  return { ...transaction, status: transaction.available_on <= context.clock.seconds() ? 'available' : 'pending' };
}

export function findTransaction(context: SandboxContext, id: string): Stripe.BalanceTransaction | undefined {
  const transaction = context.storage.find('balance_transaction', id);
  return transaction && asOfNow(context, transaction);
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrieveTransaction(call: Call, id: string): Stripe.BalanceTransaction {
  const transaction = findTransaction(call.context, id);
  if (!transaction) throw missingObject('balance transaction', id);
  return transaction;
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  created: timeRange.optional(),
  currency: text(3).optional(),
  source: text().optional(),
  type: text().optional(),
});

export function listTransactions(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.BalanceTransaction> {
  const page = pageOf(call.context, 'balance_transaction', '/v1/balance_transactions', input, {
    equal: { currency: input.currency, source: input.source, type: input.type },
  });
  return { ...page, data: page.data.map((transaction) => asOfNow(call.context, transaction)) };
}

export const balanceParameters = z.strictObject({ ...expand });

export function retrieveBalance(call: Call): Stripe.Balance {
  const rows = call.context.storage.all(
    `SELECT json_extract(body, '$.currency') AS currency, json_extract(body, '$.available_on') <= ? AS available,
     sum(json_extract(body, '$.net')) AS amount FROM objects WHERE kind = 'balance_transaction'
     GROUP BY 1, 2 ORDER BY 1`,
    call.context.clock.seconds(),
  );
  const currencies = [...new Set(rows.map(({ currency }) => String(currency)))];
  const sums = (available: number) =>
    (currencies.length > 0 ? currencies : ['eur']).map((currency) => {
      const row = rows.find((one) => one.currency === currency && Number(one.available) === available);
      const amount = Number(row?.amount ?? 0);
      return { amount, currency, source_types: { card: amount } };
    });
  return { object: 'balance', available: sums(1), livemode: false, pending: sums(0) };
}
