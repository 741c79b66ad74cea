import { Failure } from '#core/contracts/failures';
import type { TransferView } from '#core/contracts/http/transfers';
import { payoutMethodOf } from '#core/recipients/banks';
import { estimateDelivery } from '#core/transfers/delivery';
import type { EntityManager } from '#platform/database/database';
import { refuseUnconfirmedName } from '../recipients/name-checks.ts';
import { findRecipient } from '../recipients/recipient.repository.ts';
import { targetOf } from '../recipients/recipient-views.ts';
import { changeWithinState, moveTransfer } from './move-transfer.ts';
import { type ProofRules, refuseStaleProof } from './new-account.ts';
import { findOwnTransfer, hideTarget, lockTransfer } from './transfer.repository.ts';
import { toTransferView } from './transfer-views.ts';

/**
 * Pays a transfer again to the account its sender names, after the bank refused or returned the payout; in the transaction of `em`. The
 * recipient's data are copied; amount and rate stay. @throws Failure `not_found` (also for another person's transfer or recipient),
 * `name_not_confirmed`, `second_factor_stale`, `account_not_correctable`.
 */
export async function correctAccount(
  em: EntityManager,
  rules: ProofRules,
  input: { userId: string; provenAt: Date; transferId: string; recipientId: string; at: Date },
): Promise<TransferView> {
  const { userId, provenAt, transferId, recipientId, at } = input;
  const { usdMinor } = await findOwnTransfer(em, userId, transferId);
  const recipient = await findRecipient(em, userId, recipientId);
  await refuseUnconfirmedName(em, recipient.id, recipient);
  const target = await targetOf(em, recipient);
  await refuseStaleProof(em, rules, { userId, provenAt, usdMinor, bankAccount: target.bankAccount, at });
  const locked = await lockTransfer(em, transferId, { state: 'payout_failed' });
  const changes = {
    recipientId: recipient.id,
    payoutTarget: hideTarget(em, transferId, target),
    estimatedDelivery: estimateDelivery(at, payoutMethodOf(recipient.bankName)),
    // Why the bank did not pay the account before.
    reason: null,
  };
  const step = { name: 'correct_account', owner: 'sender', actorId: userId, at } as const;
  const corrected = locked && (await changeWithinState(em, locked, changes, step));
  const transfer = corrected && (await moveTransfer(em, corrected, 'pay_again', { at, actorId: userId }));
  if (!transfer) throw new Failure('account_not_correctable');
  return toTransferView(em, transfer, at);
}
