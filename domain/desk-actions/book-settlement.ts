import { Failure } from '#core/contracts/failures';
import type { CaseOutcome } from '#core/operations/desk-case';
import type { EntityManager } from '#platform/database/database';
import { paidOrSettled } from '../corrections/rest.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import type { Settlement } from '../desk/desk-request.repository.ts';
import { applyRefunds } from '../payments/refund.ts';
import { endOperation, insertOperation } from '../provider-calls/operation.repository.ts';
import { postRefund, postSecondPayout } from '../transfers/ledger.repository.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';

/** A final settlement by hand; the row of its transfer is locked. */
interface Booking {
  readonly transfer: Transfer;
  readonly settlement: Settlement;
  /** The admin who reported or confirmed it. */
  readonly adminId: string;
  readonly at: Date;
}

/**
 * Records a payment made by hand. The money is gone, so it is booked whatever happened to the transfer since the
 * reservation; a resulting double payment is our loss. Returns the outcome of its case.
 */
export function bookSettlement(em: EntityManager, booking: Booking): Promise<CaseOutcome> {
  return booking.settlement.action === 'pay_by_hand' ? bookPayout(em, booking) : bookRefund(em, booking);
}

async function bookPayout(em: EntityManager, booking: Booking): Promise<CaseOutcome> {
  const { transfer, settlement, adminId, at } = booking;
  const { id: transferId, state } = transfer;
  if (state === 'completed') {
    await bookPaidTwice(em, booking);
    return 'paid';
  }
  // It was never sent, or the transfer could not have been reserved.
  await endOperation(em, transfer, 'payout', { status: 'abandoned', at });
  await insertOperation(em, transfer, 'payout', { at, status: 'pending', provider: 'manual' });
  // The move ends it with the reference and books it.
  const name = state === 'refunding' || state === 'refunded' ? 'book_hand_payout' : 'pay_by_hand';
  const changes = settlement.bankReference ? { payoutReference: settlement.bankReference } : {};
  if (!(await moveTransfer(em, transferId, name, { at, actorId: adminId, changes })))
    throw new Failure('action_not_possible');
  return 'paid';
}

/** The bank made the payout after all, so the payment by hand exceeds the promised amount. */
async function bookPaidTwice(em: EntityManager, { transfer, settlement, at }: Booking): Promise<void> {
  const paidMinor = await paidOrSettled(em, transfer);
  const { bankReference: providerReference } = settlement;
  const ended = { at, status: 'succeeded', provider: 'manual', providerReference: providerReference ?? null } as const;
  const payout = await insertOperation(em, transfer, 'payout', ended);
  postSecondPayout(em, transfer, payout, { paidMinor, at });
  await em.flush();
  const details = `paid by hand (${providerReference}) and by the bank (${transfer.payoutReference})`;
  await openCase(em, { transferId: transfer.id, operationId: payout.id, reason: 'contradiction', details, at });
}

async function bookRefund(em: EntityManager, { transfer, settlement, at }: Booking): Promise<CaseOutcome> {
  const { id: transferId, state } = transfer;
  const { amountMinor, bankReference } = settlement;
  if (amountMinor == null) throw new Error('a refund by hand without an amount');
  await endOperation(em, transfer, 'refund', { status: 'abandoned', at });
  const refund = await insertOperation(em, transfer, 'refund', {
    ...{ at, status: 'succeeded', provider: 'manual', amountMinor },
    providerReference: bankReference ?? null,
  });
  await postRefund(em, transfer, refund, at);
  await applyRefunds(em, transfer, at);
  if (state === 'refunding') return 'refunded';
  const details = `paid back by hand (${bankReference}) while the transfer was ${state}`;
  await openCase(em, { transferId, operationId: refund.id, reason: 'contradiction', details, at });
  return 'refunded';
}
