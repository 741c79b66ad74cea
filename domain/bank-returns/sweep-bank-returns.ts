import { z } from 'zod';
import { type PayoutReturn, payoutReturn } from '#core/contracts/bank';
import { parseMinor } from '#core/money/money';
import { outcomeOf } from '#core/operations/reducer';
import { bankReason } from '#core/transfers/own-reasons';
import type { EntityManager } from '#platform/database/database';
import { classifyError } from '#platform/queues/retry';
import { emailReturnedPart, findOwedToFamily, isRestUnderWay, paidOrSettled, unkeepRest } from '../corrections/rest.ts';
import { isStanding, returnSecondPayout } from '../corrections/second-payout.ts';
import { openCase, touchCases } from '../desk/desk-case.repository.ts';
import { endWaitingRequests } from '../desk/desk-request.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { applyEarlierRefunds } from '../payments/sync-disputes.ts';
import { askForCorrection, failPayout } from '../payouts/apply-payout.ts';
import {
  differenceOf,
  findLastReturnId,
  keepUnbooked,
  takeReturn,
  type UnbookedReturn,
} from '../payouts/bank-return.repository.ts';
import { finishCancellation } from '../payouts/cancel.ts';
import { emailFailedPayout } from '../payouts/failed-payout.ts';
import {
  findOperations,
  type Operation,
  resumeHeldOperations,
  updateOperation,
} from '../provider-calls/operation.repository.ts';
import { openDifferences } from '../reconciliation/book-exception.repository.ts';
import { holdOpenDays } from '../reconciliation/source-entry.repository.ts';
import { postPayoutReturn } from '../transfers/ledger.repository.ts';
import { changeWithinState, moveTransfer } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';

/** Most pages that one sweep reads; the next one goes on where it ended. */
const mostPages = 20;

/**
 * Asks the bank which payments came back since the last time, and applies each of them once: several sweeps at the same
 * time, or one that dies in between, change nothing. One that cannot be booked is kept and shown to a person, and keeps none of the others.
 */
export async function sweepBankReturns(context: JobContext): Promise<void> {
  let after = await findLastReturnId(context.database.fork());
  for (let page = 0; page < mostPages; page += 1) {
    const { data, hasMore } = await context.bank.returns(after);
    for (const raw of data) await take(context, raw);
    const last = data.map(idOf).findLast((id) => id !== null);
    if (!hasMore || !last) return;
    after = last;
  }
}

const idOf = (raw: unknown) => z.object({ id: payoutReturn.shape.id }).safeParse(raw).data?.id ?? null;

/** Takes one return in a transaction. @throws only what a repetition may mend. */
async function take(context: JobContext, raw: unknown): Promise<void> {
  const { database, log } = context;
  const read = payoutReturn.safeParse(raw);
  const amountMinor = read.success ? parseMinor(read.data.amount) : null;
  if (!read.success)
    return keep(context, raw, read.error.issues.map(({ path, message }) => `${path}: ${message}`).join('; '));
  if (!amountMinor) return keep(context, raw, 'nothing was returned');
  try {
    await database.transaction((em) => apply(context, em, { ...read.data, amountMinor }));
  } catch (error) {
    if (!isRefusedByBooks(error)) throw error;
    log.error({ err: error, returned: read.data.id }, 'a return of the bank could not be booked');
    await keep(context, raw, classifyError(error).message);
  }
}

/** Whether the checks of the database refused what would have been written: they would do so again. */
function isRefusedByBooks(error: unknown): boolean {
  return /^(P0001|23\d{3})$/.test(String((error as { code?: unknown }).code));
}

/** Keeps a return that cannot be booked, and has a person look at it. */
async function keep(context: JobContext, raw: unknown, problem: string): Promise<void> {
  const at = context.now();
  await context.database.transaction(async (em) => {
    const kept = await keepUnbooked(em, { raw, problem, at });
    if (kept) await raise(em, kept, at);
  });
}

/** Opens the difference about a return that is not booked, and writes to admins, once. */
async function raise(em: EntityManager, returned: UnbookedReturn, at: Date): Promise<void> {
  const closedUntil = await holdOpenDays(em);
  await openDifferences(em, [differenceOf(returned)], { closedUntil, at, occasion: `return-${returned.id}` });
  await em.flush();
}

async function apply(
  context: JobContext,
  em: EntityManager,
  returned: PayoutReturn & { amountMinor: bigint },
): Promise<void> {
  const at = context.now();
  const found = await findPayout(em, returned.externalId);
  const operationId = found?.operation.id ?? null;
  const part = await takeReturn(em, { ...returned, operationId, at });
  if (part === null) return;
  if (!found)
    return raise(em, { ...returned, returnedAt: new Date(returned.createdAt), takenAt: at, problem: null }, at);
  await applyReturn(context, em, found, { ...returned, part, at });
  await em.flush();
}

interface Payout {
  /** Its row is locked. */
  readonly transfer: Transfer;
  readonly operation: Operation;
  /** Whether it is the newest payout of its transfer, second ones left out. */
  readonly newest: boolean;
  /** Whether the family was paid a second time, or is being, or some of the rest went back to the sender, or is doing so. */
  readonly paidAgain: boolean;
}

interface Return {
  /** The bank's id of it. */
  readonly id: string;
  readonly reference: string;
  readonly message: string;
  readonly amountMinor: bigint;
  /** Counts the returns of this payout, from 1. */
  readonly part: number;
  readonly at: Date;
}

/** The payout that the bank knows by this id (`payoutIdOf`), or null. */
async function findPayout(em: EntityManager, externalId: string): Promise<Payout | null> {
  const [, transferId, sequence = '1'] = /^(.{36})(?:-(\d{1,9}))?$/.exec(externalId) ?? [];
  if (!z.guid().safeParse(transferId).success) return null;
  const transfer = await lockTransfer(em, transferId as string);
  if (!transfer) return null;
  const operations = await findOperations(em, transfer.id);
  const payouts = operations.filter(({ kind }) => kind === 'payout');
  const operation = payouts.find((one) => one.sequence === Number(sequence));
  if (!operation) return null;
  const newest = payouts.every((one) => one.payoutTarget || one.sequence <= operation.sequence);
  const refundsRest = operations.some(
    (one) => one.restMinor != null && (one.status === 'succeeded' || isRestUnderWay(one)),
  );
  return { transfer, operation, newest, paidAgain: payouts.some(isStanding) || refundsRest };
}

/** Moves a transfer, whose row is locked, by what came back of a payout of it. */
async function applyReturn(context: JobContext, em: EntityManager, payout: Payout, returned: Return): Promise<void> {
  const { transfer, operation, newest, paidAgain } = payout;
  const { reference, message, amountMinor, at } = returned;
  const { id: transferId } = transfer;
  const total = operation.returnedMinor + amountMinor;
  if (total > operation.amountMinor) return contradiction(em, payout, returned);
  if (operation.payoutTarget && operation.status !== 'failed') return returnSecond(em, payout, returned);
  if (!newest || operation.payoutTarget) return contradiction(em, payout, returned);
  // Where the family was paid a second time, or some of the rest went back, the sender names no other account: a person decides.
  const fact = total === operation.amountMinor && !paidAgain ? 'payout_returned' : 'payout_returned_in_part';
  const reason = bankReason('returned', message);
  const ofCase = { transferId, operationId: operation.id, details: message, at };
  // The moves below end what is open: one that was given up was made after all.
  if (operation.status === 'abandoned') await updateOperation(em, operation, { status: 'unknown' }, at);
  switch (outcomeOf(transfer.state, fact)) {
    case 'return_payout': {
      await updateOperation(em, operation, { status: 'failed', returnedMinor: total, lastError: message }, at);
      postPayoutReturn(em, transfer, operation, returned);
      await em.flush();
      if (transfer.restKeptMinor > 0n) await unkeepRest(em, transfer, at);
      return returnWhole(context, em, { ...ofCase, reason });
    }
    case 'reject_payout':
      // It was not known as paid, so the books have nothing to take back.
      await failPayout(em, operation, { lastError: message, at });
      if (await finishCancellation(em, transferId, at)) return;
      await moveTransfer(em, transferId, 'reject_payout', { at, changes: { reason, ...askForCorrection(context) } });
      await openCase(em, { ...ofCase, reason: 'payout_returned' });
      return emailFailedPayout(em, { ...ofCase, returned: true });
    case 'pay_out': {
      await moveTransfer(em, transferId, 'pay_out', { at, changes: { payoutReference: reference } });
      const paid = await findPaid(em, transferId);
      return paid ? applyReturn(context, em, paid, returned) : undefined;
    }
    case 'attention':
      await endOverseen(em, transferId, at);
      await takePartBack(em, payout, returned);
      await countReturned(em, transfer, { payoutReturnedMinor: total, returned });
      return openCase(em, { ...ofCase, reason: 'payout_returned_in_part' });
    case 'unchanged':
      return;
    default:
      return contradiction(em, payout, returned);
  }
}

/** Ends requests about a transfer that stays completed: more came back than their authors knew of. */
async function endOverseen(em: EntityManager, transferId: string, at: Date): Promise<void> {
  if (!(await endWaitingRequests(em, transferId, { event: 'facts_changed', at }))) return;
  await touchCases(em, transferId);
  await resumeHeldOperations(em, transferId, at);
}

/** Shows the sender what came back, and writes to them where their family is owed it. */
async function countReturned(
  em: EntityManager,
  transfer: Transfer,
  { payoutReturnedMinor, returned }: { payoutReturnedMinor: bigint; returned: Return },
): Promise<void> {
  const { at } = returned;
  const step = { name: 'count_bank_returns', owner: 'payouts', at } as const;
  const now = await changeWithinState(em, transfer, { payoutReturnedMinor, receivedAt: null }, step);
  if (now) await tellReturned(em, now, returned);
}

/** Writes to the sender that a part came back, where their family is owed it. */
async function tellReturned(em: EntityManager, transfer: Transfer, { id, amountMinor, at }: Return): Promise<void> {
  if ((await findOwedToFamily(em, transfer)) === 0n) return;
  await emailReturnedPart(em, transfer, { returnId: id, returnedMinor: amountMinor, at });
}

/** What came back of a payment that was made, while the family has the rest, or was paid a second time. */
async function takePartBack(em: EntityManager, { transfer, operation }: Payout, returned: Return): Promise<void> {
  const { amountMinor, at } = returned;
  const paidMinor = await paidOrSettled(em, transfer);
  await updateOperation(em, operation, { returnedMinor: operation.returnedMinor + amountMinor }, at);
  postPayoutReturn(em, transfer, operation, { ...returned, paidMinor });
  await em.flush();
}

/**
 * Of a second payout: all of it has its report decided again, and a person looks at a part. What the family is owed then, or was paid of the
 * rest before, is looked at as what came back of the first payout.
 */
async function returnSecond(em: EntityManager, { transfer, operation }: Payout, returned: Return): Promise<void> {
  await endOverseen(em, transfer.id, returned.at);
  const came = await returnSecondPayout(em, { transfer, operation }, returned);
  const now = await lockTransfer(em, transfer.id);
  if (!now) return;
  await tellReturned(em, now, returned);
  if (came === 'whole' && (operation.restRequestId || (await findOwedToFamily(em, now)) === 0n)) return;
  const { message: details, at } = returned;
  await openCase(em, {
    ...{ transferId: transfer.id, operationId: operation.id, reason: 'payout_returned_in_part', details, at },
  });
}

/** All of a payment came back. Unless its sender got everything back before, they are asked for another account. */
async function returnWhole(
  context: JobContext,
  em: EntityManager,
  { reason, ...ofCase }: { transferId: string; operationId: string; details: string; reason: string; at: Date },
): Promise<void> {
  const { transferId, at } = ofCase;
  // The family confirmed the deposit that is gone.
  const changes = {
    reason,
    payoutReturnedMinor: 0n,
    restPaidMinor: 0n,
    receivedAt: null,
    ...askForCorrection(context),
  };
  const returned = await moveTransfer(em, transferId, 'return_payout', { at, changes });
  if (returned) await applyEarlierRefunds(em, returned, at);
  const stillOwed = await lockTransfer(em, transferId, { state: 'payout_failed' });
  if (!stillOwed) return;
  await openCase(em, { ...ofCase, reason: 'payout_returned' });
  await emailFailedPayout(em, { ...ofCase, returned: true });
}

async function findPaid(em: EntityManager, transferId: string): Promise<Payout | null> {
  const transfer = await lockTransfer(em, transferId, { state: 'completed' });
  const operation = (await findOperations(em, transferId, 'payout')).findLast(({ status }) => status === 'succeeded');
  return transfer && operation ? { transfer, operation, newest: true, paidAgain: false } : null;
}

function contradiction(em: EntityManager, { transfer, operation }: Payout, { amountMinor, at }: Return): Promise<void> {
  const details = `bank: ${amountMinor} of payout ${operation.sequence} returned; transfer: ${transfer.state}`;
  return openCase(em, { transferId: transfer.id, operationId: operation.id, reason: 'contradiction', details, at });
}
