import type { RevealReason } from '#core/accounts/admin-roles';
import { Failure } from '#core/contracts/failures';
import type { EntityManager } from '#platform/database/database';
import { writeAudit } from '../audit/audit.repository.ts';
import { readTarget } from '../personal-data/payout-target.ts';
import { findTransfer } from './transfer.repository.ts';

const fields = { ci: 'ci', phone: 'phone', bank_account: 'bankAccount' } as const;

/**
 * An unmasked number of a transfer's payee. The access and its reason are audited in the same transaction of `em`.
 * @throws Failure `not_found`, also for a transfer without a recipient.
 */
export async function revealNumber(
  em: EntityManager,
  { transferId, field, reason }: { transferId: string; field: keyof typeof fields; reason: RevealReason },
): Promise<string> {
  const transfer = await findTransfer(em, transferId);
  if (!transfer?.payoutTarget) throw new Failure('not_found');
  await writeAudit(em, 'personal_data_revealed', { subject: transferId, detail: { field, reason } });
  return (await readTarget(em, transferId, transfer.payoutTarget))[fields[field]];
}
