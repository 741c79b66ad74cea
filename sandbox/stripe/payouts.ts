/** Payouts of the available balance to the merchant's bank, which may be returned. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call } from '../context.ts';
import { newId } from '../ids.ts';
import { missingObject, wrongState } from '../server/errors.ts';
import { expand, oneOf, pages, timeRange } from '../server/parameters.ts';
import { recordMovement, retrieveBalance } from './balance.ts';
import { emit } from './events.ts';
import { type Page, pageOf } from './lists.ts';

/** Pays out the available balance of a currency, or a part of it in minor units. It arrives after `asyncDelayMs`. */
export function payOut(call: Call, currency: string, amount?: number): Stripe.Payout {
  const { clock, storage, tasks, asyncDelayMs } = call.context;
  const available = retrieveBalance(call).available.find((one) => one.currency === currency)?.amount ?? 0;
  const paid = amount ?? available;
  if (paid < 1 || paid > available) {
    throw wrongState(
      `You have insufficient funds in your Stripe account: ${available} available.`,
      'balance_insufficient',
    );
  }
  const id = newId('po_1');
  const created = clock.seconds();
  const payout: Stripe.Payout = {
    id,
    object: 'payout',
    amount: paid,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: created,
    automatic: true,
    balance_transaction: recordMovement(call, {
      type: 'payout',
      amount: -paid,
      currency,
      source: id,
      availableAtOnce: true,
    }),
    created,
    currency,
    description: 'STRIPE PAYOUT',
    destination: 'ba_1Sandbox',
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
  };
  storage.insert('payout', payout, {});
  emit(call, 'payout.created', payout);
  tasks.add('arrive_payout', id, clock.millis() + asyncDelayMs);
  return payout;
}

/** A payout under way arrives. */
export function arrivePayout(call: Call, id: string): void {
  const before = call.context.storage.find('payout', id);
  if (before?.status !== 'in_transit') return;
  const after = { ...before, status: 'paid' };
  call.context.storage.save('payout', after);
  emit(call, 'payout.paid', after, before);
}

/** The bank returns a payout, also one that arrived; its amount is in the balance again. Does nothing to one that failed. */
export function failPayout(call: Call, id: string): void {
  const before = call.context.storage.find('payout', id);
  if (!before || before.status === 'failed') return;
  const { amount, currency } = before;
  const movement = { type: 'payout_failure', amount, currency, source: id, availableAtOnce: true } as const;
  const after: Stripe.Payout = {
    ...before,
    status: 'failed',
    failure_balance_transaction: recordMovement(call, movement),
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
  };
  call.context.storage.save('payout', after);
  emit(call, 'payout.failed', after, before);
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrievePayout(call: Call, id: string): Stripe.Payout {
  const payout = call.context.storage.find('payout', id);
  if (!payout) throw missingObject('payout', id);
  return payout;
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  arrival_date: timeRange.optional(),
  created: timeRange.optional(),
  status: oneOf(['pending', 'paid', 'failed', 'canceled', 'in_transit']).optional(),
});

export function listPayouts(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.Payout> {
  return pageOf(call.context, 'payout', '/v1/payouts', input, { equal: { status: input.status } });
}
