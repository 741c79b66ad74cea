import { Failure } from '#core/contracts/failures';
import type { HoldFacts } from '#core/holds/holds';
import { type DeskAction, operationToRetry, owedMinor, releasableHolds } from '#core/operations/desk-action';
import { restOf, settledRest } from '#core/operations/rest-actions';
import type { EntityManager } from '#platform/database/database';
import { followCorrection } from '../complaints/complaint.repository.ts';
import { countRest } from '../corrections/rest.ts';
import { closeCase, type DeskCase } from '../desk/desk-case.repository.ts';
import type { CaseRequest } from '../desk/desk-request.repository.ts';
import { releaseHolds } from '../holds/holds.repository.ts';
import { applyEarlierRefunds } from '../payments/sync-disputes.ts';
import {
  attemptAgain,
  endOperation,
  findOperation,
  type Operation,
  orderOf,
  orderOperation,
  resumeHeldOperations,
  updateOperation,
} from '../provider-calls/operation.repository.ts';
import { postRest } from '../transfers/ledger.repository.ts';
import { changeWithinState, moveTransfer } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { factsOf } from './desk-views.ts';

/** Actions carried out at once after all approvals. A settlement by hand is reserved, reported and booked instead. */
export type CarriedOut = Exclude<DeskAction, 'pay_by_hand' | 'refund_by_hand'>;

/** A possible action on a locked transfer; `adminId` carries it out. */
export interface Order {
  readonly deskCase: DeskCase;
  readonly transfer: Transfer;
  readonly operations: readonly Operation[];
  readonly holds: HoldFacts;
  readonly action: CarriedOut;
  readonly request: Pick<CaseRequest, 'id' | 'reason' | 'amountMinor' | 'payoutTarget'>;
  readonly adminId: string;
  readonly at: Date;
}

/**
 * Carries out an action in the transaction of `em`. The caller has checked that it is possible.
 * @throws Failure `action_not_possible`.
 */
export async function carryOut(em: EntityManager, order: Order): Promise<void> {
  switch (order.action) {
    case 'retry':
      return retry(em, order);
    case 'give_up_and_refund':
      return move(em, order, order.transfer.state === 'approved' ? 'revoke_approval' : 'give_up_payout');
    case 'refund_at_loss':
      return refundAtLoss(em, order);
    case 'pay_rest':
      return payRest(em, order);
    case 'refund_rest':
      return refundRest(em, order);
    case 'keep_rest':
      return keepRest(em, order);
    case 'release_hold':
      return releaseHold(em, order);
    case 'resolve': {
      const { request, adminId: personId, at } = order;
      return closeCase(em, order.deskCase, { resolution: request.reason, personId, at });
    }
  }
}

/** Accepts the loss that a hold warns of, or another recipient; the held operations resume. */
async function releaseHold(em: EntityManager, order: Order): Promise<void> {
  const { deskCase, transfer, operations, holds, request, adminId: personId, at } = order;
  const { id: transferId } = transfer;
  if (deskCase.reason === 'recipient_changed') {
    // The case is the hold.
    await closeCase(em, deskCase, { outcome: 'recipient_approved', personId, at });
    return resumeHeldOperations(em, transferId, at);
  }
  const released = releasableHolds(factsOf(deskCase, transfer, { operations, holds, at }));
  await releaseHolds(em, { transferId, holds: released, requestId: request.id, at });
  await resumeHeldOperations(em, transferId, at);
}

async function move(
  em: EntityManager,
  { transfer, adminId, at }: Order,
  name: 'give_up_payout' | 'revoke_approval',
): Promise<void> {
  if (!(await moveTransfer(em, transfer.id, name, { at, actorId: adminId }))) throw new Failure('action_not_possible');
}

/**
 * After a certain answer under a new key; otherwise under the same one, because the last attempt may have had an
 * effect.
 */
async function retry(em: EntityManager, { deskCase, transfer, operations, holds, at }: Order): Promise<void> {
  const facts = factsOf(deskCase, transfer, { operations, holds, at });
  const last = operationToRetry(facts);
  const operation = last && (await findOperation(em, last.id));
  if (!operation) throw new Failure('action_not_possible');
  if (operation.status !== 'failed')
    return attemptAgain(em, operation, { askOnly: transfer.cancelRequestedAt != null, at });
  const owed = owedMinor(facts);
  // After the payout only the decided amount is refunded.
  const refund = transfer.state === 'completed' && operation.amountMinor < owed ? operation.amountMinor : owed;
  const amount = operation.kind === 'refund' ? { amountMinor: refund } : {};
  const next = await orderOperation(em, transfer, operation.kind, { at, ...amount, ...orderOf(operation) });
  await followCorrection(em, operation.id, next.id);
}

/** The transfer stays completed, and its case open until the fraud warning is withdrawn. */
async function refundAtLoss(em: EntityManager, { transfer, request, at }: Order): Promise<void> {
  const { amountMinor } = request;
  if (amountMinor == null) throw new Failure('action_not_possible');
  await orderOperation(em, transfer, 'refund', { at, amountMinor });
}

/** Pays out again what the bank returned, under another key. */
async function payRest(em: EntityManager, { transfer, request, adminId, at }: Order): Promise<void> {
  const { id: restRequestId, amountMinor, payoutTarget } = request;
  if (amountMinor == null || !payoutTarget) throw new Failure('action_not_possible');
  await orderOperation(em, transfer, 'payout', { at, amountMinor, order: { restRequestId, payoutTarget } });
  await countRest(em, transfer.id, { at, actorId: adminId });
}

/**
 * Refunds the share of the rest. If nothing of the payout arrived, the transfer is no longer completed, and the whole
 * charge is refunded.
 */
async function refundRest(em: EntityManager, order: Order): Promise<void> {
  const { deskCase, transfer, operations, holds, request, adminId, at } = order;
  const { owedMinor: restMinor, keepsNothing } = restOf(factsOf(deskCase, transfer, { operations, holds, at }));
  await endOperation(em, transfer, 'payout', { status: 'abandoned', at });
  if (keepsNothing) return undoPayouts(em, order);
  const { id: restRequestId, amountMinor } = request;
  if (amountMinor == null) throw new Failure('action_not_possible');
  await orderOperation(em, transfer, 'refund', { at, amountMinor, order: { restRequestId, restMinor } });
  await countRest(em, transfer.id, { at, actorId: adminId });
}

/** Every payout of a transfer was returned, so that it is handled like one returned in full, including the refund. */
async function undoPayouts(em: EntityManager, { transfer, operations, adminId, at }: Order): Promise<void> {
  const payouts = operations.filter(({ kind, status }) => kind === 'payout' && status === 'succeeded');
  for (const one of payouts) await updateOperation(em, one, { status: 'failed' }, at);
  const changes = { payoutReturnedMinor: 0n, restPaidMinor: 0n, restTo: null };
  const returned = await moveTransfer(em, transfer.id, 'return_payout', { at, changes });
  if (!returned) throw new Failure('action_not_possible');
  await applyEarlierRefunds(em, returned, at);
  const owed = await lockTransfer(em, transfer.id, { state: 'payout_failed' });
  if (owed) await moveTransfer(em, owed, 'give_up_payout', { at, actorId: adminId });
}

/** The sender already has the share of the rest: it covers our loss. */
async function keepRest(em: EntityManager, order: Order): Promise<void> {
  const { deskCase, transfer, operations, holds, request, adminId, at } = order;
  const facts = factsOf(deskCase, transfer, { operations, holds, at });
  const { owedMinor } = restOf(facts);
  for (const kind of ['payout', 'refund'] as const) await endOperation(em, transfer, kind, { status: 'abandoned', at });
  const from = settledRest(facts);
  await postRest(em, transfer, { from, to: from + owedMinor, at });
  const changes = { restKeptMinor: transfer.restKeptMinor + owedMinor, restTo: null };
  await changeWithinState(em, transfer, changes, { name: 'keep_rest', owner: 'admin', actorId: adminId, at });
  await closeCase(em, deskCase, { resolution: request.reason, personId: adminId, at });
}
