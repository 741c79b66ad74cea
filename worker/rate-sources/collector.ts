import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { sendCurrencies } from '#core/money';
import type { RateSource, SourceFailure } from '#core/rate-sources';
import type { Collected } from '#platform/database/observations';
import type { SourceResult } from '#platform/database/schema/rates';
import { type Question, type Source, SourceProblem, type SourceRequest } from './source.ts';

/** Longest we wait for one answer, in ms. */
const timeoutMs = 8_000;

/** Failed runs in a row after which a source is left alone, and for how long, in ms. */
const breaker = { failures: 3, restMs: 6 * 3_600_000 };

/** Amounts that prices are always asked for, in minor units; the first is the usual one. */
const usualAmounts = [10_000n, 50_000n] as const;

/** What one source gave in one run. */
export interface SourceOutcome {
  readonly collected: readonly Collected[];
  readonly result: SourceResult;
}

interface Health {
  failures: number;
  restUntil: number;
  lastAskedAt: number;
}

/**
 * Asks sources politely: under our own name, one request at a time with a pause between two, never longer than a few seconds,
 * and not at all for a while after several failed runs. Health is remembered in this process.
 */
export class Collector {
  readonly #sourcesUrl: string | undefined;
  readonly #userAgent: string;
  readonly #health = new Map<RateSource, Health>();

  /** `sourcesUrl`: under which each source is found by its name, instead of at its own origin. */
  constructor(options: { sourcesUrl: string | undefined; publicUrl: string }) {
    this.#sourcesUrl = options.sourcesUrl;
    this.#userAgent = `Chasqui/0.1 (comparador de tasas; +${options.publicUrl})`;
  }

  /** Everything one source has to say. Never throws: what goes wrong is the outcome, and ends the asking. */
  async collect(source: Source, amountMinor: bigint | null): Promise<SourceOutcome> {
    const started = performance.now();
    const health = this.#healthOf(source.name);
    const collected: Collected[] = [];
    const failure =
      health.restUntil > Date.now()
        ? { code: 'circuit_open' as const }
        : await this.#askAll(source, amountMinor, collected);
    if (failure?.code !== 'circuit_open') this.#remember(health, failure);
    const tookMs = Math.round(performance.now() - started);
    return { collected, result: { source: source.name, observations: collected.length, failure, tookMs } };
  }

  async #askAll(source: Source, amountMinor: bigint | null, collected: Collected[]): Promise<SourceFailure | null> {
    try {
      const headers = await source.enter?.(async (request, schema) => (await this.#ask(source, request, schema)).data);
      for (const question of questionsFor(source, amountMinor)) {
        const request = source.request(question);
        const answer = await this.#ask(
          source,
          { ...request, headers: { ...request.headers, ...headers } },
          source.schema,
        );
        const observedAt = new Date();
        for (const observation of source.toObservations(answer.data, question)) {
          collected.push({ observation, rawHash: answer.rawHash, observedAt });
        }
      }
      return null;
    } catch (error) {
      if (error instanceof SourceProblem) return error.failure;
      throw error;
    }
  }

  async #ask<Data>(source: Source, request: SourceRequest, schema: z.ZodType<Data>) {
    await this.#waitForTurn(source);
    const text = await this.#fetch(source, request);
    return { data: read(source, text, schema), rawHash: createHash('sha256').update(text).digest('hex') };
  }

  async #waitForTurn(source: Source): Promise<void> {
    const health = this.#healthOf(source.name);
    const waitMs = health.lastAskedAt + source.gapMs - performance.now();
    if (waitMs > 0) await pause(waitMs);
    health.lastAskedAt = performance.now();
  }

  async #fetch(source: Source, { method = 'GET', path, headers, body }: SourceRequest): Promise<string> {
    const origin = this.#sourcesUrl === undefined ? source.origin : `${this.#sourcesUrl}/${addressNames[source.name]}`;
    try {
      const response = await fetch(origin + path, {
        method,
        headers: {
          'user-agent': this.#userAgent,
          accept: accepted[source.answers],
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.ok) return await response.text();
      await response.body?.cancel();
      throw new SourceProblem(failureOf(response.status));
    } catch (error) {
      if (error instanceof SourceProblem) throw error;
      const code = error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable';
      throw new SourceProblem({ code });
    }
  }

  #remember(health: Health, failure: SourceFailure | null): void {
    health.failures = failure ? health.failures + 1 : 0;
    if (health.failures < breaker.failures) return;
    // One try after the rest: a single further failure makes it rest again.
    health.failures = breaker.failures - 1;
    health.restUntil = Date.now() + breaker.restMs;
  }

  #healthOf(name: RateSource): Health {
    const known = this.#health.get(name);
    if (known) return known;
    const health: Health = { failures: 0, restUntil: 0, lastAskedAt: Number.NEGATIVE_INFINITY };
    this.#health.set(name, health);
    return health;
  }
}

const accepted: Readonly<Record<Source['answers'], string>> = {
  json: 'application/json',
  html: 'text/html',
  xml: 'application/xml, text/xml',
};

/** Where each source lies under RATE_SOURCES_URL. */
const addressNames: Readonly<Record<RateSource, string>> = {
  westernUnion: 'westernUnion',
  moneyGram: 'moneyGram',
  ria: 'ria',
  remitly: 'remitly',
  wiseComparison: 'wise',
  bcb: 'bcb',
  bcbList: 'bcbList',
  dolarApi: 'dolarApi',
  criptoYa: 'criptoYa',
  binanceP2p: 'binanceP2p',
  ecb: 'ecb',
};

function questionsFor(source: Source, amountMinor: bigint | null): Question[] {
  const [usual] = usualAmounts;
  if (source.asked === 'once') return [{ currency: 'USD', amountMinor: usual }];
  const amounts = source.onlyUsualAmount ? [usual] : [...new Set([...usualAmounts, amountMinor ?? usual])];
  return sendCurrencies.flatMap((currency) => amounts.map((amount) => ({ currency, amountMinor: amount })));
}

/** Reads an answer by its schema. @throws SourceProblem `changed_shape` naming the field. */
export function read<Data>(source: Pick<Source, 'answers'>, text: string, schema: z.ZodType<Data>): Data {
  const parsed = schema.safeParse(source.answers === 'json' ? parseJson(text) : text);
  if (parsed.success) return parsed.data;
  throw new SourceProblem({ code: 'changed_shape', field: parsed.error.issues[0]?.path.join('.') || 'body' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf(status: number): SourceFailure {
  if (status === 401 || status === 403) return { code: 'forbidden' };
  return status === 429 ? { code: 'too_many_requests' } : { code: 'bad_status', status };
}
