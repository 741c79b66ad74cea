import { randomUUID } from 'node:crypto';
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import type { JobName } from '#core/contracts/jobs';
import { hourMs } from '#core/time/time';
import { type Cancellation, cancellation } from '#core/transfers/cancellation';
import type { Quote } from '#core/transfers/quote';
import { type Move, type MoveName, transferMoves } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { addJob, addPush } from '#platform/outbox/outbox';
import { type Entry, post } from './ledger.repository.ts';
import { type PayoutTarget, Transfer, TransferStep } from './transfer.entity.ts';

/** Margin before Stripe's deadline at which an undecided hold is let go, never captured (design: 2 hours). */
export const holdMarginMs = 2 * hourMs;

/** What a move brings with it, in the same transaction. A move that needs nothing more than its history is not listed. */
const consequences: Partial<Record<MoveName, { jobs?: readonly TransferJob[]; entry?: Entry }>> = {
  withdraw: { jobs: ['release-hold'] },
  approve: { jobs: ['capture-payment'] },
  reject: { jobs: ['release-hold'] },
  release_hold: { jobs: ['release-hold'] },
  lose_hold: { jobs: ['release-hold'] },
  cancel_hold: { jobs: ['release-hold'] },
  cancel_charge: { jobs: ['refund-payment'] },
  fail_capture: { jobs: ['release-hold'] },
  capture: { entry: 'charge', jobs: ['pay-out'] },
  pay_out: { entry: 'payout' },
  return: { jobs: ['refund-payment'] },
  refund: { entry: 'refund' },
};

/** What else must be true of a transfer for a move to be made. */
const conditions: Partial<Record<MoveName, FilterQuery<Transfer>>> = {
  cancel_hold: { cancelRequestedAt: { $ne: null } },
  cancel_charge: { cancelRequestedAt: { $ne: null } },
  pay_out: { cancelRequestedAt: null },
};

/** Jobs whose data is one transfer's id. */
export type TransferJob = Exclude<JobName, 'handle-stripe-event' | `sweep-${string}`>;

/** Columns a move may fill in besides state and version. */
export type MoveChanges = Partial<
  Pick<
    Transfer,
    'cardBrand' | 'cardLast4' | 'paidAt' | 'captureBefore' | 'decidedAt' | 'decidedById' | 'reason' | 'payoutReference'
  >
>;

/** Opens a transfer with its frozen quote, and asks for its expiry. The recipient's data are copied. */
export function openTransfer(
  em: EntityManager,
  input: {
    userId: string;
    quote: Quote;
    usdMinor: bigint;
    recipient: { id: string; target: PayoutTarget } | null;
    quoteExpiresAt: Date;
    estimatedDelivery: Date;
    at: Date;
  },
): Transfer {
  const { quote, at } = input;
  const transfer = em.create(Transfer, {
    id: randomUUID(),
    userId: input.userId,
    state: 'awaiting_payment',
    version: 1,
    ...quote,
    usdMinor: input.usdMinor,
    recipientId: input.recipient?.id ?? null,
    payoutTarget: input.recipient?.target ?? null,
    quoteExpiresAt: input.quoteExpiresAt,
    estimatedDelivery: input.estimatedDelivery,
    createdAt: at,
    changedAt: at,
  });
  em.persist(transfer);
  addStep(em, transfer, null, 'sender', input.userId, at);
  addJob(em, 'expire-payment', { transferId: transfer.id }, { runAt: input.quoteExpiresAt });
  return transfer;
}

/**
 * Makes one move: a guarded update, the history row, the ledger entry and the outbox rows, all in the transaction of `em`.
 * Returns the moved transfer, or null when it was not in a state the move starts from (somebody else was first, or it is
 * not due), or when an admin would decide about a transfer of their own: nothing is written then, and the caller reads the
 * truth again.
 */
export async function moveTransfer(
  em: EntityManager,
  transferId: string,
  name: MoveName,
  options: { at: Date; changes?: MoveChanges; actorId?: string },
): Promise<Transfer | null> {
  const move: Move = transferMoves[name];
  const { at, changes = {} } = options;
  // The row lock makes the guard and the version one step: a second mover waits here and then finds another state.
  const notOwn = move.owner === 'admin' && options.actorId ? { userId: { $ne: options.actorId } } : {};
  const before = await em.findOne(
    Transfer,
    { $and: [{ id: transferId, state: { $in: [...move.from] } }, notOwn, conditions[name] ?? {}] },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (!before) return null;
  const moved = await em.nativeUpdate(
    Transfer,
    { id: transferId, state: { $in: [...move.from] }, version: before.version, ...notOwn },
    { ...changes, state: move.to, version: before.version + 1, changedAt: at },
  );
  if (moved !== 1) return null;
  const transfer = await em.findOneOrFail(Transfer, { id: transferId }, { refresh: true });
  addStep(em, transfer, name, move.owner, options.actorId ?? null, at);
  const ofTransfer = { transferId: transfer.id };
  const { entry, jobs = [] } = consequences[name] ?? {};
  if (entry) post(em, transfer, entry, at);
  for (const job of jobs) addJob(em, job, ofTransfer);
  if (name === 'hold' && transfer.captureBefore) {
    addJob(em, 'expire-hold', ofTransfer, { runAt: new Date(transfer.captureBefore.getTime() - holdMarginMs) });
  }
  addPush(em, 'transfer-changed', ofTransfer);
  await em.flush();
  return transfer;
}

/** Steps of the history that leave the state as it was: a recipient chosen after paying, a cancellation, a payout begun. */
export const stepsWithinState = ['choose_recipient', 'request_cancel', 'start_payout'] as const;

/**
 * Gives a transfer that was opened without a recipient the one its sender chose, in the transaction of `em`. Once: a
 * recipient that is there is never replaced. Returns null, with nothing written, when it has one or is neither unpaid nor
 * waiting for a decision.
 */
export async function chooseRecipient(
  em: EntityManager,
  transferId: string,
  input: { recipient: { id: string; target: PayoutTarget }; estimatedDelivery: Date; senderId: string; at: Date },
): Promise<Transfer | null> {
  const { recipient, estimatedDelivery, senderId, at } = input;
  const open = { id: transferId, recipientId: null, state: { $in: ['awaiting_payment', 'in_review'] } } as const;
  const before = await em.findOne(Transfer, open, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!before) return null;
  const version = before.version + 1;
  const chosen = { recipientId: recipient.id, payoutTarget: recipient.target, estimatedDelivery };
  const changed = await em.nativeUpdate(
    Transfer,
    { ...open, version: before.version },
    { ...chosen, version, changedAt: at },
  );
  if (changed !== 1) return null;
  const transfer = await em.findOneOrFail(Transfer, { id: transferId }, { refresh: true });
  addStep(em, transfer, 'choose_recipient', 'sender', senderId, at);
  addPush(em, 'transfer-changed', { transferId });
  await em.flush();
  return transfer;
}

/**
 * A sender cancels, in the transaction of `em`. Before the decision the transfer ends here; after it the wish is written
 * down and the worker undoes the transfer. Wish and payout exclude each other: both are written under the row's lock, each
 * only while the other is not there. Returns what it came to and the transfer as it is now.
 */
export async function cancelTransfer(
  em: EntityManager,
  transferId: string,
  input: { senderId: string; at: Date },
): Promise<{ outcome: Cancellation; transfer: Transfer }> {
  const { senderId, at } = input;
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const transfer = await em.findOneOrFail(Transfer, { id: transferId }, lock);
  const outcome = cancellation(transfer, at);
  if (outcome.kind === 'withdraw') {
    const moved = await moveTransfer(em, transferId, 'withdraw', { at, actorId: senderId });
    return { outcome, transfer: moved ?? transfer };
  }
  if (outcome.kind !== 'request') return { outcome, transfer };
  const asked = await noteWithinState(em, transfer, { cancelRequestedAt: at }, at);
  addStep(em, asked, 'request_cancel', 'sender', senderId, at);
  addJob(em, 'cancel-transfer', { transferId });
  await em.flush();
  return { outcome, transfer: asked };
}

/**
 * Takes a charged transfer for its payout, in the transaction of `em`, before the first word to the bank. Returns null when
 * it is not to be paid: its sender cancelled, or it is past this state. Taking it again, after a crash, gives it again.
 */
export async function claimPayout(em: EntityManager, transferId: string, at: Date): Promise<Transfer | null> {
  const payable = { id: transferId, state: 'captured', cancelRequestedAt: null } as const;
  const transfer = await em.findOne(Transfer, payable, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!transfer || transfer.payoutStartedAt) return transfer;
  const claimed = await noteWithinState(em, transfer, { payoutStartedAt: at }, at);
  addStep(em, claimed, 'start_payout', 'payouts', null, at);
  await em.flush();
  return claimed;
}

/** Fills in a column of a transfer whose row is locked, with its new version and push. */
async function noteWithinState(
  em: EntityManager,
  { id, version }: Transfer,
  noted: Partial<Pick<Transfer, 'cancelRequestedAt' | 'payoutStartedAt'>>,
  at: Date,
): Promise<Transfer> {
  await em.nativeUpdate(Transfer, { id, version }, { ...noted, version: version + 1, changedAt: at });
  addPush(em, 'transfer-changed', { transferId: id });
  return em.findOneOrFail(Transfer, { id }, { refresh: true });
}

/** Remembers the payment intent made for a transfer. Running it again with the same one changes nothing. */
export async function attachPaymentIntent(
  em: EntityManager,
  transferId: string,
  paymentIntentId: string,
): Promise<void> {
  await em.nativeUpdate(Transfer, { id: transferId, paymentIntentId: null }, { paymentIntentId });
}

/** Remembers that Stripe no longer holds anything for a transfer that is not going on. */
export async function markHoldReleased(em: EntityManager, transferId: string, at: Date): Promise<void> {
  await em.nativeUpdate(Transfer, { id: transferId, holdReleasedAt: null }, { holdReleasedAt: at });
}

function addStep(
  em: EntityManager,
  transfer: Transfer,
  move: MoveName | (typeof stepsWithinState)[number] | null,
  owner: Move['owner'],
  actorId: string | null,
  at: Date,
): void {
  const { id: transferId, version, state } = transfer;
  em.persist(em.create(TransferStep, { transferId, version, state, move, owner, actorId, at }));
}
