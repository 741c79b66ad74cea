import { z } from 'zod';
import type { SendCurrency } from '#core/money/money';
import { parseMinor } from '#core/money/money';
import { parseRate, type Rate } from '#core/rates/rate';
import type { Observation, RateSource, SourceFailure } from '#core/rates/sources';

/** The parameters of a price request. Sources with one answer for everything ignore them. */
export interface QuoteQuery {
  readonly currency: SendCurrency;
  /** Minor units. */
  readonly amountMinor: bigint;
}

/** A request by path, under the source's origin. A body is sent as JSON. */
export interface SourceRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends one request to the source and reads its answer by a schema. @throws SourceError. */
export type Ask = <Data>(request: SourceRequest, schema: z.ZodType<Data>) => Promise<Data>;

/** A source of figures, described as data: its requests, the shape of its answers, and the observations in them. */
export interface Source<Data = unknown> {
  readonly name: RateSource;
  readonly origin: string;
  /** Minimum time between two requests, in ms. */
  readonly minIntervalMs: number;
  readonly answers: 'json' | 'html' | 'xml';
  /** `per_query`: one request for each currency and amount; `once`: one answer holds everything. */
  readonly requestMode: 'per_query' | 'once';
  /** Requests only the default amount, for sources that reject frequent requests. */
  readonly oneAmountOnly?: boolean;
  readonly schema: z.ZodType<Data>;
  /** Runs before the first query; returns headers for all of them, such as a session's. */
  readonly authenticate?: (ask: Ask) => Promise<Readonly<Record<string, string>>>;
  request(query: QuoteQuery): SourceRequest;
  /** @throws SourceError for an implausible value. */
  toObservations(data: Data, query: QuoteQuery): Observation[];
}

/** An observation, its time, and the hash of the answer it was read from. */
export interface Collected<Of extends Observation = Observation> {
  readonly observation: Of;
  readonly rawHash: string;
  readonly observedAt: Date;
}

/** A source's result in a run: the number of observations, and why it stopped early or had none. */
export interface SourceResult {
  readonly source: RateSource;
  readonly observations: number;
  readonly failure: SourceFailure | null;
  readonly tookMs: number;
}

/** A source gave nothing usable, with the reason. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly failure: SourceFailure;

  constructor(failure: SourceFailure) {
    super(`${failure.code}${'field' in failure ? ` ${failure.field}` : ''}`);
    this.failure = failure;
  }
}

/** Bounds of plausible values, in millionths: bolivianos per unit, and dollars per euro. */
const bolivianos = { least: 1_000_000n, most: 100_000_000n };
const dollarsPerEuro = { least: 500_000n, most: 2_000_000n };

/** A number of an answer as bolivianos per unit. @throws SourceError `absurd_value`. */
export function bolivianosRate(value: number | string, field: string): Rate {
  return rateWithin(value, field, bolivianos);
}

/** A number of an answer as dollars per euro. @throws SourceError `absurd_value`. */
export function eurUsdRate(value: number | string, field: string): Rate {
  return rateWithin(value, field, dollarsPerEuro);
}

function rateWithin(value: number | string, field: string, { least, most }: typeof bolivianos): Rate {
  const rate = parseRate(typeof value === 'number' ? toDecimalText(value, 6) : value);
  if (rate === null || rate < least || rate > most) throw new SourceError({ code: 'absurd_value', field });
  return rate;
}

/**
 * A fee of an answer in minor units; more than half of the amount is implausible.
 * @throws SourceError `absurd_value`.
 */
export function feeOf(value: number | string, field: string, amountMinor: bigint): bigint {
  const fee = parseMinor(typeof value === 'number' ? toDecimalText(value, 2) : value);
  if (fee === null || fee * 2n > amountMinor) throw new SourceError({ code: 'absurd_value', field });
  return fee;
}

/** Fixed notation, unless the number itself needs an exponent. */
function toDecimalText(value: number, digits: number): string {
  return Math.abs(value) < 1e15 ? value.toFixed(digits) : String(value);
}

/** A number with a decimal comma ("11,60"), as Bolivian pages write it, with a point instead. */
export const commaNumber = z
  .string()
  .regex(/^-?\d+(,\d+)?$/)
  .transform((text) => text.replace(',', '.'));

/** ISO codes of the country that senders of each currency are assumed to be in. */
export const senderCountry = { USD: { two: 'US', three: 'USA' }, EUR: { two: 'ES', three: 'ESP' } } as const;
