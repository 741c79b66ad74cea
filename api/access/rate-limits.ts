import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  type RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import { Failure } from '#core/contracts/failures';
import type { Logger } from '#platform/logging';
import {
  callLimits,
  type RateLimitName,
  type RateLimitPoints,
  type RateLimitRule,
  rateLimitRules,
} from './rate-limit-rules.ts';

/** How long (ms) a call waits for the shared store before its own process counts instead. */
const storeTimeoutMs = 1000;

/**
 * Counts calls against the limits of `rate-limit-rules.ts`. Counts are shared by all api processes and outlive them; while
 * the store is down each process counts for itself. Keys are stored as hashes: they may be e-mail addresses.
 */
export class RateLimits {
  readonly #limiters: Readonly<Record<RateLimitName, Limiter>>;

  constructor(limiters: Readonly<Record<RateLimitName, Limiter>>) {
    this.#limiters = limiters;
  }

  /** Counts one call. @throws Failure `too_many_requests` when the limit is reached. */
  async take(name: RateLimitName, key: string): Promise<void> {
    try {
      await this.#limiters[name].consume(key);
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      const retryAfterSeconds = Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000);
      throw new Failure('too_many_requests', { retryAfterSeconds });
    }
  }

  /** Counts one call like `take`, and returns whether it is allowed instead of throwing. */
  async allows(name: RateLimitName, key: string): Promise<boolean> {
    try {
      await this.take(name, key);
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }

  /** Takes back one counted call that turned out not to be subject to the limit. */
  async giveBack(name: RateLimitName, key: string): Promise<void> {
    await this.#limiters[name].reward(key);
  }

  /** Resets the count of a key. */
  async clear(name: RateLimitName, key: string): Promise<void> {
    await this.#limiters[name].delete(key);
  }
}

/** The counter of one rule. */
interface Limiter extends Pick<RateLimiterAbstract, 'consume' | 'reward' | 'delete'> {}

/** Counts in the shared store, where keys are hashes. */
class Shared implements Limiter {
  readonly #store: RateLimiterAbstract;

  constructor(store: RateLimiterAbstract) {
    this.#store = store;
  }

  consume(key: string): Promise<RateLimiterRes> {
    return this.#store.consume(hashOf(key));
  }

  reward(key: string): Promise<RateLimiterRes> {
    return this.#store.reward(hashOf(key));
  }

  delete(key: string): Promise<boolean> {
    return this.#store.delete(hashOf(key));
  }
}

/** Counts the first calls of a key locally, and the rest in the shared store. */
class PartlyAlone implements Limiter {
  readonly #alone: RateLimiterMemory;
  readonly #shared: Shared;

  constructor(alone: RateLimiterMemory, shared: Shared) {
    this.#alone = alone;
    this.#shared = shared;
  }

  consume(key: string): Promise<RateLimiterRes> {
    return this.#alone.consume(key).catch((refusal) => {
      if (refusal instanceof Error) throw refusal;
      return this.#shared.consume(key);
    });
  }

  reward(key: string): Promise<RateLimiterRes> {
    return this.#shared.reward(key);
  }

  async delete(key: string): Promise<boolean> {
    await this.#alone.delete(key);
    return this.#shared.delete(key);
  }
}

/** Rate limits with their store's connection to close. */
export interface OpenRateLimits {
  readonly limits: RateLimits;
  close(): Promise<void>;
}

/**
 * Opens the shared counts: in Redis when `redisUrl` is given, else in PostgreSQL through the process's own pool. `points` are in place of the
 * table's; `callFactor` multiplies those of `callLimits`.
 */
export function openRateLimits(
  store: { pool: Pool; redisUrl: string | undefined },
  log: Logger,
  points: RateLimitPoints = {},
  callFactor = 1,
): OpenRateLimits {
  const redis = store.redisUrl === undefined ? undefined : connectRedis(store.redisUrl, log);
  const open = (name: RateLimitName): Limiter => {
    const rule: RateLimitRule = rateLimitRules[name];
    const factor = name in callLimits || name === 'callsPerNetwork' ? callFactor : 1;
    const options = { keyPrefix: name, points: points[name] ?? rule.points * factor, duration: rule.seconds };
    if (rule.alone === rule.points) return new RateLimiterMemory(options);
    const shared = {
      ...options,
      // Further calls of a key that is over its limit are refused without asking the store again.
      inMemoryBlockOnConsumed: options.points + 1,
      insuranceLimiter: new RateLimiterMemory(options),
    };
    const limiter = redis
      ? new RateLimiterRedis({ ...shared, storeClient: redis, rejectIfRedisNotReady: true })
      : new RateLimiterPostgres({
          ...shared,
          storeClient: store.pool,
          storeType: 'pool',
          tableName: 'rate_limit',
          tableCreated: true,
          clearExpiredByTimeout: false,
        });
    const timed = new Shared(new RLWrapperTimeouts({ limiter, timeoutMs: storeTimeoutMs }));
    if (rule.alone === undefined || points[name] !== undefined) return timed;
    return new PartlyAlone(new RateLimiterMemory({ ...options, points: rule.alone * factor }), timed);
  };
  const names = Object.keys(rateLimitRules) as RateLimitName[];
  const limiters: Readonly<Record<string, Limiter>> = Object.fromEntries(names.map((name) => [name, open(name)]));
  return {
    limits: new RateLimits(limiters as Readonly<Record<RateLimitName, Limiter>>),
    close: async () => redis?.disconnect(),
  };
}

function connectRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
  redis.on('error', (error) => log.warn({ kind: error.name }, 'the store of rate limits had trouble; it reconnects'));
  return redis;
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
