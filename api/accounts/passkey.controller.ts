import { Controller } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import type { SessionView } from '#core/contracts/http/auth';
import { endpoints } from '#core/contracts/http/endpoints';
import { findUser, lockUsers } from '#domain/accounts/account.repository';
import { writeAudit } from '#domain/audit/audit.repository';
import {
  addPasskey,
  findPasskeyOwner,
  removePasskey,
  startPasskey,
  startPasskeyProof,
} from '#domain/sign-in/passkey.repository';
import { Database, type EntityManager } from '#platform/database/database';
import { networkOf } from '../access/network.ts';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { Sessions } from '../access/sessions.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { LiveGateway } from '../live/live.gateway.ts';
import { toSessionView } from './auth.controller.ts';
import { FactorProofs, type Prove } from './factor-proofs.ts';
import { OwnPassword } from './own-password.ts';
import { PendingSignIns } from './pending-sign-ins.ts';
import { SignInLimits } from './sign-in-limits.ts';

/** Passkeys: signing in with one, and those of a person. */
@Controller()
export class PasskeyController {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly pendingSignIns: PendingSignIns,
    private readonly proofs: FactorProofs,
    private readonly rateLimits: RateLimits,
    private readonly signInLimits: SignInLimits,
    private readonly ownPassword: OwnPassword,
    private readonly live: LiveGateway,
  ) {}

  @Serve(endpoints.passkeyOptions)
  @RateLimited('passkeyChallengesPerNetwork')
  async options(@Call() { body, request, response }: CallOf<typeof endpoints.passkeyOptions>) {
    const at = new Date();
    const pending = body.secondStep ? await this.pendingSignIns.find(request, at) : null;
    if (body.secondStep && !pending) throw new Failure('sign_in_expired');
    const input = { userId: pending?.userId ?? null, place: this.proofs.place, at };
    return this.proofs.keep(response, await startPasskeyProof(this.database.fork(), input));
  }

  @Serve(endpoints.passkeySignIn)
  async signIn(@Call() { body, request, response }: CallOf<typeof endpoints.passkeySignIn>): Promise<SessionView> {
    const at = new Date();
    const network = networkOf(request);
    await this.rateLimits.take('signInsPerNetwork', network);
    const userId = await findPasskeyOwner(this.database.fork(), body.passkey);
    const signIn = async (em: EntityManager, prove: Prove) => {
      if (!userId) throw new Failure('passkey_refused');
      await lockUsers(em, [userId]);
      const user = await findUser(em, userId);
      if (!user) throw new Failure('passkey_refused');
      await prove(em, userId);
      if (user.closedAt) throw new Failure('account_closed');
      if (user.blockedAt) throw new Failure('account_blocked');
      await writeAudit(em, 'signed_in', { subject: userId, actor: user, detail: { passkey: true } });
      const device = await this.signInLimits.remember(em, request, { userId, at, tells: true });
      return { opened: this.sessions.open(em, user, { request, remember: body.remember, at, factorAt: at }), device };
    };
    const enter = async () => {
      const prove = await this.proofs.read(request, { passkey: body.passkey }, at);
      return this.database.transaction((em) => signIn(em, prove));
    };
    const { opened, device } = await enter().catch(async (error) => {
      const reason = error instanceof Failure ? error.code : 'error';
      await this.database.transaction((em) =>
        writeAudit(em, 'sign_in_failed', { subject: userId, detail: { reason } }),
      );
      if (userId) await this.proofs.noteCopy(error, userId);
      throw error;
    });
    await this.rateLimits.giveBack('signInsPerNetwork', network);
    opened.keep(response);
    device.keep(response);
    return toSessionView(this.database, opened.person);
  }

  @Serve(endpoints.startPasskey)
  async start(@Call() { body, person, response }: CallOf<typeof endpoints.startPasskey>) {
    await this.ownPassword.check(person.user, body.password);
    const input = { user: person.user, place: this.proofs.place, at: new Date() };
    return this.proofs.keep(response, await startPasskey(this.database.fork(), input));
  }

  @Serve(endpoints.addPasskey)
  @RateLimited('passkeyChallengesPerPerson')
  async add(@Call() { body, person, request, response }: CallOf<typeof endpoints.addPasskey>) {
    const { sessionId, user } = person;
    const at = new Date();
    const challenge = await this.proofs.takeChallenge(request, user.id, at);
    const input = { userId: user.id, sessionId, ...body, challenge, place: this.proofs.place, at };
    const { renewed, recoveryCodes, ended } = await this.database.transaction(async (em) => {
      await lockUsers(em, [user.id]);
      const renewed = await this.sessions.renew(em, { request, person, at });
      return { renewed, ...(await addPasskey(em, input)) };
    });
    renewed.keep(response);
    for (const id of ended) this.live.disconnectSession(id);
    // Its page connects again, now as an admin's.
    if (person.mustSetUp) this.live.disconnectSession(sessionId);
    return { recoveryCodes };
  }

  @Serve(endpoints.removePasskey)
  async remove(@Call() { params, body, person }: CallOf<typeof endpoints.removePasskey>): Promise<undefined> {
    await this.ownPassword.check(person.user, body.password);
    const input = { userId: person.user.id, id: params.id, at: new Date() };
    await this.database.transaction((em) => removePasskey(em, input));
  }

  @Serve(endpoints.passkeyProof)
  @RateLimited('passkeyChallengesPerPerson')
  async proof(@Call() { person, response }: CallOf<typeof endpoints.passkeyProof>) {
    const input = { userId: person.user.id, place: this.proofs.place, at: new Date() };
    return this.proofs.keep(response, await startPasskeyProof(this.database.fork(), input));
  }
}
