import type { TransferState } from '#core/transfers/states';
import type { JobContext } from '../job-context.ts';
import { closeCasesAbout, openCase } from '../operations/desk-case.repository.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import { writeAsRead } from './write-as-read.ts';

/** States in which a refund may still keep the payment from being disputed. Before them an admin sees the warning when deciding. */
const refundableStates: readonly TransferState[] = ['approved', 'captured', 'payout_failed', 'completed'];

/** Whether a Stripe event is about a warning of fraud. */
export const isFraudWarning = (type: string): boolean => type.startsWith('radar.early_fraud_warning.');

/**
 * Reads from Stripe whether the card's bank warns of fraud with a transfer's payment and something can still be done about it, and
 * writes that down: for the admin who decides, or as a case when the decision was made already.
 */
export async function syncFraudWarnings(context: JobContext, transferId: string): Promise<void> {
  const at = context.now();
  await writeAsRead(context, transferId, {
    read: async (_, payment_intent) => {
      const { data } = await context.stripe.radar.earlyFraudWarnings.list({ payment_intent, limit: 100 });
      return data.find(({ actionable }) => actionable)?.fraud_type ?? null;
    },
    write: async (em, transfer, fraudWarning) => {
      if (fraudWarning === (transfer.fraudWarning ?? null)) return;
      await changeWithinState(em, transfer, { fraudWarning }, { name: 'warn_of_fraud', owner: 'payments', at });
      if (fraudWarning === null) {
        await closeCasesAbout(em, { transferId, reasons: ['fraud_warning'], outcome: 'warning_past', at });
      } else if (refundableStates.includes(transfer.state)) {
        await openCase(em, { transferId, reason: 'fraud_warning', details: fraudWarning, at });
      }
    },
  });
}
