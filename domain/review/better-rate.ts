import { type BetterTerms, betterTerms } from '#core/transfers/better-rate';
import type { EntityManager } from '#platform/database/database';
import { ratesOf, referencesFrom, toMarketFigures } from '../rate-observations/market-references.ts';
import { type PublishedRow, ratesFrom, readPublishedRates, toRateFacts } from '../rates/current-rates.ts';
import { keepRates } from '../rates/rate-change.repository.ts';
import type { RateRules } from '../rates/rate-rules.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';

/** When a better rate is looked for, and by which rules of the rates. */
interface Moment {
  readonly at: Date;
  readonly rules: Pick<RateRules, 'everyMs' | 'pauseAfterMs'>;
}

/** What an approval changes for a better rate among what was read as published; nothing where what was accepted stays. */
function betterOf(
  transfer: Transfer,
  published: PublishedRow | null,
  { at, rules: { everyMs, pauseAfterMs } }: Moment,
): Partial<BetterTerms> {
  const rates = published && ratesFrom(toRateFacts(published), { now: at, pauseAfterMs });
  if (!rates) return {};
  const { rate, since, paused } = rates[transfer.currency];
  const reference = ratesOf(referencesFrom(toMarketFigures(published.market), at, everyMs))[transfer.currency];
  return betterTerms(transfer, { rate, since, paused, reference }) ?? {};
}

/** The same for a transfer whose row is locked, in the transaction of `em`: no rate is set until it ends. */
export async function betterNow(em: EntityManager, locked: Transfer, moment: Moment): Promise<Partial<BetterTerms>> {
  if (!locked.takesBetterRate) return {};
  await keepRates(em);
  const { at: now, rules } = moment;
  return betterOf(locked, await readPublishedRates(em, { now, everyMs: rules.everyMs }), moment);
}
