import type { DeskCaseView, DeskRequestView, OperationView } from '#core/contracts/http/operations';
import { formatMinor } from '#core/money/money';
import {
  type DeskFacts,
  kindOfReason,
  type OperationFacts,
  owedMinor,
  possibleActions,
} from '#core/operations/desk-action';
import { namesNotClearedError } from '#core/review/screening';
import type { EntityManager } from '#platform/database/database';
import { findUsersById } from '../accounts/account.repository.ts';
import { findBlockedTransfers, findDisputesOf } from '../disputes/dispute.repository.ts';
import { toDisputeView } from '../disputes/dispute-view.ts';
import { findTransfersById, type Transfer } from '../transfers/transfer.repository.ts';
import { toAdminTransferViews } from '../transfers/transfer-views.ts';
import { type DeskCase, findNotes } from './desk-case.repository.ts';
import { type CaseRequest, findRequests } from './desk-request.repository.ts';
import { findOperationsOf, type Operation } from './operation.repository.ts';

/** What decides about the actions of a case at a moment. */
export function factsOf(
  { reason, operationId }: DeskCase,
  transfer: Transfer,
  { operations, disputed, at }: { operations: readonly Operation[]; disputed: boolean; at: Date },
): DeskFacts<OperationFacts & { id: string }> {
  const about = operations.find(({ id }) => id === operationId);
  const lastPayout = operations.findLast(({ kind }) => kind === 'payout');
  return {
    reason,
    state: transfer.state,
    payable: transfer.payoutTarget != null && lastPayout?.lastError !== namesNotClearedError,
    cancelRequested: transfer.cancelRequestedAt != null,
    disputed,
    amountMinor: transfer.amountMinor,
    bolivianosMinor: transfer.bolivianosMinor,
    kind: about?.kind ?? kindOfReason[reason],
    complaintId: about?.complaintId ?? null,
    operations: operations.map(
      ({ id, kind, status, attempts, lastError, amountMinor, nextAttemptAt, complaintId }) => ({
        ...{ id, kind, status, attempts, amountMinor, complaintId: complaintId ?? null },
        lastError: lastError ?? null,
        waiting: nextAttemptAt != null && nextAttemptAt > at,
      }),
    ),
  };
}

/** One case as an admin sees it at a moment. */
export async function toDeskCaseView(
  em: EntityManager,
  one: DeskCase,
  viewer: { viewerId: string | null; at: Date },
): Promise<DeskCaseView> {
  const [view] = await toDeskCaseViews(em, [one], viewer);
  return view as DeskCaseView;
}

/** Cases as an admin sees them at a moment; without a viewer as any admin but their senders does. One query for all of each kind. */
export async function toDeskCaseViews(
  em: EntityManager,
  cases: readonly DeskCase[],
  { viewerId, at }: { viewerId: string | null; at: Date },
): Promise<DeskCaseView[]> {
  const transferIds = [...new Set(cases.map(({ transferId }) => transferId))];
  const transfers = await findTransfersById(em, transferIds);
  const adminViews = await toAdminTransferViews(em, transfers);
  const operations = Map.groupBy(await findOperationsOf(em, transferIds), ({ transferId }) => transferId);
  const blocked = await findBlockedTransfers(em, transferIds);
  const requests = Map.groupBy(await findRequests(em, transferIds), ({ transferId }) => transferId);
  const disputes = Map.groupBy(await findDisputesOf(em, transferIds), ({ transferId }) => transferId);
  const notes = Map.groupBy(
    await findNotes(
      em,
      cases.map(({ id }) => id),
    ),
    ({ caseId }) => caseId,
  );
  const nameOf = await namesOf(em, [
    ...cases.map(({ assignedToId }) => assignedToId),
    ...[...requests.values()].flat().flatMap(({ requestedById, decidedById }) => [requestedById, decidedById]),
    ...[...notes.values()].flat().map(({ authorId }) => authorId),
  ]);
  return cases.map((one) => {
    const index = transfers.findIndex(({ id }) => id === one.transferId);
    const transfer = transfers[index];
    const transaction = adminViews[index];
    if (!transfer || !transaction) throw new Error('a case without its transfer');
    const ofTransfer = operations.get(transfer.id) ?? [];
    const asked = requests.get(transfer.id) ?? [];
    const waiting = asked.find(({ outcome }) => !outcome);
    const acts = !one.resolvedAt && !waiting && transfer.userId !== viewerId;
    const disputed = blocked.has(transfer.id);
    const about = ofTransfer.find(({ id }) => id === one.operationId);
    const facts = factsOf(one, transfer, { operations: ofTransfer, disputed, at });
    return {
      id: one.id,
      version: one.version,
      reason: one.reason,
      details: one.details ?? null,
      opened_at: one.openedAt.toISOString(),
      resolved_at: one.resolvedAt?.toISOString() ?? null,
      resolution: one.resolution ?? null,
      outcome: one.outcome ?? null,
      assigned_to: nameOf(one.assignedToId),
      assigned_to_id: one.assignedToId ?? null,
      operation: about ? toOperationView(about) : null,
      operations: ofTransfer.map(toOperationView),
      transaction,
      actions: acts ? possibleActions(facts) : [],
      request: waiting ? toRequestView(waiting, nameOf) : null,
      owed: formatMinor(owedMinor(facts)),
      disputes: (disputes.get(transfer.id) ?? []).map(toDisputeView),
      notes: (notes.get(one.id) ?? []).map((note) => ({
        text: note.text,
        author: nameOf(note.authorId) ?? '',
        at: note.at.toISOString(),
      })),
      decided: asked
        .filter(({ outcome }) => outcome && outcome !== 'obsolete')
        .map((one) => toRequestView(one, nameOf)),
    };
  });
}

type NameOf = (id: string | null | undefined) => string | null;

async function namesOf(em: EntityManager, ids: readonly (string | null | undefined)[]): Promise<NameOf> {
  const users = await findUsersById(em, [...new Set(ids.filter((id) => id != null))]);
  const names = new Map(users.map(({ id, name }) => [id, name]));
  return (id) => (id == null ? null : (names.get(id) ?? ''));
}

/** An operation as admins see it. */
export function toOperationView(operation: Operation): OperationView {
  return {
    id: operation.id,
    kind: operation.kind,
    sequence: operation.sequence,
    provider: operation.provider,
    status: operation.status,
    attempts: operation.attempts,
    next_attempt_at: operation.nextAttemptAt?.toISOString() ?? null,
    last_error: operation.lastError ?? null,
    provider_reference: operation.providerReference ?? null,
    amount: formatMinor(operation.amountMinor),
    currency: operation.currency as OperationView['currency'],
    returned: formatMinor(operation.returnedMinor),
    changed_at: operation.changedAt.toISOString(),
  };
}

function toRequestView(request: CaseRequest, nameOf: NameOf): DeskRequestView {
  const { outcome, proofId, amountMinor } = request;
  return {
    id: request.id,
    action: request.action,
    reason: request.reason,
    amount: amountMinor == null ? null : formatMinor(amountMinor),
    currency: (request.currency ?? null) as DeskRequestView['currency'],
    bank_reference: request.bankReference ?? null,
    has_proof: proofId != null,
    requested_by: nameOf(request.requestedById) ?? '',
    requested_by_id: request.requestedById,
    requested_at: request.requestedAt.toISOString(),
    decided_by: nameOf(request.decidedById),
    decided_at: request.decidedAt?.toISOString() ?? null,
    outcome: outcome === 'declined' ? 'declined' : outcome ? 'approved' : null,
  };
}
