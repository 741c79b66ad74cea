/** Differences that Stripe's balance transactions get on demand, for tests of what compares them with a product's own books. */
import type Stripe from 'stripe';
import { z } from 'zod';
import { type Call, internalCall, type SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';
import { recordMovement } from './balance.ts';

const of = {
  payment_intent: z.string(),
  /** Which movement of the payment. */
  movement: z.enum(['charge', 'refund', 'refund_failure', 'dispute', 'dispute_reversal']).default('charge'),
};
const minor = z.int().refine((value) => value !== 0, 'must not be zero');

/**
 * Deliberate differences of balance transactions. Apart from a doubled one, the product notices them only if it has not
 * read the transaction yet.
 */
export const stripeDifferenceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('missing'), ...of }),
  z.strictObject({ kind: z.literal('doubled'), ...of }),
  z.strictObject({ kind: z.literal('amount'), ...of, by: minor }),
  z.strictObject({ kind: z.literal('fee'), ...of, by: minor }),
  z.strictObject({ kind: z.literal('day'), ...of, days: z.int().min(-30).max(30) }),
  z.strictObject({ kind: z.literal('currency'), ...of, currency: z.enum(['eur', 'usd']) }),
  /** A movement of the payment's whole amount that nothing at Stripe brought, listed as one of its charge. */
  z.strictObject({
    ...{ kind: z.literal('unbooked'), payment_intent: z.string() },
    movement: z.enum(['charge', 'refund', 'dispute']),
  }),
  /** A fee of the account, such as that of a month of Radar; in minor units. */
  z.strictObject({ kind: z.literal('stripe_fee'), amount: z.int().min(1), currency: z.enum(['eur', 'usd']) }),
  /** A movement that belongs to no payment. */
  z.strictObject({ kind: z.literal('extra'), amount: minor, currency: z.enum(['eur', 'usd']) }),
]);
export type StripeDifference = z.infer<typeof stripeDifferenceSchema>;

/** Must run in a transaction. Returns the balance transaction that was changed or removed, or undefined. */
export function addStripeDifference(
  context: SandboxContext,
  difference: StripeDifference,
): Stripe.BalanceTransaction | undefined {
  const { storage } = context;
  const call = internalCall(context);
  if (difference.kind === 'stripe_fee' || difference.kind === 'extra') return addOfAccount(call, difference);
  if (difference.kind === 'unbooked') return addUnbooked(call, difference);
  const before = findMovement(context, difference.payment_intent, difference.movement);
  if (!before) return undefined;
  if (difference.kind === 'missing') {
    storage.remove('balance_transaction', before.id);
    return before;
  }
  const after = changed(before, difference);
  if (difference.kind !== 'doubled') storage.remove('balance_transaction', before.id);
  storage.insert('balance_transaction', after, {});
  return after;
}

function changed(
  before: Stripe.BalanceTransaction,
  difference: Exclude<StripeDifference, { kind: 'missing' | 'unbooked' | 'stripe_fee' | 'extra' }>,
): Stripe.BalanceTransaction {
  switch (difference.kind) {
    case 'doubled':
      return { ...before, id: newId('txn_3') };
    case 'amount':
      return { ...before, amount: before.amount + difference.by, net: before.net + difference.by };
    case 'fee': {
      const fee_details = before.fee_details.map((one) => ({ ...one, amount: one.amount + difference.by }));
      return { ...before, fee: before.fee + difference.by, net: before.net - difference.by, fee_details };
    }
    case 'day': {
      const seconds = difference.days * 86_400;
      return { ...before, created: before.created + seconds, available_on: before.available_on + seconds };
    }
    case 'currency':
      return { ...before, currency: difference.currency };
  }
}

function addOfAccount(
  call: Call,
  { kind, amount, currency }: Extract<StripeDifference, { kind: 'stripe_fee' | 'extra' }>,
): Stripe.BalanceTransaction {
  const signed = kind === 'stripe_fee' ? -amount : amount;
  const id = recordMovement(call, {
    type: kind === 'stripe_fee' ? 'stripe_fee' : 'adjustment',
    amount: signed,
    currency,
    source: null,
  });
  return call.context.storage.find('balance_transaction', id) as Stripe.BalanceTransaction;
}

function addUnbooked(
  call: Call,
  { payment_intent: id, movement: type }: Extract<StripeDifference, { kind: 'unbooked' }>,
): Stripe.BalanceTransaction | undefined {
  const { storage } = call.context;
  const intent = storage.find('payment_intent', id);
  if (!intent?.latest_charge) return undefined;
  const { amount, currency, latest_charge: charge } = intent;
  const signed = type === 'charge' ? amount : -amount;
  const transaction = recordMovement(call, { type, amount: signed, currency, source: charge as string });
  return storage.find('balance_transaction', transaction);
}

function findMovement(
  context: SandboxContext,
  intentId: string,
  movement: string,
): Stripe.BalanceTransaction | undefined {
  const { storage } = context;
  const charge = storage.list('charge', { equal: { payment_intent: intentId }, limit: 10 }).data.map(({ id }) => id);
  const refunds = storage.list('refund', { equal: { payment_intent: intentId }, limit: 100 }).data.map(({ id }) => id);
  const disputes = storage
    .list('dispute', { equal: { payment_intent: intentId }, limit: 100 })
    .data.map(({ id }) => id);
  for (const source of [...charge, ...refunds, ...disputes]) {
    const found = storage.list('balance_transaction', { equal: { source, reporting_category: movement }, limit: 1 })
      .data[0];
    if (found) return found;
  }
  return undefined;
}
