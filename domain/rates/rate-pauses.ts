import { sendCurrencies } from '#core/money/money';
import { formatRate } from '#core/rates/rate';
import { earliest } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { addEmailToAdmins } from '../emails/email.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { isRateRunUnderWay } from '../rate-observations/rate-run.repository.ts';
import { type CurrentRate, currentRate, lastUpdatedAt, type RateMoment } from './current-rates.ts';
import { closeRatePause, openRatePause } from './rate.repository.ts';

/** Job: records which currencies' payments pause or resume, and notifies admins and browsers. */
export async function watchRates(context: JobContext): Promise<void> {
  const moment = { now: context.now(), pauseAfterMs: context.pauseAfterMs };
  await context.database.transaction((em) => recordPauses(em, moment));
}

/**
 * Updates the record of pauses to the result of `currentRate`, in the transaction of `em`: a pause that started is
 * recorded once (by the unique index on open ones), one that ended is closed once, and each time browsers and admins
 * are notified. No pause is recorded during a run, whose results may end it.
 */
export async function recordPauses(em: EntityManager, moment: RateMoment): Promise<void> {
  const isAsking = await isRateRunUnderWay(em, moment.now);
  for (const currency of sendCurrencies) {
    const rate = await currentRate(em, currency, moment);
    if (!rate) continue;
    if (!rate.paused) await recordResumption(em, rate, moment.now);
    else if (!isAsking) await recordPause(em, rate, moment.now);
  }
}

async function recordPause(em: EntityManager, rate: CurrentRate, at: Date): Promise<void> {
  const { currency, pausesAt } = rate;
  const id = await openRatePause(em, currency, pausesAt);
  if (id === null) return;
  addPush(em, 'rate-changed', {});
  // A derived euro whose fixing expired was last updated at that time, whatever the dollar does.
  const updatedAt = earliest(lastUpdatedAt(rate), pausesAt);
  const data = { currency, lastUpdatedAt: updatedAt.toISOString() };
  await addEmailToAdmins(em, { kind: 'rates_paused', key: `rates_paused-${id}`, data, at });
}

async function recordResumption(em: EntityManager, { currency, rate }: CurrentRate, at: Date): Promise<void> {
  const pause = await closeRatePause(em, currency, at);
  if (!pause) return;
  addPush(em, 'rate-changed', {});
  const data = { currency, rate: formatRate(rate), pausedAt: pause.pausedAt.toISOString() };
  await addEmailToAdmins(em, { kind: 'rates_resumed', key: `rates_resumed-${pause.id}`, data, at });
}
