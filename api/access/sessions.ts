import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { deviceOf } from '#core/accounts/device';
import { hourMs } from '#core/time/time';
import { noteActivity, type User } from '#domain/accounts/account.repository';
import { endSession, findSession, noteUse, openSession } from '#domain/accounts/session.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { ENV } from '../tokens.ts';
import { SecretCookie } from './secret-cookie.ts';

/** Who calls: a signed-in person and the session they use. The role is the database's, read with every call. */
export interface Person {
  readonly sessionId: string;
  readonly expiresAt: Date;
  /** When a second factor was last proven in the session; null: the account has none. */
  readonly factorAt: Date | null;
  readonly user: User;
}

/** A session without "remember me" ends with the browser, and after half a day in any case. */
const shortMs = 12 * hourMs;
const rememberedMs = 30 * 24 * hourMs;

/** Sessions of browsers: the cookie holds a random secret, the database its hash, so a stolen table opens no session. */
@Injectable()
export class Sessions {
  readonly #cookie: SecretCookie;

  constructor(
    private readonly database: Database,
    @Inject(ENV) env: ApiConfiguration,
  ) {
    this.#cookie = new SecretCookie('chasqui_session', env.publicUrl);
  }

  /** Opens a session in the transaction of `em`; `keep` hands its cookie to the browser once that has committed. */
  open(
    em: EntityManager,
    user: User,
    {
      request,
      remember,
      at,
      factorAt = null,
    }: { request: Request; remember: boolean; at: Date; factorAt?: Date | null },
  ): { person: Person; keep(response: Response): void } {
    const secret = randomBytes(32).toString('base64url');
    const lifetimeMs = remember ? rememberedMs : shortMs;
    const expiresAt = new Date(at.getTime() + lifetimeMs);
    const device = deviceOf(request.headers['user-agent']);
    const { id } = openSession(em, { device, userId: user.id, secret, at, expiresAt, factorAt });
    return {
      person: { sessionId: id, expiresAt, factorAt, user },
      keep: (response) => this.#cookie.set(response, secret, remember ? lifetimeMs : undefined),
    };
  }

  /** Name of the cookie, which depends on the public URL. */
  get cookieName(): string {
    return this.#cookie.name;
  }

  /** Whose session a Cookie header carries; null when it carries none that is open. */
  async find(cookieHeader: string | undefined): Promise<Person | null> {
    const secret = this.#cookie.read(cookieHeader);
    if (!secret) return null;
    const em = this.database.fork();
    const at = new Date();
    const found = await findSession(em, secret, at);
    if (!found) return null;
    const { session, user } = found;
    await noteActivity(em, user, at);
    await noteUse(em, session, at);
    return { sessionId: session.id, expiresAt: session.expiresAt, factorAt: session.factorAt, user };
  }

  /** Ends a session for good. */
  async end(sessionId: string): Promise<void> {
    await endSession(this.database.fork(), sessionId, new Date());
  }

  /** Takes the cookie away from the browser. */
  forget(response: Response): void {
    this.#cookie.clear(response);
  }
}
