import { Failure } from '#core/contracts/failures';
import type { ReceiptView } from '#core/contracts/http/receipts';
import { formatMinor } from '#core/money/money';
import { formatBasisPoints } from '#core/money/percent';
import type { ReceiptFacts } from '#core/papers/receipt-texts';
import { formatRate } from '#core/rates/rate';
import { depositOf, lastEntry } from '#core/transfers/arrived';
import { referenceOf } from '#core/transfers/reference';
import { refundStateOf, returnedByBank } from '#core/transfers/refund';
import { endedUnpaidStates } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { type OpenTarget, readTarget } from '../personal-data/payout-target.ts';
import { findOperations } from '../provider-calls/operation.repository.ts';
import { findOwnTransfer, findSteps, type Transfer } from '../transfers/transfer.repository.ts';
import { acceptedOf, returnedOf } from './transfer-views.ts';

const accountDigitsShown = 4;

/**
 * The facts of the receipt of a sender's own paid transfer. All amounts are the stored ones: nothing is recomputed.
 * @throws Failure `not_found`, also for another user's transfer and one that was never paid.
 */
export async function readReceiptFacts(
  em: EntityManager,
  input: { sender: { id: string; name: string; email: string }; transferId: string },
): Promise<ReceiptFacts & { id: string }> {
  const { sender, transferId } = input;
  const transfer = await findOwnTransfer(em, sender.id, transferId);
  if (!transfer.paidAt) throw new Failure('not_found');
  const steps = await findSteps(em, [transfer.id]);
  const deposit = depositOf(transfer, steps);
  const refunds = await findOperations(em, transfer.id, 'refund');
  const byBank = returnedByBank(refunds);
  const isRefundFailed = transfer.state === 'refunding' && refundStateOf(transfer.state, refunds) === 'failed';
  return {
    id: transfer.id,
    number: referenceOf(transfer.id),
    paidAt: transfer.paidAt.toISOString(),
    completedAt: deposit?.at.toISOString() ?? null,
    estimatedDelivery: transfer.estimatedDelivery.toISOString(),
    returnedAt: lastEntry(steps, [...endedUnpaidStates, 'refunded'])?.toISOString() ?? null,
    state: transfer.state,
    cancelRequested: transfer.cancelRequestedAt != null,
    sender: { name: sender.name, email: sender.email },
    recipient: transfer.payoutTarget ? recipientOf(await readTarget(em, transfer.id, transfer.payoutTarget)) : null,
    ...figuresOf(transfer),
    ...returnedOf(transfer),
    // Omitted if zero, as in earlier receipts.
    ...(transfer.paidAgainMinor > 0n && { paidAgain: formatMinor(transfer.paidAgainMinor) }),
    ...(transfer.restPaidMinor > 0n && { restPaid: formatMinor(transfer.restPaidMinor) }),
    ...(byBank > 0n && { returnedByBank: formatMinor(byBank) }),
    ...(isRefundFailed && { refundFailed: true }),
    payoutReference: deposit?.reference ?? null,
  };
}

function recipientOf({ name, ci, phone, city, bankName, bankAccount }: OpenTarget): ReceiptView['recipient'] {
  return { name, ci, phone, city, bankName, accountEnding: bankAccount.slice(-accountDigitsShown) };
}

function figuresOf(transfer: Transfer) {
  const { cardBrand, cardLast4 } = transfer;
  const accepted = acceptedOf(transfer);
  return {
    currency: transfer.currency,
    netAmount: formatMinor(transfer.netMinor),
    fee: formatMinor(transfer.feeMinor),
    taxes: formatMinor(0n),
    total: formatMinor(transfer.amountMinor),
    rate: formatRate(transfer.rate),
    markupPercent: transfer.markupBasisPoints == null ? null : formatBasisPoints(transfer.markupBasisPoints),
    bolivianos: formatMinor(transfer.bolivianosMinor),
    ...(accepted && { accepted }),
    card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
  };
}
