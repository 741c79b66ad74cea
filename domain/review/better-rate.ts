import { type BetterTerms, betterTerms } from '#core/transfers/better-rate';
import type { EntityManager } from '#platform/database/database';
import { ratesOf, referencesFrom, toMarketFigures } from '../rate-observations/market-references.ts';
import { type PublishedRow, ratesFrom, readPublishedRates, toRateFacts } from '../rates/current-rates.ts';
import { keepRates } from '../rates/rate-change.repository.ts';
import type { RateRules } from '../rates/rate-rules.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';

/** The time of a search for a better rate, and the rate rules. */
interface Moment {
  readonly at: Date;
  readonly rules: Pick<RateRules, 'everyMs' | 'pauseAfterMs'>;
}

/** The changes by an approval for a better published rate; empty if the accepted terms stay. */
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

/** `betterOf` for a locked transfer, in the transaction of `em`: no rate can be set until it ends. */
export async function betterNow(em: EntityManager, locked: Transfer, moment: Moment): Promise<Partial<BetterTerms>> {
  if (!locked.takesBetterRate) return {};
  await keepRates(em);
  const { at: now, rules } = moment;
  return betterOf(locked, await readPublishedRates(em, { now, everyMs: rules.everyMs }), moment);
}
