import { Failure } from '#core/contracts/failures';
import type { PayableAccount } from '#core/contracts/http/operations';
import type { EntityManager } from '#platform/database/database';
import { hideTarget, type PayoutTarget } from '../personal-data/payout-target.ts';
import { findRecipient, findRecipients, maxRecipients, type Recipient } from '../recipients/recipient.repository.ts';
import { targetOf } from '../recipients/recipient-views.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';

// The accounts that an admin can pay again after a payout: the one that was paid, or another one of the sender's own
// recipients. Accounts are never typed in.

/** The accounts as admins see them; the one that was paid is first and has no recipient id. */
export async function listPayableAccounts(em: EntityManager, transfer: Transfer): Promise<PayableAccount[]> {
  const { rows } = await findRecipients(em, transfer.userId, { limit: maxRecipients });
  const others = rows.map((one) => ({ recipientId: one.id, target: one }));
  const paid = transfer.payoutTarget;
  const isPaid = ({ bankName, accountHash }: Recipient) =>
    bankName === paid?.bankName && accountHash != null && accountHash === paid.hashes?.account;
  return [
    ...(paid ? [{ recipientId: null, target: paid }] : []),
    ...others.filter(({ target }) => !isPaid(target)),
  ].map(({ recipientId, target: { name, bankName, bankAccount } }) => {
    return { recipient_id: recipientId, name, bank_name: bankName, bank_account: bankAccount };
  });
}

/** The account of one of the sender's recipients, or the one that was paid. @throws Failure `not_found`, `action_not_possible`. */
export async function readPayableTarget(
  em: EntityManager,
  transfer: Transfer,
  recipientId: string | undefined,
): Promise<PayoutTarget> {
  if (recipientId)
    return hideTarget(em, transfer.id, await targetOf(em, await findRecipient(em, transfer.userId, recipientId)));
  if (!transfer.payoutTarget) throw new Failure('action_not_possible');
  return transfer.payoutTarget;
}
