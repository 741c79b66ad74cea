import { z } from 'zod';
import { competitors } from '../../rates/sources.ts';
import { fieldSentences } from '../field-problems.ts';
import { freshness } from './comparison.ts';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { amountInput, amountText, currency, currencyInput, rateText, timestamp } from './values.ts';

/** One day of La Paz: the rate in force at its end (or now), and the medians of sources' and competitors' figures. */
const ratePoint = z.object({
  date: z.iso.date(),
  ours: rateText.nullable(),
  reference: rateText.nullable(),
  competitors: z.partialRecord(z.enum(competitors), rateText),
});

/** Rates over time, oldest first, a point for every day even if nothing is known of it. */
export const rateSeriesView = z.object({
  currency,
  days: z.union([z.literal(30), z.literal(365)]),
  points: z.array(ratePoint),
  /** Whether some references come from mauforonda/dolares, which must then be credited. */
  history: z.boolean(),
});
export type RateSeriesView = z.infer<typeof rateSeriesView>;

/** What each bank paid for a dollar, from the central bank's table, and would for an amount; the best first. */
export const bankBoardView = z.object({
  currency,
  amount: amountText,
  /** The amount in dollars, the table's only currency; null for euros while the ECB's fixing is unknown. */
  dollars: amountText.nullable(),
  /** Dollars per euro that this was computed with; null for dollars. */
  eurUsd: rateText.nullable(),
  /** Bolivianos that arrive with us if the card pays the amount, fee included; null while we have no rate. */
  ours: amountText.nullable(),
  /** The day the table is of; null while it was never read. */
  day: z.iso.date().nullable(),
  collectedAt: timestamp.nullable(),
  freshness: freshness.exclude(['reference']).nullable(),
  banks: z.array(
    z.object({
      bank: z.string(),
      rate: rateText,
      rank: z.int().min(1),
      /** Bolivianos for `dollars`, rounded down. */
      received: amountText.nullable(),
      /** `received` less `ours`: above zero the bank gives more. */
      difference: amountText.nullable(),
    }),
  ),
});
export type BankBoardView = z.infer<typeof bankBoardView>;

/** Measured arrival times. Banks and hours with too few payouts are omitted. */
export const arrivalTimesView = z.object({
  /** How many days back was measured. */
  days: z.int(),
  times: z.array(
    z.object({
      bank: z.string(),
      quarter: z.int().min(0).max(3).nullable(),
      count: z.int(),
      medianMinutes: z.int(),
      ninetiethMinutes: z.int(),
    }),
  ),
});
export type ArrivalTimesView = z.infer<typeof arrivalTimesView>;

export const rateSeriesEndpoints = {
  rateSeries: endpoint({
    ...routes.rateSeries,
    summary: 'Historia de nuestra tasa, de la referencia del mercado y de otros servicios, día por día',
    access: 'public',
    params: z.object({ currency: currencyInput }),
    query: z.object({ days: z.enum(['30', '365'], { error: fieldSentences.days_unknown }).default('30') }),
    response: rateSeriesView,
  }),
  bankBoard: endpoint({
    ...routes.bankBoard,
    summary: 'Qué banco de Bolivia paga mejor el dólar, según la tabla del Banco Central, y cuánto daría por un monto',
    access: 'public',
    query: z.object({ amount: amountInput.prefault('100'), currency: currencyInput.prefault('USD') }),
    response: bankBoardView,
  }),
  arrivalTimes: endpoint({
    ...routes.arrivalTimes,
    summary: 'Cuánto tardaron de verdad los últimos envíos en llegar a cada banco, según la hora',
    access: 'public',
    response: arrivalTimesView,
  }),
};
