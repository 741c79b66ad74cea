import type { RateChangeView } from '#core/contracts/http/admin-rates';
import type { RateAlertView } from '#core/contracts/http/rate-alerts';
import type { QuoteView, RateBoard, RateView } from '#core/contracts/http/rates';
import { formatMinor } from '#core/money/money';
import { formatBasisPoints } from '#core/money/percent';
import { confirmationMs } from '#core/rates/guard-rails';
import { formatRate, type Rate } from '#core/rates/rate';
import { maximumMinor, minimumMinor } from '#core/transfers/limits';
import type { Quote } from '#core/transfers/quote';
import type { EntityManager } from '#platform/database/database';
import { findUsersById } from '../accounts/account.repository.ts';
import type { CurrentRate, CurrentRates } from './current-rates.ts';
import type { RateAlert } from './rate-alert.repository.ts';
import type { RateChange } from './rate-change.repository.ts';

/** API representation of one rate. */
export function toRateView(current: CurrentRate): RateView {
  return {
    currency: current.currency,
    rate: formatRate(current.rate),
    lastUpdated: current.since.toISOString(),
    source: current.source,
    paused: current.paused,
    marketSeenAt: current.marketUpdatedAt?.toISOString() ?? null,
  };
}

/** API representation of the rates in force. */
export function toRateBoard(rates: CurrentRates): RateBoard {
  return { ...toRateView(rates.USD), rates: { USD: toRateView(rates.USD), EUR: toRateView(rates.EUR) } };
}

/** API representation of a quote. */
export function toQuoteView(
  quote: Quote,
  context: { rateUpdatedAt: Date; eurUsd: Rate; estimatedDelivery: Date; betterRate: boolean },
): QuoteView {
  const fee = formatMinor(quote.feeMinor);
  return {
    currency: quote.currency,
    amount: formatMinor(quote.amountMinor),
    fee,
    feeUSD: fee,
    netAmount: formatMinor(quote.netMinor),
    bs: formatMinor(quote.bolivianosMinor),
    rate: formatRate(quote.rate),
    rateUpdatedAt: context.rateUpdatedAt.toISOString(),
    markupPercent: quote.markupBasisPoints === null ? null : formatBasisPoints(quote.markupBasisPoints),
    minimum: formatMinor(minimumMinor),
    maximum: formatMinor(maximumMinor(quote.currency, context.eurUsd)),
    estimatedDelivery: context.estimatedDelivery.toISOString(),
    betterRate: context.betterRate,
  };
}

/** API representation of changes, in their order, with the names of author and decider. */
export async function toRateChangeViews(em: EntityManager, changes: readonly RateChange[]): Promise<RateChangeView[]> {
  const ids = new Set(changes.flatMap(({ proposedById, decidedById }) => [proposedById, decidedById ?? []].flat()));
  const users = await findUsersById(em, [...ids]);
  const names = new Map(users.map(({ id, name }) => [id, name]));
  return changes.map((change) => ({
    id: String(change.id),
    date: change.proposedAt.toISOString(),
    setBy: names.get(change.proposedById) ?? '',
    setById: change.proposedById,
    currency: change.currency,
    rate: formatRate(change.rate),
    previousRate: change.previousRate ? formatRate(change.previousRate) : null,
    state: change.state,
    reason: change.reason ?? null,
    guardRails: change.guardRails,
    decidedBy: change.decidedById ? (names.get(change.decidedById) ?? '') : null,
    decidedAt: change.decidedAt?.toISOString() ?? null,
    expiresAt: expiryOf(change)?.toISOString() ?? null,
    activateAt: change.activateAt?.toISOString() ?? null,
    activatedAt: change.activatedAt?.toISOString() ?? null,
  }));
}

function expiryOf({ state, awaitingSince }: RateChange): Date | null {
  if (state !== 'awaiting_confirmation' || !awaitingSince) return null;
  return new Date(awaitingSince.getTime() + confirmationMs);
}

/** API representation of an alert. */
export function toRateAlertView(alert: RateAlert): RateAlertView {
  const { id, currency, rate, createdAt, firedAt, firedRate } = alert;
  return {
    id,
    currency,
    rate: formatRate(rate),
    createdAt: createdAt.toISOString(),
    firedAt: firedAt?.toISOString() ?? null,
    firedRate: firedRate == null ? null : formatRate(firedRate),
  };
}
