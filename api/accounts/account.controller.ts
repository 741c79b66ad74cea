import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import type { AccountView, DeviceSession } from '#core/contracts/http/account';
import type { SessionView } from '#core/contracts/http/auth';
import { endpoints } from '#core/contracts/http/endpoints';
import { setPreferredCurrency, type User } from '#domain/accounts/account.repository';
import { readUndoLink, restoredSince } from '#domain/accounts/account-change.repository';
import { refuseGuessable } from '#domain/accounts/password-rules';
import { writeAudit } from '#domain/audit/audit.repository';
import { changeDetails, changePassword } from '#domain/own-account/change-account';
import { closeAccount } from '#domain/own-account/close-account';
import { exportPerson } from '#domain/own-account/export.repository';
import { renderTransfersCsv } from '#domain/papers/statement';
import { readPhone } from '#domain/personal-data/personal-data';
import { confirmEmailChange, readEmailChangeLink, requestEmailChange } from '#domain/sign-in/email-change.repository';
import {
  proveEmailByCode,
  proveEmailByLink,
  readEmailProof,
  requestEmailProof,
} from '#domain/sign-in/email-proof.repository';
import {
  endOtherSessions,
  findOtherSessions,
  findOwnSession,
  notePassword,
  type Session,
} from '#domain/sign-in/session.repository';
import { undoChange } from '#domain/sign-in/undo-change';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { Sessions } from '../access/sessions.ts';
import { streamed } from '../http/files.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { LiveGateway } from '../live/live.gateway.ts';
import { ENV } from '../tokens.ts';
import { toSessionView } from './auth.controller.ts';
import { OwnPassword } from './own-password.ts';
import { PasswordHashes } from './password-hashes.ts';
import { SignInLimits } from './sign-in-limits.ts';

/** What a signed-in person sees and changes of their own account. */
@Controller()
export class AccountController {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly ownPassword: OwnPassword,
    private readonly passwords: PasswordHashes,
    private readonly signInLimits: SignInLimits,
    private readonly live: LiveGateway,
    private readonly rateLimits: RateLimits,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.getAccount)
  async account(@Call() { person }: CallOf<typeof endpoints.getAccount>): Promise<AccountView> {
    return toAccountView(this.database.fork(), person.user);
  }

  @Serve(endpoints.updateAccount)
  @RateLimited('accountChangesPerPerson')
  async update(@Call() { body, person }: CallOf<typeof endpoints.updateAccount>): Promise<AccountView> {
    const user = await this.database.transaction((em) => changeDetails(em, person.user.id, body));
    return toAccountView(this.database.fork(), user);
  }

  @Serve(endpoints.changePassword)
  async changePassword(@Call() call: CallOf<typeof endpoints.changePassword>): Promise<undefined> {
    const { body, request, response, person } = call;
    const { user: verified, sessionId } = person;
    await this.ownPassword.check(verified, body.current);
    refuseGuessable(body.password, verified);
    const passwordHash = await this.passwords.hash(body.password);
    const at = new Date();
    const { ended, renewed, device } = await this.database.transaction(async (em) => {
      const ended = await changePassword(em, { verified, passwordHash, sessionId, at });
      const renewed = await this.sessions.renew(em, { request, person, at });
      await notePassword(em, sessionId, at);
      return { ended, renewed, device: await this.signInLimits.remember(em, request, { userId: verified.id, at }) };
    });
    for (const id of ended) this.live.disconnectSession(id);
    renewed.keep(response);
    device.keep(response);
  }

  @Serve(endpoints.changeEmail)
  async changeEmail(@Call() { body, person }: CallOf<typeof endpoints.changeEmail>): Promise<undefined> {
    if (!this.env.sendsMail) throw new Failure('mail_unavailable');
    const { user: verified, sessionId } = person;
    await this.ownPassword.check(verified, body.password);
    await this.rateLimits.take('emailChangesPerPerson', verified.id);
    await this.rateLimits.take('emailChangesPerEmail', body.email);
    const input = { verified, email: body.email, sessionId, at: new Date() };
    await this.database.transaction((em) => requestEmailChange(em, input));
  }

  @Serve(endpoints.sendEmailCode)
  @RateLimited('emailProofsPerPerson')
  async sendEmailCode(@Call() { person }: CallOf<typeof endpoints.sendEmailCode>): Promise<undefined> {
    if (!this.env.sendsMail) throw new Failure('mail_unavailable');
    await this.database.transaction((em) => requestEmailProof(em, person.user, new Date()));
  }

  @Serve(endpoints.proveEmail)
  @RateLimited('emailCodesPerPerson')
  async proveEmail(@Call() { body, person }: CallOf<typeof endpoints.proveEmail>): Promise<SessionView> {
    const typed = { userId: person.user.id, code: body.code, at: new Date() };
    const user = await this.database.transaction((em) => proveEmailByCode(em, typed));
    return toSessionView(this.database, { ...person, user });
  }

  @Serve(endpoints.emailLink)
  @RateLimited('emailLinksPerNetwork')
  async emailLink(@Call() { body }: CallOf<typeof endpoints.emailLink>) {
    const em = this.database.fork();
    const at = new Date();
    const proof = await readEmailProof(em, body.token, at);
    if (proof) return { purpose: 'prove' as const, email: proof.email, since: null };
    const undo = await readUndoLink(em, body.token, at);
    if (undo) return { purpose: 'undo' as const, email: undo.email, since: restoredSince(undo).toISOString() };
    const { newEmail } = await readEmailChangeLink(em, body.token, at);
    return { purpose: 'confirm' as const, email: newEmail, since: null };
  }

  @Serve(endpoints.useEmailLink)
  @RateLimited('emailLinksPerNetwork')
  async useEmailLink(@Call() { body }: CallOf<typeof endpoints.useEmailLink>): Promise<undefined> {
    const used = { token: body.token, at: new Date() };
    if (await readEmailProof(this.database.fork(), used.token, used.at)) {
      await this.database.transaction((em) => proveEmailByLink(em, used.token, used.at));
    } else if (await readUndoLink(this.database.fork(), used.token, used.at)) {
      this.live.disconnectPerson(await this.database.transaction((em) => undoChange(em, used)));
    } else {
      const ended = await this.database.transaction((em) => confirmEmailChange(em, used));
      for (const id of ended) this.live.disconnectSession(id);
    }
  }

  @Serve(endpoints.listSessions)
  async listSessions(@Call() { query, person }: CallOf<typeof endpoints.listSessions>) {
    const em = this.database.fork();
    const { rememberedIdleMs, adminIdleMs } = this.env.sessions;
    const idleMs = person.user.role === 'user' ? rememberedIdleMs : adminIdleMs;
    const about = { userId: person.user.id, exceptId: person.sessionId, at: new Date(), idleMs };
    const { rows, nextCursor } = await findOtherSessions(em, about, query);
    const current = await findOwnSession(em, about.userId, about.exceptId);
    return { current: toDeviceSession(current), items: rows.map(toDeviceSession), nextCursor };
  }

  @Serve(endpoints.endSession)
  @RateLimited('accountChangesPerPerson')
  async endSession(@Call() { params, person }: CallOf<typeof endpoints.endSession>): Promise<undefined> {
    const { id } = await findOwnSession(this.database.fork(), person.user.id, params.id);
    await this.sessions.end(id);
    this.live.disconnectSession(id);
  }

  @Serve(endpoints.setCurrency)
  @RateLimited('accountChangesPerPerson')
  async setCurrency(@Call() { body, person }: CallOf<typeof endpoints.setCurrency>): Promise<SessionView> {
    const { currency } = body;
    await setPreferredCurrency(this.database.fork(), person.user.id, currency);
    const { user, ...session } = await toSessionView(this.database, person);
    return { ...session, user: { ...user, preferredCurrency: currency } };
  }

  @Serve(endpoints.exportData)
  @RateLimited('dataExportsPerPerson')
  async exportData(@Call() { person }: CallOf<typeof endpoints.exportData>): Promise<StreamableFile> {
    const at = new Date();
    await this.#auditExport(person.user.id, 'all');
    const pieces = exportPerson(this.database, person.user.id, at);
    return streamed(pieces, 'application/json', `chasqui-${at.toISOString().slice(0, 10)}.json`);
  }

  @Serve(endpoints.exportTransfers)
  @RateLimited('dataExportsPerPerson')
  async exportTransfers(@Call() call: CallOf<typeof endpoints.exportTransfers>): Promise<StreamableFile> {
    const { id: userId, locale } = call.person.user;
    const language = call.query.language ?? locale;
    const at = new Date();
    await this.#auditExport(userId, 'transfers');
    const pieces = renderTransfersCsv(await this.database.reader(), { userId, language, at });
    return streamed(pieces, 'text/csv; charset=utf-8', `chasqui-${at.toISOString().slice(0, 10)}.csv`);
  }

  #auditExport(userId: string, what: 'all' | 'transfers'): Promise<void> {
    const entry = { subject: userId, detail: { what } };
    return this.database.transaction((em) => writeAudit(em, 'own_data_exported', entry));
  }

  @Serve(endpoints.closeAccount)
  async closeAccount(@Call() { body, person, response }: CallOf<typeof endpoints.closeAccount>): Promise<undefined> {
    await this.ownPassword.check(person.user, body.password);
    await closeAccount(this.database, { verified: person.user, at: new Date() });
    this.live.disconnectPerson(person.user.id);
    this.sessions.forget(response);
  }

  @Serve(endpoints.endOtherSessions)
  @RateLimited('accountChangesPerPerson')
  async endOtherSessions(@Call() { person }: CallOf<typeof endpoints.endOtherSessions>): Promise<undefined> {
    const about = { userId: person.user.id, exceptId: person.sessionId, at: new Date() };
    const ended = await endOtherSessions(this.database.fork(), about);
    for (const id of ended) this.live.disconnectSession(id);
  }
}

async function toAccountView(em: EntityManager, user: User): Promise<AccountView> {
  const { email, name, city, occupation, birthDate, createdAt } = user;
  return {
    ...{ email, name, phone: await readPhone(em, user), city: city ?? null, birthDate: birthDate ?? null },
    occupation: (occupation ?? null) as AccountView['occupation'],
    createdAt: createdAt.toISOString(),
  };
}

function toDeviceSession({ id, browser, system, createdAt, lastSeenAt }: Session): DeviceSession {
  return {
    ...{ id, browser: browser ?? null, system: system ?? null },
    ...{ createdAt: createdAt.toISOString(), lastSeenAt: lastSeenAt.toISOString() },
  };
}
