import { z } from 'zod';
import { type PayoutReturn, payoutReturn } from '#core/contracts/bank';
import { parseMinor } from '#core/money/money';
import { outcomeOf } from '#core/operations/reducer';
import { bankReason } from '#core/transfers/own-reasons';
import type { EntityManager } from '#platform/database/database';
import { classifyError } from '#platform/queues/retry';
import { emailReturnedPart, findOwedToFamily, isRestUnderWay, paidOrSettled, unkeepRest } from '../corrections/rest.ts';
import { countsAsPaid, returnSecondPayout } from '../corrections/second-payout.ts';
import { bumpCaseVersions, openCase } from '../desk/desk-case.repository.ts';
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

/** Maximum pages per sweep; the next one continues there. */
const maxPages = 20;

/**
 * Reads the payments returned since the last sweep and applies each once: concurrent sweeps, or one that dies midway,
 * change nothing. A return that cannot be booked is stored and shown to a person, and does not block the others.
 */
export async function sweepBankReturns(context: JobContext): Promise<void> {
  let after = await findLastReturnId(context.database.fork());
  for (let page = 0; page < maxPages; page += 1) {
    const { data, hasMore } = await context.bank.returns(after);
    for (const raw of data) await take(context, raw);
    const last = data.map(idOf).findLast((id) => id !== null);
    if (!hasMore || !last) return;
    after = last;
  }
}

const idOf = (raw: unknown) => z.object({ id: payoutReturn.shape.id }).safeParse(raw).data?.id ?? null;

/** Applies one return in a transaction. @throws only errors that a retry may fix. */
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

/** Whether the database's checks rejected the write: a retry would fail too. */
function isRefusedByBooks(error: unknown): boolean {
  return /^(P0001|23\d{3})$/.test(String((error as { code?: unknown }).code));
}

/** Stores a return that cannot be booked, and alerts admins. */
async function keep(context: JobContext, raw: unknown, problem: string): Promise<void> {
  const at = context.now();
  await context.database.transaction(async (em) => {
    const kept = await keepUnbooked(em, { raw, problem, at });
    if (kept) await raise(em, kept, at);
  });
}

/** Opens an exception for an unbooked return, and e-mails admins, once. */
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
  /** Whether it is the newest payout of its transfer, without second payouts. */
  readonly newest: boolean;
  /** Whether a second payout, or a refund of some of the rest, was made or is under way. */
  readonly paidAgain: boolean;
}

interface Return {
  /** The bank's id of it. */
  readonly id: string;
  readonly reference: string;
  readonly message: string;
  readonly amountMinor: bigint;
  /** Number among the returns of this payout, from 1. */
  readonly part: number;
  readonly at: Date;
}

/** The payout with this id at the bank (`payoutIdOf`), or null. */
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
  return { transfer, operation, newest, paidAgain: payouts.some(countsAsPaid) || refundsRest };
}

/** Moves a locked transfer according to a returned payout. */
async function applyReturn(context: JobContext, em: EntityManager, payout: Payout, returned: Return): Promise<void> {
  const { transfer, operation, newest, paidAgain } = payout;
  const { reference, message, amountMinor, at } = returned;
  const { id: transferId } = transfer;
  const total = operation.returnedMinor + amountMinor;
  if (total > operation.amountMinor) return contradiction(em, payout, returned);
  if (operation.payoutTarget && operation.status !== 'failed') return returnSecond(em, payout, returned);
  if (!newest || operation.payoutTarget) return contradiction(em, payout, returned);
  // After a second payout, or a refund of some of the rest, the sender cannot correct the account: a person decides.
  const fact = total === operation.amountMinor && !paidAgain ? 'payout_returned' : 'payout_returned_in_part';
  const reason = bankReason('returned', message);
  const ofCase = { transferId, operationId: operation.id, details: message, at };
  // The moves below end open operations: an abandoned one was executed after all.
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
      // It was not recorded as paid, so there is nothing to reverse in the books.
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

/** Ends requests about a transfer that stays completed: more was returned than their authors knew of. */
async function endOverseen(em: EntityManager, transferId: string, at: Date): Promise<void> {
  if (!(await endWaitingRequests(em, transferId, { event: 'facts_changed', at }))) return;
  await bumpCaseVersions(em, transferId);
  await resumeHeldOperations(em, transferId, at);
}

/** Shows the sender the returned amount, and e-mails them if the recipient is owed it. */
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

/** E-mails the sender that a part was returned, if the recipient is owed it. */
async function tellReturned(em: EntityManager, transfer: Transfer, { id, amountMinor, at }: Return): Promise<void> {
  if ((await findOwedToFamily(em, transfer)) === 0n) return;
  await emailReturnedPart(em, transfer, { returnId: id, returnedMinor: amountMinor, at });
}

/** Applies a partial return of a payment, or a return after a second payout. */
async function takePartBack(em: EntityManager, { transfer, operation }: Payout, returned: Return): Promise<void> {
  const { amountMinor, at } = returned;
  const paidMinor = await paidOrSettled(em, transfer);
  await updateOperation(em, operation, { returnedMinor: operation.returnedMinor + amountMinor }, at);
  postPayoutReturn(em, transfer, operation, { ...returned, paidMinor });
  await em.flush();
}

/**
 * Applies a return of a second payout: a full return reopens the report's decision, a partial one opens a case. What
 * the recipient is then owed, or was paid of the rest before, counts as a return of the first payout.
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

/**
 * Applies the full return of a payment. Asks the sender for another account, unless everything was already
 * refunded.
 */
async function returnWhole(
  context: JobContext,
  em: EntityManager,
  { reason, ...ofCase }: { transferId: string; operationId: string; details: string; reason: string; at: Date },
): Promise<void> {
  const { transferId, at } = ofCase;
  // The recipient had confirmed the deposit that is now returned.
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
