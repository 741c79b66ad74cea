import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { Failure } from '#core/contracts/failures';
import { ATTEMPT_LIMITS } from '../tokens.ts';
import type { AttemptLimits } from './rate-limit-rules.ts';

const quarterHourSeconds = 15 * 60;
const minuteSeconds = 60;
const hourSeconds = 3600;

/**
 * Slows down guessing, and pressing. Counts live in this process: with several api processes each counts for itself, which multiplies the
 * limits by their number and still stops a guesser.
 */
@Injectable()
export class Attempts {
  readonly #perEmail: RateLimiterMemory;
  readonly #perIp: RateLimiterMemory;
  readonly #signUps: RateLimiterMemory;
  readonly #recoveriesPerEmail: RateLimiterMemory;
  readonly #recoveriesPerIp: RateLimiterMemory;
  readonly #linksPerIp: RateLimiterMemory;
  readonly #rateUpdates: RateLimiterMemory;

  constructor(@Inject(ATTEMPT_LIMITS) limits: AttemptLimits) {
    this.#perEmail = new RateLimiterMemory({ points: limits.perEmail, duration: quarterHourSeconds });
    this.#perIp = new RateLimiterMemory({ points: limits.perIp, duration: quarterHourSeconds });
    this.#signUps = new RateLimiterMemory({ points: limits.signUpsPerIp, duration: hourSeconds });
    this.#recoveriesPerEmail = new RateLimiterMemory({ points: limits.recoveriesPerEmail, duration: hourSeconds });
    this.#recoveriesPerIp = new RateLimiterMemory({ points: limits.recoveriesPerIp, duration: hourSeconds });
    this.#linksPerIp = new RateLimiterMemory({ points: limits.recoveriesPerIp, duration: hourSeconds });
    this.#rateUpdates = new RateLimiterMemory({ points: limits.rateUpdates, duration: minuteSeconds });
  }

  /** Counts a sign-in before its password is looked at, so that attempts at the same instant count too. @throws Failure `too_many_requests`. */
  async beforeSignIn(email: string, ip: string): Promise<void> {
    await take(this.#perIp, ip);
    await take(this.#perEmail, email);
  }

  /** A sign-in that succeeded was no guess. */
  async afterSignIn(email: string, ip: string): Promise<void> {
    await this.#perIp.reward(ip);
    await this.#perEmail.delete(email);
  }

  /** @throws Failure `too_many_requests`. */
  async beforeSignUp(ip: string): Promise<void> {
    await take(this.#signUps, ip);
  }

  /** Counts the address as it was typed, whether it has an account or not. @throws Failure `too_many_requests`. */
  async beforeRecovery(email: string, ip: string): Promise<void> {
    await take(this.#recoveriesPerIp, ip);
    await take(this.#recoveriesPerEmail, email);
  }

  /** Before the link of a recovery e-mail is looked at. @throws Failure `too_many_requests`. */
  async beforeRecoveryLink(ip: string): Promise<void> {
    await take(this.#linksPerIp, ip);
  }

  /** Other people's sites are asked: not at every click. @throws Failure `too_many_requests`. */
  async beforeRateUpdate(userId: string): Promise<void> {
    await take(this.#rateUpdates, userId);
  }

  /** The same for whoever would do without; it counts when the answer is yes. */
  async mayUpdateRates(userId: string): Promise<boolean> {
    return this.beforeRateUpdate(userId).then(
      () => true,
      (refusal) => {
        if (refusal instanceof Failure) return false;
        throw refusal;
      },
    );
  }
}

async function take(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const retryAfterSeconds = Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000);
    throw new Failure('too_many_requests', { retryAfterSeconds });
  }
}
