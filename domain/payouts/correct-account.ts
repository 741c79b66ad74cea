import { Failure } from '#core/contracts/failures';
import type { TransferView } from '#core/contracts/http/transfers';
import { payoutMethodOf } from '#core/recipients/banks';
import { isSameAccount, isSamePerson } from '#core/recipients/same';
import { estimateDelivery } from '#core/transfers/delivery';
import type { EntityManager } from '#platform/database/database';
import { findOpenReasons, openCase } from '../desk/desk-case.repository.ts';
import { findHolds } from '../holds/holds.repository.ts';
import { hideTarget, type OpenTarget, readTarget } from '../personal-data/payout-target.ts';
import { refuseUnconfirmedName } from '../recipients/name-checks.ts';
import { findRecipient } from '../recipients/recipient.repository.ts';
import { targetOf } from '../recipients/recipient-views.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { countTransfer } from '../transfers/last-day.ts';
import { changeWithinState, moveTransfer } from '../transfers/move-transfer.ts';
import { type ProofRules, refuseStaleProof } from '../transfers/new-account.ts';
import { findOwnTransfer, lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';

/** Thresholds, in US cents. */
export interface CorrectionRules extends ProofRules {
  /**
   * From `reviewTwoPersonsUsdMinor`, counted with the last 24 hours, admins also approve another account of the same
   * person.
   */
  readonly desk: { readonly reviewTwoPersonsUsdMinor: bigint };
}

/**
 * Pays a transfer again to the sender's corrected account, after the bank rejected or returned the payout; in the
 * transaction of `em`. The recipient's data are copied; amount and rate stay. Another person, and for a large amount
 * another account, is paid only after an admin's approval: an intruder in the sender's session must not redirect an
 * approved transfer.
 * @throws Failure `not_found` (also for another user's transfer or recipient), `name_not_confirmed`,
 * `second_factor_stale`, `settlement_in_progress`, `account_not_correctable`.
 */
export async function correctAccount(
  em: EntityManager,
  rules: CorrectionRules,
  input: { userId: string; provenAt: Date; transferId: string; recipientId: string; at: Date },
): Promise<TransferView> {
  const { userId, provenAt, transferId, recipientId, at } = input;
  const { usdMinor } = await findOwnTransfer(em, userId, transferId);
  const recipient = await findRecipient(em, userId, recipientId);
  await refuseUnconfirmedName(em, recipient.id, recipient);
  const target = await targetOf(em, recipient);
  await refuseStaleProof(em, rules, { userId, provenAt, transferId, usdMinor, bankAccount: target.bankAccount, at });
  const locked = await lockTransfer(em, transferId, { state: 'payout_failed' });
  if (locked) await refuseHeld(em, locked);
  const approval = locked && (await approvalOf(em, rules, locked, target));
  const changes = {
    recipientId: recipient.id,
    payoutTarget: hideTarget(em, transferId, target),
    estimatedDelivery: estimateDelivery(at, payoutMethodOf(recipient.bankName)),
    // The reason of the previous payout's failure.
    reason: null,
  };
  const step = { name: 'correct_account', owner: 'sender', actorId: userId, at } as const;
  // Before the payout is opened, so that it is held from the start.
  if (approval) await openCase(em, { transferId, reason: 'recipient_changed', ...approval, at });
  const corrected = locked && (await changeWithinState(em, locked, changes, step));
  const transfer = corrected && (await moveTransfer(em, corrected, 'pay_again', { at, actorId: userId }));
  if (!transfer) throw new Failure('account_not_correctable');
  return toTransferView(em, transfer, at);
}

/** @throws Failure while a hold blocks the correction. Suspicions against the sender are not disclosed to them. */
async function refuseHeld(em: EntityManager, locked: Transfer): Promise<void> {
  const [hold] = await findHolds(em, locked, 'account_correction');
  if (hold)
    throw new Failure(hold.reason === 'settlement_by_hand' ? 'settlement_in_progress' : 'account_not_correctable');
}

/** The approved recipient, if an admin has to approve the new one; null if not needed, or a case is already open. */
async function approvalOf(
  em: EntityManager,
  { desk }: CorrectionRules,
  { id, payoutTarget }: Transfer,
  target: OpenTarget,
): Promise<{ details: string | null } | null> {
  if ((await findOpenReasons(em, id)).includes('recipient_changed')) return null;
  if (!payoutTarget) return { details: null };
  const { name, bankName, bankAccount } = payoutTarget;
  const approved = { details: [name, bankName, bankAccount].join(', ') };
  const before = await readTarget(em, id, payoutTarget);
  if (!isSamePerson(before, target)) return approved;
  if (isSameAccount(before, target)) return null;
  return (await countTransfer(em, id)) < desk.reviewTwoPersonsUsdMinor ? null : approved;
}
