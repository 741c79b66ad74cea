import type { Tier } from '#core/accounts/tiers';
import type { DashboardView } from '#core/contracts/http/transfers';
import { formatMinor } from '#core/money/money';
import { limitsOfTier, type TieredLimits } from '#core/transfers/limits';
import type { EntityManager } from '#platform/database/database';
import { tierViews } from '../identity/identity-views.ts';
import { countRecipients } from '../recipients/recipient.repository.ts';
import { sumPaid, sumSent } from '../transfers/transfer-figures.repository.ts';

/** A sender's summary at a moment: the amounts sent, and what is left of the limit in this window of 30 days. */
export async function readDashboard(
  em: EntityManager,
  tiered: TieredLimits,
  { userId, tier, at }: { userId: string; tier: Tier; at: Date },
): Promise<DashboardView> {
  const limits = limitsOfTier(tiered, tier);
  const sent = await sumSent(em, userId, at);
  const paid = await sumPaid(em, userId);
  return {
    balance: formatMinor(leftOf(limits.monthUsdMinor, sent.monthUsdMinor)),
    totalSent: formatMinor(paid.usdMinor),
    recipientCount: await countRecipients(em, userId),
    transferCount: paid.count,
    monthLimit: formatMinor(limits.monthUsdMinor),
    dayLeft: formatMinor(leftOf(limits.dayUsdMinor, sent.dayUsdMinor)),
    dayLimit: formatMinor(limits.dayUsdMinor),
    ...{ tier, tiers: tierViews(tiered) },
  };
}

const leftOf = (limit: bigint, sent: bigint) => (sent < limit ? limit - sent : 0n);
