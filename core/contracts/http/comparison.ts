import { z } from 'zod';
import { competitors, rateSources } from '../../rates/sources.ts';
import { endpoint } from './endpoint.ts';
import { sourceFailureFacts } from './rate-source-health.ts';
import { routes } from './routes.ts';
import { amountInput, amountText, currency, currencyInput, rateText, timestamp } from './values.ts';

/**
 * How much a figure can be trusted: `live` was collected within its source's interval, `older` before that (its time says
 * when), `reference` is a fixed value without live data, shown greyed and never used in a claim.
 */
export const freshness = z.enum(['live', 'older', 'reference']);

/** One price: what arrives when the sender pays `amount` in all, fee included. */
export const comparisonRow = z.object({
  id: z.enum(['chasqui', ...competitors]),
  name: z.string(),
  rate: rateText,
  fee: amountText,
  /** Bolivianos received for the same total paid: the ranking. */
  received: amountText,
  /** 1 is the best. */
  rank: z.int().min(1),
  freshness,
  collectedAt: timestamp.nullable(),
  /** Where the figure comes from: our rate in force, the service's own site, Wise's comparison, or a fixed value without live data. */
  method: z.enum(['in_force', 'direct', 'wise_comparison', 'reference']),
  /** (our rate - theirs) / theirs in percent, one decimal, as specified; null on our own row. */
  differencePercent: z.string().nullable(),
});
export type ComparisonRow = z.infer<typeof comparisonRow>;

export const comparisonView = z.object({
  currency,
  amount: amountText,
  lastUpdated: timestamp,
  ourRate: comparisonRow,
  competitors: z.array(comparisonRow),
  /** Our largest provable advantage, in percent of bolivianos received; null, then nothing is claimed, while anybody brings more. */
  claimPercent: z.string().nullable(),
});
export type ComparisonView = z.infer<typeof comparisonView>;

const scraperResult = z.object({
  name: z.string(),
  rate: rateText,
  fee: amountText,
  freshness,
  collectedAt: timestamp.nullable(),
});

export const scraperView = z.object({
  timestamp,
  amount: amountText,
  currency,
  /** Competitors by id, those without live data as reference values; unknown ones are omitted. */
  results: z.partialRecord(z.enum(competitors), scraperResult),
});
export type ScraperView = z.infer<typeof scraperView>;

/** What a forced update gave. */
export const updateRatesView = z.object({
  /** Sources that gave a figure. */
  updated: z.int(),
  /** The others: a code with its details, `no_answer_yet` during the run, and a Spanish sentence. */
  failed: z.array(
    z.object({ source: z.enum(rateSources), reason: z.string(), ...sourceFailureFacts, sentence: z.string() }),
  ),
});
export type UpdateRatesView = z.infer<typeof updateRatesView>;

const query = z.object({ currency: currencyInput, amount: amountInput });
const queryWithDefaults = z.object({
  amount: amountInput.prefault('100'),
  currency: currencyInput.prefault('USD'),
});

export const comparisonEndpoints = {
  exchangeRates: endpoint({
    ...routes.exchangeRates,
    summary: 'Comparación con otros servicios por bolivianos recibidos',
    access: 'public',
    query: queryWithDefaults,
    response: comparisonView,
    failures: ['rate_unavailable'],
  }),
  scraper: endpoint({
    ...routes.scraper,
    summary: 'Precios de otros servicios para un monto',
    access: 'public',
    query: queryWithDefaults,
    response: scraperView,
  }),
  scraperFor: endpoint({
    ...routes.scraperFor,
    summary: 'Precios de otros servicios para un monto',
    access: 'public',
    params: query,
    response: scraperView,
  }),
  updateRates: endpoint({
    ...routes.updateRates,
    summary: 'Vuelve a consultar las fuentes ahora; con claves de Stripe reales, solo para administración',
    access: 'sender',
    body: z.object({ amount: amountInput.prefault('100') }).prefault({}),
    response: updateRatesView,
    failures: ['forbidden', 'too_many_requests'],
  }),
};
