import { Failure } from '#core/contracts/failures';
import type { DeskCaseView } from '#core/contracts/http/operations';
import { isPossible, moneyMoved } from '#core/operations/desk-action';
import { permissionOf } from '#core/operations/desk-request';
import type { Database, EntityManager } from '#platform/database/database';
import { isStillPermitted, requireSecondPerson } from '../accounts/account.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { findCase } from '../desk/desk-case.repository.ts';
import { type CaseRequest, decideRequest, isReported, isSettlement } from '../desk/desk-request.repository.ts';
import { readHoldFacts } from '../holds/holds.repository.ts';
import { findOperations, resumeHeldOperations } from '../provider-calls/operation.repository.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { type CarriedOut, carryOut } from './carry-out-action.ts';
import { type RequestCall, withRequest } from './desk.ts';
import { factsOf } from './desk-views.ts';
import { carryOutRefutation, confirmSettlement, findRefutation } from './settlement.ts';

/**
 * Approves or declines another admin's request. An approved one is carried out now, if it is still possible and moves
 * the requested amount. A report of money already sent is always booked; it can only be refuted, with evidence
 * (`refuteSettlement`).
 * @throws Failure `not_found`, `own_transfer`, `own_request`, and with the current case `already_decided`,
 * `request_ended`, `request_pending` while a refutation waits, `proof_missing` for a report that is declined, and
 * `action_not_possible`.
 */
export function decideDeskRequest(
  database: Database,
  { approve, ...call }: RequestCall & { approve: boolean },
): Promise<DeskCaseView> {
  return withRequest(database, call, async (em, { request, transfer }) => {
    const { requestId, adminId, at } = call;
    await requireSecondPerson(em, { personId: adminId, requestedById: request.requestedById, at });
    if (isSettlement(request)) await refuseUndecidable(em, request, approve);
    // A reported payment stays true, whoever reported it; a request or a refutation depends on its author's
    // permissions.
    else if (approve && !(await isStillPermitted(em, request.requestedById, permissionOf(request.action))))
      throw new Failure('request_ended');
    const outcome = approve ? 'approved' : 'declined';
    if (!(await decideRequest(em, requestId, { outcome, personId: adminId, at }))) throw new Failure('request_ended');
    if (approve) await carryOutApproved(em, request, { ...call, transfer });
    // The request no longer holds them.
    await resumeHeldOperations(em, transfer.id, at);
    const detail = { requestId, action: request.action, approve };
    await writeAudit(em, 'desk_request_decided', { subject: request.caseId, detail });
  });
}

/** @throws Failure unless a settlement was reported, is confirmed, and is not being refuted. */
async function refuseUndecidable(em: EntityManager, settlement: CaseRequest, approve: boolean): Promise<void> {
  if (!approve) throw new Failure('proof_missing');
  if (!isReported(settlement)) throw new Failure('action_not_possible');
  if (await findRefutation(em, settlement)) throw new Failure('request_pending');
}

function carryOutApproved(
  em: EntityManager,
  request: CaseRequest,
  call: RequestCall & { transfer: Transfer },
): Promise<void> {
  if (isSettlement(request)) return confirmSettlement(em, request, call);
  if (request.action === 'refute') return carryOutRefutation(em, request, call);
  return carryOutPermission(em, { request, action: request.action as CarriedOut }, call);
}

async function carryOutPermission(
  em: EntityManager,
  { request, action }: { request: CaseRequest; action: CarriedOut },
  { transfer, adminId, at }: RequestCall & { transfer: Transfer },
): Promise<void> {
  const deskCase = await findCase(em, request.caseId);
  const operations = await findOperations(em, transfer.id);
  const holds = await readHoldFacts(em, transfer);
  if (!deskCase || deskCase.resolvedAt) throw new Failure('action_not_possible');
  const facts = factsOf(deskCase, transfer, { operations, holds, at });
  const amountMinor = moneyMoved(action, facts)?.amountMinor ?? null;
  if (!isPossible(action, facts, request.id) || amountMinor !== request.amountMinor)
    throw new Failure('action_not_possible');
  await carryOut(em, { deskCase, transfer, operations, holds, action, request, adminId, at });
}
