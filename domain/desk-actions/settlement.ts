import { Failure } from '#core/contracts/failures';
import type { DeskCaseView } from '#core/contracts/http/operations';
import { invalidInput } from '#core/contracts/invalid-input';
import { formatMinor } from '#core/money/money';
import { isPossible, type MoneyMoved, moneyMoved, needsTwoPersons } from '#core/operations/desk-action';
import type { CaseOutcome } from '#core/operations/desk-case';
import type { Database, EntityManager } from '#platform/database/database';
import { writeAudit } from '../audit/audit.repository.ts';
import { emailWaitingRequest } from '../desk/case-emails.ts';
import { closeCase, findCase, findOpenReasonsOf, openCase } from '../desk/desk-case.repository.ts';
import {
  type CaseRequest,
  endRefutations,
  endSettlement,
  findRequest,
  findRequests,
  insertProof,
  insertRequest,
  isReported,
  isSettlement,
  type NewProof,
  noteReport,
  type Settlement,
  wasMovedByHand,
} from '../desk/desk-request.repository.ts';
import { readHoldFacts } from '../holds/holds.repository.ts';
import { findOperations, resumeHeldOperations } from '../provider-calls/operation.repository.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { bookSettlement } from './book-settlement.ts';
import { type RequestCall, withRequest } from './desk.ts';
import { currencyOf, factsOf } from './desk-views.ts';

// A settlement by hand: a person pays the recipient, or refunds the sender, at a counter of the bank. The transfer is
// reserved before the money is sent, so that nothing else can move it (core/holds). Then it is reported with the bank's
// proof, and booked; or its author confirms that nothing was sent; or two people agree, with evidence, that nothing
// was.

/** Reserves a locked transfer for a settlement that is possible now. The settlement's case stays open until it ends. */
export async function reserveSettlement(
  em: EntityManager,
  transfer: Transfer,
  input: { action: Settlement['action']; money: MoneyMoved; reason: string; adminId: string; at: Date },
): Promise<void> {
  const { action, money, reason, adminId, at } = input;
  const { id: transferId, userId: senderId } = transfer;
  await openCase(em, { transferId, reason: 'settlement_by_hand', at });
  const caseId = (await findOpenReasonsOf(em, [transferId])).get(transferId)?.get('settlement_by_hand');
  if (!caseId) throw new Error('a settlement without its case');
  await insertRequest(em, {
    ...{ caseId, transferId, senderId, action, movesMoney: true, reason, requestedById: adminId, outcome: null, at },
    ...{ amountMinor: money.amountMinor, currency: currencyOf(money, transfer) },
  });
  const step = { name: 'reserve_settlement', owner: 'admin', actorId: adminId, at } as const;
  if (!(await changeWithinState(em, transfer, {}, step))) throw new Failure('action_not_possible');
}

/** An admin's report of a payment by hand, made by them or a colleague. */
export interface Report extends RequestCall {
  readonly bankReference: string;
  /** Exact decimal text. */
  readonly amount: string;
  readonly proof: NewProof;
  readonly reason: string;
  /** Amount (US cents) from which a second person has to confirm it. */
  readonly twoPersonsUsdMinor: bigint;
}

/**
 * Reports that the money of a reserved settlement was sent. It is booked at once, or awaits a second person if it is
 * large or contradicts events since the reservation. Any admin may report it, because the author of the reservation may
 * be gone.
 * @throws Failure `not_found`, `own_transfer`, and with the current case `already_decided`, `request_ended`,
 * `request_pending` when it was already reported, `amount_differs`.
 */
export function reportSettlement(database: Database, report: Report): Promise<DeskCaseView> {
  return withRequest(database, report, async (em, { request, transfer }) => {
    const { adminId, at, proof, bankReference, reason } = report;
    if (!isSettlement(request)) throw new Failure('not_found');
    if (isReported(request)) throw new Failure('request_pending');
    if (report.amount !== formatMinor(request.amountMinor ?? 0n)) throw new Failure('amount_differs');
    const waits = await needsConfirmation(em, { request, transfer, ...report });
    const proofId = await insertProof(em, { transferId: transfer.id, proof, personId: adminId, at });
    const settlement = await noteReport(em, request, { bankReference, proofId, reason, requestedById: adminId, at });
    await writeAudit(em, 'settlement_reported', {
      subject: request.caseId,
      detail: auditDetail(settlement, { waits }),
    });
    if (waits) return emailWaitingRequest(em, settlement, settlement);
    await endSettlement(em, settlement, { outcome: 'done', at });
    await closeSettled(em, settlement, {
      outcome: await bookSettlement(em, { transfer, settlement, adminId, at }),
      ...report,
    });
  });
}

/** Whether a second person has to confirm a report. Ends a refutation made before the report. */
async function needsConfirmation(
  em: EntityManager,
  input: { request: Settlement; transfer: Transfer; twoPersonsUsdMinor: bigint; at: Date },
): Promise<boolean> {
  const { request, transfer, twoPersonsUsdMinor: limitUsdMinor, at } = input;
  const [operations, holds] = [await findOperations(em, transfer.id), await readHoldFacts(em, transfer)];
  const deskCase = await findCase(em, request.caseId);
  const facts = deskCase && factsOf(deskCase, transfer, { operations, holds, at });
  const isAsReserved =
    facts !== null &&
    isPossible(request.action, facts, request.id) &&
    moneyMoved(request.action, facts)?.amountMinor === request.amountMinor;
  const earlier = await findRequests(em, [transfer.id]);
  const wasDoubted = await endRefutations(em, request.id, at);
  return needsTwoPersons({
    ...{ movesMoney: true, usdMinor: transfer.usdMinor, limitUsdMinor, movedBefore: wasMovedByHand(earlier) },
    risksLoss: wasDoubted || !isAsReserved,
  });
}

/**
 * Ends a reservation whose author has sent nothing.
 * @throws Failure `not_found`, `own_transfer`, `forbidden` for anyone else, and with the current case
 * `already_decided`, and `request_pending` once it was reported.
 */
export function dropSettlement(database: Database, call: RequestCall): Promise<DeskCaseView> {
  return withRequest(database, call, async (em, { request, transfer }) => {
    if (!isSettlement(request)) throw new Failure('not_found');
    if (request.requestedById !== call.adminId) throw new Failure('forbidden');
    if (isReported(request)) throw new Failure('request_pending');
    await endSettlement(em, request, { outcome: 'dropped', at: call.at });
    await writeAudit(em, 'settlement_dropped', { subject: request.caseId, detail: auditDetail(request) });
    await freeTransfer(em, transfer, { settlement: request, outcome: 'settlement_dropped', ...call });
  });
}

/**
 * Requests a second person's agreement, with evidence of the bank, that the money of a settlement was never sent; the
 * author of the reservation or report needs that too.
 * @throws Failure `not_found`, `own_transfer`, `invalid_input` without a reason, and with the current case
 * `already_decided` and `request_pending`.
 */
export function refuteSettlement(
  database: Database,
  refutation: RequestCall & { reason: string; proof: NewProof },
): Promise<DeskCaseView> {
  return withRequest(database, refutation, async (em, { request, transfer }) => {
    const { adminId, at, reason, proof } = refutation;
    const { id: aboutId, caseId, transferId, senderId } = request;
    if (!isSettlement(request)) throw new Failure('not_found');
    if (reason === '') throw invalidInput({ reason: 'reason_required' });
    if (await findRefutation(em, request)) throw new Failure('request_pending');
    const proofId = await insertProof(em, { transferId: transfer.id, proof, personId: adminId, at });
    const fields = { reason, proofId, aboutId, requestedById: adminId, outcome: null, at } as const;
    const waiting = await insertRequest(em, { caseId, transferId, senderId, action: 'refute', ...fields });
    await writeAudit(em, 'settlement_refuted', { subject: caseId, detail: auditDetail(request) });
    await emailWaitingRequest(em, waiting, request);
  });
}

/** The refutation of a settlement that awaits a second person, or null. */
export async function findRefutation(em: EntityManager, { id, transferId }: CaseRequest): Promise<CaseRequest | null> {
  const requests = await findRequests(em, [transferId]);
  return requests.find((one) => one.aboutId === id && !one.outcome) ?? null;
}

/** Books a report that a second person confirmed. */
export async function confirmSettlement(
  em: EntityManager,
  settlement: Settlement,
  { transfer, ...call }: RequestCall & { transfer: Transfer },
): Promise<void> {
  const { adminId, at } = call;
  const outcome = await bookSettlement(em, { transfer, settlement, adminId, at });
  await closeSettled(em, settlement, { outcome, ...call });
}

/** Releases the transfer after a second person agreed that the money was never sent. */
export async function carryOutRefutation(
  em: EntityManager,
  refutation: CaseRequest,
  { transfer, ...call }: RequestCall & { transfer: Transfer },
): Promise<void> {
  const settlement = refutation.aboutId ? await findRequest(em, refutation.aboutId) : null;
  if (!settlement || !isSettlement(settlement) || settlement.outcome) throw new Failure('action_not_possible');
  await endSettlement(em, settlement, { outcome: 'refuted', at: call.at });
  await freeTransfer(em, transfer, { settlement, outcome: 'settlement_refuted', ...call });
}

/** Releases the reservation and resumes held operations, because nothing was sent. */
async function freeTransfer(
  em: EntityManager,
  transfer: Transfer,
  input: { settlement: Settlement; outcome: CaseOutcome; adminId: string; at: Date },
): Promise<void> {
  const { settlement, adminId: actorId, at } = input;
  await closeSettled(em, settlement, input);
  await changeWithinState(em, transfer, {}, { name: 'free_settlement', owner: 'admin', actorId, at });
  await resumeHeldOperations(em, transfer.id, at);
}

async function closeSettled(
  em: EntityManager,
  { caseId }: Settlement,
  { outcome, adminId: personId, at }: { outcome: CaseOutcome; adminId: string; at: Date },
): Promise<void> {
  const deskCase = await findCase(em, caseId);
  if (deskCase) await closeCase(em, deskCase, { outcome, personId, at });
}

function auditDetail(
  { id: requestId, transferId, action, amountMinor, currency }: Settlement,
  more: { waits?: boolean } = {},
): Record<string, unknown> {
  return { requestId, transferId, action, amount: formatMinor(amountMinor ?? 0n), currency, ...more };
}
