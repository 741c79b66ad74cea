import { formatMinor } from '#core/money/money';
import type { EntityManager } from '#platform/database/database';
import { isBarred } from '../accounts/account.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import { findHolds } from '../holds/holds.repository.ts';
import { partsOf } from '../transfer-views/transfer-views.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';

/**
 * Writes to a sender whose payout the bank refused or returned (`returned`), once for each payout: name another account, or ask for the money
 * back. While something holds the correction of the account, only the money back is offered.
 */
export async function emailFailedPayout(
  em: EntityManager,
  { transferId, operationId, returned, at }: { transferId: string; operationId: string; returned: boolean; at: Date },
): Promise<void> {
  const transfer = await lockTransfer(em, transferId, { state: 'payout_failed' });
  // Who cannot sign in can do neither.
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
