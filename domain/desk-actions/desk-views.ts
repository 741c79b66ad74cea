import type { DeskCaseView, DeskRequestView, OperationView } from '#core/contracts/http/operations';
import type { HoldFacts } from '#core/holds/holds';
import { formatMinor } from '#core/money/money';
import {
  type DeskFacts,
  kindOfReason,
  type MoneyMoved,
  owedMinor,
  possibleActions,
} from '#core/operations/desk-action';
import { restOf } from '#core/operations/rest-actions';
import type { EntityManager } from '#platform/database/database';
import { findUsersById } from '../accounts/account.repository.ts';
import { type DeskCase, findNotes } from '../desk/desk-case.repository.ts';
import { type CaseRequest, findRequests, isReported, isSettlement } from '../desk/desk-request.repository.ts';
import { findDisputesOf } from '../disputes/dispute.repository.ts';
import { toDisputeView } from '../disputes/dispute-view.ts';
import { readHoldFactsOf } from '../holds/holds.repository.ts';
import { findOperationsOf, type Operation, toOperationFacts } from '../provider-calls/operation.repository.ts';
import { toAdminTransferViews } from '../transfer-views/transfer-views.ts';
import { findTransfersById, type Transfer } from '../transfers/transfer.repository.ts';

/** The facts that determine the actions of a case at a moment. */
export function factsOf(
  { reason, operationId }: DeskCase,
  transfer: Transfer,
  { operations, holds, at }: { operations: readonly Operation[]; holds: HoldFacts; at: Date },
): DeskFacts {
  const about = operations.find(({ id }) => id === operationId);
  return {
    reason,
    operationId: operationId ?? null,
    state: transfer.state,
    hasRecipient: transfer.payoutTarget != null,
    cancelRequested: transfer.cancelRequestedAt != null,
    holds,
    amountMinor: transfer.amountMinor,
    bolivianosMinor: transfer.bolivianosMinor,
    ...{ netMinor: transfer.netMinor, keptMinor: transfer.restKeptMinor },
    kind: about?.kind ?? kindOfReason[reason],
    complaintId: about?.complaintId ?? null,
    restRequestId: about?.restRequestId ?? null,
    operations: operations.map((one) => ({
      ...toOperationFacts(one),
      waiting: one.nextAttemptAt != null && one.nextAttemptAt > at,
    })),
  };
}

/** The currency of money that an action moves. */
export function currencyOf({ to }: MoneyMoved, { currency }: Pick<Transfer, 'currency'>): string {
  return to === 'family' ? 'BOB' : currency;
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

/**
 * Cases as an admin sees them at a moment; without a viewer, as any admin other than their senders. One query for all
 * of each kind.
 */
export async function toDeskCaseViews(
  em: EntityManager,
  cases: readonly DeskCase[],
  { viewerId, at }: { viewerId: string | null; at: Date },
): Promise<DeskCaseView[]> {
  const transferIds = [...new Set(cases.map(({ transferId }) => transferId))];
  const transfers = await findTransfersById(em, transferIds);
  const adminViews = await toAdminTransferViews(em, transfers);
  const operations = Map.groupBy(await findOperationsOf(em, transferIds), ({ transferId }) => transferId);
  const holdsOf = await readHoldFactsOf(em, transfers);
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
    const ofCase = requests.get(transfer.id) ?? [];
    const waiting = ofCase.find(({ outcome, action }) => !outcome && action !== 'refute');
    const refutation = ofCase.find(({ outcome, action }) => !outcome && action === 'refute');
    const acts = !one.resolvedAt && !waiting && transfer.userId !== viewerId;
    const holds = holdsOf.get(transfer.id) as HoldFacts;
    const about = ofTransfer.find(({ id }) => id === one.operationId);
    const facts = factsOf(one, transfer, { operations: ofTransfer, holds, at });
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
      refutation: refutation ? toRequestView(refutation, nameOf) : null,
      owed: formatMinor(owedMinor(facts)),
      ...restViewOf(facts),
      disputes: (disputes.get(transfer.id) ?? []).map(toDisputeView),
      notes: (notes.get(one.id) ?? []).map((note) => ({
        text: note.text,
        author: nameOf(note.authorId) ?? '',
        at: note.at.toISOString(),
      })),
      decided: ofCase
        .filter(({ outcome }) => outcome && outcome !== 'obsolete')
        .map((one) => toRequestView(one, nameOf)),
    };
  });
}

/** What the recipient of a completed transfer is owed, and what refunding it would return. */
function restViewOf(facts: DeskFacts): Pick<DeskCaseView, 'rest' | 'rest_share'> {
  const { owedMinor, refundMinor } = facts.state === 'completed' ? restOf(facts) : { owedMinor: 0n, refundMinor: 0n };
  return { rest: formatMinor(owedMinor), rest_share: formatMinor(owedMinor > 0n ? refundMinor : 0n) };
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
    reserved: !outcome && isSettlement(request) && !isReported(request),
    reason: request.reason,
    amount: amountMinor == null ? null : formatMinor(amountMinor),
    currency: (request.currency ?? null) as DeskRequestView['currency'],
    bank_reference: request.bankReference ?? null,
    has_proof: proofId != null,
    account: accountOf(request),
    requested_by: nameOf(request.requestedById) ?? '',
    requested_by_id: request.requestedById,
    requested_at: request.requestedAt.toISOString(),
    decided_by: nameOf(request.decidedById),
    decided_at: request.decidedAt?.toISOString() ?? null,
    outcome: outcome ? shownOutcomes[outcome] : null,
  };
}

/** Requests that were ended (`obsolete`) are not shown. */
const shownOutcomes = {
  done: 'approved',
  approved: 'approved',
  declined: 'declined',
  dropped: 'dropped',
  refuted: 'refuted',
  obsolete: 'declined',
} as const satisfies Record<NonNullable<CaseRequest['outcome']>, DeskRequestView['outcome']>;

function accountOf({ payoutTarget }: CaseRequest): DeskRequestView['account'] {
  if (!payoutTarget) return null;
  const { name, bankName, bankAccount } = payoutTarget;
  return { name, bank_name: bankName, bank_account: bankAccount };
}
