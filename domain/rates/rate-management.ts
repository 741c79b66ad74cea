import { freshnessAt } from '#core/comparison/comparison';
import type { RateDeskView } from '#core/contracts/http/admin-rates';
import type { SendCurrency } from '#core/money/money';
import { formatBasisPoints } from '#core/money/percent';
import { proposeRate } from '#core/rates/guard-rails';
import { formatRate } from '#core/rates/rate';
import { competitorNames, rateSourceNames } from '#core/rates/sources';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { EntityManager } from '#platform/database/database';
import { knownPrices, type MarketReference, marketReferences } from '../rate-sources/observation.repository.ts';
import { currentRate, toRateView } from './current-rates.ts';
import { RateChange } from './rate.entity.ts';
import { toRateChangeViews } from './rate-change-views.ts';

/** What an admin decides on: our rates, the market's, what we would propose, and changes that wait. */
export async function readRateDesk(
  em: EntityManager,
  rules: ApiConfiguration['rates'],
  now: Date,
): Promise<RateDeskView> {
  const references = await marketReferences(em, now, rules.everyMs);
  const of = (currency: SendCurrency) => readCurrency(em, { currency, reference: references[currency], rules, now });
  return {
    currencies: { USD: await of('USD'), EUR: await of('EUR') },
    marginPercent: formatBasisPoints(rules.marginBasisPoints),
    maxStepPercent: formatBasisPoints(rules.maxStepBasisPoints),
  };
}

async function readCurrency(
  em: EntityManager,
  input: { currency: SendCurrency; reference: MarketReference | null; rules: ApiConfiguration['rates']; now: Date },
): Promise<RateDeskView['currencies']['USD']> {
  const { currency, reference, rules, now } = input;
  const inForce = await currentRate(em, currency, { now, pauseAfterMs: rules.pauseAfterMs });
  const proposal = reference && proposeRate(reference.rate, rules.marginBasisPoints);
  const open = await em.find(RateChange, { currency, state: { $in: ['awaiting_confirmation', 'scheduled'] } });
  const [openChange = null] = await toRateChangeViews(em, open);
  return {
    inForce: inForce && toRateView(inForce),
    reference: reference && {
      rate: formatRate(reference.rate),
      sources: reference.figures.map(({ source, rate, observedAt }) => ({
        name: rateSourceNames[source],
        rate: formatRate(rate),
        observedAt: observedAt.toISOString(),
      })),
    },
    proposal: proposal && formatRate(proposal),
    bestCompetitor: await bestCompetitor(em, currency, rules.everyMs, now),
    openChange,
  };
}

async function bestCompetitor(em: EntityManager, currency: SendCurrency, everyMs: number, now: Date) {
  const prices = await knownPrices(em, currency, now);
  const live = prices.filter(({ observedAt }) => freshnessAt(observedAt, now, everyMs) === 'live');
  const [first, ...others] = live;
  if (!first) return null;
  const best = others.reduce((found, price) => (price.rate > found.rate ? price : found), first);
  return { name: competitorNames[best.competitor], rate: formatRate(best.rate) };
}
