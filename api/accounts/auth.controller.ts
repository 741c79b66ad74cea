import { Controller, Inject } from '@nestjs/common';
import type { Request } from 'express';
import { Failure } from '#core/contracts/failures';
import type { SessionView } from '#core/contracts/http/auth';
import { endpoints } from '#core/contracts/http/endpoints';
import { type Locale, locales } from '#core/locale/locale';
import {
  adminRoleOf,
  createUser,
  findMutedEmails,
  findUser,
  findUserByEmail,
  lockUnchangedUser,
  setLocale,
  setMutedEmails,
  type User,
} from '#domain/accounts/account.repository';
import { hasFactorChanges } from '#domain/accounts/account-change.repository';
import { refuseGuessable } from '#domain/accounts/password-rules';
import { writeAudit } from '#domain/audit/audit.repository';
import { readPhone } from '#domain/personal-data/personal-data';
import { requestEmailProof } from '#domain/sign-in/email-proof.repository';
import { readResetLink, requestPasswordReset, resetPassword } from '#domain/sign-in/password-reset.repository';
import { secondFactorKinds } from '#domain/sign-in/second-factor.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { networkOf } from '../access/network.ts';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { type Person, Sessions } from '../access/sessions.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { LiveGateway } from '../live/live.gateway.ts';
import { ENV } from '../tokens.ts';
import { PasswordHashes } from './password-hashes.ts';
import { PendingSignIns } from './pending-sign-ins.ts';
import { SignInLimits } from './sign-in-limits.ts';

/** Accounts and sessions. */
@Controller()
export class AuthController {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly rateLimits: RateLimits,
    private readonly signInLimits: SignInLimits,
    private readonly pendingSignIns: PendingSignIns,
    private readonly passwords: PasswordHashes,
    private readonly live: LiveGateway,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.register)
  @RateLimited('signUpsPerNetwork')
  async register(@Call() { body, request, response }: CallOf<typeof endpoints.register>): Promise<SessionView> {
    const { acceptedTerms: _accepted, password, locale = localeOf(request), ...given } = body;
    refuseGuessable(password, given);
    const passwordHash = await this.passwords.hash(password);
    const at = new Date();
    const { opened, device } = await this.database.transaction(async (em) => {
      const user = await createUser(em, { ...given, locale, passwordHash, termsAcceptedAt: at, at });
      await writeAudit(em, 'signed_in', { subject: user.id, actor: user, detail: { registered: true } });
      await requestEmailProof(em, user, at);
      const device = await this.signInLimits.remember(em, request, { userId: user.id, at });
      return { opened: this.sessions.open(em, user, { request, remember: false, at }), device };
    });
    opened.keep(response);
    device.keep(response);
    return toSessionView(this.database, opened.person);
  }

  @Serve(endpoints.login)
  async login(@Call() { body, request, response }: CallOf<typeof endpoints.login>): Promise<SessionView> {
    const counted = await this.signInLimits.count(request, body.email);
    const user = await findUserByEmail(this.database.fork(), body.email);
    const verified = await this.passwords.verify(body.password, user?.passwordHash ?? null);
    if (!user || !verified) throw await this.#refuseSignIn(user, new Failure('invalid_credentials'));
    await counted.succeeded();
    const at = new Date();
    const signIn = async (em: EntityManager) => {
      const unchanged = await lockUnchangedUser(em, user);
      if (!unchanged) throw new Failure('invalid_credentials');
      if (unchanged.closedAt) throw new Failure('account_closed');
      if (unchanged.blockedAt) throw new Failure('account_blocked');
      const { remember } = body;
      const factors = await secondFactorKinds(em, user.id);
      if (factors) return { pending: await this.pendingSignIns.begin(em, { userId: user.id, remember, at }), factors };
      await writeAudit(em, 'signed_in', { subject: user.id, actor: user });
      const device = await this.signInLimits.remember(em, request, { userId: user.id, at, tells: true });
      return { opened: this.sessions.open(em, unchanged, { request, remember, at }), device };
    };
    const entered = await this.database.transaction(signIn).catch(async (error) => {
      throw await this.#refuseSignIn(user, error);
    });
    if (entered.pending) {
      entered.pending.keep(response);
      throw new Failure('second_factor_required', entered.factors);
    }
    entered.opened.keep(response);
    entered.device.keep(response);
    return toSessionView(this.database, entered.opened.person);
  }

  /** Writes down that a sign-in failed, also for an address without an account, which then takes as long. Returns the failure. */
  async #refuseSignIn(user: User | null, error: unknown): Promise<unknown> {
    const reason = error instanceof Failure ? error.code : 'error';
    const entry = { subject: user?.id ?? null, detail: { reason } };
    await this.database.transaction((em) => writeAudit(em, 'sign_in_failed', entry));
    return error;
  }

  @Serve(endpoints.recoverPassword)
  async recoverPassword(@Call() { body, request }: CallOf<typeof endpoints.recoverPassword>): Promise<undefined> {
    if (!this.env.sendsMail) throw new Failure('mail_unavailable');
    // The entered address, whether it has an account or not.
    await this.rateLimits.take('passwordResetsPerNetwork', networkOf(request));
    await this.rateLimits.take('passwordResetsPerEmail', body.email);
    await this.database.transaction(async (em) => requestPasswordReset(em, { email: body.email, at: new Date() }));
  }

  @Serve(endpoints.recoveryLink)
  @RateLimited('passwordResetLinksPerNetwork')
  async recoveryLink(@Call() { body }: CallOf<typeof endpoints.recoveryLink>) {
    const { id, email } = await this.#ownerOfLink(body.token);
    return { email, factorsChanged: await hasFactorChanges(this.database.fork(), id, new Date()) };
  }

  async #ownerOfLink(token: string): Promise<User> {
    const em = this.database.fork();
    const { userId } = await readResetLink(em, token, new Date());
    const user = await findUser(em, userId);
    if (!user) throw new Failure('recovery_link_unknown');
    return user;
  }

  @Serve(endpoints.resetPassword)
  @RateLimited('passwordResetLinksPerNetwork')
  async resetPassword(@Call() { body, request, response }: CallOf<typeof endpoints.resetPassword>): Promise<undefined> {
    // Hashing is costly: the link is checked first.
    refuseGuessable(body.password, await this.#ownerOfLink(body.token));
    const passwordHash = await this.passwords.hash(body.password);
    const at = new Date();
    const { userId, device } = await this.database.transaction(async (em) => {
      const { token, undoFactors } = body;
      const userId = await resetPassword(em, { token, passwordHash, undoFactors, at });
      // This browser is known from now on, so that guesses made elsewhere do not keep it out.
      return { userId, device: await this.signInLimits.remember(em, request, { userId, at }) };
    });
    this.live.disconnectPerson(userId);
    device.keep(response);
  }

  @Serve(endpoints.logout)
  async logout(@Call() { request, response }: CallOf<typeof endpoints.logout>): Promise<undefined> {
    const person = await this.sessions.find(request.headers.cookie);
    this.sessions.forget(response);
    if (!person) return;
    await this.sessions.end(person.sessionId);
    this.live.disconnectSession(person.sessionId);
  }

  @Serve(endpoints.me)
  async me(@Call() { person }: CallOf<typeof endpoints.me>): Promise<SessionView> {
    return toSessionView(this.database, person);
  }

  @Serve(endpoints.setLocale)
  @RateLimited('localeChangesPerPerson')
  async setLocale(@Call() { body, person }: CallOf<typeof endpoints.setLocale>): Promise<SessionView> {
    await setLocale(this.database.fork(), person.user.id, body.locale);
    const { user, ...session } = await toSessionView(this.database, person);
    return { ...session, user: { ...user, locale: body.locale } };
  }

  @Serve(endpoints.getEmailPreferences)
  async emailPreferences(@Call() { person }: CallOf<typeof endpoints.getEmailPreferences>) {
    return { muted: await findMutedEmails(this.database.fork(), person.user.id) };
  }

  @Serve(endpoints.setEmailPreferences)
  @RateLimited('localeChangesPerPerson')
  async muteEmails(@Call() { body, person }: CallOf<typeof endpoints.setEmailPreferences>) {
    const muted = [...new Set(body.muted)];
    await setMutedEmails(this.database.fork(), person.user.id, muted);
    return { muted };
  }
}

/** The language that a browser asks for, as far as we speak it. */
function localeOf(request: Request): Locale {
  return (request.acceptsLanguages([...locales]) || 'es') as Locale;
}

/** The session as its browser sees it. */
export async function toSessionView(database: Database, { sessionId, mustSetUp, user }: Person): Promise<SessionView> {
  return {
    token: sessionId,
    ...(mustSetUp && { mustSetUp: 'second_factor' }),
    user: {
      id: user.id,
      email: user.email,
      emailProven: user.emailVerifiedAt != null,
      name: user.name,
      phone: await readPhone(database.fork(), user),
      city: user.city ?? null,
      role: user.role,
      adminRole: adminRoleOf(user),
      locale: user.locale,
      birthDateKnown: user.birthDate != null,
      preferredCurrency: user.preferredCurrency ?? null,
    },
  };
}
