import { formatMinor } from '#core/money/money';
import type { EntityManager } from '#platform/database/database';
import { isCorrection } from '../complaints/complaint.repository.ts';
import { addEmail } from '../notifications/email.repository.ts';
import { findOperations, type Operation } from '../operations/operation.repository.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';

/**
 * Writes to a sender whose refund just failed that the money is owed to them, and shows it. `before`: the transfer as it was locked
 * before the failure was recorded. A retry that fails is no news by e-mail, unless the e-mail before said that the money is back.
 */
export async function noteFailedRefund(em: EntityManager, before: Transfer, at: Date): Promise<void> {
  const { id: transferId, userId, currency, state } = before;
  await em.flush();
  const refunds = await findOperations(em, transferId, 'refund');
  const last = refunds.at(-1);
  // Another one is under way already.
  if (last?.status !== 'failed') return;
  const owedMinor = await owedAfter(em, before, { refunds, last });
  if (owedMinor <= 0n) return;
  const isFirst = refunds.filter(({ status }) => status === 'failed').length === 1;
  if (isFirst || state !== 'refunding') {
    const owed = formatMinor(owedMinor);
    const data = { transferId, amount: formatMinor(before.amountMinor), currency, owed };
    await addEmail(em, { userId, kind: 'refund_failed', key: `refund_failed-${last.id}`, data, at });
  }
  // A refund that bounced has moved the transfer, which shows it.
  const locked = state === 'refunding' && (await lockTransfer(em, transferId));
  if (locked) await changeWithinState(em, locked, {}, { name: 'fail_refund', owner: 'payments', at });
}

/** What the sender is owed after a failure, in minor units; 0: nothing, or a report of theirs has it open. */
async function owedAfter(
  em: EntityManager,
  { state, amountMinor }: Transfer,
  { refunds, last }: { refunds: readonly Operation[]; last: Operation },
): Promise<bigint> {
  if (state === 'refunding' || state === 'refunded') {
    const done = refunds.filter(({ status }) => status === 'succeeded');
    return done.reduce((left, refund) => left - refund.amountMinor, amountMinor);
  }
  // The family was paid, and an admin refunds at our loss. One that we never sent was made outside the product.
  const isOwed = state === 'completed' && last.sentAt != null && !(await isCorrection(em, last.id));
  return isOwed ? last.amountMinor : 0n;
}
