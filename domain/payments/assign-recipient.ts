import { Failure } from '#core/contracts/failures';
import type { TransferView } from '#core/contracts/http/transfers';
import { payoutMethodOf } from '#core/recipients/banks';
import { estimateDelivery } from '#core/transfers/delivery';
import type { EntityManager } from '#platform/database/database';
import { endWaitingRequests } from '../desk/desk-request.repository.ts';
import { hideTarget } from '../personal-data/payout-target.ts';
import { refuseUnconfirmedName } from '../recipients/name-checks.ts';
import { findRecipient } from '../recipients/recipient.repository.ts';
import { targetOf } from '../recipients/recipient-views.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import { type ProofRules, refuseStaleProof } from '../transfers/new-account.ts';
import { findOwnTransfer, lockTransfer } from '../transfers/transfer.repository.ts';
import { noteOrigin } from './declined-attempt.repository.ts';

/**
 * Assigns the recipient chosen by the sender to a transfer that was paid without one, in the transaction of `em`. Only
 * once: an existing recipient is never replaced. Amount, rate and limits stay those of the frozen quote; the delivery
 * estimate depends on the recipient's bank and the current time.
 * @throws Failure `not_found` (also for another user's transfer or recipient), `name_not_confirmed`,
 * `second_factor_stale`, `recipient_not_open`.
 */
export async function assignRecipient(
  em: EntityManager,
  rules: ProofRules,
  input: { userId: string; provenAt: Date; transferId: string; recipientId: string; at: Date },
): Promise<TransferView> {
  const { userId, provenAt, transferId, recipientId, at } = input;
  const { usdMinor } = await findOwnTransfer(em, userId, transferId);
  const recipient = await findRecipient(em, userId, recipientId);
  await refuseUnconfirmedName(em, recipient.id, recipient);
  const target = await targetOf(em, recipient);
  await refuseStaleProof(em, rules, { userId, provenAt, transferId, usdMinor, bankAccount: target.bankAccount, at });
  const open = { recipientId: null, state: { $in: ['awaiting_payment', 'in_review'] } } as const;
  const locked = await lockTransfer(em, transferId, open);
  const changes = {
    recipientId: recipient.id,
    payoutTarget: hideTarget(em, transferId, target),
    estimatedDelivery: estimateDelivery(at, payoutMethodOf(recipient.bankName)),
  };
  const step = { name: 'assign_recipient', owner: 'sender', actorId: userId, at } as const;
  const transfer = locked && (await changeWithinState(em, locked, changes, step));
  if (!transfer) throw new Failure('recipient_not_open');
  await endWaitingRequests(em, transferId, { event: 'facts_changed', at });
  await noteOrigin(em, transferId, at);
  return toTransferView(em, transfer, at);
}
