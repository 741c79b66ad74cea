import { Failure } from '#core/contracts/failures';
import type { DeskAction, DeskCaseView } from '#core/contracts/http/operations';
import { invalidInput } from '#core/contracts/invalid-input';
import { formatMinor } from '#core/money/money';
import { isPossible, type MoneyMoved, moneyMoved, needsTwoPersons } from '#core/operations/desk-action';
import type { Database, EntityManager } from '#platform/database/database';
import { writeAudit } from '../audit/audit.repository.ts';
import { findBlockingDispute } from '../disputes/dispute.repository.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { carryOut } from './carry-out-action.ts';
import { emailWaitingRequest } from './case-emails.ts';
import { refusedWithCase, viewCase } from './desk.ts';
import { type DeskCase, findCase, touchCases } from './desk-case.repository.ts';
import {
  decideRequest,
  findRequest,
  findRequests,
  insertProof,
  insertRequest,
  type NewProof,
} from './desk-request.repository.ts';
import { factsOf } from './desk-views.ts';
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
 * and of an admin and the world outside, one comes first. @throws Failure `not_found`, `own_transfer`, `proof_missing`, `invalid_input`,
 * and with the case as it is now `case_resolved`, `request_pending`, `action_not_possible`, `amount_differs`.
 */
export async function actOnCase(database: Database, act: Act): Promise<DeskCaseView> {
  const { caseId, adminId, action, at } = act;
  const viewer = { viewerId: adminId, at };
  const done = database.transaction(async (em) => {
    const { deskCase, transfer, operations, disputed } = await lockCase(em, caseId, adminId);
    const earlier = await findRequests(em, [transfer.id]);
    if (earlier.some(({ outcome }) => !outcome)) throw new Failure('request_pending');
    const facts = factsOf(deskCase, transfer, { operations, disputed, at });
    if (!isPossible(action, facts)) throw new Failure('action_not_possible');
    const money = moneyMoved(action, facts);
    checkEvidence(act, money);
    // Where the family was paid, money moves a second time.
    const paidOut = money !== null && transfer.state === 'completed';
    const movedByHand = earlier.some((one) => one.movesMoney && (one.outcome === 'done' || one.outcome === 'approved'));
    const { usdMinor } = transfer;
    const limitUsdMinor = act.twoPersonsUsdMinor;
    const waits = needsTwoPersons({
      movesMoney: money !== null,
      usdMinor,
      limitUsdMinor,
      movedBefore: paidOut || movedByHand,
    });
    const { proof } = act;
    const proofId = proof ? await insertProof(em, { transferId: transfer.id, proof, personId: adminId, at }) : null;
    const request = await insertRequest(em, {
      ...{ caseId, transferId: transfer.id, senderId: transfer.userId, action, movesMoney: money !== null },
      ...{ reason: act.reason, bankReference: act.bankReference || null, proofId },
      ...{ amountMinor: money?.amountMinor ?? null, currency: money && currencyOf(money, transfer) },
      ...{ requestedById: adminId, outcome: waits ? null : 'done', at },
    });
    if (waits) await emailWaitingRequest(em, request);
    else await carryOut(em, { deskCase, transfer, operations, disputed, request, adminId, at });
    await touchCases(em, transfer.id);
    const moved = money && { amount: formatMinor(money.amountMinor), currency: currencyOf(money, transfer) };
    const detail = { action, transferId: transfer.id, waits, ...moved };
    await writeAudit(em, 'case_acted', { subject: caseId, detail });
    return viewCase(em, caseId, viewer);
  });
  return done.catch((error) => refusedWithCase(database, error, { caseId, ...viewer }));
}

/**
 * Approves or declines what another admin asked for. Approved, it is carried out now, if it still can be and moves what the approval
 * was asked for. @throws Failure `not_found`, `own_transfer`, `own_request`, and with the case as it is now `already_decided` and
 * `action_not_possible`.
 */
export async function decideDeskRequest(
  database: Database,
  input: { requestId: string; adminId: string; approve: boolean; at: Date },
): Promise<DeskCaseView> {
  const { requestId, adminId, approve, at } = input;
  const viewer = { viewerId: adminId, at };
  const caseId = (await findRequest(database.fork(), requestId))?.caseId;
  const done = database.transaction(async (em) => {
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
      const facts = factsOf(deskCase, transfer, { operations, disputed, at });
      const amountMinor = moneyMoved(request.action, facts)?.amountMinor ?? null;
      if (!isPossible(request.action, facts) || amountMinor !== request.amountMinor) {
        throw new Failure('action_not_possible');
      }
      await carryOut(em, { deskCase, transfer, operations, disputed, request, adminId, at });
    }
    await touchCases(em, transfer.id);
    const detail = { requestId, action: request.action, approve };
    await writeAudit(em, 'desk_request_decided', { subject: request.caseId, detail });
    return viewCase(em, request.caseId, viewer);
  });
  return done.catch((error) => refusedWithCase(database, error, { caseId, ...viewer }));
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

function currencyOf({ to }: MoneyMoved, transfer: Transfer): string {
  return to === 'family' ? 'BOB' : transfer.currency;
}

/** @throws Failure when what proves a payment by hand is missing, or is about another amount. */
function checkEvidence(act: Act, money: MoneyMoved | null): void {
  if (act.action !== 'retry' && act.reason === '') throw invalidInput({ reason: 'reason_required' });
  if (act.action !== 'pay_by_hand' && act.action !== 'refund_by_hand') return;
  if (!act.proof || !act.amount || !act.bankReference) throw new Failure('proof_missing');
  if (!money || act.amount !== formatMinor(money.amountMinor)) throw new Failure('amount_differs');
}
