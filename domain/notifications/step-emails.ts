import { formatMinor } from '#core/money/money';
import type { StepEmail } from '#core/notifications/step-email';
import { formatRate } from '#core/rates/rate';
import { accountEnding } from '#core/recipients/same';
import type { EntityManager } from '#platform/database/database';
import { addEmail } from '../emails/email.repository.ts';
import type { EmailData } from '../emails/email-kinds.ts';
import type { StepSubscriber, TransferStep } from '../transfers/steps.ts';

/** Writes the e-mail to the sender about a step; once per version of the transfer. */
export const writeStepEmail: StepSubscriber = async (em, step) => {
  const { email, transfer, at } = step;
  if (!email) return;
  // Without an authorization there is nothing to report.
  if (email === 'transfer_cancelled' && !transfer.paidAt) return;
  const kind = email === 'transfer_held' && !transfer.payoutTarget ? 'transfer_without_recipient' : email;
  const data = { ...dataOf(step), ...(await moreOf(em, email, transfer.id)) };
  await addEmail(em, { kind, key: `transfer-${transfer.id}-${transfer.version}`, data, at, userId: transfer.userId });
};

/** A transfer as of a step. */
function dataOf({ transfer, at }: TransferStep): EmailData<'transfer_held'> {
  const { payoutTarget, rate, acceptedRate, bolivianosMinor, acceptedBolivianosMinor } = transfer;
  return {
    ...{ transferId: transfer.id, at: at.toISOString() },
    ...{ amount: formatMinor(transfer.amountMinor), currency: transfer.currency },
    ...{ bolivianos: formatMinor(bolivianosMinor), returned: formatMinor(transfer.returnedMinor) },
    bank: payoutTarget?.bankName ?? null,
    account: payoutTarget ? accountEnding(payoutTarget.bankAccount) : null,
    ...{ reference: transfer.payoutReference ?? null, reason: transfer.reason ?? null },
    rejectionCode: transfer.rejectionCode ?? null,
    better:
      acceptedRate == null
        ? null
        : {
            ...{ rate: formatRate(rate), accepted: formatRate(acceptedRate) },
            gained: formatMinor(bolivianosMinor - (acceptedBolivianosMinor ?? bolivianosMinor)),
          },
    arrival: transfer.estimatedDelivery.toISOString(),
    cancelRequestedAt: transfer.cancelRequestedAt?.toISOString() ?? null,
  };
}

/** Additional data of some kinds from the transfer's operations and cases, as written in its transaction. */
async function moreOf(em: EntityManager, email: StepEmail, transferId: string): Promise<object> {
  await em.flush();
  const exists = async (sql: string) => (await em.execute<unknown[]>(`${sql} limit 1`, [transferId])).length > 0;
  switch (email) {
    case 'transfer_paid':
      return {
        byHand: await exists("select from operation where transfer_id = ? and kind = 'payout' and provider = 'manual'"),
      };
    case 'transfer_refunded':
      return refundsByBank(em, transferId);
    case 'transfer_rejected':
    case 'transfer_cancelled':
    case 'transfer_ended':
      return {
        mayBeCharged: await exists(
          `select from desk_case where transfer_id = ? and reason in ('captured_in_part', 'contradiction')
             and resolved_at is null`,
        ),
      };
    default:
      return {};
  }
}

/** The part of the refunds made by bank transfer, and the last reference. */
async function refundsByBank(em: EntityManager, transferId: string) {
  const refunds = await em.execute<{ minor: string; reference: string | null }[]>(
    `select amount_minor as minor, provider_reference as reference from operation
     where transfer_id = ? and kind = 'refund' and status = 'succeeded' and provider = 'manual' order by sequence`,
    [transferId],
  );
  const byBankMinor = refunds.reduce((sum, { minor }) => sum + BigInt(minor), 0n);
  return { byBank: formatMinor(byBankMinor), refundReference: refunds.at(-1)?.reference ?? null };
}
