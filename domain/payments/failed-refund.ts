import { formatMinor } from '#core/money/money';
import { openStatuses } from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import { isCorrection } from '../complaints/complaint.repository.ts';
import { addEmail, hasEmail } from '../emails/email.repository.ts';
import { findOperations, isForeign, type Operation } from '../provider-calls/operation.repository.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';

const keyOf = ({ id }: Operation) => `refund_failed-${id}`;

/**
 * E-mails a sender whose refunds have just failed (`failed`) and are owed to them, and shows it. `before`: the transfer
 * as locked before the failure was recorded. During a full refund, a failed retry is not e-mailed, unless the sender
 * was never notified of a failure, or was notified after it that the money was refunded.
 */
export async function noteFailedRefunds(
  em: EntityManager,
  before: Transfer,
  { failed, at }: { failed: readonly Operation[]; at: Date },
): Promise<void> {
  const { id: transferId, userId, currency, state } = before;
  const last = failed.at(-1);
  if (!last) return;
  await em.flush();
  const refunds = await findOperations(em, transferId, 'refund');
  const owedMinor = await owedAfter(em, before, { refunds, failed });
  if (owedMinor <= 0n) return;
  const earlier = refunds.filter(({ id, status }) => status === 'failed' && failed.every((one) => one.id !== id));
  if (state !== 'refunding' || !(await hasEmail(em, earlier.map(keyOf)))) {
    const owed = formatMinor(owedMinor);
    const data = { transferId, amount: formatMinor(before.amountMinor), currency, owed };
    await addEmail(em, { userId, kind: 'refund_failed', key: keyOf(last), data, at });
  }
  // A bounced refund has moved the transfer, which shows it.
  const locked = state === 'refunding' && (await lockTransfer(em, transferId));
  if (locked) await changeWithinState(em, locked, {}, { name: 'fail_refund', owner: 'payments', at });
}

/** The amount owed to the sender after failures, in minor units; 0: none, or another refund or a report covers it. */
async function owedAfter(
  em: EntityManager,
  { state, amountMinor }: Transfer,
  { refunds, failed }: { refunds: readonly Operation[]; failed: readonly Operation[] },
): Promise<bigint> {
  if (state === 'refunding' || state === 'refunded') {
    if (refunds.some(({ status }) => openStatuses.includes(status))) return 0n;
    const done = refunds.filter(({ status }) => status === 'succeeded');
    return done.reduce((left, refund) => left - refund.amountMinor, amountMinor);
  }
  if (state !== 'completed') return 0n;
  // After the payout, an admin refunds at our expense.
  let owedMinor = 0n;
  for (const one of failed) {
    if (!isForeign(one) && !(await isCorrection(em, one.id))) owedMinor += one.amountMinor;
  }
  return owedMinor;
}
