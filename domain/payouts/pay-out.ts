import { formatMinor } from '#core/money/money';
import { NonRetryableError } from '#platform/queues/retry';
import type { JobContext } from '../job-context.ts';
import { claimPayout, moveTransfer } from '../transfers/move-transfer.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';

/**
 * Pays the charged money to the family: the transfer is claimed, paid once by the bank, then `completed` with the bank's
 * reference. What the bank refuses goes back to the card: payments/refund.ts.
 */
export async function payOut(context: JobContext, transferId: string): Promise<void> {
  const seen = await findTransfer(context.database.fork(), transferId);
  if (seen?.state !== 'captured') return;
  const { payoutTarget } = seen;
  if (!payoutTarget) throw new NonRetryableError('a captured transfer has no recipient');
  // Committed before the bank is called: from here on it cannot be cancelled, and what was cancelled before is not paid out.
  const transfer = await context.database.transaction((em) => claimPayout(em, seen.id, context.now()));
  if (!transfer) return;
  const { name, ci, bankName, bankAccount, phone, city } = payoutTarget;
  const answer = await context.bank.pay({
    externalId: transfer.id,
    amount: formatMinor(transfer.bolivianosMinor),
    currency: 'BOB',
    beneficiary: { name, ci, bankName, bankAccount, phone, city },
  });
  if (answer.externalId !== transfer.id || answer.amount !== formatMinor(transfer.bolivianosMinor)) {
    throw new NonRetryableError('the bank answered about another payout');
  }
  await context.database.transaction((em) =>
    answer.status === 'paid'
      ? moveTransfer(em, transfer.id, 'pay_out', { at: context.now(), changes: { payoutReference: answer.reference } })
      : moveTransfer(em, transfer.id, 'return', {
          at: context.now(),
          changes: { reason: `El banco no pudo pagar: ${answer.rejection?.message ?? 'sin motivo'}` },
        }),
  );
}
