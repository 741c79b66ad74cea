import { type Hold, type HoldFacts, holdsOf, type Movement } from '#core/holds/holds';
import { stoppedMovements } from '#core/money-stops/money-stop';
import { isCertainlyUndone, openStatuses } from '#core/operations/operation';
import { namesNotClearedError } from '#core/review/screening';
import type { EntityManager } from '#platform/database/database';
import { findUsersById } from '../accounts/account.repository.ts';
import { findResultsToApprove } from '../complaints/complaint.repository.ts';
import { findOpenReasonsOf } from '../desk/desk-case.repository.ts';
import { findRequests, isSettlement } from '../desk/desk-request.repository.ts';
import { findDisputesOf } from '../disputes/dispute.repository.ts';
import { findActiveStops } from '../money-stops/money-stop.repository.ts';
import {
  findOperations,
  findOperationsOf,
  isForeign,
  type Operation,
  wasSent,
} from '../provider-calls/operation.repository.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { HoldRelease } from './hold-release.entity.ts';

/** The transfer fields needed to find its holds. */
type Held = Pick<Transfer, 'id' | 'userId' | 'fraudWarning' | 'fraudWarningId'>;

/** The facts that determine the holds of transfers, by transfer id; one query for each source. */
export async function readHoldFactsOf(
  em: EntityManager,
  transfers: readonly Held[],
): Promise<ReadonlyMap<string, HoldFacts>> {
  const ids = transfers.map(({ id }) => id);
  const disputes = Map.groupBy(await findDisputesOf(em, ids), ({ transferId }) => transferId);
  const operations = Map.groupBy(await findOperationsOf(em, ids), ({ transferId }) => transferId);
  const requests = Map.groupBy(await findRequests(em, ids), ({ transferId }) => transferId);
  const results = Map.groupBy(await findResultsToApprove(em, ids), ({ transferId }) => transferId);
  const reasons = await findOpenReasonsOf(em, ids);
  const where = { transferId: { $in: ids } };
  const releases = Map.groupBy(await em.find(HoldRelease, where, { refresh: true }), ({ transferId }) => transferId);
  const senders = await findUsersById(em, [...new Set(transfers.map(({ userId }) => userId))]);
  const stops = (await findActiveStops(em)).map(({ id, scope, rail = null }) => {
    return { id, movements: stoppedMovements({ scope, rail }, 'bank') };
  });
  const blocked = new Map(senders.map(({ id, blockedAt }) => [id, blockedAt?.toISOString() ?? null]));
  return new Map(
    transfers.map(({ id, userId, fraudWarning, fraudWarningId }) => {
      const own = operations.get(id) ?? [];
      const ownDisputes = disputes.get(id) ?? [];
      const facts: HoldFacts = {
        disputes: ownDisputes,
        // Older rows have no id.
        fraudWarning: fraudWarning ? (fraudWarningId ?? fraudWarning) : null,
        outsideRefunds: outsideRefundsOf(own, ownDisputes).map(({ id }) => id),
        ownRefunds: own.filter(isOwnRefund).map(({ id }) => id),
        capturedInPart: reasons.get(id)?.has('captured_in_part') ?? false,
        senderBlocked: blocked.get(userId) ?? null,
        requests: [
          ...(requests.get(id) ?? [])
            // A refutation is not a hold; the fact it concerns is.
            .filter(({ outcome, action }) => !outcome && action !== 'refute')
            .map((one) => ({ id: one.id, settles: isSettlement(one) })),
          ...(results.get(id) ?? []).map((one) => ({ id: one.id, settles: false })),
        ],
        unknownPayouts: own.filter(isUnknownPayout).map(({ id }) => id),
        namesNotCleared: notClearedPayoutOf(own),
        stops,
        recipientChanged: reasons.get(id)?.get('recipient_changed') ?? null,
        releases: releases.get(id) ?? [],
      };
      return [id, facts];
    }),
  );
}

/** `readHoldFactsOf` for one transfer. Only a reading under the row's lock decides about a movement. */
export async function readHoldFacts(em: EntityManager, transfer: Held): Promise<HoldFacts> {
  return (await readHoldFactsOf(em, [transfer])).get(transfer.id) as HoldFacts;
}

/**
 * The holds on a movement of a locked transfer (core/holds). `requestedBy`: the request or operation that requires it.
 */
export async function findHolds(
  em: EntityManager,
  transfer: Held,
  movement: Movement,
  requestedBy?: string,
): Promise<Hold[]> {
  return holdsOf(await readHoldFacts(em, transfer), movement, requestedBy);
}

/** Refunds made outside our system, in Stripe's dashboard. Lost disputes do not count. */
export function outsideRefundsOf(
  operations: readonly Operation[],
  disputes: readonly { readonly id: string }[],
): Operation[] {
  const ofDisputes = new Set(disputes.map(({ id }) => id));
  return operations.filter(
    (one) => isForeign(one) && one.status !== 'failed' && !ofDisputes.has(one.providerReference as string),
  );
}

/** Whether one of our refunds has returned money, or may have. */
function isOwnRefund(operation: Operation): boolean {
  const { kind, status } = operation;
  return kind === 'refund' && !isForeign(operation) && !isCertainlyUndone({ status, sent: wasSent(operation) });
}

/** The last payout, if its names were not cleared when it was attempted. */
function notClearedPayoutOf(operations: readonly Operation[]): string | null {
  const last = operations.findLast(({ kind }) => kind === 'payout');
  return last?.lastError === namesNotClearedError ? last.id : null;
}

/** Whether the bank may have executed a payout without confirming its outcome. */
export function isUnknownPayout({ kind, provider, status, sentAt }: Operation): boolean {
  return (
    kind === 'payout' &&
    provider === 'bank' &&
    sentAt != null &&
    (openStatuses.includes(status) || status === 'abandoned')
  );
}

/** Whether a payout of a charged, locked transfer was sent with an unknown outcome. */
export async function hasUnknownPayout(
  em: EntityManager,
  { id, state }: Pick<Transfer, 'id' | 'state'>,
): Promise<boolean> {
  return state === 'captured' && (await findOperations(em, id, 'payout')).some(isUnknownPayout);
}

/** Records that two people overruled holds, in the transaction of `em`, which holds the lock of the transfer's row. */
export async function releaseHolds(
  em: EntityManager,
  { transferId, holds, requestId, at }: { transferId: string; holds: readonly Hold[]; requestId: string; at: Date },
): Promise<void> {
  for (const { reason, subject } of holds)
    em.persist(em.create(HoldRelease, { transferId, reason, subject, requestId, at }));
  await em.flush();
}
