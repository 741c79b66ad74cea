import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { AdminRole } from '#core/accounts/admin-roles';
import type { Rate } from '#core/rates/rate';
import type { User } from '#domain/accounts/account.entity';
import { createUser } from '#domain/accounts/account.repository';
import { hashPassword, type PasswordCost } from '#domain/accounts/passwords';
import { setRate } from '#domain/rates/set-rate';
import { Session } from '#domain/sign-in/session.entity';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { requestOfLine } from '#platform/logging';
import { rateLimitRules } from '../access/rate-limit-rules.ts';
import { type ApiOptions, startApi } from '../start.ts';
import { TestBrowser } from './test-browser.ts';

export const testPassword = 'una-clave-larga';

/** A thousandth of the usual one: the hundreds of people of all tests sign up and in. */
const cheap: PasswordCost = { memory: 64, passes: 1 };

/** Points of rate limits that no test reaches. */
export const unlimited = Object.fromEntries(Object.keys(rateLimitRules).map((name) => [name, 1_000_000]));

/**
 * A running api, with direct access to its database for arranging and inspecting data; commits there are pushed at
 * once.
 */
export class TestApi {
  readonly url: string;
  readonly database: Database;
  /** Everything it logged, one JSON line each, before redaction: personal data must not even reach the logger. */
  readonly logged: readonly string[];
  readonly #close: () => Promise<void>;
  readonly #adminsNeedFactor: boolean;
  readonly #passwordCost: PasswordCost;
  #passwordHash: string | undefined;

  private constructor(
    { url, database, logged }: Pick<TestApi, 'url' | 'database' | 'logged'>,
    { adminsNeedFactor, passwordCost }: { adminsNeedFactor: boolean; passwordCost: PasswordCost },
    close: () => Promise<void>,
  ) {
    this.url = url;
    this.database = database;
    this.logged = logged;
    this.#adminsNeedFactor = adminsNeedFactor;
    this.#passwordCost = passwordCost;
    this.#close = close;
  }

  /** Starts it on a free port. It answers in test mode, that is, it holds its own answers to the contract. */
  static async start(env: ApiConfiguration, options: ApiOptions = {}): Promise<TestApi> {
    const { passwordCost = cheap } = options;
    const logged: string[] = [];
    const lines = new Writable({
      write: (chunk, _encoding, done) => {
        logged.push(String(chunk));
        done();
      },
    });
    const api = await startApi({ ...env, port: 0 }, pino({ level: 'info', mixin: requestOfLine }, lines), {
      ...options,
      passwordCost,
    });
    const { database, port } = api;
    return new TestApi({ url: `http://127.0.0.1:${port}`, database, logged }, { ...env, passwordCost }, () =>
      api.close(),
    );
  }

  /** A browser without a session. */
  visitor(): TestBrowser {
    return new TestBrowser(this.url);
  }

  /** A new account, signed in; that of an admin with a second factor where they need one. */
  async person(
    role: 'user' | 'admin' = 'user',
    name = 'Carmen Rojas',
    adminRole: AdminRole = 'owner',
  ): Promise<{ browser: TestBrowser; user: User }> {
    this.#passwordHash ??= await hashPassword(testPassword, this.#passwordCost);
    const passwordHash = this.#passwordHash;
    const email = `${role}-${randomUUID()}@example.com`;
    const user = await this.database.transaction((em) =>
      createUser(em, {
        email,
        name,
        passwordHash,
        role,
        adminRole,
        birthDate: '1990-05-17',
        emailVerifiedAt: new Date(),
        termsAcceptedAt: null,
        at: new Date(),
      }),
    );
    const browser = this.visitor();
    await browser.send('POST', '/api/auth/login', { email, password: testPassword });
    if (role === 'admin' && this.#adminsNeedFactor) await this.setFactorAt(user, new Date());
    return { browser, user };
  }

  /** Has a second factor proven in a person's sessions at a moment, or not at all. */
  async setFactorAt({ id }: User, at: Date | null): Promise<void> {
    await this.database.fork().nativeUpdate(Session, { userId: id }, { factorAt: at });
  }

  /** Puts a rate in force for both currencies. */
  async setRates(admin: User, rate: bigint): Promise<void> {
    const at = new Date();
    await this.database.transaction(async (em) => {
      await setRate(em, { currency: 'USD', rate: rate as Rate, setById: admin.id, at });
      await setRate(em, { currency: 'EUR', rate: rate as Rate, setById: admin.id, at });
    });
  }

  close(): Promise<void> {
    return this.#close();
  }
}
