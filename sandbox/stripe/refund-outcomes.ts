/** Outcomes of refunds: they succeed at once or later, wait for funds, or fail, even after success. */
import type Stripe from 'stripe';
import { type Call, internalCall, type SandboxContext } from '../context.ts';
import { wrongState } from '../server/errors.ts';
import { type AccountMode, accountMode } from './account-mode.ts';
import { recordMovement } from './balance.ts';
import { emit } from './events.ts';

/** Captured and not yet refunded, in minor units. */
export function refundable(context: SandboxContext, charge: Stripe.Charge): number {
  const row = context.storage.one(
    `SELECT coalesce(sum(json_extract(body, '$.amount')), 0) AS refunded FROM objects
     WHERE kind = 'refund' AND json_extract(body, '$.charge') = ?
     AND json_extract(body, '$.status') NOT IN ('failed', 'canceled')`,
    charge.id,
  );
  return charge.amount_captured - Number(row?.refunded ?? 0);
}

/** Recomputes the charge's refunded totals and stores them. */
export function restate(call: Call, before: Stripe.Charge): Stripe.Charge {
  const left = refundable(call.context, before);
  const charge = { ...before, amount_refunded: before.amount_captured - left, refunded: left === 0 };
  call.context.storage.save('charge', charge);
  return charge;
}

/** Takes a refund's amount out of the balance; returns the balance transaction's id. */
export function recordRefund(call: Call, { id, amount, currency }: Stripe.Refund): string {
  return recordMovement(call, { type: 'refund', amount: -amount, currency, source: id });
}

/** Why a refund stays pending: Stripe is at it, or the balance does not cover it. */
export const PENDING_REASONS = ['processing', 'insufficient_funds'] as const;
export type PendingReason = (typeof PENDING_REASONS)[number];

/** Payments whose refunds stay pending, by their ids. */
const KEPT_PENDING = 'refunds_kept_pending';
const keptByIntent = (context: SandboxContext) =>
  context.storage.setting<Record<string, PendingReason>>(KEPT_PENDING, {});

/** Why refunds of a charge stay pending until something changes; undefined when they do not. */
export function keptPending(context: SandboxContext, charge: Stripe.Charge): PendingReason | undefined {
  const lacksFunds = accountMode(context).uncoveredRefunds === 'pending';
  return keptByIntent(context)[charge.payment_intent as string] ?? (lacksFunds ? 'insufficient_funds' : undefined);
}

/** Rejects a refund if the account rejects refunds that its balance does not cover. */
export function checkFunds(context: SandboxContext): void {
  if (accountMode(context).uncoveredRefunds !== 'refused') return;
  throw wrongState('Insufficient funds in your Stripe account to refund this charge.', 'balance_insufficient');
}

/** From now on refunds of a payment stay pending; or no longer (null), and those that are pending succeed. Must run in a transaction. */
export function keepRefundsPending(call: Call, intentId: string, reason: PendingReason | null): void {
  const { storage } = call.context;
  const { [intentId]: _, ...others } = keptByIntent(call.context);
  storage.setSetting(KEPT_PENDING, reason ? { ...others, [intentId]: reason } : others);
  if (reason) return;
  const { data } = storage.list('refund', { equal: { payment_intent: intentId }, limit: 100 });
  for (const { id, status } of data) if (status === 'pending') finishRefund(call, id);
}

/** Once the balance covers refunds again, those that waited for it succeed. Must run in a transaction. */
export function coverRefunds(context: SandboxContext, { uncoveredRefunds }: AccountMode): void {
  if (uncoveredRefunds === 'pending') return;
  const kept = keptByIntent(context);
  const { data } = context.storage.list('refund', {
    equal: { status: 'pending', pending_reason: 'insufficient_funds' },
    limit: 10_000,
  });
  for (const { id, payment_intent } of data) {
    if (!kept[payment_intent as string]) finishRefund(internalCall(context), id);
  }
}

/** The later result of a refund: a pending one succeeds, one that succeeded fails, as that of a card with `refund: 'fails'`. */
export function finishRefund(call: Call, id: string): void {
  const before = call.context.storage.find('refund', id);
  if (before?.status === 'pending') succeed(call, before);
  else if (before?.status === 'succeeded') failRefund(call, id, 'expired_or_canceled_card');
}

function succeed(call: Call, before: Stripe.Refund): void {
  const { pending_reason: _, ...rest } = before;
  const balance_transaction = before.balance_transaction ?? recordRefund(call, before);
  const refund: Stripe.Refund = { ...rest, balance_transaction, status: 'succeeded' };
  call.context.storage.save('refund', refund);
  emit(call, 'refund.updated', refund, before);
}

/** Fails a pending or succeeded refund and returns its amount to the balance. Does nothing if it has failed already. */
export function failRefund(call: Call, id: string, reason: string): void {
  const { storage } = call.context;
  const before = storage.find('refund', id);
  const charge = before && storage.find('charge', before.charge as string);
  if (!charge || before.status === 'failed') return;
  const { pending_reason: _, ...rest } = before;
  const { amount, currency } = before;
  const refund: Stripe.Refund = { ...rest, status: 'failed', failure_reason: reason };
  if (before.balance_transaction) {
    const movement = { type: 'refund_failure', amount, currency, source: id } as const;
    refund.failure_balance_transaction = recordMovement(call, movement);
  }
  storage.save('refund', refund);
  emit(call, 'refund.failed', refund, before);
  emit(call, 'charge.updated', restate(call, charge), charge);
}
