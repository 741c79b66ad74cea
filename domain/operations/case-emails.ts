import { formatMinor } from '#core/money/money';
import type { CaseReason } from '#core/operations/desk-case';
import type { EntityManager } from '#platform/database/database';
import { addEmail, addEmailToAdmins } from '../notifications/email.repository.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';

interface Opened {
  readonly id: string;
  readonly transferId: string;
  readonly reason: CaseReason;
  /** When it was opened, or is reminded of. */
  readonly at: Date;
}

/** Tells every admin that a case was opened, and the sender where they have to name another account; once per case. */
export async function emailOpenedCase(em: EntityManager, { id, transferId, reason, at }: Opened): Promise<void> {
  const transfer = await findTransfer(em, transferId);
  if (!transfer) return;
  const { currency } = transfer;
  const amount = formatMinor(transfer.amountMinor);
  await addEmailToAdmins(em, { kind: 'case_opened', key: `case_opened-${id}`, data: { reason, amount, currency }, at });
  if (reason !== 'payout_rejected' && reason !== 'payout_returned') return;
  await addEmail(em, {
    kind: 'payout_failed',
    key: `payout_failed-${id}`,
    data: {
      amount,
      currency,
      bolivianos: formatMinor(transfer.bolivianosMinor),
      returned: reason === 'payout_returned',
    },
    at,
    userId: transfer.userId,
  });
}

/** Reminds every admin of a case that is still open; once per case. */
export async function emailOldCase(em: EntityManager, { id, transferId, reason, at }: Opened): Promise<void> {
  const transfer = await findTransfer(em, transferId);
  if (!transfer) return;
  const data = { reason, amount: formatMinor(transfer.amountMinor), currency: transfer.currency };
  await addEmailToAdmins(em, { kind: 'case_old', key: `case_old-${id}`, data, at });
}
