import { freshnessAt } from '#core/comparison/comparison';
import type { RateManagementView } from '#core/contracts/http/admin-rates';
import type { SendCurrency } from '#core/money/money';
import { formatBasisPoints } from '#core/money/percent';
import { proposeRate } from '#core/rates/guard-rails';
import { formatRate } from '#core/rates/rate';
import { competitorNames, rateSourceNames } from '#core/rates/sources';
import type { EntityManager } from '#platform/database/database';
import { type MarketReference, marketReferences } from '../rate-observations/market-references.ts';
import { knownPrices } from '../rate-observations/observation.repository.ts';
import { currentRate } from './current-rates.ts';
import { findOpenRateChange } from './rate-change.repository.ts';
import type { RateRules } from './rate-rules.ts';
import { toRateChangeViews, toRateView } from './rate-views.ts';

/** The data for an admin's rate decisions: our rates, the market's, our proposals, and open changes. */
export async function readRateManagement(em: EntityManager, rules: RateRules, now: Date): Promise<RateManagementView> {
  const references = await marketReferences(em, now, rules.everyMs);
  const read = (currency: SendCurrency) => readCurrency(em, { currency, reference: references[currency], rules, now });
  return {
    currencies: { USD: await read('USD'), EUR: await read('EUR') },
    marginPercent: formatBasisPoints(rules.marginBasisPoints),
    maxStepPercent: formatBasisPoints(rules.maxStepBasisPoints),
  };
}

async function readCurrency(
  em: EntityManager,
  input: { currency: SendCurrency; reference: MarketReference | null; rules: RateRules; now: Date },
): Promise<RateManagementView['currencies']['USD']> {
  const { currency, reference, rules, now } = input;
  const inForce = await currentRate(em, currency, { now, pauseAfterMs: rules.pauseAfterMs });
  const proposal = reference && proposeRate(reference.rate, rules.marginBasisPoints);
  const open = await findOpenRateChange(em, currency);
  const [openChange = null] = await toRateChangeViews(em, open ? [open] : []);
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
