import { sendCurrencies } from '#core/money/money';
import { formatRate } from '#core/rates/rate';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { addMailToAdmins } from '../notifications/email.repository.ts';
import { rateRunUnderWay } from '../rate-sources/observation.repository.ts';
import { type CurrentRate, currentRate, heardAt, type RateMoment } from './current-rates.ts';

/**
 * Keeps the record of pauses in step with what `currentRate` computes, in the transaction of `em`: a pause that began is written
 * down once (by the unique index on open ones), one that ended is closed once, and each time browsers and admins are told. While
 * the sources are being asked nothing is paused: their answers may be the news.
 */
export async function recordPauses(em: EntityManager, moment: RateMoment): Promise<void> {
  const listening = await rateRunUnderWay(em, moment.now);
  for (const currency of sendCurrencies) {
    const rate = await currentRate(em, currency, moment);
    if (!rate) continue;
    if (!rate.paused) await resume(em, rate, moment);
    else if (!listening) await pause(em, rate, moment);
  }
}

async function pause(em: EntityManager, rate: CurrentRate, { now, pauseAfterMs }: RateMoment): Promise<void> {
  const heard = heardAt(rate);
  const opened: { id: string }[] = await em.execute(
    `insert into rate_pause (currency, paused_at) values (?, ?)
      on conflict (currency) where resumed_at is null do nothing returning id`,
    [rate.currency, new Date(heard.getTime() + pauseAfterMs)],
  );
  for (const { id } of opened) {
    addPush(em, 'rate-changed', {});
    const data = { currency: rate.currency, heardAt: heard.toISOString() };
    await addMailToAdmins(em, { kind: 'rates_paused', key: `rates_paused-${id}`, data, at: now });
  }
}

async function resume(em: EntityManager, rate: CurrentRate, { now }: RateMoment): Promise<void> {
  const closed: { id: string; paused_at: string | Date }[] = await em.execute(
    'update rate_pause set resumed_at = ? where currency = ? and resumed_at is null returning id, paused_at',
    [now, rate.currency],
  );
  for (const { id, paused_at } of closed) {
    addPush(em, 'rate-changed', {});
    const pausedAt = new Date(paused_at).toISOString();
    const data = { currency: rate.currency, rate: formatRate(rate.rate), pausedAt };
    await addMailToAdmins(em, { kind: 'rates_resumed', key: `rates_resumed-${id}`, data, at: now });
  }
}
