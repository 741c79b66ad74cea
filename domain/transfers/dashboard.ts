import type { DashboardView } from '#core/contracts/http/transfers';
import { formatMinor } from '#core/money/money';
import type { SendingLimits } from '#core/transfers/limits';
import type { EntityManager } from '#platform/database/database';
import { countRecipients } from '../recipients/recipient.repository.ts';
import { sumPaid, sumSent } from './transfer-figures.repository.ts';

/** A sender's summary at a moment: what they sent, and what they may still send in this window of 30 days. */
export async function readDashboard(
  em: EntityManager,
  limits: SendingLimits,
  { userId, at }: { userId: string; at: Date },
): Promise<DashboardView> {
  const sent = await sumSent(em, userId, at);
  const paid = await sumPaid(em, userId);
  const left = limits.monthUsdMinor - sent.monthUsdMinor;
  return {
    balance: formatMinor(left > 0n ? left : 0n),
    totalSent: formatMinor(paid.usdMinor),
    recipientCount: await countRecipients(em, userId),
    transferCount: paid.count,
    monthLimit: formatMinor(limits.monthUsdMinor),
  };
}
