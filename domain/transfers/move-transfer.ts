import type { StepEmail } from '#core/notifications/step-email';
import { payoutMethodOf } from '#core/recipients/banks';
import type { BetterTerms } from '#core/transfers/better-rate';
import { estimateDelivery } from '#core/transfers/delivery';
import { type Move, type MoveName, transferMoves } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import type { PayoutTarget } from '../personal-data/payout-target.ts';
import { postCharge, postRewind, postUnwind } from './ledger.repository.ts';
import { type TransferStep, tellSubscribers } from './steps.ts';
import { addStep, changeGuarded, lockTransfer, type Transfer, type TransferChanges } from './transfer.repository.ts';

/*
 * The life of a transfer. States and moves are a table in core/transfers/states.ts; every change is made here, each
 * with its history row, ledger entry, jobs, push and e-mail in one transaction. Who makes the moves, in the order of a transfer's life:
 *
 *   payments/create-payment.ts         opens it with a frozen quote and prepares the card payment   awaiting_payment
 *   payments/sync-payment.ts           reads the payment from Stripe: it is authorized              in_review
 *   review/decide.ts                   an admin approves or rejects                                 approved, rejected
 *   payments/capture.ts                charges the card                                             captured
 *   payouts/pay-out.ts                 the bank pays out, or rejects                                completed, payout_failed
 *   payments/refund.ts                 refunds a charge                                             refunded
 *   payouts/cancel.ts                  the sender cancels                                           cancelled, refunding
 *   payments/expire.ts                 not paid, or not decided, in time                            expired
 *   payments/stop-declined.ts          too many declined cards                                      expired
 *   payments/void-authorization.ts     voids authorizations of transfers that ended uncharged
 *   corrections/second-payout.ts           pays out a second time, to resolve a complaint               completed, as before
 *   corrections/rest.ts                    counts payouts and refunds of a partial return               completed, as before
 *   desk-actions/carry-out-action.ts     an admin refunds the sender                                  refunding, rejected
 *   desk-actions/book-settlement.ts      an admin paid by other means                                 completed
 *   payouts/correct-account.ts       the sender corrects the account                              captured
 *   payouts/expire-corrections.ts    the account was not corrected in time                        refunding
 *   row-jobs/run-operation.ts        attempts the effects on card and bank that moves open
 *   payments/sweep-transfers.ts, row-jobs/lost-jobs.ts   requeue lost jobs
 */

/** Stored reason of a transfer that its sender cancelled after the approval. */
export const cancelledBySender = 'El remitente lo canceló';

/** Consequences of a move that are not in the table of states. Moves without any are not listed. */
interface MoveRule {
  /** Whether the sender must have requested a cancellation, or must not. */
  readonly cancelRequested?: boolean;
  /** Its ledger entry, besides that of a payout. */
  readonly entry?: 'charge' | 'unwind' | 'rewind';
  /** The e-mail to its sender. */
  readonly email?: StepEmail;
}

const rules: Partial<Record<MoveName, MoveRule>> = {
  hold: { email: 'transfer_held' },
  refuse_over_limit: { email: 'transfer_ended' },
  refuse_repeated: { email: 'transfer_ended' },
  withdraw: { email: 'transfer_cancelled' },
  approve: { email: 'transfer_approved' },
  reject: { email: 'transfer_rejected' },
  expire_authorization: { email: 'transfer_ended' },
  lose_authorization: { email: 'transfer_ended' },
  cancel_authorization: { cancelRequested: true, email: 'transfer_cancelled' },
  revoke_approval: { email: 'transfer_rejected' },
  fail_capture: { email: 'transfer_ended' },
  capture: { entry: 'charge' },
  // Also after a cancellation request, which the bank's confirmation shows came too late.
  pay_out: { email: 'transfer_paid' },
  pay_by_hand: { cancelRequested: false, email: 'transfer_paid' },
  book_hand_payout: { entry: 'rewind', email: 'transfer_paid' },
  cancel_charge: { cancelRequested: true, entry: 'unwind' },
  give_up_payout: { entry: 'unwind' },
  ask_money_back: { entry: 'unwind' },
  expire_correction: { entry: 'unwind' },
  refund: { email: 'transfer_refunded' },
  refund_outside: { entry: 'unwind' },
};

/** Moves that restart the delivery estimate. */
const renewingDelivery: readonly MoveName[] = ['hold', 'approve'];

/** Steps of the history that do not change the state. */
export const stepsWithinState = [
  'attach_intent',
  'assign_recipient',
  'request_cancel',
  'start_payout',
  'void_authorization',
  'lose_void',
  'correct_account',
  'warn_of_fraud',
  'note_card_risk',
  'count_refunds',
  'fail_refund',
  'count_bank_returns',
  'pay_second_time',
  'take_second_back',
  'order_rest',
  'count_rest',
  'keep_rest',
  'confirm_received',
  'ask_sender',
  'answer_question',
  'reserve_settlement',
  'free_settlement',
] as const;

/** Steps within a state that are not shown among its moves: all but the second payout. */
export const unshownSteps = stepsWithinState.filter((name) => name !== 'pay_second_time');

/** Columns a move may fill in besides state and version. */
export type MoveChanges = Pick<
  TransferChanges,
  | 'cardBrand'
  | 'cardLast4'
  | 'cardCountry'
  | 'cardFingerprint'
  | 'cardRisk'
  | 'paidAt'
  | 'captureBefore'
  | 'decidedAt'
  | 'decidedById'
  | 'reason'
  | 'rejectionCode'
  | 'payoutReference'
  | 'correctAccountBy'
  | 'returnedMinor'
  | 'payoutReturnedMinor'
  | 'restPaidMinor'
  | 'restTo'
  | 'receivedAt'
  | keyof BetterTerms
>;

/**
 * Makes one move with all its consequences, in the transaction of `em`. Returns the moved transfer, or null when its
 * state does not allow the move or when it is an admin's decision about their own transfer: nothing is written then,
 * and the caller re-reads the transfer. `transfer`: its id, or the transfer as read under its lock.
 */
export async function moveTransfer(
  em: EntityManager,
  transfer: string | Transfer,
  name: MoveName,
  { at, changes = {}, actorId = null }: { at: Date; actorId?: string | null; changes?: MoveChanges },
): Promise<Transfer | null> {
  const read = typeof transfer === 'string' ? await lockTransfer(em, transfer) : transfer;
  const { from, to, owner }: Move = transferMoves[name];
  const { cancelRequested, entry, email } = rules[name] ?? {};
  if (!read?.id || !from.includes(read.state)) return null;
  if (cancelRequested !== undefined && (read.cancelRequestedAt != null) !== cancelRequested) return null;
  if (owner === 'admin' && read.userId === actorId) return null;
  const columns = {
    ...changes,
    ...(renewingDelivery.includes(name) && { estimatedDelivery: deliveryFrom(at, read.payoutTarget) }),
    // Correcting the account means that the sender wants it paid: a cancellation that came too late for the last payout
    // no longer counts.
    ...(name === 'pay_again' && { cancelRequestedAt: null }),
  };
  const owedMinor = entry === 'unwind' ? await postUnwind(em, read, at) : undefined;
  if (entry === 'charge') postCharge(em, read, at);
  if (entry === 'rewind') await postRewind(em, read, at);
  const moved = await makeStep(em, read, {
    ...{ name, owner, move: name, columns: { ...columns, ...(to && { state: to }) }, to: to ?? null },
    ...{ actorId, at, email, owedMinor },
  });
  // A refund is due, and nothing is owed any more.
  return owedMinor !== undefined && owedMinor <= 0n ? moveTransfer(em, moved, 'refund', { at }) : moved;
}

/**
 * Changes columns of a locked transfer without changing its state: with a new version, a line of history, a push and
 * the effects of its subscribers.
 */
export function changeWithinState(
  em: EntityManager,
  locked: Transfer,
  columns: Omit<TransferChanges, 'state'>,
  { actorId = null, ...step }: StepWithin,
): Promise<Transfer> {
  return makeStep(em, locked, { ...step, actorId, columns, move: null, to: null });
}

/** A step that does not change the state. */
interface StepWithin {
  readonly name: (typeof stepsWithinState)[number];
  readonly owner: Move['owner'];
  readonly actorId?: string | null;
  readonly at: Date;
  readonly email?: StepEmail;
}

/**
 * Every change of a transfer after its opening: its row, its history, its push, and its subscribers
 * (domain/step-subscribers.ts).
 */
async function makeStep(
  em: EntityManager,
  before: Transfer,
  {
    owner,
    columns,
    ...step
  }: Omit<TransferStep, 'before' | 'transfer'> & { readonly owner: Move['owner']; readonly columns: TransferChanges },
): Promise<Transfer> {
  const { name, actorId, at } = step;
  const transfer = await changeGuarded(em, before, columns, at);
  addStep(em, transfer, { move: name, owner, actorId, at });
  addPush(em, 'transfer-changed', { transferId: transfer.id });
  await em.flush();
  await tellSubscribers(em, { ...step, columns, before, transfer });
  return transfer;
}

function deliveryFrom(at: Date, target: PayoutTarget | null | undefined): Date {
  return estimateDelivery(at, payoutMethodOf(target?.bankName ?? ''));
}

/**
 * Stores the payment intent created for a transfer. Running it again, with the same one or another, changes nothing.
 */
export async function attachPaymentIntent(
  em: EntityManager,
  transferId: string,
  paymentIntentId: string,
  at: Date,
): Promise<void> {
  const locked = await lockTransfer(em, transferId, { paymentIntentId: null });
  if (locked)
    await changeWithinState(em, locked, { paymentIntentId }, { name: 'attach_intent', owner: 'payments', at });
}

/** Records that nothing is authorized on the card any more. Running it again keeps the first time. */
export async function markAuthorizationVoided(em: EntityManager, transferId: string, at: Date): Promise<void> {
  const locked = await lockTransfer(em, transferId, { authorizationVoidedAt: null });
  const step = { name: 'void_authorization', owner: 'payments', at } as const;
  if (locked) await changeWithinState(em, locked, { authorizationVoidedAt: at }, step);
}

/**
 * Records, before the first order to the bank, that the payout of a locked transfer starts. Null when it must not be
 * paid, because its sender cancelled. A payout that already started is not changed.
 */
export async function startPayout(em: EntityManager, locked: Transfer, at: Date): Promise<Transfer | null> {
  if (locked.cancelRequestedAt) return null;
  if (locked.payoutStartedAt) return locked;
  return changeWithinState(em, locked, { payoutStartedAt: at }, { name: 'start_payout', owner: 'payouts', at });
}
