import { formatMinor } from '#core/money/money';
import type { EntityManager } from '#platform/database/database';
import { isBarred } from '../accounts/account.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import { findHolds } from '../holds/holds.repository.ts';
import { partsOf } from '../transfer-views/transfer-views.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';

/**
 * E-mails a sender whose payout the bank rejected or returned (`returned`), once per payout: correct the account, or
 * request a refund. While a hold blocks the correction, only the refund is offered.
 */
export async function emailFailedPayout(
  em: EntityManager,
  { transferId, operationId, returned, at }: { transferId: string; operationId: string; returned: boolean; at: Date },
): Promise<void> {
  const transfer = await lockTransfer(em, transferId, { state: 'payout_failed' });
  // Users who cannot sign in can do neither.
  if (!transfer || (await isBarred(em, transfer.userId))) return;
  const isHeld = (await findHolds(em, transfer, 'account_correction')).length > 0;
  await addEmail(em, {
    kind: 'payout_failed',
    key: `payout_failed-${operationId}`,
    data: {
      ...{ amount: formatMinor(transfer.amountMinor), currency: transfer.currency },
      ...{ bolivianos: formatMinor(transfer.bolivianosMinor), returned, transferId },
      correctBy: isHeld ? null : (transfer.correctAccountBy?.toISOString() ?? null),
      parts: partsOf(transfer),
    },
    at,
    userId: transfer.userId,
  });
}
