import { Failure } from '#core/contracts/failures';
import { maxWaitingAlerts } from '#core/contracts/http/rate-alerts';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { formatRate, type Rate } from '#core/rates/rate';
import type { EntityManager } from '#platform/database/database';
import { addJob, addPush } from '#platform/outbox/outbox';
import { lockUser } from '../accounts/account.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { currentRate, type RateMoment, ratesInForce } from './current-rates.ts';
import { countWaitingAlerts, insertRateAlert, markReachedAlerts, type RateAlert } from './rate-alert.repository.ts';
import type { RateRules } from './rate-rules.ts';

/** Maximum alerts of one currency fired in one transaction. */
const batch = 200;

/**
 * Creates an alert for a rate of a currency, in the transaction of `em`.
 * @throws Failure `alert_already_met`, `too_many_alerts`, `rate_unavailable`.
 */
export async function createRateAlert(
  em: EntityManager,
  rules: Pick<RateRules, 'pauseAfterMs'>,
  input: { userId: string; currency: SendCurrency; rate: Rate; at: Date },
): Promise<RateAlert> {
  const { userId, currency, rate, at } = input;
  // Serializes a user's requests, which count and insert.
  await lockUser(em, userId);
  const inForce = (await ratesInForce(em, rules, at))[currency];
  if (inForce.rate >= rate) throw new Failure('alert_already_met');
  if ((await countWaitingAlerts(em, userId)) >= maxWaitingAlerts)
    throw new Failure('too_many_alerts', { most: maxWaitingAlerts });
  const alert = await insertRateAlert(em, { userId, currency, rate, createdAt: at });
  // The rate may be changing in another transaction, which does not see this alert yet.
  addJob(em, 'fire-rate-alerts', {});
  await em.flush();
  return alert;
}

/** Job: fires every alert that the rates in force have reached. */
export async function fireReachedAlerts(context: Pick<JobContext, 'database' | 'now' | 'pauseAfterMs'>): Promise<void> {
  const moment = { now: context.now(), pauseAfterMs: context.pauseAfterMs };
  while (await context.database.transaction((em) => fireRateAlerts(em, moment, batch)));
}

/**
 * Fires waiting alerts that the rates in force have reached, at most `limit` per currency, in the transaction of `em`:
 * each once, with its e-mail and its push. A replaced rate fires nothing, because the user would no longer find it; nor
 * does a paused one, because payments at it are off.
 * @returns whether there may be more.
 */
async function fireRateAlerts(em: EntityManager, moment: RateMoment, limit: number): Promise<boolean> {
  let more = false;
  for (const currency of sendCurrencies) {
    const inForce = await currentRate(em, currency, moment);
    if (!inForce || inForce.paused) continue;
    const fired = await markReachedAlerts(em, { currency, rate: inForce.rate, at: moment.now, limit });
    for (const { id, userId, rate } of fired) {
      const data = { currency, rate: formatRate(rate), firedRate: formatRate(inForce.rate) };
      await addEmail(em, { kind: 'rate_alert', key: `rate_alert-${id}`, data, at: moment.now, userId });
      addPush(em, 'rate-alert-fired', { alertId: id });
    }
    more ||= fired.length === limit;
  }
  return more;
}
