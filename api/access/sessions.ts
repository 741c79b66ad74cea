import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { deviceOf } from '#core/accounts/device';
import { type SessionEndReason, sessionEnd } from '#core/accounts/session-end';
import { Failure } from '#core/contracts/failures';
import { hourMs } from '#core/time/time';
import { noteActivity, type User } from '#domain/accounts/account.repository';
import { staleProof } from '#domain/sign-in/second-factor.repository';
import {
  endSession,
  findSession,
  findSessionById,
  noteUse,
  openSession,
  replaceSecret,
} from '#domain/sign-in/session.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { ENV } from '../tokens.ts';
import { SecretCookie } from './secret-cookie.ts';

/** Who calls: a signed-in person and the session they use. The role is the database's, read with every call. */
export interface Person {
  readonly sessionId: string;
  /** When it ends, unless it is used before. */
  readonly expiresAt: Date;
  /** When a second factor was last proven in the session; null: the account has none. */
  readonly factorAt: Date | null;
  /** When the password was last typed in the session, or a passkey signed in. */
  readonly signedInAt: Date;
  /** An admin without a second factor, where admins need one: all they may do is set one up. */
  readonly mustSetUp: boolean;
  readonly user: User;
}

/** When a session was last authenticated: by the second factor, or without one by the password. */
export const lastProof = ({ factorAt, signedInAt }: Person): Date => factorAt ?? signedInAt;

/** Sent by an idle page, so that its background requests do not keep the session open. */
const unattendedHeader = 'x-unattended';

/** A session without "remember me" ends with the browser, and after half a day in any case. */
const shortMs = 12 * hourMs;
const rememberedMs = 30 * 24 * hourMs;

const newSecret = () => randomBytes(32).toString('base64url');

/** Sessions of browsers: the cookie holds a random secret, the database its hash, so a stolen table opens no session. */
@Injectable()
export class Sessions {
  readonly #cookie: SecretCookie;

  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
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
    const secret = newSecret();
    const lifetimeMs = remember ? rememberedMs : shortMs;
    const expiresAt = new Date(at.getTime() + lifetimeMs);
    const device = deviceOf(request.headers['user-agent']);
    const { id } = openSession(em, { device, userId: user.id, secret, at, expiresAt, factorAt });
    return {
      person: { sessionId: id, expiresAt, factorAt, signedInAt: at, mustSetUp: this.#mustSetUp(user, factorAt), user },
      keep: (response) => this.#cookie.set(response, secret, remember ? lifetimeMs : undefined),
    };
  }

  /**
   * Replaces the secret of a request's session after its person has proven again who they are, in the transaction of `em` and before that is noted:
   * a cookie that was stolen before gains nothing. `keep` hands the new one to the browser once that has committed.
   */
  async renew(
    em: EntityManager,
    { request, person, at }: { request: Request; person: Person; at: Date },
  ): Promise<{ keep(response: Response): void }> {
    const presented = this.#cookie.read(request.headers.cookie) ?? '';
    const secret = newSecret();
    const renewed = await replaceSecret(em, { id: person.sessionId, presented, secret, at });
    return {
      keep: (response) => {
        // Another tab was first: the browser has its secret.
        if (!renewed) return;
        const { createdAt, expiresAt } = renewed;
        const remembers = expiresAt.getTime() - createdAt.getTime() > shortMs;
        this.#cookie.set(response, secret, remembers ? expiresAt.getTime() - at.getTime() : undefined);
      },
    };
  }

  /** Name of the cookie, which depends on the public URL. */
  get cookieName(): string {
    return this.#cookie.name;
  }

  /**
   * Whose session the cookie of a request is, which counts as its use.
   * @throws Failure `unauthenticated`, with the reason where time ended the session.
   */
  async require({ headers }: Pick<IncomingMessage, 'headers'>): Promise<Person> {
    const isUse = headers[unattendedHeader] === undefined;
    const found = await this.#read((em, at) => this.#bySecret(em, headers.cookie, at), isUse);
    if (found && 'person' in found) return found.person;
    throw new Failure('unauthenticated', found ?? {});
  }

  /** Whose session a Cookie header carries, without counting as its use; null when it carries none that is open. */
  async find(cookieHeader: string | undefined): Promise<Person | null> {
    const found = await this.#read((em, at) => this.#bySecret(em, cookieHeader, at), false);
    return found && 'person' in found ? found.person : null;
  }

  /** The current state of a previously found session; null if it has ended. */
  async findAgain({ sessionId }: Person): Promise<Person | null> {
    const found = await this.#read((em) => findSessionById(em, sessionId), false);
    return found && 'person' in found ? found.person : null;
  }

  async #bySecret(em: EntityManager, cookieHeader: string | undefined, at: Date): ReturnType<typeof findSession> {
    const secret = this.#cookie.read(cookieHeader);
    return secret ? findSession(em, secret, at) : null;
  }

  async #read(
    find: (em: EntityManager, at: Date) => ReturnType<typeof findSession>,
    isUse: boolean,
  ): Promise<{ person: Person } | { reason: SessionEndReason } | null> {
    const em = this.database.fork();
    const at = new Date();
    const found = await find(em, at);
    if (!found) return null;
    const { session, user } = found;
    const end = sessionEnd(session, user.role !== 'user', this.env.sessions);
    if (end.at <= at) return { reason: end.reason };
    if (isUse) {
      await noteActivity(em, user, at);
      await noteUse(em, session, at);
    }
    const { id: sessionId, factorAt, passwordAt, createdAt } = session;
    const proven = { factorAt, signedInAt: passwordAt ?? createdAt };
    const mustSetUp = this.#mustSetUp(user, factorAt);
    return { person: { sessionId, expiresAt: end.at, ...proven, mustSetUp, user } };
  }

  #mustSetUp(user: User, factorAt: Date | null): boolean {
    return this.env.adminsNeedFactor && user.role !== 'user' && factorAt === null;
  }

  /** Failure that lists the ways to confirm the second factor before a protected action: without one, the password. */
  staleFactor({ user }: Person): Promise<Failure> {
    return staleProof(this.database.fork(), user.id);
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
