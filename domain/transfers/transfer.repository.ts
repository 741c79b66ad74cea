import { randomUUID } from 'node:crypto';
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { Failure } from '#core/contracts/failures';
import { hourMs, latest } from '#core/time/time';
import type { BetterTerms } from '#core/transfers/better-rate';
import { statesUnderWay, type TransferState } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { hideTarget, type OpenTarget } from '../personal-data/payout-target.ts';
import { Transfer, TransferStep } from './transfer.entity.ts';

export type { Transfer, TransferStep } from './transfer.entity.ts';

// Rows of transfers and of their history. The rules for changes and their consequences are in move-transfer.ts.

/** An undecided authorization is voided, never captured, this long (ms) before Stripe's deadline. */
export const authorizationMarginMs = 2 * hourMs;

/** The current transfer with an id, or null. */
export function findTransfer(em: EntityManager, id: string): Promise<Transfer | null> {
  return em.findOne(Transfer, { id }, { refresh: true });
}

/** A sender's own transfer. @throws Failure `not_found`, also for another user's. */
export async function findOwnTransfer(em: EntityManager, userId: string, id: string): Promise<Transfer> {
  const transfer = await em.findOne(Transfer, { id, userId });
  if (!transfer) throw new Failure('not_found');
  return transfer;
}

/** The last paid transfer to a recipient: when, and to which account. */
export interface LastPaid {
  readonly paidAt: Date;
  readonly bankName: string;
  readonly accountHash: string;
}

/** The last paid transfer of a sender to each of these recipients, by recipient id. */
export async function findLastPaid(
  em: EntityManager,
  userId: string,
  recipientIds: readonly string[],
): Promise<Map<string, LastPaid>> {
  const rows = await em.execute<{ id: string; paid_at: string | Date; bank: string; account: string }[]>(
    `select wanted.id, last.* from jsonb_array_elements_text(?::jsonb) as wanted (id) cross join lateral (
       select paid_at, payout_target->>'bankName' as bank, payout_target->'hashes'->>'account' as account
       from transfer where recipient_id = wanted.id::uuid and user_id = ? and paid_at is not null
       order by paid_at desc limit 1
     ) as last`,
    [JSON.stringify(recipientIds), userId],
  );
  return new Map(
    rows.map(({ id, paid_at: at, bank, account }) => [
      id,
      { paidAt: new Date(at), bankName: bank, accountHash: account },
    ]),
  );
}

/** The number of a sender's unpaid transfers that can still be paid. */
export function countUnpaid(em: EntityManager, userId: string, at: Date): Promise<number> {
  return em.count(Transfer, { userId, state: 'awaiting_payment', quoteExpiresAt: { $gt: at } });
}

/** A sender's unpaid transfers. */
export function findUnpaid(em: EntityManager, userId: string): Promise<Transfer[]> {
  return em.find(Transfer, { userId, state: 'awaiting_payment' });
}

/** A sender's unpaid transfers to this recipient (null: without one) and of this amount, latest first. */
export function findUnpaidLike(
  em: EntityManager,
  {
    expiresAfter,
    ...what
  }: Pick<Transfer, 'userId' | 'amountMinor' | 'currency'> & {
    recipientId: string | null;
    expiresAfter: Date;
  },
): Promise<Transfer[]> {
  const where = { ...what, state: 'awaiting_payment', quoteExpiresAt: { $gt: expiresAfter } } as const;
  return em.find(Transfer, where, { orderBy: { createdAt: 'desc' } });
}

/** The number of a sender's paid transfers that have not ended. */
export function countUnderWay(em: EntityManager, userId: string): Promise<number> {
  return em.count(Transfer, { userId, state: { $in: [...statesUnderWay] } });
}

/** A sender's own transfer by its payment intent. @throws Failure `not_found`, also for another user's. */
export async function findOwnTransferByIntent(
  em: EntityManager,
  userId: string,
  paymentIntentId: string,
): Promise<Transfer> {
  const transfer = await em.findOne(Transfer, { paymentIntentId, userId });
  if (!transfer) throw new Failure('not_found');
  return transfer;
}

/** The transfer of a payment intent, or null. */
export function findTransferByIntent(em: EntityManager, paymentIntentId: string): Promise<Transfer | null> {
  return em.findOne(Transfer, { paymentIntentId });
}

/** Transfers by their ids; unknown ids are left out. */
export function findTransfersById(em: EntityManager, ids: readonly string[]): Promise<Transfer[]> {
  return em.find(Transfer, { id: { $in: [...ids] } });
}

/** Re-reads a transfer from the database, bypassing the identity map. @throws if it does not exist. */
export function rereadTransfer(em: EntityManager, id: string): Promise<Transfer> {
  return em.findOneOrFail(Transfer, { id }, { refresh: true });
}

/**
 * Locks a transfer's row until the transaction of `em` ends and re-reads it; null if it does not match `where`. The
 * second of two callers waits here and then sees what the first one wrote.
 */
export function lockTransfer(
  em: EntityManager,
  id: string,
  where: FilterQuery<Transfer> = {},
): Promise<Transfer | null> {
  return em.findOne(Transfer, { $and: [{ id }, where] }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/**
 * Changes a transfer that was read under its lock, with a new version, in the transaction of `em`. Returns the changed
 * transfer.
 * @throws when it has changed since, which means that the caller had not locked it.
 */
export async function changeGuarded(
  em: EntityManager,
  { id, version, state }: Pick<Transfer, 'id' | 'version' | 'state'>,
  changes: TransferChanges,
  at: Date,
): Promise<Transfer> {
  const written = { ...changes, version: version + 1, changedAt: at };
  const count = await em.nativeUpdate(Transfer, { id, version, state }, written);
  if (count !== 1) throw new Error(`transfer ${id} was changed since its version ${version} was read`);
  return rereadTransfer(em, id);
}

/**
 * A sender's transfers whose money is under way or awaits a second person, and those with a case about a block; locked
 * in the order of their ids.
 */
export async function lockTransfersUnderWay(em: EntityManager, userId: string): Promise<Transfer[]> {
  const held = await em.execute<{ id: string }[]>(
    `select id from transfer as t where user_id = ? and state = 'completed' and (
       exists (select from desk_case where transfer_id = t.id and reason = 'sender_blocked' and resolved_at is null)
       or exists (select from desk_request where transfer_id = t.id and outcome is null))`,
    [userId],
  );
  const where = { userId, $or: [{ state: { $in: [...statesUnderWay] } }, { id: { $in: held.map(({ id }) => id) } }] };
  return em.find(Transfer, where, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

type Opening = Pick<
  Transfer,
  | 'userId'
  | 'currency'
  | 'amountMinor'
  | 'feeMinor'
  | 'netMinor'
  | 'rate'
  | 'bolivianosMinor'
  | 'rateSince'
  | 'eurUsd'
  | 'usdMinor'
  | 'quoteExpiresAt'
  | 'estimatedDelivery'
  | 'takesBetterRate'
> &
  Partial<Pick<Transfer, 'referenceRate' | 'markupBasisPoints' | 'recipientId'>> & {
    readonly payoutTarget?: OpenTarget | null;
  };

/** Writes a new transfer in its first state; it gets its id here. */
export function insertTransfer(em: EntityManager, opening: Opening, at: Date): Transfer {
  const { payoutTarget, ...frozen } = opening;
  const id = randomUUID();
  const first = { id, state: 'awaiting_payment', version: 1, createdAt: at, changedAt: at } as const;
  const transfer = em.create(Transfer, {
    ...frozen,
    ...first,
    payoutTarget: payoutTarget ? hideTarget(em, id, payoutTarget) : null,
    returnedMinor: 0n,
    payoutReturnedMinor: 0n,
    paidAgainMinor: 0n,
  });
  em.persist(transfer);
  return transfer;
}

/** Columns that may change after the opening. */
export type TransferChanges = Partial<
  Pick<
    Transfer,
    | 'state'
    | 'recipientId'
    | 'payoutTarget'
    | 'estimatedDelivery'
    | 'paymentIntentId'
    | 'cardBrand'
    | 'cardLast4'
    | 'cardCountry'
    | 'cardFingerprint'
    | 'cardRisk'
    | 'paidAt'
    | 'captureBefore'
    | 'authorizationVoidedAt'
    | 'decidedAt'
    | 'decidedById'
    | 'cancelRequestedAt'
    | 'payoutStartedAt'
    | 'reason'
    | 'payoutReference'
    | 'correctAccountBy'
    | 'receivedAt'
    | 'fraudWarning'
    | 'fraudWarningId'
    | 'returnedMinor'
    | 'payoutReturnedMinor'
    | 'paidAgainMinor'
    | 'restPaidMinor'
    | 'restRefundedMinor'
    | 'restKeptMinor'
    | 'restTo'
    | 'questionStatus'
    | 'rejectionCode'
    | keyof BetterTerms
  >
>;

/** Writes a line of a transfer's history, for its current version. */
export function addStep(
  em: EntityManager,
  { id: transferId, version, state }: Transfer,
  step: { move: string | null; owner: string; actorId: string | null; at: Date },
): void {
  em.persist(em.create(TransferStep, { transferId, version, state, ...step }));
}

/** The histories of transfers, each in order. */
export function findSteps(em: EntityManager, transferIds: readonly string[]): Promise<TransferStep[]> {
  const orderBy = { transferId: 'asc', version: 'asc' } as const;
  return em.find(TransferStep, { transferId: { $in: [...transferIds] } }, { orderBy });
}

/** States in which Stripe may know more about a payment than we do. */
const openAtStripe: readonly TransferState[] = ['awaiting_payment', 'in_review', 'approved'];

/** Ids of transfers whose payment may have changed at Stripe, least recently changed first. */
export async function findOpenAtStripe(em: EntityManager, limit: number): Promise<string[]> {
  const open = await em.find(
    Transfer,
    { state: { $in: [...openAtStripe] }, paymentIntentId: { $ne: null } },
    { orderBy: { changedAt: 'asc' }, limit, fields: ['id'] },
  );
  return open.map(({ id }) => id);
}

/** Transfers with a failed payout whose sender can, or could have, corrected the account, longest overdue first. */
export function findUncorrected(em: EntityManager, limit: number): Promise<Transfer[]> {
  const where = { state: 'payout_failed', correctAccountBy: { $ne: null } } as const;
  return em.find(Transfer, where, { orderBy: { correctAccountBy: 'asc' }, limit });
}

/** Transfers awaiting a decision whose authorization ends before a moment, earliest first. */
export function findHoldsEnding(
  em: EntityManager,
  { before, limit }: { before: Date; limit: number },
): Promise<Transfer[]> {
  const where = { state: 'in_review', captureBefore: { $lte: before } } as const;
  return em.find(Transfer, where, { orderBy: { captureBefore: 'asc' }, limit });
}

/** The jobs of a transfer that its sweep requeues, in the order of its life. */
export const sweptJobs = ['sync-payment', 'expire-payment', 'expire-authorization'] as const;
export type SweptJob = (typeof sweptJobs)[number];

/** Which transfers wait for a job, and since when: if one does not change, its job is lost. */
const waitingFor: Readonly<
  Record<
    SweptJob,
    { where: (now: Date) => FilterQuery<Transfer>; due?: (transfer: Transfer) => Date | null | undefined }
  >
> = {
  'sync-payment': {
    where: (now) => ({ state: 'awaiting_payment', paymentIntentId: { $ne: null }, quoteExpiresAt: { $gt: now } }),
  },
  'expire-payment': {
    where: (now) => ({ state: 'awaiting_payment', quoteExpiresAt: { $lte: now } }),
    due: ({ quoteExpiresAt }) => quoteExpiresAt,
  },
  'expire-authorization': {
    where: (now) => ({
      state: 'in_review',
      captureBefore: { $lte: new Date(now.getTime() + authorizationMarginMs) },
    }),
    due: ({ captureBefore }) => captureBefore && new Date(captureBefore.getTime() - authorizationMarginMs),
  },
};

/**
 * Transfers that wait for a job and did not change since `quietSince`, oldest first. `since`: when they started to wait
 * for it.
 */
export async function findWaitingFor(
  em: EntityManager,
  job: SweptJob,
  options: { now: Date; quietSince: Date; limit: number },
): Promise<{ id: string; since: Date; createdAt: Date; paymentIntentId: string | null }[]> {
  const { now, quietSince, limit } = options;
  const { where, due } = waitingFor[job];
  const waiting = await em.find(
    Transfer,
    { $and: [where(now), { changedAt: { $lte: quietSince } }] },
    { orderBy: { changedAt: 'asc' }, limit },
  );
  return waiting.map((transfer) => ({
    id: transfer.id,
    createdAt: transfer.createdAt,
    paymentIntentId: transfer.paymentIntentId ?? null,
    since: latest(transfer.changedAt, due?.(transfer) ?? transfer.changedAt),
  }));
}
