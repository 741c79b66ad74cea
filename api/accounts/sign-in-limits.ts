import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { deviceOf } from '#core/accounts/device';
import { dayMs } from '#core/time/time';
import type { User } from '#domain/accounts/account.repository';
import { isKnownDevice, noteSignIn } from '#domain/sign-in/known-device.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { networkOf } from '../access/network.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { deviceCookie, type SecretCookie } from '../access/secret-cookie.ts';
import { ENV } from '../tokens.ts';

/** The longest that browsers keep a cookie. */
const rememberedMs = 400 * dayMs;

/** One attempt that was counted and let through to the password, or to the second factor. */
export interface CountedSignIn {
  /** It was right: this was no guess. */
  succeeded(): Promise<void>;
}

/**
 * Slows guessing of passwords down, but lets no guesser lock the account's owner out. Guesses count per address and network,
 * and more slowly per address from all networks together. A browser that signed in to the account before has a count of its
 * own, which guesses made elsewhere do not touch.
 */
@Injectable()
export class SignInLimits {
  readonly #cookie: SecretCookie;

  constructor(
    private readonly database: Database,
    private readonly rateLimits: RateLimits,
    @Inject(ENV) env: ApiConfiguration,
  ) {
    this.#cookie = deviceCookie(env.publicUrl);
  }

  /**
   * Counts a sign-in before its password is checked, so that concurrent attempts count too.
   * @throws Failure `too_many_requests`.
   */
  async count(request: Request, email: string): Promise<CountedSignIn> {
    const secret = this.#cookie.read(request.headers.cookie);
    if (secret && (await isKnownDevice(this.database.fork(), secret, email))) {
      const key = `${secret} ${email}`;
      await this.rateLimits.take('signInsPerDevice', key);
      return { succeeded: () => this.rateLimits.clear('signInsPerDevice', key) };
    }
    const network = networkOf(request);
    const key = `${email} ${network}`;
    await this.rateLimits.take('signInsPerNetwork', network);
    await this.rateLimits.take('signInsPerEmailAndNetwork', key);
    await this.rateLimits.take('signInsPerEmail', email);
    return {
      succeeded: async () => {
        await this.rateLimits.giveBack('signInsPerNetwork', network);
        await this.rateLimits.clear('signInsPerEmailAndNetwork', key);
        await this.rateLimits.giveBack('signInsPerEmail', email);
      },
    };
  }

  /**
   * Counts a second-factor code before it is checked: per account, and separately for browsers that signed in to it
   * before.
   * @throws Failure `too_many_requests`.
   */
  async countCode(request: Request, { id, email }: Pick<User, 'id' | 'email'>): Promise<CountedSignIn> {
    const secret = this.#cookie.read(request.headers.cookie);
    const isKnown = secret !== null && (await isKnownDevice(this.database.fork(), secret, email));
    const [name, key] = isKnown
      ? (['factorCodesPerDevice', `${secret} ${id}`] as const)
      : (['factorCodesPerPerson', id] as const);
    await this.rateLimits.take(name, key);
    return { succeeded: () => this.rateLimits.clear(name, key) };
  }

  /**
   * Notes in the transaction of `em` that this browser knows an account; `keep` hands it its cookie once that has committed. After a
   * sign-in (`tells`) the person gets an e-mail about a browser that is new to the account.
   */
  async remember(
    em: EntityManager,
    request: Request,
    { userId, at, tells = false }: { userId: string; at: Date; tells?: boolean },
  ): Promise<{ keep(response: Response): void }> {
    const secret = this.#cookie.read(request.headers.cookie) ?? randomBytes(32).toString('base64url');
    const device = deviceOf(request.headers['user-agent']);
    await noteSignIn(em, { secret, userId, at, ...(tells && { device }) });
    return { keep: (response) => this.#cookie.set(response, secret, rememberedMs) };
  }
}
