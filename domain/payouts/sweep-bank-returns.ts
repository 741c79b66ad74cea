import { z } from 'zod';
import type { PayoutReturn } from '#core/contracts/bank';
import { parseMinor } from '#core/money/money';
import { outcomeOf } from '#core/operations/reducer';
import { bankReason } from '#core/transfers/own-reasons';
import type { EntityManager } from '#platform/database/database';
import { NonRetryableError } from '#platform/queues/retry';
import { applyEarlierRefunds } from '../disputes/sync-disputes.ts';
import type { JobContext } from '../job-context.ts';
import { openCase } from '../operations/desk-case.repository.ts';
import { findOperations, type Operation, updateOperation } from '../operations/operation.repository.ts';
import { paidBy, postPayoutReturn } from '../transfers/ledger.repository.ts';
import { changeWithinState, moveTransfer } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { askForCorrection } from './apply-payout.ts';
import { findLastReturnId, takeReturn } from './bank-return.repository.ts';
import { isStanding, returnSecondPayout } from './second-payout.ts';

/** Most pages that one sweep reads; the next one goes on where it ended. */
const mostPages = 20;

/**
 * Asks the bank which payments came back since the last time, and applies each of them once: several sweeps at the same
 * time, or one that dies in between, change nothing.
 */
export async function sweepBankReturns(context: JobContext): Promise<void> {
  let after = await findLastReturnId(context.database.fork());
  for (let page = 0; page < mostPages; page += 1) {
    const { data, hasMore } = await context.bank.returns(after);
    for (const returned of data) {
      const known = await context.database.transaction((em) => apply(context, em, returned));
      if (!known) context.log.error({ returned: returned.id }, 'the bank returned a payment that is none of ours');
    }
    after = data.at(-1)?.id ?? after;
    if (!hasMore || data.length === 0) return;
  }
}

/** Returns whether the payment was ours. */
async function apply(context: JobContext, em: EntityManager, returned: PayoutReturn): Promise<boolean> {
  const at = context.now();
  const amountMinor = parseMinor(returned.amount);
  if (!amountMinor) throw new NonRetryableError('the bank returned a payment of nothing');
  const found = await findPayout(em, returned.externalId);
  const operationId = found?.operation.id ?? null;
  const part = await takeReturn(em, { ...returned, amountMinor, operationId, at });
  if (part === null) return true;
  if (!found) return false;
  await applyReturn(context, em, found, { ...returned, amountMinor, part, at });
  await em.flush();
  return true;
}

interface Payout {
  /** Its row is locked. */
  readonly transfer: Transfer;
  readonly operation: Operation;
  /** Whether it is the newest payout of its transfer, second ones left out. */
  readonly newest: boolean;
  /** Whether the family was paid a second time, or is being. */
  readonly paidAgain: boolean;
}

interface Return {
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
  const payouts = await findOperations(em, transfer.id, 'payout');
  const operation = payouts.find((one) => one.sequence === Number(sequence));
  if (!operation) return null;
  const newest = payouts.every((one) => one.complaintId || one.sequence <= operation.sequence);
  return { transfer, operation, newest, paidAgain: payouts.some(isStanding) };
}

/** Moves a transfer, whose row is locked, by what came back of a payout of it. */
async function applyReturn(context: JobContext, em: EntityManager, payout: Payout, returned: Return): Promise<void> {
  const { transfer, operation, newest, paidAgain } = payout;
  const { reference, message, amountMinor, at } = returned;
  const { id: transferId } = transfer;
  const total = operation.returnedMinor + amountMinor;
  if (total > operation.amountMinor) return contradiction(em, payout, returned);
  if (operation.complaintId && operation.status !== 'failed') return returnSecond(em, payout, returned);
  if (!newest || operation.complaintId) return contradiction(em, payout, returned);
  // Where the family was paid a second time it is not asked for another account; a person looks.
  const fact = total === operation.amountMinor && !paidAgain ? 'payout_returned' : 'payout_returned_in_part';
  const reason = bankReason('returned', message);
  const ofCase = { transferId, operationId: operation.id, details: message, at };
  switch (outcomeOf(transfer.state, fact)) {
    case 'return_payout':
      await updateOperation(em, operation, { status: 'failed', returnedMinor: total, lastError: message }, at);
      postPayoutReturn(em, transfer, operation, returned);
      return returnWhole(context, em, { ...ofCase, reason });
    case 'reject_payout':
      // It was not known as paid, so the books have nothing to take back.
      await moveTransfer(em, transferId, 'reject_payout', { at, changes: { reason, ...askForCorrection(context) } });
      return openCase(em, { ...ofCase, reason: 'payout_returned' });
    case 'pay_out': {
      await moveTransfer(em, transferId, 'pay_out', { at, changes: { payoutReference: reference } });
      const paid = await findPaid(em, transferId);
      return paid ? applyReturn(context, em, paid, returned) : undefined;
    }
    case 'attention':
      await takePartBack(em, payout, returned);
      await changeWithinState(
        em,
        transfer,
        { payoutReturnedMinor: total },
        { name: 'count_bank_returns', owner: 'payouts', at },
      );
      return openCase(em, { ...ofCase, reason: 'payout_returned_in_part' });
    case 'unchanged':
      return;
    default:
      return contradiction(em, payout, returned);
  }
}

/** What came back of a payment that was made, while the family has the rest, or was paid a second time. */
async function takePartBack(em: EntityManager, { transfer, operation }: Payout, returned: Return): Promise<void> {
  const { amountMinor, at } = returned;
  const paidMinor = paidBy(await findOperations(em, transfer.id, 'payout'));
  await updateOperation(em, operation, { returnedMinor: operation.returnedMinor + amountMinor }, at);
  postPayoutReturn(em, transfer, operation, { ...returned, paidMinor });
  await em.flush();
}

/** Of a second payout: all of it has its report decided on anew, a part is looked at by a person. */
async function returnSecond(em: EntityManager, { transfer, operation }: Payout, returned: Return): Promise<void> {
  if ((await returnSecondPayout(em, { transfer, operation }, returned)) === 'whole') return;
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
  const changes = { reason, payoutReturnedMinor: 0n, ...askForCorrection(context) };
  const returned = await moveTransfer(em, transferId, 'return_payout', { at, changes });
  if (returned) await applyEarlierRefunds(em, returned, at);
  const stillOwed = await lockTransfer(em, transferId, { state: 'payout_failed' });
  if (stillOwed) await openCase(em, { ...ofCase, reason: 'payout_returned' });
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
