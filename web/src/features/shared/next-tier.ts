import { t } from '@lingui/core/macro';
import type { FailureDetails } from '#core/contracts/http/failure-details';
import type { DashboardView } from '#core/contracts/http/transfers';
import { formatMinor, parseMinor } from '#core/money/money';
import { type LimitsByTier, nextTier, type OwnLimitRefusal, ownLimitBroken } from '#core/transfers/limits';
import { formatAmount } from '../../lib/format/money.ts';

/** The step after which a sender may send more, and the limit that they have then. */
export type NextTier = NonNullable<FailureDetails<OwnLimitRefusal>['next']>;

/** With which step of verification more can be sent, and how much by the limit that was broken. */
export function nextTierText({ tier, limitUsd }: Pick<NextTier, 'tier' | 'limitUsd'>, broken: OwnLimitRefusal): string {
  const most = formatAmount(limitUsd, 'USD');
  const per = {
    amount_too_large: t`por envío`,
    day_limit_reached: t`en 24 horas`,
    month_limit_reached: t`en 30 días`,
  }[broken];
  return tier === 'document'
    ? t`Con tu documento puedes enviar hasta ${most} ${per}.`
    : t`Con tus datos de identidad puedes enviar hasta ${most} ${per}.`;
}

/** Which of their own limits an amount in US cents is above, as the server finds when it is paid, and the step that helps; null while it fits. */
export function limitAbove(usdMinor: bigint, { tier, tiers, ...summary }: DashboardView) {
  const limits = Object.fromEntries(
    tiers.map(({ tier: one, payment, day, month }) => [
      one,
      { paymentUsdMinor: cents(payment), dayUsdMinor: cents(day), monthUsdMinor: cents(month) },
    ]),
  ) as LimitsByTier;
  const sent = {
    dayUsdMinor: cents(summary.dayLimit) - cents(summary.dayLeft),
    monthUsdMinor: cents(summary.monthLimit) - cents(summary.balance),
  };
  const broken = ownLimitBroken(usdMinor, limits[tier], sent);
  if (!broken) return null;
  const next = nextTier(broken, limits, tier, { usdMinor, sent });
  return {
    broken,
    next: next && { tier: next.tier, limitUsd: formatMinor(next.limitUsdMinor) },
    /** What fits, in USD. */
    most: {
      amount_too_large: formatMinor(limits[tier].paymentUsdMinor),
      day_limit_reached: summary.dayLeft,
      month_limit_reached: summary.balance,
    }[broken],
  };
}

const cents = (usd: string) => parseMinor(usd) ?? 0n;

/** What leads to the steps, for who goes on with a payment after them (features/account/limits.tsx). */
export const verifyText = () => t`Verificar mi identidad`;
/** In their place while what the person sent is being reviewed. */
export const reviewedText = () => t`Estamos revisando lo que enviaste para verificarte.`;
export const seeLimitsText = () => t`Ver mis límites`;
export const fromPayment = { fromPayment: true } as const;
