import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { z } from 'zod';
import { sendCurrencies } from '#core/money/money';
import type { RateSource, SourceFailure } from '#core/rates/sources';
import type { Collected } from './observation.repository.ts';
import type { SourceResult } from './rate-run.entity.ts';
import { type Question, type Source, SourceProblem, type SourceRequest } from './source.ts';

/** Amounts that prices are always asked for, in minor units; the first is the usual one. */
const usualAmounts = [10_000n, 50_000n] as const;

/** What one source gave in one run. */
export interface SourceOutcome {
  readonly collected: readonly Collected[];
  readonly result: SourceResult;
}

interface CollectorOptions {
  /** Under which each source is found by its name, instead of at its own origin. */
  readonly sourcesUrl: string | undefined;
  /** Where those who are asked find out who asks. */
  readonly publicUrl: string;
  /** Longest we wait for one answer, in ms. */
  readonly timeoutMs?: number;
  readonly now?: () => Date;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Asks sources politely: under our own name, one request at a time with a pause between two, never longer than a few seconds. */
export class Collector {
  readonly #sourcesUrl: string | undefined;
  readonly #userAgent: string;
  readonly #timeoutMs: number;
  readonly #now: () => Date;
  readonly #pause: (ms: number) => Promise<unknown>;
  /** When each source may be asked again, in ms since the epoch. */
  readonly #nextTurn = new Map<RateSource, number>();

  constructor({ sourcesUrl, publicUrl, timeoutMs, now, pause }: CollectorOptions) {
    this.#sourcesUrl = sourcesUrl;
    this.#userAgent = `Chasqui/0.1 (comparador de tasas; +${publicUrl})`;
    this.#timeoutMs = timeoutMs ?? 8_000;
    this.#now = now ?? (() => new Date());
    this.#pause = pause ?? setTimeout;
  }

  /** Everything one source has to say. Never throws: what goes wrong is the outcome, and ends the asking. */
  async collect(source: Source, amountMinor: bigint | null): Promise<SourceOutcome> {
    const started = performance.now();
    const collected: Collected[] = [];
    const failure = await this.#askAll(source, amountMinor, collected);
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
        const observedAt = this.#now();
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

  async #waitForTurn({ name, gapMs }: Source): Promise<void> {
    const waitMs = (this.#nextTurn.get(name) ?? 0) - this.#now().getTime();
    // A clock that was put back makes nobody wait longer.
    if (waitMs > 0) await this.#pause(Math.min(waitMs, gapMs));
    this.#nextTurn.set(name, this.#now().getTime() + gapMs);
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
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      if (response.ok) return await response.text();
      await response.body?.cancel();
      throw new SourceProblem(failureOf(response, this.#now()));
    } catch (error) {
      if (error instanceof SourceProblem) throw error;
      const code = error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable';
      throw new SourceProblem({ code });
    }
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

function failureOf({ status, headers }: Response, now: Date): SourceFailure {
  if (status === 401 || status === 403) return { code: 'forbidden' };
  if (status !== 429) return { code: 'bad_status', status };
  return { code: 'too_many_requests', retryAfterSeconds: retryAfter(headers.get('retry-after'), now) };
}

/** The header as it comes: seconds, or the time in full. Null for anything else. */
function retryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}
