import { Failure } from '#core/contracts/failures';
import { operationToRetry, owedMinor } from '#core/operations/desk-action';
import type { EntityManager } from '#platform/database/database';
import { applyRefunds } from '../payments/refund.ts';
import { postRefund } from '../transfers/ledger.repository.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { closeCase, type DeskCase } from './desk-case.repository.ts';
import type { CaseRequest } from './desk-request.repository.ts';
import { factsOf } from './desk-views.ts';
import {
  attemptAgain,
  endOperation,
  findOperation,
  insertOperation,
  type Operation,
  openOperation,
} from './operation.repository.ts';

/** A possible action about a transfer whose row is locked; `adminId` is who carries it out. */
export interface Order {
  readonly deskCase: DeskCase;
  readonly transfer: Transfer;
  readonly operations: readonly Operation[];
  /** A dispute keeps its money where it is. */
  readonly disputed: boolean;
  readonly request: Pick<CaseRequest, 'action' | 'reason' | 'bankReference' | 'amountMinor'>;
  readonly adminId: string;
  readonly at: Date;
}

/** Carries out an action in the transaction of `em`. The caller has checked that it is possible. @throws Failure `action_not_possible`. */
export async function carryOut(em: EntityManager, order: Order): Promise<void> {
  switch (order.request.action) {
    case 'retry':
      return retry(em, order);
    case 'give_up_and_refund':
      return move(em, order, 'give_up_payout');
    case 'refund_at_loss':
      return refundAtLoss(em, order);
    case 'pay_by_hand':
      return payByHand(em, order);
    case 'refund_by_hand':
      return refundByHand(em, order);
    case 'resolve': {
      const { request, adminId: personId, at } = order;
      return closeCase(em, order.deskCase, { resolution: request.reason, personId, at });
    }
  }
}

async function move(
  em: EntityManager,
  { transfer, request, adminId, at }: Order,
  name: 'give_up_payout' | 'pay_by_hand',
): Promise<void> {
  const changes = request.bankReference && name === 'pay_by_hand' ? { payoutReference: request.bankReference } : {};
  if (!(await moveTransfer(em, transfer.id, name, { at, actorId: adminId, changes }))) {
    throw new Failure('action_not_possible');
  }
}

/** After a certain answer with a new key; otherwise with the same one, because the last attempt may have had its effect. */
async function retry(em: EntityManager, { deskCase, transfer, operations, disputed, at }: Order): Promise<void> {
  const facts = factsOf(deskCase, transfer, { operations, disputed, at });
  const last = operationToRetry(facts);
  const operation = last && (await findOperation(em, last.id));
  if (!operation) throw new Failure('action_not_possible');
  if (operation.status !== 'failed') return attemptAgain(em, operation, at);
  const amount = operation.kind === 'refund' ? { amountMinor: owedMinor(facts) } : {};
  await openOperation(em, transfer, operation.kind, { at, ...amount });
}

/** The transfer stays completed, and its case open until the card's bank takes its warning back. */
async function refundAtLoss(em: EntityManager, { transfer, request, at }: Order): Promise<void> {
  const { amountMinor } = request;
  if (amountMinor == null) throw new Failure('action_not_possible');
  await openOperation(em, transfer, 'refund', { at, amountMinor });
}

async function payByHand(em: EntityManager, order: Order): Promise<void> {
  const { transfer, at } = order;
  // It was never attempted, or it would not be certain that the family was not paid.
  await endOperation(em, transfer, 'payout', { status: 'abandoned', at });
  await insertOperation(em, transfer, 'payout', { at, status: 'pending', provider: 'manual' });
  // The move ends it with the reference and books it.
  await move(em, order, 'pay_by_hand');
}

async function refundByHand(em: EntityManager, { transfer, request, at }: Order): Promise<void> {
  const { amountMinor, bankReference } = request;
  if (amountMinor == null) throw new Failure('action_not_possible');
  await endOperation(em, transfer, 'refund', { status: 'abandoned', at });
  const refund = await insertOperation(em, transfer, 'refund', {
    ...{ at, status: 'succeeded', provider: 'manual', amountMinor },
    providerReference: bankReference ?? null,
  });
  postRefund(em, transfer, refund, at);
  await applyRefunds(em, transfer, at);
}
