import { formatMinor } from '#core/money/money';
import type { CaseOutcome } from '#core/operations/desk-case';
import { isCertainlyUndone, openStatuses } from '#core/operations/operation';
import { settledRest } from '#core/operations/rest-actions';
import { arrivedMinor } from '#core/transfers/arrived';
import { owedToFamily, paidBy, shareOf } from '#core/transfers/rest';
import type { EntityManager } from '#platform/database/database';
import { closeCasesAbout, openCase } from '../desk/desk-case.repository.ts';
import { findDisputes } from '../disputes/dispute.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import type { PayoutTarget } from '../personal-data/payout-target.ts';
import { findOperations, type Operation, wasSent } from '../provider-calls/operation.repository.ts';
import { postRest, unwoundStates } from '../transfers/ledger.repository.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';

// Money that the bank returned of a payout while the transfer stays completed (core/transfers/rest.ts): admins pay it
// again, refund its share or keep it (desk-actions/carry-out-action.ts), and everything that moves it is counted here.

/** The sum of a transfer's payouts and the settled part of the rest, in centavos. */
export async function paidOrSettled(em: EntityManager, transfer: Transfer): Promise<bigint> {
  const operations = await findOperations(em, transfer.id);
  const payouts = operations.filter(({ kind }) => kind === 'payout');
  return paidBy(payouts) + settledRest({ keptMinor: transfer.restKeptMinor, operations });
}

/** The amount still owed to the recipient of a completed transfer, in centavos; zero in other states. */
export async function findOwedToFamily(em: EntityManager, transfer: Transfer): Promise<bigint> {
  if (transfer.state !== 'completed') return 0n;
  const operations = await findOperations(em, transfer.id);
  const payouts = operations.filter(({ kind }) => kind === 'payout');
  const settledMinor = settledRest({ keptMinor: transfer.restKeptMinor, operations });
  return owedToFamily(transfer, { settledMinor, payouts });
}

/** Whether an order about the rest has moved money, may have, or is about to. */
export function isRestUnderWay(operation: Operation): boolean {
  const { restRequestId, status } = operation;
  if (!restRequestId || status === 'succeeded') return false;
  return openStatuses.includes(status) || !isCertainlyUndone({ status, sent: wasSent(operation) });
}

/**
 * Stores the results of orders about the rest in the row of a locked transfer, and notifies browsers. Returns the
 * changed transfer.
 */
export async function countRest(
  em: EntityManager,
  transferId: string,
  step: { at: Date; actorId?: string },
): Promise<Transfer> {
  const transfer = await lockTransfer(em, transferId);
  if (!transfer) throw new Error('an order about the rest without its transfer');
  const orders = (await findOperations(em, transferId)).filter(({ restRequestId }) => restRequestId);
  const underWay = orders.find(isRestUnderWay);
  const counted = {
    restPaidMinor: paidBy(orders.filter(({ kind }) => kind === 'payout')),
    restRefundedMinor: settledRest({ keptMinor: 0n, operations: orders }),
    restTo: underWay ? (underWay.kind === 'payout' ? ('family' as const) : ('sender' as const)) : null,
  };
  const isSame =
    transfer.restPaidMinor === counted.restPaidMinor &&
    transfer.restRefundedMinor === counted.restRefundedMinor &&
    (transfer.restTo ?? null) === counted.restTo;
  if (isSame) return transfer;
  const { at, actorId } = step;
  const named = actorId
    ? ({ name: 'order_rest', owner: 'admin', actorId, at } as const)
    : ({ name: 'count_rest', owner: 'payouts', at } as const);
  // The recipient had confirmed a payment that the bank took back.
  const taken = counted.restPaidMinor < transfer.restPaidMinor ? { receivedAt: null } : {};
  const changed = await changeWithinState(em, transfer, { ...counted, ...taken }, named);
  if (!changed) throw new Error('a locked transfer changed');
  return changed;
}

/** Books that a successful refund of its share settles the rest, or no longer does. */
export async function bookRest(
  em: EntityManager,
  transfer: Transfer,
  { id, restMinor }: Operation,
  at: Date,
): Promise<void> {
  if (restMinor == null || unwoundStates.includes(transfer.state)) return;
  const refunds = await findOperations(em, transfer.id, 'refund');
  const others = refunds.filter((one) => one.id !== id);
  const without = settledRest({ keptMinor: transfer.restKeptMinor, operations: others });
  const isDone = refunds.some((one) => one.id === id && one.status === 'succeeded');
  const [from, to] = isDone ? [without, without + restMinor] : [without + restMinor, without];
  await postRest(em, transfer, { from, to, at });
}

/** Shows the sender the results of refunds of the rest, and e-mails them about successful ones. */
export async function settleRest(
  em: EntityManager,
  transferId: string,
  { operations, at }: { operations: readonly Operation[]; at: Date },
): Promise<void> {
  const refunds = operations.filter(({ restRequestId }) => restRequestId);
  if (refunds.length > 0) {
    const transfer = await countRest(em, transferId, { at });
    for (const operation of refunds)
      if (operation.status === 'succeeded') await emailRestRefunded(em, transfer, { operation, at });
    await closeSettledRest(em, transfer, { outcome: 'refunded', at });
  }
  await releaseKeptRest(em, transferId, at);
}

/** Closes the case about the rest of a locked transfer once nothing is owed to the recipient. */
export async function closeSettledRest(
  em: EntityManager,
  transfer: Transfer,
  { outcome, at }: { outcome: CaseOutcome; at: Date },
): Promise<void> {
  if (transfer.state !== 'completed' || (await findOwedToFamily(em, transfer)) > 0n) return;
  const reasons = ['payout_returned_in_part'] as const;
  await closeCasesAbout(em, { transferId: transfer.id, reasons, outcome, at });
}

/** Handles a failed order about the rest: the rest is owed as before, and a person decides again. */
export async function reopenRest(
  em: EntityManager,
  { id: operationId, transferId }: Operation,
  { error: details, at }: { error: string; at: Date },
): Promise<void> {
  const transfer = await countRest(em, transferId, { at });
  if (transfer.state !== 'completed') return;
  await openCase(em, { transferId, operationId, reason: 'payout_returned_in_part', details, at });
}

/**
 * Called when the sender has less of the charge back than before: the part of the rest kept because of it is owed to
 * the recipient again, unless the remaining refunds still cover its share.
 */
export async function releaseKeptRest(em: EntityManager, transferId: string, at: Date): Promise<void> {
  const transfer = await lockTransfer(em, transferId, { state: 'completed' });
  if (!transfer || transfer.restKeptMinor === 0n) return;
  const operations = await findOperations(em, transferId, 'refund');
  const settled = settledRest({ keptMinor: transfer.restKeptMinor, operations });
  const lost = (await findDisputes(em, transferId)).filter(({ booking }) => booking === 'lost');
  const refunds = operations.filter(({ status }) => status === 'succeeded');
  const back = [...lost, ...refunds].reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  if (back >= shareOf(transfer, settled)) return;
  await unkeepRest(em, transfer, at);
  await openCase(em, { transferId, reason: 'payout_returned_in_part', at });
}

/**
 * Books the kept part of the rest of a locked transfer as owed to the recipient again. Returns the changed transfer.
 */
export async function unkeepRest(em: EntityManager, transfer: Transfer, at: Date): Promise<Transfer> {
  const operations = await findOperations(em, transfer.id, 'refund');
  const from = settledRest({ keptMinor: transfer.restKeptMinor, operations });
  await postRest(em, transfer, { from, to: from - transfer.restKeptMinor, at });
  const step = { name: 'count_rest', owner: 'payouts', at } as const;
  const changed = await changeWithinState(em, transfer, { restKeptMinor: 0n }, step);
  if (!changed) throw new Error('a locked transfer changed');
  return changed;
}

/**
 * E-mails the sender that the bank returned a part of a payout. `returnId`: the bank's id of the return; once per
 * return.
 */
export async function emailReturnedPart(
  em: EntityManager,
  transfer: Transfer,
  { returnId, returnedMinor, at }: { returnId: string; returnedMinor: bigint; at: Date },
): Promise<void> {
  const { id: transferId, userId } = transfer;
  const data = { transferId, returned: formatMinor(returnedMinor), ...receivedOf(transfer) };
  const key = `payout_returned_in_part-${returnId}`;
  await addEmail(em, { kind: 'payout_returned_in_part', key, data, at, userId });
}

/** E-mails the sender that the rest was paid. */
export async function emailRestPaid(
  em: EntityManager,
  transfer: Transfer,
  { operation, reference, at }: { operation: Operation; reference: string | null; at: Date },
): Promise<void> {
  const { bankName, bankAccount } = operation.payoutTarget as PayoutTarget;
  const data = {
    ...{ transferId: transfer.id, paid: formatMinor(operation.amountMinor), ...receivedOf(transfer) },
    ...{ bank: bankName, account: bankAccount.replaceAll(/\D/g, '').slice(-4), reference },
  };
  await addEmail(em, { kind: 'rest_paid', key: `rest_paid-${operation.id}`, data, at, userId: transfer.userId });
}

/** E-mails the sender that the share of the rest was refunded. */
async function emailRestRefunded(
  em: EntityManager,
  transfer: Transfer,
  { operation, at }: { operation: Operation; at: Date },
): Promise<void> {
  const { id, amountMinor, restMinor } = operation;
  const data = {
    ...{ transferId: transfer.id, refund: formatMinor(amountMinor), currency: transfer.currency },
    ...{ instead: formatMinor(restMinor ?? 0n), ...receivedOf(transfer) },
  };
  await addEmail(em, { kind: 'rest_refunded', key: `rest_refunded-${id}`, data, at, userId: transfer.userId });
}

/** The amount that arrived, and the promised one, in bolivianos. */
function receivedOf(transfer: Transfer): { arrived: string; bolivianos: string } {
  return { arrived: formatMinor(arrivedMinor(transfer)), bolivianos: formatMinor(transfer.bolivianosMinor) };
}
