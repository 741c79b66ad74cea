import type { Tier } from '#core/accounts/tiers';
import { Failure } from '#core/contracts/failures';
import { formatMinor, type SendCurrency } from '#core/money/money';
import type { Rate } from '#core/rates/rate';
import {
  type LimitRefusal,
  limitOf,
  limitsByTier,
  limitsLeft,
  maximumMinor,
  minimumMinor,
  nextTier,
  type SentBefore,
  type TieredLimits,
} from '#core/transfers/limits';
import type { EntityManager } from '#platform/database/database';
import { findCountedPayments } from './transfer-figures.repository.ts';

/** A payment that breaks a limit. */
interface RefusedPayment {
  readonly userId: string;
  readonly usdMinor: bigint;
  readonly currency: SendCurrency;
  readonly eurUsd: Rate;
  /** The sender's verification tier. */
  readonly tier: Tier;
  readonly limits: TieredLimits;
  readonly sent: SentBefore;
  readonly at: Date;
}

/**
 * The failure of a payment that exceeds a limit, with the data the sender needs to choose another amount or to wait.
 */
export async function limitFailure(
  em: EntityManager,
  broken: LimitRefusal,
  { userId, usdMinor, currency, eurUsd, tier, limits: tiered, sent, at }: RefusedPayment,
): Promise<Failure> {
  if (broken === 'amount_too_small') return new Failure(broken, { minimum: formatMinor(minimumMinor), currency });
  const byTier = limitsByTier(tiered);
  const limits = byTier[tier];
  const inCurrency = (cents: bigint) => formatMinor(maximumMinor(currency, eurUsd, cents));
  const higher = nextTier(broken, byTier, tier, { usdMinor, sent });
  const next = higher && {
    ...{ tier: higher.tier, limitUsd: formatMinor(higher.limitUsdMinor), limit: inCurrency(higher.limitUsdMinor) },
  };
  if (broken === 'amount_too_large') {
    const maximumUsd = formatMinor(limits.paymentUsdMinor);
    return new Failure(broken, { maximumUsd, maximum: inCurrency(limits.paymentUsdMinor), currency, next });
  }
  const payments = await findCountedPayments(em, userId, at);
  const { leftUsdMinor, availableAt } = limitsLeft(usdMinor, limits, payments, at);
  return new Failure(broken, {
    limitUsd: formatMinor(limitOf(broken, limits)),
    leftUsd: formatMinor(leftUsdMinor),
    left: inCurrency(leftUsdMinor),
    currency,
    next,
    availableAt: availableAt?.toISOString() ?? null,
  });
}
