import { Controller } from '@nestjs/common';
import type { SessionView } from '#core/contracts/http/auth';
import { endpoints } from '#core/contracts/http/endpoints';
import { Failure } from '#core/failures';
import { Database } from '#platform/database/database';
import { createUser, hashPassword, verifyPassword } from '#platform/database/people';
import { User } from '#platform/database/schema/people';
import type { Person } from '../access/person.ts';
import { Sessions } from '../access/sessions.ts';
import { Call, type CallOf, Serve } from '../contract/serve.ts';
import { LiveGateway } from '../live/live.gateway.ts';
import { Attempts } from './attempts.ts';

/** Accounts and sessions. */
@Controller()
export class AuthController {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly attempts: Attempts,
    private readonly live: LiveGateway,
  ) {}

  @Serve(endpoints.register)
  async register(@Call() { body, request, response }: CallOf<typeof endpoints.register>): Promise<SessionView> {
    await this.attempts.beforeSignUp(addressOf(request));
    const { acceptedTerms: _accepted, password, ...given } = body;
    const passwordHash = await hashPassword(password);
    const at = new Date();
    const opened = await this.database.transaction(async (em) => {
      const user = await createUser(em, { ...given, passwordHash, termsAcceptedAt: at, at });
      return this.sessions.open(em, user, false, at);
    });
    opened.keep(response);
    return toSessionView(opened.person);
  }

  @Serve(endpoints.login)
  async login(@Call() { body, request, response }: CallOf<typeof endpoints.login>): Promise<SessionView> {
    const ip = addressOf(request);
    await this.attempts.beforeSignIn(body.email, ip);
    const user = await this.database.read().findOne(User, { email: body.email });
    const verified = await verifyPassword(body.password, user?.passwordHash ?? null);
    if (!user || !verified) throw new Failure('invalid_credentials');
    await this.attempts.afterSignIn(body.email, ip);
    const opened = await this.database.transaction(async (em) =>
      this.sessions.open(em, user, body.remember, new Date()),
    );
    opened.keep(response);
    return toSessionView(opened.person);
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
    return toSessionView(person);
  }
}

function addressOf(request: { ip?: string | undefined }): string {
  return request.ip ?? 'unknown';
}

function toSessionView({ sessionId, user }: Person): SessionView {
  return {
    token: sessionId,
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      phone: user.phone ?? null,
      city: user.city ?? null,
      role: user.role,
      birthDateKnown: user.birthDate != null,
    },
  };
}
