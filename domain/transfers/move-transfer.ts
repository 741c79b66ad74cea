import type { AuditKind } from '#core/audit/kinds';
import { isEndedUnpaid } from '#core/operations/reducer';
import { payoutMethodOf } from '#core/recipients/banks';
import type { BetterTerms } from '#core/transfers/better-rate';
import { estimateDelivery } from '#core/transfers/delivery';
import type { TieredLimits } from '#core/transfers/limits';
import { type Move, type MoveName, transferMoves } from '#core/transfers/states';
import type { Database, EntityManager } from '#platform/database/database';
import { auditBy, audited } from '../audit/audit.repository.ts';
import { closeSettledCases, touchCases } from '../operations/desk-case.repository.ts';
import { endOperation, openOperation, resumeHeldOperations } from '../operations/operation.repository.ts';
import { changeTogether } from './change-together.ts';
import { chargeRows, type PostingRow, rewindRows, unwindRows } from './ledger.repository.ts';
import { type AsRead, changeTransfers, type TransferChange } from './move.repository.ts';
import { lockTransfer, type PayoutTarget, type Transfer, type TransferChanges } from './transfer.repository.ts';

/*
 * The life of a transfer. States and moves are a table in core/transfers/states.ts; every change of one is made here, each
 * with its history row, ledger entry, jobs, push and e-mail in one transaction. Who makes the moves, in the order of a transfer's life:
 *
 *   payments/create-payment.ts         opens it with a frozen quote and prepares the card payment   awaiting_payment
 *   payments/sync-payment.ts           reads the payment from Stripe: the amount is held            in_review
 *   transfers/decide.ts                an admin approves or rejects                                 approved, rejected
 *   payments/capture.ts                charges the card                                             captured
 *   payouts/pay-out.ts                 the bank pays the family, or refuses                         completed, payout_failed
 *   payments/refund.ts                 gives a charge back                                          refunded
 *   transfers/cancel.ts                the sender cancels                                           cancelled, refunding
 *   payments/expire.ts                 nobody paid, or nobody decided                               expired
 *   payments/stop-declined.ts          too many declined cards                                      expired
 *   payments/void-authorization.ts     frees the card of whatever ended without a charge
 *   payouts/second-payout.ts           pays a family that was paid, to correct a reported problem   completed, as before
 *   payouts/rest.ts                    counts what was paid or refunded of a partial return           completed, as before
 *   operations/carry-out-action.ts     an admin returns the money                                    refunding, rejected
 *   operations/book-settlement.ts      an admin paid by other means                                  completed
 *   transfers/correct-account.ts       the sender names another account                             captured
 *   transfers/expire-corrections.ts    nobody named another account in time                         refunding
 *   operations/run-operation.ts        attempts the effects on card and bank that moves open
 *   payments/sweep-transfers.ts, operations/sweep-operations.ts   ask again for what got lost
 */

/** Why a transfer ended that its sender cancelled after the approval. */
export const cancelledBySender = 'El remitente lo canceló';

/** What a move brings with it, in the same transaction. A move that needs nothing more than its history is not listed. */
type Consequence = Pick<TransferChange, 'ends' | 'opens' | 'cancelRequested' | 'email'> & {
  /** Its entry in the ledger, besides that of a payout that succeeded. */
  readonly entry?: 'charge' | 'unwind' | 'rewind';
};

/** Moves whose entry depends on what was returned before, which is read under the lock. */
type UnwindingMove = 'cancel_charge' | 'give_up_payout' | 'ask_money_back' | 'refund_outside' | 'book_hand_payout';

const consequences: Partial<Record<MoveName, Consequence>> = {
  hold: { ends: { authorization: 'succeeded' }, email: 'transfer_held' },
  expire_quote: { ends: { authorization: 'failed' } },
  stop_declined: { ends: { authorization: 'failed' }, opens: ['void'] },
  refuse_over_limit: { ends: { authorization: 'succeeded' }, opens: ['void'], email: 'transfer_ended' },
  refuse_repeated: { ends: { authorization: 'succeeded' }, opens: ['void'], email: 'transfer_ended' },
  withdraw: { ends: { authorization: 'abandoned' }, opens: ['void'], email: 'transfer_cancelled' },
  approve: { opens: ['capture'], email: 'transfer_approved' },
  reject: { opens: ['void'], email: 'transfer_rejected' },
  expire_authorization: { opens: ['void'], email: 'transfer_ended' },
  lose_authorization: { opens: ['void'], email: 'transfer_ended' },
  cancel_authorization: {
    ...{ cancelRequested: true, ends: { capture: 'abandoned' }, opens: ['void'] },
    email: 'transfer_cancelled',
  },
  revoke_approval: { ends: { capture: 'abandoned' }, opens: ['void'], email: 'transfer_rejected' },
  fail_capture: { ends: { capture: 'failed' }, opens: ['void'], email: 'transfer_ended' },
  // A void that was asked for came too late.
  capture: { ends: { capture: 'succeeded', void: 'abandoned' }, entry: 'charge', opens: ['payout'] },
  // Also after a cancellation request: the bank's confirmation shows that it came too late.
  pay_out: { ends: { payout: 'succeeded' }, email: 'transfer_paid' },
  pay_by_hand: { cancelRequested: false, ends: { payout: 'succeeded' }, email: 'transfer_paid' },
  book_hand_payout: { ends: { payout: 'succeeded', refund: 'abandoned' }, entry: 'rewind', email: 'transfer_paid' },
  reject_payout: { ends: { payout: 'failed' } },
  pay_again: { opens: ['payout'] },
  cancel_charge: { cancelRequested: true, ends: { payout: 'abandoned' }, entry: 'unwind', opens: ['refund'] },
  give_up_payout: { ends: { payout: 'abandoned' }, entry: 'unwind', opens: ['refund'] },
  ask_money_back: { entry: 'unwind', opens: ['refund'] },
  expire_correction: { entry: 'unwind', opens: ['refund'] },
  refund: { email: 'transfer_refunded' },
  refund_outside: { ends: { payout: 'abandoned' }, entry: 'unwind' },
};

/** Moves that start the way to the family anew: the delivery estimate counts from them. */
const renewingDelivery: readonly MoveName[] = ['hold', 'approve'];

/** Steps of the history that leave the state as it was. */
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

/** Steps within a state that are not shown among its moves: all but that the family was paid a second time. */
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

function deliveryFrom(at: Date, target: PayoutTarget | null | undefined): Date {
  return estimateDelivery(at, payoutMethodOf(target?.bankName ?? ''));
}

/**
 * Makes one move with all it brings, in the transaction of `em`. Returns the moved transfer, or null when it is not in a state the move
 * starts from or when an admin would decide about a transfer of their own: nothing is written then, and the caller reads the transfer
 * again. `transfer`: its id, or the transfer as it was read under its lock.
 */
export async function moveTransfer(
  em: EntityManager,
  transfer: string | Transfer,
  name: MoveName,
  { at, changes = {}, actorId = null }: MoveOptions,
): Promise<Transfer | null> {
  const read = typeof transfer === 'string' ? await lockTransfer(em, transfer) : transfer;
  if (!read || !canMove(read, name)) return null;
  const { postings, owedMinor } = await postingsOf(em, read, name);
  const row = { read, columns: columnsOf(read, name, { at, changes }), actorId, refundMinor: owedMinor };
  const [moved] = await changeTransfers(em, changeOf(name), [row], { at, postings });
  if (moved?.hasCase) {
    const personId = transferMoves[name].owner === 'admin' ? actorId : null;
    await closeSettledCases(em, moved.transfer, { at, personId });
    if (moved.endedRequest) {
      await touchCases(em, moved.transfer.id);
      await resumeHeldOperations(em, moved.transfer.id, at);
    }
  }
  if (!moved) return null;
  // Money is to go back, and nothing of it is owed any more.
  return owedMinor !== undefined && owedMinor <= 0n
    ? moveTransfer(em, moved.transfer, 'refund', { at })
    : moved.transfer;
}

/**
 * Notes that the cards of several transfers are held, as they were read before, with a commit of its own. Left out are those that have changed
 * meanwhile, have an open case or share a reminder, and all of a sender whose limits have no room for all of theirs: `moveTransfer` is to be asked. `eventIds`: the events that said so and nothing
 * else, which are handled by that.
 */
export async function holdTogether(
  database: Database,
  holds: readonly { readonly read: Transfer; readonly changes: MoveChanges; readonly eventIds: readonly string[] }[],
  { at, limits }: { at: Date; limits: TieredLimits },
): Promise<Transfer[]> {
  const rows = holds
    .filter(({ read }) => canMove(read, 'hold'))
    .map(({ read, changes, eventIds }) => ({ read, columns: columnsOf(read, 'hold', { at, changes }), eventIds }));
  if (rows.length === 0) return [];
  const change: TransferChange = {
    ...changeOf('hold'),
    limited: true,
    handlesEvents: true,
    unless: ['case', 'twinOfReminder'],
  };
  const changed = await database.statement((em) => changeTransfers(em, change, rows, { at, limits }));
  return changed.map(({ transfer }) => transfer);
}

/**
 * Makes one move with a commit that others may share, for a transfer as it was read before. Null also where it has changed meanwhile or has an
 * open case, which the move may close: then `moveTransfer` is to be asked, under its lock. `asRead`: what it was decided with, which must not have
 * changed either; `audit`: the entry that it leaves in the audit log.
 */
export async function moveAtOnce(
  database: Database,
  read: Transfer,
  name: Exclude<MoveName, UnwindingMove>,
  { at, actorId = null, changes = {}, asRead, audit }: MoveOptions & { asRead?: AsRead; audit?: AuditOfMove },
): Promise<Transfer | null> {
  if (!canMove(read, name)) return null;
  const change: TransferChange = {
    ...{ ...changeOf(name), unless: ['case'] },
    ...(asRead && { asRead: Object.keys(asRead) as (keyof AsRead)[] }),
    ...(audit && { audits: audit.kind }),
  };
  const columns = columnsOf(read, name, { at, changes });
  const row = { read, columns, actorId, ...asRead, ...(audit && { audit: auditBy(audit.detail) }) };
  const postings = consequences[name]?.entry === 'charge' ? chargeRows(read) : [];
  const moved = await changeTogether(database, change, { row, at, postings });
  if (moved && audit) audited(audit.kind);
  return moved;
}

interface MoveOptions {
  readonly at: Date;
  readonly actorId?: string | null;
  readonly changes?: MoveChanges;
}

/** What the audit log says of a move, besides who made it and of which transfer. */
interface AuditOfMove {
  readonly kind: AuditKind;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Whether the table lets a transfer make a move. */
function canMove({ state }: Transfer, name: MoveName): boolean {
  const move: Move = transferMoves[name];
  return move.from.includes(state);
}

/** A move as a change of the row, with what it brings. */
function changeOf(name: MoveName): TransferChange {
  const { owner, to }: Move = transferMoves[name];
  const { entry: _, ...consequence } = consequences[name] ?? {};
  return { name, owner, to, notOwn: owner === 'admin', ...consequence };
}

function columnsOf(read: Transfer, name: MoveName, { at, changes }: { at: Date; changes: MoveChanges }) {
  return {
    ...changes,
    ...(renewingDelivery.includes(name) && { estimatedDelivery: deliveryFrom(at, read.payoutTarget) }),
    // Whoever names another account wants it paid: a cancellation that came too late for the last payout is past.
    ...(name === 'pay_again' && { cancelRequestedAt: null }),
  };
}

/** Lines of a move in the ledger and, where money is to go back, what is still owed in minor units. */
async function postingsOf(
  em: EntityManager,
  read: Transfer,
  name: MoveName,
): Promise<{ postings: PostingRow[]; owedMinor?: bigint }> {
  const entry = consequences[name]?.entry;
  if (entry === 'charge') return { postings: chargeRows(read) };
  if (entry === 'rewind') return { postings: await rewindRows(em, read) };
  if (entry !== 'unwind') return { postings: [] };
  const { rows, owedMinor } = await unwindRows(em, read);
  return { postings: rows, owedMinor };
}

/**
 * Changes columns of a transfer whose row is locked, and leaves its state: with a new version, a line of history and a push.
 * Returns null, with nothing written, when the row is not the one that was locked.
 */
export async function changeWithinState(
  em: EntityManager,
  locked: Transfer,
  changes: Omit<TransferChanges, 'state'>,
  step: {
    name: (typeof stepsWithinState)[number];
    owner: Move['owner'];
    actorId?: string;
    at: Date;
    email?: TransferChange['email'];
  },
): Promise<Transfer | null> {
  const { name, owner, actorId = null, at, email } = step;
  const row = { read: locked, columns: changes, actorId };
  const [changed] = await changeTransfers(em, { name, owner, to: null, ...(email && { email }) }, [row], { at });
  return changed?.transfer ?? null;
}

/** Writes down the payment intent made for a transfer. Running it again, with the same one or another, changes nothing. */
export async function attachPaymentIntent(
  em: EntityManager,
  transferId: string,
  paymentIntentId: string,
  at: Date,
): Promise<void> {
  const locked = await lockTransfer(em, transferId, { paymentIntentId: null });
  if (!locked) return;
  const step = { name: 'attach_intent', owner: 'payments', at } as const;
  const attached = await changeWithinState(em, locked, { paymentIntentId }, step);
  // It ended while its intent was in the making.
  if (attached && isEndedUnpaid(attached.state)) await openOperation(em, attached, 'void', { at });
}

/** Writes down that nothing is authorized on the card any more. Running it again keeps the first moment. */
export async function markAuthorizationVoided(em: EntityManager, transferId: string, at: Date): Promise<void> {
  const locked = await lockTransfer(em, transferId, { authorizationVoidedAt: null });
  if (!locked) return;
  const step = { name: 'void_authorization', owner: 'payments', at } as const;
  await changeWithinState(em, locked, { authorizationVoidedAt: at }, step);
  await endOperation(em, locked, 'void', {
    status: 'succeeded',
    at,
    providerReference: locked.paymentIntentId ?? null,
  });
  await closeSettledCases(em, { ...locked, authorizationVoidedAt: at }, { at });
}

/**
 * Notes, before the first order to the bank, that the payout of a transfer begins; its row is locked. Null when it is not to be paid, because
 * its sender cancelled. One that began before stays as it is.
 */
export async function startPayout(em: EntityManager, locked: Transfer, at: Date): Promise<Transfer | null> {
  if (locked.cancelRequestedAt) return null;
  if (locked.payoutStartedAt) return locked;
  return changeWithinState(em, locked, { payoutStartedAt: at }, { name: 'start_payout', owner: 'payouts', at });
}
