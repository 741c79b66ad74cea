import { owesFee, type RemedyFacts } from '#core/complaints/complaint';
import { isPossible, owedMinor } from '#core/operations/desk-action';
import { openStatuses } from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import { findBlockingDispute } from '../disputes/dispute.repository.ts';
import type { JobContext } from '../job-context.ts';
import { findRequests } from '../operations/desk-request.repository.ts';
import {
  findOpenOperation,
  findOperation,
  findOperations,
  type Operation,
  openOperation,
} from '../operations/operation.repository.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import {
  type Complaint,
  changeComplaint,
  findCorrected,
  lockCorrecting,
  lockUncorrected,
} from './complaint.repository.ts';
import { tellCorrection } from './letters.ts';

/** What of a transfer decides about remedies. */
export function remedyFactsOf(
  transfer: Transfer,
  { operations, disputed, requested }: { operations: readonly Operation[]; disputed: boolean; requested: boolean },
): RemedyFacts {
  const { state, amountMinor } = transfer;
  const refunding = operations.some(({ kind, status }) => kind === 'refund' && openStatuses.includes(status));
  const facts = operations.map((one) => ({ ...one, lastError: one.lastError ?? null, waiting: false }));
  const undelivered = isPossible('give_up_and_refund', {
    ...{
      reason: 'payout_rejected',
      kind: 'payout',
      state,
      payable: true,
      cancelRequested: false,
      disputed,
      amountMinor,
    },
    ...{ bolivianosMinor: transfer.bolivianosMinor, operations: facts },
  });
  return {
    state,
    disputed,
    leftMinor: owedMinor({ amountMinor, operations: facts }),
    busy: refunding || requested,
    undelivered,
  };
}

/** The same of a transfer whose row is locked. */
export async function readRemedyFacts(em: EntityManager, transfer: Transfer): Promise<RemedyFacts> {
  const operations = await findOperations(em, transfer.id);
  const disputed = (await findBlockingDispute(em, transfer.id)) !== null;
  const requested = (await findRequests(em, [transfer.id])).some(({ outcome }) => !outcome);
  return remedyFactsOf(transfer, { operations, disputed, requested });
}

/** Opens the refund of a transfer that was paid out, at our loss, in the transaction that has the lock of its row. */
export function openCorrection(
  em: EntityManager,
  transfer: Transfer,
  { amountMinor, at }: { amountMinor: bigint; at: Date },
): Promise<Operation> {
  return openOperation(em, transfer, 'refund', { at, amountMinor });
}

/** Most transfers of one sweep. */
const most = 200;

/** Closes reports whose correction is done, wherever that came from. Running it twice changes nothing. */
export async function sweepCorrections(context: JobContext): Promise<void> {
  const at = context.now();
  for (const transferId of await findCorrected(context.database.fork(), most)) {
    await context.database.transaction(async (em) => {
      const transfer = await lockTransfer(em, transferId);
      if (transfer) await closeCorrected(em, transfer, at);
    });
  }
}

/**
 * Closes the reports of a transfer, whose row is locked, whose correction is done, and tells the sender; opens those again whose refund came
 * back.
 */
export async function closeCorrected(em: EntityManager, transfer: Transfer, at: Date): Promise<void> {
  for (const complaint of await lockUncorrected(em, transfer.id)) {
    await changeComplaint(em, complaint, { state: 'correcting', closedAt: null }, at);
  }
  for (const complaint of await lockCorrecting(em, transfer.id)) {
    if (!(await isCorrected(em, complaint, { transfer, at }))) continue;
    const closed = await changeComplaint(em, complaint, { state: 'closed', closedAt: at }, at);
    await tellCorrection(em, { complaint: closed, transfer, at });
  }
}

async function isCorrected(
  em: EntityManager,
  complaint: Complaint,
  { transfer, at }: { transfer: Transfer; at: Date },
): Promise<boolean> {
  if (transfer.state === 'refunded') return true;
  if (complaint.operationId) return (await findOperation(em, complaint.operationId))?.status === 'succeeded';
  if (complaint.remedy !== 'pay_again' || transfer.state !== 'completed') return false;
  return (await returnFee(em, complaint, { transfer, at })) === 'nothing to return';
}

/** Once the family has the money, the fee goes back where the law wants it; where it cannot, a person has to look. */
async function returnFee(
  em: EntityManager,
  complaint: Complaint,
  { transfer, at }: { transfer: Transfer; at: Date },
): Promise<'nothing to return' | 'under way' | 'not now'> {
  const { amountMinor } = complaint;
  if (!owesFee(complaint) || amountMinor == null) return 'nothing to return';
  const { disputed, leftMinor, busy } = await readRemedyFacts(em, transfer);
  if (leftMinor < amountMinor) return 'nothing to return';
  if (disputed || busy) return 'not now';
  const operation = await openCorrection(em, transfer, { amountMinor, at });
  await changeComplaint(em, complaint, { operationId: operation.id }, at);
  return 'under way';
}

/** The refund that corrects a report before the family was paid: opened by the move that gave the payout up. */
export async function findCorrection(em: EntityManager, transferId: string): Promise<string | null> {
  return (await findOpenOperation(em, transferId, 'refund'))?.id ?? null;
}
