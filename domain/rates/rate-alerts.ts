import type { RateAlertView } from '#core/contracts/http/rate-alerts';
import { sendCurrencies } from '#core/money/money';
import { formatRate, type Rate } from '#core/rates/rate';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { addMail } from '../notifications/email.repository.ts';
import { currentRate, type RateMoment } from './current-rates.ts';
import { RateAlert } from './rate.entity.ts';

/**
 * Fires waiting alerts that the rates in force have reached, at most `limit` per currency, in the transaction of `em`: each once,
 * with its e-mail and its push. A rate that was already replaced fires nothing: whoever is told finds it. Nor does one that is
 * paused, since nobody could pay at it. Alerts that others are firing or deleting at the moment are left to them.
 * @returns whether there may be more.
 */
export async function fireRateAlerts(em: EntityManager, moment: RateMoment, limit: number): Promise<boolean> {
  let more = false;
  for (const currency of sendCurrencies) {
    const inForce = await currentRate(em, currency, moment);
    if (!inForce || inForce.paused) continue;
    const fired: { id: string; user_id: string; rate: string }[] = await em.execute(
      `update rate_alert set fired_at = ?, fired_rate = ? where fired_at is null and id in (
         select id from rate_alert where currency = ? and fired_at is null and rate <= ?
         order by rate limit ? for update skip locked
       ) returning id, user_id, rate`,
      [moment.now, String(inForce.rate), currency, String(inForce.rate), limit],
    );
    for (const { id, user_id: userId, rate } of fired) {
      const data = { currency, rate: formatRate(BigInt(rate) as Rate), firedRate: formatRate(inForce.rate) };
      await addMail(em, { kind: 'rate_alert', key: `rate_alert-${id}`, data, at: moment.now, userId });
      addPush(em, 'rate-alert-fired', { alertId: id });
    }
    more ||= fired.length === limit;
  }
  return more;
}

/** Wire form of an alert. */
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
