import type { PayoutAnswer } from '#core/contracts/bank';
import { outcomeOf, type ProviderFact } from '#core/operations/reducer';
import type { EntityManager } from '#platform/database/database';
import type { JobContext } from '../job-context.ts';
import { openCase } from '../operations/desk-case.repository.ts';
import type { Operation } from '../operations/operation.repository.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { applySecondPayout } from './second-payout.ts';

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

/** Until when the sender of a payout that fails now may name another account. */
export function askForCorrection({ now, correctAccountMs }: JobContext): { correctAccountBy: Date } {
  return { correctAccountBy: new Date(now().getTime() + correctAccountMs) };
}

/** Moves a transfer by what the bank says of a payout, in the transaction of `em`. */
export async function applyPayout(
  context: JobContext,
  em: EntityManager,
  operation: Operation,
  answer: PayoutAnswer,
): Promise<void> {
  const at = context.now();
  const { transferId } = operation;
  if (operation.complaintId) return applySecondPayout(em, operation, answer, at);
  const transfer = await lockTransfer(em, transferId);
  if (!transfer) return;
  const outcome = outcomeOf(transfer.state, factOf(answer));
  const rejection = answer.rejection?.message ?? 'sin motivo';
  const reason = `El banco no pudo pagar: ${rejection}`;
  switch (outcome) {
    case 'pay_out':
      await moveTransfer(em, transfer, 'pay_out', { at, changes: { payoutReference: answer.reference } });
      return;
    case 'reject_payout':
      await moveTransfer(em, transfer, 'reject_payout', { at, changes: { reason, ...askForCorrection(context) } });
      return openCase(em, { transferId, reason: 'payout_rejected', details: rejection, at });
    case 'return':
      await moveTransfer(em, transfer, 'return', { at, changes: { reason } });
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
