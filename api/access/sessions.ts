import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { hourMs, minuteMs } from '#core/time/time';
import { Session, User } from '#domain/accounts/account.entity';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { ENV } from '../tokens.ts';
import type { Person } from './person.ts';
import { SecretCookie } from './secret-cookie.ts';

/** A session without "remember me" ends with the browser, and after half a day in any case. */
const shortMs = 12 * hourMs;
const rememberedMs = 30 * 24 * hourMs;
/** A person's last activity is kept to the minute: one write per minute, not per request. */
const activityMs = minuteMs;

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
  open(em: EntityManager, user: User, remember: boolean, at: Date): { person: Person; keep(response: Response): void } {
    const secret = randomBytes(32).toString('base64url');
    const lifetimeMs = remember ? rememberedMs : shortMs;
    const expiresAt = new Date(at.getTime() + lifetimeMs);
    const id = randomUUID();
    em.persist(em.create(Session, { id, userId: user.id, tokenHash: hashOf(secret), createdAt: at, expiresAt }));
    return {
      person: { sessionId: id, expiresAt, user },
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
    const session = await em.findOne(Session, { tokenHash: hashOf(secret), endedAt: null, expiresAt: { $gt: at } });
    const user = session && (await em.findOne(User, { id: session.userId }));
    if (!session || !user) return null;
    await noteActivity(em, user, at);
    return { sessionId: session.id, expiresAt: session.expiresAt, user };
  }

  /** Ends a session for good. */
  async end(sessionId: string): Promise<void> {
    await this.database.fork().nativeUpdate(Session, { id: sessionId, endedAt: null }, { endedAt: new Date() });
  }

  /** Takes the cookie away from the browser. */
  forget(response: Response): void {
    this.#cookie.clear(response);
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

async function noteActivity(em: EntityManager, user: User, at: Date): Promise<void> {
  const stale = new Date(at.getTime() - activityMs);
  if (user.lastActiveAt && user.lastActiveAt > stale) return;
  await em.nativeUpdate(
    User,
    { id: user.id, $or: [{ lastActiveAt: null }, { lastActiveAt: { $lt: stale } }] },
    { lastActiveAt: at },
  );
}
