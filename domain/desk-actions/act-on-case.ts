import { Failure } from '#core/contracts/failures';
import type { DeskAction, DeskCaseView } from '#core/contracts/http/operations';
import { invalidInput } from '#core/contracts/invalid-input';
import type { HoldFacts } from '#core/holds/holds';
import { formatMinor } from '#core/money/money';
import { isPossible, type MoneyMoved, moneyMoved, needsTwoPersons, restActions } from '#core/operations/desk-action';
import { isReport } from '#core/operations/desk-request';
import { mayMoveMoney } from '#core/operations/operation';
import { restOf } from '#core/operations/rest-actions';
import type { Database, EntityManager } from '#platform/database/database';
import { writeAudit } from '../audit/audit.repository.ts';
import { isCorrection } from '../complaints/complaint.repository.ts';
import { emailWaitingRequest } from '../desk/case-emails.ts';
import { bumpCaseVersions, type DeskCase, findCase } from '../desk/desk-case.repository.ts';
import { findRequests, insertRequest, wasMovedByHand } from '../desk/desk-request.repository.ts';
import { readHoldFacts } from '../holds/holds.repository.ts';
import { readPayableTarget } from '../payouts/payable-accounts.ts';
import { findOperations, type Operation, wasSent } from '../provider-calls/operation.repository.ts';
import { countTransfer } from '../transfers/last-day.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { carryOut } from './carry-out-action.ts';
import { refusedWithCase, viewCase } from './desk.ts';
import { currencyOf, factsOf } from './desk-views.ts';
import { reserveSettlement } from './settlement.ts';

/** An admin's action on a case. */
export interface Act {
  readonly caseId: string;
  readonly adminId: string;
  readonly action: DeskAction;
  readonly reason: string;
  /** The payee of `pay_rest`, one of the sender's own recipients; defaults to the account that was paid. */
  readonly recipientId?: string | undefined;
  /** Amount (US cents) from which moving money needs two people. */
  readonly twoPersonsUsdMinor: bigint;
  /** Amount (US cents) from which two people approve a transfer, and so a change of its recipient. */
  readonly reviewTwoPersonsUsdMinor: bigint;
  readonly at: Date;
}

/**
 * Carries out an action on a case, has it await a second person, or reserves the transfer for a settlement by hand.
 * Decided under the transfer's row lock, so that concurrent admins and outside events are serialized.
 * @throws Failure `not_found`, also for an unknown `recipientId`, `own_transfer`, `invalid_input`, and with the current
 * case `case_resolved`, `request_pending`, `action_not_possible`.
 */
export async function actOnCase(database: Database, act: Act): Promise<DeskCaseView> {
  const { caseId, adminId, action, at } = act;
  const viewer = { viewerId: adminId, at };
  const done = database.transaction(async (em) => {
    const { deskCase, transfer, operations, holds } = await lockCase(em, caseId, adminId);
    const earlier = await findRequests(em, [transfer.id]);
    if (earlier.some(({ outcome }) => !outcome)) throw new Failure('request_pending');
    const movedBefore = wasMovedByHand(earlier) || (await wasCorrected(em, operations));
    const facts = factsOf(deskCase, transfer, { operations, holds, at });
    if (!isPossible(action, facts)) throw new Failure('action_not_possible');
    const money = moneyMoved(action, facts);
    checkReason(act);
    const waits = isReport(action)
      ? null
      : await needsSecondPerson(em, act, { deskCase, transfer, money, movedBefore });
    if (isReport(action)) {
      if (!money) throw new Failure('action_not_possible');
      await reserveSettlement(em, transfer, { action, money, reason: act.reason, adminId, at });
    } else {
      const payoutTarget = action === 'pay_rest' ? await readPayableTarget(em, transfer, act.recipientId) : null;
      const request = await insertRequest(em, {
        ...{ caseId, transferId: transfer.id, senderId: transfer.userId, action, movesMoney: money !== null },
        ...{ amountMinor: money?.amountMinor ?? null, currency: money && currencyOf(money, transfer), payoutTarget },
        ...{ reason: act.reason, requestedById: adminId, outcome: waits ? null : 'done', at },
      });
      const amountMinor = action === 'keep_rest' ? restOf(facts).owedMinor : transfer.bolivianosMinor;
      if (waits) await emailWaitingRequest(em, request, money ? request : { amountMinor, currency: 'BOB' });
      else await carryOut(em, { deskCase, transfer, operations, holds, action, request, adminId, at });
    }
    await bumpCaseVersions(em, transfer.id);
    const moved = money && { amount: formatMinor(money.amountMinor), currency: currencyOf(money, transfer) };
    const detail = { action, transferId: transfer.id, ...(waits !== null && { waits }), ...moved };
    await writeAudit(em, 'case_acted', { subject: caseId, detail });
    return viewCase(em, caseId, viewer);
  });
  return done.catch((error) => refusedWithCase(database, error, { caseId, ...viewer }));
}

/** Actions that may lose our money. */
const alwaysByTwo: ReadonlySet<DeskAction> = new Set<DeskAction>(['release_hold', 'keep_rest']);

/**
 * After a payout, or after money was moved by hand or for a report, an action moves money a second time, unless it is
 * money that the bank returned. Paying that to another account needs two people. A changed recipient is approved as the
 * transfer was.
 */
async function needsSecondPerson(
  em: EntityManager,
  { action, recipientId, twoPersonsUsdMinor, reviewTwoPersonsUsdMinor }: Act,
  about: {
    deskCase: DeskCase;
    transfer: Transfer;
    money: MoneyMoved | null;
    movedBefore: boolean;
  },
): Promise<boolean> {
  const { deskCase, transfer, money, movedBefore } = about;
  const isApproval = action === 'release_hold' && deskCase.reason === 'recipient_changed';
  const paidOut = money !== null && transfer.state === 'completed' && !restActions.has(action);
  return needsTwoPersons({
    risksLoss: (alwaysByTwo.has(action) && !isApproval) || (action === 'pay_rest' && recipientId !== undefined),
    movesMoney: money !== null || isApproval,
    usdMinor: isApproval ? await countTransfer(em, transfer.id) : transfer.usdMinor,
    limitUsdMinor: isApproval ? reviewTwoPersonsUsdMinor : twoPersonsUsdMinor,
    movedBefore: !isApproval && (paidOut || movedBefore),
  });
}

/**
 * Whether the correction of a complaint has moved money, or may: it may already cover the part that the bank returned.
 */
async function wasCorrected(em: EntityManager, operations: readonly Operation[]): Promise<boolean> {
  const moving = operations.filter((one) => mayMoveMoney({ status: one.status, sent: wasSent(one) }));
  for (const one of moving) if (one.complaintId != null || (await isCorrection(em, one.id))) return true;
  return false;
}

async function lockCase(
  em: EntityManager,
  caseId: string,
  adminId: string,
): Promise<{ deskCase: DeskCase; transfer: Transfer; operations: Operation[]; holds: HoldFacts }> {
  const seen = await findCase(em, caseId);
  const transfer = seen && (await lockTransfer(em, seen.transferId));
  const deskCase = transfer && (await findCase(em, caseId));
  if (!deskCase) throw new Failure('not_found');
  if (transfer.userId === adminId) throw new Failure('own_transfer');
  if (deskCase.resolvedAt) throw new Failure('case_resolved');
  const holds = await readHoldFacts(em, transfer);
  return { deskCase, transfer, operations: await findOperations(em, transfer.id), holds };
}

/** @throws Failure `invalid_input` without a reason, which every action but a retry needs. */
function checkReason({ action, reason }: Act): void {
  if (action !== 'retry' && reason === '') throw invalidInput({ reason: 'reason_required' });
}
