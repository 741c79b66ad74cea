import { Controller } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import type { SessionView } from '#core/contracts/http/auth';
import { endpoints } from '#core/contracts/http/endpoints';
import type { SecondFactorView } from '#core/contracts/http/second-factor';
import { findUser, lockUsers } from '#domain/accounts/account.repository';
import { writeAudit } from '#domain/audit/audit.repository';
import {
  confirmSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorKinds,
  startSecondFactor,
  takePendingSignIn,
} from '#domain/sign-in/second-factor.repository';
import { noteFactor, notePassword } from '#domain/sign-in/session.repository';
import { Database, type EntityManager } from '#platform/database/database';
import { SecretBox } from '#platform/secret-box';
import { Sessions } from '../access/sessions.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { LiveGateway } from '../live/live.gateway.ts';
import { toSessionView } from './auth.controller.ts';
import { FactorProofs, type Prove } from './factor-proofs.ts';
import { OwnPassword } from './own-password.ts';
import { PendingSignIns } from './pending-sign-ins.ts';
import { SignInLimits } from './sign-in-limits.ts';

/** The second step of a sign-in, and what a person changes about it. */
@Controller()
export class SecondFactorController {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly pendingSignIns: PendingSignIns,
    private readonly signInLimits: SignInLimits,
    private readonly ownPassword: OwnPassword,
    private readonly live: LiveGateway,
    private readonly proofs: FactorProofs,
    private readonly box: SecretBox,
  ) {}

  @Serve(endpoints.secondStep)
  async secondStep(@Call() call: CallOf<typeof endpoints.secondStep>): Promise<SessionView> {
    const { body, request, response } = call;
    const at = new Date();
    const pending = await this.pendingSignIns.find(request, at);
    const waiting = pending && (await findUser(this.database.fork(), pending.userId));
    if (!waiting) throw new Failure('sign_in_expired');
    const { userId, remember } = pending;
    const counted = await this.signInLimits.countCode(request, waiting);
    const signIn = async (em: EntityManager, prove: Prove) => {
      // A blocked or closed account, or a new password, has ended its pending sign-ins: under the same lock.
      await lockUsers(em, [userId]);
      const user = await findUser(em, userId);
      if (!user || !(await takePendingSignIn(em, pending))) throw new Failure('sign_in_expired');
      await prove(em, userId);
      await writeAudit(em, 'signed_in', { subject: userId, actor: user, detail: { secondFactor: true } });
      const device = await this.signInLimits.remember(em, request, { userId, at, tells: true });
      return { opened: this.sessions.open(em, user, { request, remember, at, factorAt: at }), device };
    };
    const enter = async () => {
      const prove = await this.proofs.read(request, body, at);
      return this.database.transaction((em) => signIn(em, prove));
    };
    const { opened, device } = await enter().catch(async (error) => {
      const reason = error instanceof Failure ? error.code : 'error';
      const entry = { subject: userId, detail: { reason } };
      await this.database.transaction((em) => writeAudit(em, 'sign_in_failed', entry));
      await this.proofs.noteCopy(error, userId);
      throw error;
    });
    await counted.succeeded();
    this.pendingSignIns.forget(response);
    opened.keep(response);
    device.keep(response);
    return toSessionView(this.database, opened.person);
  }

  @Serve(endpoints.getSecondFactor)
  async secondFactor(@Call() { person }: CallOf<typeof endpoints.getSecondFactor>): Promise<SecondFactorView> {
    const { since, passkeys, recoveryCodesLeft } = await readSecondFactor(this.database.fork(), person.user.id);
    const views = passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      ...{ id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null },
    }));
    return { since: since?.toISOString() ?? null, passkeys: views, recoveryCodesLeft };
  }

  @Serve(endpoints.startSecondFactor)
  async start(@Call() { body, person }: CallOf<typeof endpoints.startSecondFactor>) {
    await this.ownPassword.check(person.user, body.password);
    const input = { box: this.box, user: person.user, at: new Date() };
    return this.database.transaction((em) => startSecondFactor(em, input));
  }

  @Serve(endpoints.confirmSecondFactor)
  async confirm(@Call() { body, person, request, response }: CallOf<typeof endpoints.confirmSecondFactor>) {
    const { user, sessionId } = person;
    const counted = await this.signInLimits.countCode(request, user);
    const at = new Date();
    const input = { userId: user.id, box: this.box, code: body.code, sessionId, at };
    const { renewed, recoveryCodes, ended } = await this.database.transaction(async (em) => {
      await lockUsers(em, [user.id]);
      const renewed = await this.sessions.renew(em, { request, person, at });
      return { renewed, ...(await confirmSecondFactor(em, input)) };
    });
    await counted.succeeded();
    renewed.keep(response);
    for (const id of ended) this.live.disconnectSession(id);
    // Its page connects again, now as an admin's.
    if (person.mustSetUp) this.live.disconnectSession(sessionId);
    return { recoveryCodes };
  }

  @Serve(endpoints.renewRecoveryCodes)
  async renew(@Call() { body, person }: CallOf<typeof endpoints.renewRecoveryCodes>) {
    await this.ownPassword.check(person.user, body.password);
    const input = { userId: person.user.id, at: new Date() };
    return { recoveryCodes: await this.database.transaction((em) => renewRecoveryCodes(em, input)) };
  }

  @Serve(endpoints.proveSecondFactor)
  async prove(@Call() call: CallOf<typeof endpoints.proveSecondFactor>): Promise<undefined> {
    const { body, person, request, response } = call;
    const { user, sessionId } = person;
    const at = new Date();
    if (body.password !== undefined) return this.#provePassword(call, body.password, at);
    const counted = await this.signInLimits.countCode(request, user);
    const prove = await this.proofs.read(request, body, at);
    const proven = async (em: EntityManager) => {
      await prove(em, user.id);
      const renewed = await this.sessions.renew(em, { request, person, at });
      await noteFactor(em, sessionId, at);
      return renewed;
    };
    const renewed = await this.database.transaction(proven).catch(async (error) => {
      await this.proofs.noteCopy(error, user.id);
      throw error;
    });
    await counted.succeeded();
    renewed.keep(response);
  }

  /** Of a person without a second factor. @throws Failure `second_factor_changed` when there is one. */
  async #provePassword(
    { person, request, response }: CallOf<typeof endpoints.proveSecondFactor>,
    password: string,
    at: Date,
  ): Promise<undefined> {
    await this.ownPassword.check(person.user, password);
    const renewed = await this.database.transaction(async (em) => {
      // A second factor that is set up at the same moment ends this, or is there.
      await lockUsers(em, [person.user.id]);
      if (await secondFactorKinds(em, person.user.id)) throw new Failure('second_factor_changed');
      const renewed = await this.sessions.renew(em, { request, person, at });
      await notePassword(em, person.sessionId, at);
      return renewed;
    });
    renewed.keep(response);
  }

  @Serve(endpoints.removeSecondFactor)
  async remove(@Call() { body, person }: CallOf<typeof endpoints.removeSecondFactor>): Promise<undefined> {
    await this.ownPassword.check(person.user, body.password);
    const input = { userId: person.user.id, at: new Date() };
    await this.database.transaction((em) => removeSecondFactor(em, input));
  }
}
