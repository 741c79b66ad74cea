import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { IdentityView } from '#core/contracts/http/identity';
import { readUserDetail } from '#domain/account-oversight/account-oversight.repository';
import { findUser, type User } from '#domain/accounts/account.repository';
import { decideIdentity, revealDocument, submitDocument, submitIdentity } from '#domain/identity/check-identity';
import { listWaitingChecks, readIdentity } from '#domain/identity/identity-views';
import { type IdentityVerifier, manualVerifier, sandboxVerifier } from '#domain/identity/verifier';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { Uploads } from '../http/files.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Identity verification: submissions of people and decisions of admins. */
@Controller()
export class IdentityController {
  readonly #verifier: IdentityVerifier;

  constructor(
    private readonly database: Database,
    private readonly uploads: Uploads,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {
    this.#verifier = env.identityVerifier === 'sandbox' ? sandboxVerifier : manualVerifier;
  }

  @Serve(endpoints.getIdentity)
  async own(@Call() { person }: CallOf<typeof endpoints.getIdentity>): Promise<IdentityView> {
    return this.#view(person.user.id);
  }

  @Serve(endpoints.submitIdentity)
  @RateLimited('identityChecksPerPerson')
  async submitIdentity(@Call() { body, person }: CallOf<typeof endpoints.submitIdentity>): Promise<IdentityView> {
    const { id: userId } = person.user;
    const services = { database: this.database, verifier: this.#verifier };
    await submitIdentity(services, { userId, details: body, at: new Date() });
    return this.#view(userId);
  }

  @Serve(endpoints.submitDocument)
  @RateLimited('identityChecksPerPerson')
  async submitDocument(@Call() { body, person }: CallOf<typeof endpoints.submitDocument>): Promise<IdentityView> {
    const { id: userId } = person.user;
    const files = [await this.uploads.read(body.front, 'front.data')];
    if (body.back) files.push(await this.uploads.read(body.back, 'back.data'));
    await submitDocument({ database: this.database, verifier: this.#verifier }, { userId, files, at: new Date() });
    return this.#view(userId);
  }

  @Serve(endpoints.identityChecks)
  waiting(@Call() { query }: CallOf<typeof endpoints.identityChecks>) {
    return listWaitingChecks(this.database.fork(), query);
  }

  @Serve(endpoints.decideIdentity)
  async decide(@Call() { params, body, person }: CallOf<typeof endpoints.decideIdentity>) {
    const input = { checkId: params.id, adminId: person.user.id, ...body, at: new Date() };
    const { userId } = await this.database.transaction((em) => decideIdentity(em, input));
    const { limits } = this.env;
    return {
      user: await readUserDetail(this.database.fork(), limits, { userId, viewer: person.user, at: new Date() }),
    };
  }

  @Serve(endpoints.revealDocument)
  async reveal(@Call() { params, body }: CallOf<typeof endpoints.revealDocument>) {
    return { value: await this.database.transaction((em) => revealDocument(em, params.id, body.reason)) };
  }

  async #view(userId: string): Promise<IdentityView> {
    const em = this.database.fork();
    const user = (await findUser(em, userId)) as User;
    return readIdentity(em, this.env.limits, { user, at: new Date() });
  }
}
