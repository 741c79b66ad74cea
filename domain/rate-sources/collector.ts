import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { z } from 'zod';
import { sendCurrencies } from '#core/money/money';
import type { RateSource, SourceFailure } from '#core/rates/sources';
import { BodyTooLargeError, readBoundedText } from '#platform/http/bounded-body';
import {
  type Collected,
  type QuoteQuery,
  type Source,
  SourceError,
  type SourceRequest,
  type SourceResult,
} from './source.ts';

/** Amounts of the price requests, in minor units; the first is the default. */
const defaultAmounts = [10_000n, 50_000n] as const;

/** Maximum size of an answer; the largest known one, a page of the central bank, has about 200 KiB. */
const maxAnswerBytes = 2 * 1024 * 1024;

/** The result of one source in one run. */
export interface SourceOutcome {
  readonly collected: readonly Collected[];
  readonly result: SourceResult;
  /** The error behind a failure `unexpected_error`, for the log. */
  readonly error?: unknown;
}

interface CollectorOptions {
  /** Base URL that replaces the origins of the sources, each with its name as path. */
  readonly sourcesUrl: string | undefined;
  /** Our address in the User-Agent. */
  readonly publicUrl: string;
  /** Timeout of one answer, in ms. */
  readonly timeoutMs?: number;
  readonly now?: () => Date;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Calls sources politely: identifies itself, one request at a time with a pause between two of at most a few seconds.
 */
export class Collector {
  readonly #sourcesUrl: string | undefined;
  readonly #userAgent: string;
  readonly #timeoutMs: number;
  readonly #now: () => Date;
  readonly #pause: (ms: number) => Promise<unknown>;
  /** When each source may be called again, in ms since the epoch. */
  readonly #nextRequestAt = new Map<RateSource, number>();

  constructor({ sourcesUrl, publicUrl, timeoutMs, now, pause }: CollectorOptions) {
    this.#sourcesUrl = sourcesUrl;
    this.#userAgent = `Chasqui/0.1 (comparador de tasas; +${publicUrl})`;
    this.#timeoutMs = timeoutMs ?? 8_000;
    this.#now = now ?? (() => new Date());
    this.#pause = pause ?? setTimeout;
  }

  /**
   * Makes all requests to one source. Never throws: any error ends its requests and is part of the outcome, so that a
   * failure of one source, or our own error in reading it, does not affect the rest of the run.
   */
  async collect(source: Source, amountMinor: bigint | null): Promise<SourceOutcome> {
    const started = performance.now();
    const collected: Collected[] = [];
    const outcome = (failure: SourceFailure | null) => {
      const tookMs = Math.round(performance.now() - started);
      return { collected, result: { source: source.name, observations: collected.length, failure, tookMs } };
    };
    try {
      await this.#askAll(source, amountMinor, collected);
      return outcome(null);
    } catch (error) {
      if (error instanceof SourceError) return outcome(error.failure);
      return { ...outcome({ code: 'unexpected_error' }), error };
    }
  }

  async #askAll(source: Source, amountMinor: bigint | null, collected: Collected[]): Promise<void> {
    const session = await source.authenticate?.(
      async (request, schema) => (await this.#ask(source, request, schema)).data,
    );
    for (const query of queriesFor(source, amountMinor)) {
      const request = source.request(query);
      const headers = { ...request.headers, ...session };
      const answer = await this.#ask(source, { ...request, headers }, source.schema);
      const observedAt = this.#now();
      for (const observation of source.toObservations(answer.data, query)) {
        collected.push({ observation, rawHash: answer.rawHash, observedAt });
      }
    }
  }

  async #ask<Data>(source: Source, request: SourceRequest, schema: z.ZodType<Data>) {
    await this.#keepInterval(source);
    const text = await this.#fetch(source, request);
    return { data: readAnswer(source, text, schema), rawHash: createHash('sha256').update(text).digest('hex') };
  }

  async #keepInterval({ name, minIntervalMs }: Source): Promise<void> {
    const waitMs = (this.#nextRequestAt.get(name) ?? 0) - this.#now().getTime();
    // Never longer than the interval, even if the clock was set back.
    if (waitMs > 0) await this.#pause(Math.min(waitMs, minIntervalMs));
    this.#nextRequestAt.set(name, this.#now().getTime() + minIntervalMs);
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
        // Figures are trusted because of their origin: a redirect is a failure, with its status.
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      if (response.ok) return await readBoundedText(response, maxAnswerBytes);
      await response.body?.cancel();
      throw new SourceError(failureOf(response, this.#now()));
    } catch (error) {
      if (error instanceof SourceError) throw error;
      if (error instanceof BodyTooLargeError) throw new SourceError({ code: 'too_large' });
      const code = error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable';
      throw new SourceError({ code });
    }
  }
}

const accepted: Readonly<Record<Source['answers'], string>> = {
  json: 'application/json',
  html: 'text/html',
  xml: 'application/xml, text/xml',
};

/** Path of each source under RATE_SOURCES_URL. */
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

function queriesFor(source: Source, amountMinor: bigint | null): QuoteQuery[] {
  const [defaultAmount] = defaultAmounts;
  if (source.requestMode === 'once') return [{ currency: 'USD', amountMinor: defaultAmount }];
  const amounts = source.oneAmountOnly
    ? [defaultAmount]
    : [...new Set([...defaultAmounts, amountMinor ?? defaultAmount])];
  return sendCurrencies.flatMap((currency) => amounts.map((amount) => ({ currency, amountMinor: amount })));
}

/** Reads an answer by its schema. @throws SourceError `changed_shape` naming the field. */
export function readAnswer<Data>(source: Pick<Source, 'answers'>, text: string, schema: z.ZodType<Data>): Data {
  const parsed = schema.safeParse(source.answers === 'json' ? parseJson(text) : text);
  if (parsed.success) return parsed.data;
  throw new SourceError({ code: 'changed_shape', field: parsed.error.issues[0]?.path.join('.') || 'body' });
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

/** The Retry-After header in seconds, given in seconds or as a full date. Null for anything else. */
function retryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}
