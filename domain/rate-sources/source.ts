import { z } from 'zod';
import type { SendCurrency } from '#core/money/money';
import { parseMinor } from '#core/money/money';
import { parseRate, type Rate } from '#core/rates/rate';
import type { Observation, RateSource, SourceFailure } from '#core/rates/sources';

/** What a price is asked for. Reference sources are asked once, with any question. */
export interface Question {
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

/** Sends one request to the source and reads its answer by a schema. @throws SourceProblem. */
export type Ask = <Data>(request: SourceRequest, schema: z.ZodType<Data>) => Promise<Data>;

/** One place figures come from, as data: how to ask, what an answer looks like, and what it says. */
export interface Source<Data = unknown> {
  readonly name: RateSource;
  readonly origin: string;
  /** Least time between two requests, in ms. */
  readonly gapMs: number;
  readonly answers: 'json' | 'html' | 'xml';
  /** `question`: asked for each currency and amount; `once`: one answer says all. */
  readonly asked: 'perQuestion' | 'once';
  /** Only these amounts are asked for, where a source is easily annoyed. */
  readonly onlyUsualAmount?: boolean;
  readonly schema: z.ZodType<Data>;
  /** Before the first question: headers for all of them, such as a session's. */
  readonly enter?: (ask: Ask) => Promise<Readonly<Record<string, string>>>;
  request(question: Question): SourceRequest;
  /** @throws SourceProblem where a value is none that can be true. */
  toObservations(data: Data, question: Question): Observation[];
}

/** Why a source gave nothing, as an error. */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
  readonly failure: SourceFailure;

  constructor(failure: SourceFailure) {
    super(`${failure.code}${'field' in failure ? ` ${failure.field}` : ''}`);
    this.failure = failure;
  }
}

/** Bolivianos per unit that can be true. */
const bolivianos = { least: 1_000_000n, most: 100_000_000n };
const dollarsPerEuro = { least: 500_000n, most: 2_000_000n };

/** A number of an answer as bolivianos per unit. @throws SourceProblem `absurd_value`. */
export function bolivianosRate(value: number | string, field: string): Rate {
  return rateWithin(value, field, bolivianos);
}

/** A number of an answer as dollars per euro. @throws SourceProblem `absurd_value`. */
export function eurUsdRate(value: number | string, field: string): Rate {
  return rateWithin(value, field, dollarsPerEuro);
}

function rateWithin(value: number | string, field: string, { least, most }: typeof bolivianos): Rate {
  const rate = parseRate(typeof value === 'number' ? plain(value, 6) : value);
  if (rate === null || rate < least || rate > most) throw new SourceProblem({ code: 'absurd_value', field });
  return rate;
}

/** A fee of an answer in minor units; one that eats half of the amount cannot be true. @throws SourceProblem `absurd_value`. */
export function feeOf(value: number | string, field: string, amountMinor: bigint): bigint {
  const fee = parseMinor(typeof value === 'number' ? plain(value, 2) : value);
  if (fee === null || fee * 2n > amountMinor) throw new SourceProblem({ code: 'absurd_value', field });
  return fee;
}

function plain(value: number, digits: number): string {
  return Math.abs(value) < 1e15 ? value.toFixed(digits) : String(value);
}

/** A number as Bolivian pages write it ("11,60"), with a point instead of the comma. */
export const commaNumber = z
  .string()
  .regex(/^-?\d+(,\d+)?$/)
  .transform((text) => text.replace(',', '.'));

/** ISO codes of the countries that senders of each currency stand for. */
export const senderCountry = { USD: { two: 'US', three: 'USA' }, EUR: { two: 'ES', three: 'ESP' } } as const;
