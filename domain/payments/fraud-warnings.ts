import type { TransferState } from '#core/transfers/states';
import { closeCasesAbout, openCase } from '../desk/desk-case.repository.ts';
import { endWaitingRequests } from '../desk/desk-request.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { resumeHeldOperations } from '../provider-calls/operation.repository.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import { syncDisputes } from './sync-disputes.ts';
import { writeAsRead } from './write-as-read.ts';

/** States in which a refund may still prevent a dispute. Before them an admin sees the warning when deciding. */
const refundableStates: readonly TransferState[] = ['approved', 'captured', 'payout_failed', 'completed'];

/** Whether a Stripe event concerns a fraud warning. */
export const isFraudWarning = (type: string): boolean => type.startsWith('radar.early_fraud_warning.');

/**
 * Reads from Stripe whether the card's bank issued an actionable fraud warning about a transfer's payment, and stores
 * it: for the admin who decides, or as a case after the decision.
 */
export async function syncFraudWarnings(context: JobContext, transferId: string): Promise<void> {
  const at = context.now();
  await writeAsRead(context, transferId, {
    read: async ({ fraudWarning }, payment_intent) => {
      const { data } = await context.stripe.radar.earlyFraudWarnings.list({ payment_intent, limit: 100 });
      const warning = data.find(({ actionable }) => actionable) ?? null;
      // A warning ends with the dispute it predicted, which has to hold the money before the warning stops holding it.
      if (fraudWarning && !warning) await syncDisputes(context, transferId);
      return warning;
    },
    write: async (em, transfer, warning) => {
      const fraudWarning = warning?.fraud_type ?? null;
      const fraudWarningId = warning?.id ?? null;
      if (fraudWarning === (transfer.fraudWarning ?? null) && fraudWarningId === (transfer.fraudWarningId ?? null))
        return;
      const changes = { fraudWarning, fraudWarningId };
      await changeWithinState(em, transfer, changes, { name: 'warn_of_fraud', owner: 'payments', at });
      // Earlier approvers did not know of it.
      if (fraudWarning !== null) await endWaitingRequests(em, transferId, { event: 'facts_changed', at });
      if (fraudWarning === null) {
        await resumeHeldOperations(em, transferId, at);
        await closeCasesAbout(em, { transferId, reasons: ['fraud_warning'], outcome: 'warning_past', at });
      } else if (refundableStates.includes(transfer.state)) {
        await openCase(em, { transferId, reason: 'fraud_warning', details: fraudWarning, at });
      }
    },
  });
}
