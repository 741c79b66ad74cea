import { Failure, invalidInput } from '#core/contracts/failures';
import type { DeskAction, DeskCaseView } from '#core/contracts/http/operations';
import { formatMinor } from '#core/money/money';
import { isPossible, movesMoney, needsTwoPersons, owedMinor } from '#core/operations/desk-action';
import { Database, type EntityManager } from '#platform/database/database';
import { findBlockingDispute } from '../disputes/dispute.repository.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { carryOut } from './carry-out-action.ts';
import { emailWaitingRequest } from './case-emails.ts';
import { type DeskCase, findCase, touchCases } from './desk-case.repository.ts';
import {
  decideRequest,
  findRequest,
  findRequests,
  insertProof,
  insertRequest,
  type NewProof,
} from './desk-request.repository.ts';
import { factsOf, toDeskCaseView } from './desk-views.ts';
import { findOperations, type Operation } from './operation.repository.ts';

/** What an admin wants to do about a case. */
export interface Act {
  readonly caseId: string;
  readonly adminId: string;
  readonly action: DeskAction;
  readonly reason: string;
  readonly bankReference?: string | undefined;
  /** Exact decimal text. */
  readonly amount?: string | undefined;
  readonly proof?: NewProof | undefined;
  /** From this amount on (US cents) two persons are needed. */
  readonly twoPersonsUsdMinor: bigint;
  readonly at: Date;
}

/**
 * Does something about a case, or has it wait for a second person. Everything is decided under the transfer's row lock: of several admins,
 * and of an admin and the world outside, one comes first. @throws Failure `not_found`, `own_transfer`, `case_resolved`,
 * `request_pending`, `action_not_possible`, `proof_missing`, `amount_differs`, `invalid_input`.
 */
export async function actOnCase(database: Database, act: Act): Promise<DeskCaseView> {
  const { caseId, adminId, action, at } = act;
  return database.transaction(async (em) => {
    const { deskCase, transfer, operations, disputed } = await lockCase(em, caseId, adminId);
    const earlier = await findRequests(em, [transfer.id]);
    if (earlier.some(({ outcome }) => !outcome)) throw new Failure('request_pending');
    const facts = factsOf(deskCase, transfer, { operations, disputed, at });
    if (!isPossible(action, facts)) throw new Failure('action_not_possible');
    const paidMinor = checkEvidence(act, transfer, operations);
    const money = movesMoney(action, facts);
    const movedBefore = earlier.some((one) => one.movesMoney && (one.outcome === 'done' || one.outcome === 'approved'));
    const { usdMinor } = transfer;
    const limitUsdMinor = act.twoPersonsUsdMinor;
    const waits = needsTwoPersons({ movesMoney: money, usdMinor, limitUsdMinor, movedBefore });
    const { proof } = act;
    const proofId = proof ? await insertProof(em, { transferId: transfer.id, proof, personId: adminId, at }) : null;
    const request = await insertRequest(em, {
      ...{ caseId, transferId: transfer.id, senderId: transfer.userId, action, movesMoney: money },
      ...{ reason: act.reason, bankReference: act.bankReference || null, amountMinor: paidMinor, proofId },
      ...{ requestedById: adminId, outcome: waits ? null : 'done', at },
    });
    if (waits) await emailWaitingRequest(em, request);
    else await carryOut(em, { deskCase, transfer, operations, disputed, request, adminId, at });
    await touchCases(em, transfer.id);
    return reread(em, caseId, { viewerId: adminId, at });
  });
}

/**
 * Approves or declines what another admin asked for. Approved, it is carried out now, if it still can be. @throws Failure `not_found`,
 * `own_transfer`, `own_request`, `already_decided`, `action_not_possible`.
 */
export async function decideDeskRequest(
  database: Database,
  input: { requestId: string; adminId: string; approve: boolean; at: Date },
): Promise<DeskCaseView> {
  const { requestId, adminId, approve, at } = input;
  return database.transaction(async (em) => {
    const seen = await findRequest(em, requestId);
    const transfer = seen && (await lockTransfer(em, seen.transferId));
    const request = transfer && (await findRequest(em, requestId));
    if (!request) throw new Failure('not_found');
    if (transfer.userId === adminId) throw new Failure('own_transfer');
    if (request.outcome) throw new Failure('already_decided', { request: request.id });
    if (request.requestedById === adminId) throw new Failure('own_request');
    const outcome = approve ? 'approved' : 'declined';
    await decideRequest(em, requestId, { outcome, personId: adminId, at });
    if (approve) {
      const deskCase = await findCase(em, request.caseId);
      const operations = await findOperations(em, transfer.id);
      const disputed = (await findBlockingDispute(em, transfer.id)) !== null;
      if (!deskCase || deskCase.resolvedAt) throw new Failure('action_not_possible');
      const possible = isPossible(request.action, factsOf(deskCase, transfer, { operations, disputed, at }));
      const due = dueMinor(request.action, transfer, operations);
      if (!possible || (due !== null && due !== request.amountMinor)) throw new Failure('action_not_possible');
      await carryOut(em, { deskCase, transfer, operations, disputed, request, adminId, at });
    }
    await touchCases(em, transfer.id);
    return reread(em, request.caseId, { viewerId: adminId, at });
  });
}

async function lockCase(
  em: EntityManager,
  caseId: string,
  adminId: string,
): Promise<{ deskCase: DeskCase; transfer: Transfer; operations: Operation[]; disputed: boolean }> {
  const seen = await findCase(em, caseId);
  const transfer = seen && (await lockTransfer(em, seen.transferId));
  const deskCase = transfer && (await findCase(em, caseId));
  if (!deskCase) throw new Failure('not_found');
  if (transfer.userId === adminId) throw new Failure('own_transfer');
  if (deskCase.resolvedAt) throw new Failure('case_resolved');
  const disputed = (await findBlockingDispute(em, transfer.id)) !== null;
  return { deskCase, transfer, operations: await findOperations(em, transfer.id), disputed };
}

/** What an action by hand has to have paid, in minor units; null for the others. */
function dueMinor(action: DeskAction, transfer: Transfer, operations: readonly Operation[]): bigint | null {
  if (action === 'pay_by_hand') return transfer.bolivianosMinor;
  return action === 'refund_by_hand'
    ? owedMinor({ amountMinor: transfer.amountMinor, operations: operations.map(owedFacts) })
    : null;
}

function owedFacts({ kind, status, attempts, lastError, amountMinor }: Operation) {
  return { kind, status, attempts, lastError: lastError ?? null, amountMinor, waiting: false };
}

/** What was paid by hand, in minor units, or null. @throws Failure when its evidence is missing or about another amount. */
function checkEvidence(act: Act, transfer: Transfer, operations: readonly Operation[]): bigint | null {
  if (act.action !== 'retry' && act.reason === '') throw invalidInput({ reason: 'Escribe el motivo' });
  const due = dueMinor(act.action, transfer, operations);
  if (due === null) return null;
  if (!act.proof || !act.amount || (act.action === 'pay_by_hand' && !act.bankReference))
    throw new Failure('proof_missing');
  if (act.amount !== formatMinor(due)) throw new Failure('amount_differs');
  return due;
}

async function reread(
  em: EntityManager,
  caseId: string,
  viewer: { viewerId: string; at: Date },
): Promise<DeskCaseView> {
  const deskCase = await findCase(em, caseId);
  if (!deskCase) throw new Failure('not_found');
  return toDeskCaseView(em, deskCase, viewer);
}
