import { Redis } from 'ioredis';
import { rateLimitRules } from '../../api/access/rate-limit-rules.ts';

/**
 * The limits of calls end by Redis's own clock, which is the machine's: when time jumps, this lets it pass for them. All else in Redis has its
 * times from the product.
 */
export class RedisTime {
  readonly #redis: Redis;

  constructor(url: string) {
    this.#redis = new Redis(url);
  }

  async pass(ms: number): Promise<void> {
    for (const name of Object.keys(rateLimitRules)) {
      for await (const keys of this.#redis.scanStream({ match: `${name}:*`, count: 1000 })) {
        for (const key of keys as string[]) {
          const left = await this.#redis.pttl(key);
          // Do not reset a key that expired in the meantime.
          if (left > 0) await this.#redis.pexpire(key, Math.max(1, Math.floor(left - ms)));
        }
      }
    }
  }

  async close(): Promise<void> {
    await this.#redis.quit();
  }
}
