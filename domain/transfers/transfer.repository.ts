import { randomUUID } from 'node:crypto';
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { Failure } from '#core/contracts/failures';
import { hourMs, latest } from '#core/time/time';
import type { BetterTerms } from '#core/transfers/better-rate';
import { statesUnderWay, type TransferState } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { hideTarget, type OpenTarget, type PayoutTarget } from '../personal-data/payout-target.ts';
import { Transfer, TransferStep } from './transfer.entity.ts';

export type { Transfer, TransferStep } from './transfer.entity.ts';

// Rows of transfers and of their history. Who may change what, and what follows from it, is in move-transfer.ts.

/** Before Stripe's deadline by this much (ms), an undecided authorization is voided, never captured. */
export const authorizationMarginMs = 2 * hourMs;

/** A transfer by its id as it is in the database, or null. */
export function findTransfer(em: EntityManager, id: string): Promise<Transfer | null> {
  return em.findOne(Transfer, { id }, { refresh: true });
}

/** A sender's own transfer. @throws Failure `not_found`, also for another person's. */
export async function findOwnTransfer(em: EntityManager, userId: string, id: string): Promise<Transfer> {
  const transfer = await em.findOne(Transfer, { id, userId });
  if (!transfer) throw new Failure('not_found');
  return transfer;
}

/** When a recipient was last sent something that was paid, and to which account. */
export interface LastPaid {
  readonly paidAt: Date;
  readonly bankName: string;
  readonly accountHash: string;
}

/** The last paid transfer of a sender to each of these recipients, by their ids. */
export async function findLastPaid(
  em: EntityManager,
  userId: string,
  recipientIds: readonly string[],
): Promise<Map<string, LastPaid>> {
  const rows = await em.execute<{ id: string; paid_at: string | Date; bank: string; account: string }[]>(
    `select asked.id, last.* from jsonb_array_elements_text(?::jsonb) as asked (id) cross join lateral (
       select paid_at, payout_target->>'bankName' as bank, payout_target->'hashes'->>'account' as account
       from transfer where recipient_id = asked.id::uuid and user_id = ? and paid_at is not null
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

/** How many transfers of a sender wait for their payment and can still be paid. */
export function countUnpaid(em: EntityManager, userId: string, at: Date): Promise<number> {
  return em.count(Transfer, { userId, state: 'awaiting_payment', quoteExpiresAt: { $gt: at } });
}

/** Transfers of a sender that were not paid yet. */
export function findUnpaid(em: EntityManager, userId: string): Promise<Transfer[]> {
  return em.find(Transfer, { userId, state: 'awaiting_payment' });
}

/** A sender's transfers that wait for their payment, to this recipient (null: to nobody yet) and of this amount, last opened first. */
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

/** How many transfers of a sender are paid for and have not come to an end. */
export function countUnderWay(em: EntityManager, userId: string): Promise<number> {
  return em.count(Transfer, { userId, state: { $in: [...statesUnderWay] } });
}

/** A sender's own transfer by its payment intent. @throws Failure `not_found`, also for another person's. */
export async function findOwnTransferByIntent(
  em: EntityManager,
  userId: string,
  paymentIntentId: string,
): Promise<Transfer> {
  const transfer = await em.findOne(Transfer, { paymentIntentId, userId });
  if (!transfer) throw new Failure('not_found');
  return transfer;
}

/** The transfer a payment intent was made for, or null while none names it. */
export function findTransferByIntent(em: EntityManager, paymentIntentId: string): Promise<Transfer | null> {
  return em.findOne(Transfer, { paymentIntentId });
}

/** Transfers by their ids; unknown ids are left out. */
export function findTransfersById(em: EntityManager, ids: readonly string[]): Promise<Transfer[]> {
  return em.find(Transfer, { id: { $in: [...ids] } });
}

/** A transfer as it is in the database now, whatever `em` read before. @throws when there is none. */
export function rereadTransfer(em: EntityManager, id: string): Promise<Transfer> {
  return em.findOneOrFail(Transfer, { id }, { refresh: true });
}

/**
 * Locks a transfer's row until the transaction of `em` ends and reads it anew; null when it does not fit `where`. The
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
 * Changes a transfer as it was read under its lock, with a new version, in the transaction of `em`. Returns it as it is then. @throws when it was
 * changed since, so that the caller had not locked it.
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

/** A sender's transfers whose money is under way or waits for a second person, and those with a case about their block; with their rows locked in the order of their ids. */
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

/** Columns that may change once a transfer is open. */
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

/** Writes a line of a transfer's history, for the version it has now. */
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

/** Ids of transfers whose payment may have moved on at Stripe, those that stand still longest first. */
export async function findOpenAtStripe(em: EntityManager, limit: number): Promise<string[]> {
  const open = await em.find(
    Transfer,
    { state: { $in: [...openAtStripe] }, paymentIntentId: { $ne: null } },
    { orderBy: { changedAt: 'asc' }, limit, fields: ['id'] },
  );
  return open.map(({ id }) => id);
}

/** Transfers whose payout failed and whose sender may still, or might have, named another account, those longest overdue first. */
export function findUncorrected(em: EntityManager, limit: number): Promise<Transfer[]> {
  const where = { state: 'payout_failed', correctAccountBy: { $ne: null } } as const;
  return em.find(Transfer, where, { orderBy: { correctAccountBy: 'asc' }, limit });
}

/** Transfers that wait for a decision and whose authorization ends before a moment, the first to end first. */
export function findHoldsEnding(
  em: EntityManager,
  { before, limit }: { before: Date; limit: number },
): Promise<Transfer[]> {
  const where = { state: 'in_review', captureBefore: { $lte: before } } as const;
  return em.find(Transfer, where, { orderBy: { captureBefore: 'asc' }, limit });
}

/** The jobs of a transfer that its sweep asks for again, in the order of its life. */
export const sweptJobs = ['sync-payment', 'expire-payment', 'expire-authorization'] as const;
export type SweptJob = (typeof sweptJobs)[number];

/** Which transfers wait for a job, and since when: one of these that stands still has lost it. */
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

/** Transfers that wait for a job and did not change since `quietSince`, the oldest first. `since`: when they began to wait for it. */
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
