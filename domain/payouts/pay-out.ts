import type { PayoutAnswer } from '#core/contracts/bank';
import { formatMinor } from '#core/money/money';
import { outcomeOf, type ProviderFact } from '#core/operations/reducer';
import type { EntityManager } from '#platform/database/database';
import { NonRetryableError } from '#platform/queues/retry';
import type { JobContext } from '../job-context.ts';
import type { Attempt } from '../operations/attempt.ts';
import { closeCases, openCase } from '../operations/desk-case.repository.ts';
import type { Operation } from '../operations/operation.repository.ts';
import { claimPayout, moveTransfer } from '../transfers/move-transfer.ts';
import { findTransfer, lockTransfer } from '../transfers/transfer.repository.ts';

/** Rejections about the account or its holder: with other data the bank may pay. */
const accountRejections: ReadonlySet<string> = new Set([
  'account_not_found',
  'account_closed',
  'account_blocked',
  'name_mismatch',
  'invalid_account',
]);

/** What the bank knows a payout by. The first one of a transfer has the transfer's own id. */
export function payoutIdOf({ transferId, sequence }: Pick<Operation, 'transferId' | 'sequence'>): string {
  return sequence === 1 ? transferId : `${transferId}-${sequence}`;
}

/**
 * Pays charged money to the family: the transfer is claimed, paid once by the bank, then `completed` with the bank's reference.
 * What the bank refuses because of the account waits for its sender's correction; anything else goes back to the card.
 */
export async function payOut(context: JobContext, operation: Operation): Promise<Attempt> {
  const seen = await findTransfer(context.database.fork(), operation.transferId);
  if (seen?.state !== 'captured') return { result: 'unneeded' };
  const { payoutTarget } = seen;
  if (!payoutTarget) return { result: 'refused', error: 'the transfer has no recipient' };
  // Committed before the bank is called: from here on it cannot be cancelled, and what was cancelled before is not paid out.
  const transfer = await context.database.transaction((em) => claimPayout(em, seen.id, context.now()));
  if (!transfer) return { result: 'unneeded' };
  const { name, ci, bankName, bankAccount, phone, city } = payoutTarget;
  const externalId = payoutIdOf(operation);
  const amount = formatMinor(operation.amountMinor);
  const request = {
    externalId,
    amount,
    currency: 'BOB',
    beneficiary: { name, ci, bankName, bankAccount, phone, city },
  };
  let answer: PayoutAnswer;
  try {
    answer = await context.bank.pay({ ...request, currency: 'BOB' }, operation.idempotencyKey);
  } catch (error) {
    if (error instanceof NonRetryableError) return { result: 'refused', error: error.message };
    throw error;
  }
  if (answer.externalId !== externalId || answer.amount !== amount) {
    return { result: 'contradiction', error: 'the bank answered about another payout' };
  }
  await context.database.transaction((em) => applyPayout(em, transfer.id, answer, context.now()));
  return { result: 'settled' };
}

/** Moves a transfer by what the bank says of its payout, in the transaction of `em`. */
export async function applyPayout(
  em: EntityManager,
  transferId: string,
  answer: PayoutAnswer,
  at: Date,
): Promise<void> {
  const transfer = await lockTransfer(em, transferId);
  if (!transfer) return;
  const outcome = outcomeOf(transfer.state, factOf(answer));
  const rejection = answer.rejection?.message ?? 'sin motivo';
  const reason = `El banco no pudo pagar: ${rejection}`;
  switch (outcome) {
    case 'pay_out':
      await moveTransfer(em, transferId, 'pay_out', { at, changes: { payoutReference: answer.reference } });
      await closeCases(em, {
        transferId,
        reasons: ['operation_slow', 'operation_refused', 'payout_rejected'],
        resolution: 'paid',
        at,
      });
      return;
    case 'reject_payout':
      await moveTransfer(em, transferId, 'reject_payout', { at, changes: { reason } });
      return openCase(em, { transferId, reason: 'payout_rejected', details: rejection, at });
    case 'return':
      await moveTransfer(em, transferId, 'return', { at, changes: { reason } });
      return;
    case 'unchanged':
      return;
    default:
      return openCase(em, {
        transferId,
        reason: 'contradiction',
        details: `bank: ${answer.status}; transfer: ${transfer.state}`,
        at,
      });
  }
}

function factOf({ status, rejection }: PayoutAnswer): ProviderFact {
  if (status === 'paid') return 'payout_paid';
  return accountRejections.has(rejection?.code ?? '') ? 'payout_account_rejected' : 'payout_rejected';
}
