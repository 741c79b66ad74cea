import type { TransferState } from '#core/transfers/states';
import type { JobContext } from '../job-context.ts';
import { closeCasesAbout, openCase } from '../operations/desk-case.repository.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import { findTransfer, lockTransfer } from '../transfers/transfer.repository.ts';

/** States in which a refund may still keep the payment from being disputed. Before them an admin sees the warning when deciding. */
const refundableStates: readonly TransferState[] = ['approved', 'captured', 'payout_failed', 'completed'];

/** Readings after which a transfer that others keep changing is left to the next event. */
const mostReadings = 3;

/** Whether a Stripe event is about a warning of fraud. */
export const isFraudWarning = (type: string): boolean => type.startsWith('radar.early_fraud_warning.');

/**
 * Reads from Stripe whether the card's bank warns of fraud with a transfer's payment and something can still be done about it, and
 * writes that down: for the admin who decides, or as a case when the decision was made already.
 */
export async function syncFraudWarnings(context: JobContext, transferId: string): Promise<void> {
  for (let reading = 0; reading < mostReadings; reading += 1) {
    const read = await findTransfer(context.database.fork(), transferId);
    if (!read?.paymentIntentId) return;
    const { data } = await context.stripe.radar.earlyFraudWarnings.list({
      payment_intent: read.paymentIntentId,
      limit: 100,
    });
    const fraudWarning = data.find(({ actionable }) => actionable)?.fraud_type ?? null;
    if (await apply(context, read, fraudWarning)) return;
  }
  throw new Error('a transfer changed while the warnings about it were read');
}

/** Returns false, with nothing written, when the transfer was changed since it was read. */
function apply(
  context: JobContext,
  read: { id: string; version: number },
  fraudWarning: string | null,
): Promise<boolean> {
  const at = context.now();
  return context.database.transaction(async (em) => {
    const transfer = await lockTransfer(em, read.id, { version: read.version });
    if (!transfer) return false;
    if (fraudWarning === (transfer.fraudWarning ?? null)) return true;
    const { id: transferId, state } = transfer;
    await changeWithinState(em, transfer, { fraudWarning }, { name: 'warn_of_fraud', owner: 'payments', at });
    if (fraudWarning === null) {
      await closeCasesAbout(em, { transferId, reasons: ['fraud_warning'], outcome: 'warning_past', at });
    } else if (refundableStates.includes(state)) {
      await openCase(em, { transferId, reason: 'fraud_warning', details: fraudWarning, at });
    }
    return true;
  });
}
