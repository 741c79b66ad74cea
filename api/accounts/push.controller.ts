import { Controller, Inject } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import type { PushView } from '#core/contracts/http/account';
import { endpoints } from '#core/contracts/http/endpoints';
import { readSubscription } from '#domain/web-pushes/push-service';
import { findSubscription, keepSubscription, removeSubscription } from '#domain/web-pushes/web-push.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Notifications on the browser that calls. */
@Controller()
export class PushController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.getPush)
  async get(@Call() { person }: CallOf<typeof endpoints.getPush>): Promise<PushView> {
    return this.#toView(await findSubscription(this.database.fork(), person.sessionId));
  }

  @Serve(endpoints.setPush)
  @RateLimited('accountChangesPerPerson')
  async set(@Call() { body, person }: CallOf<typeof endpoints.setPush>): Promise<PushView> {
    if (this.env.push.publicKey === null) throw new Failure('notifications_unavailable');
    const browser = readSubscription(body, this.env.push.hosts);
    const whose = { userId: person.user.id, sessionId: person.sessionId, at: new Date() };
    return this.#toView(await this.database.transaction((em) => keepSubscription(em, { ...browser, ...whose })));
  }

  @Serve(endpoints.endPush)
  @RateLimited('accountChangesPerPerson')
  async end(@Call() { person }: CallOf<typeof endpoints.endPush>): Promise<undefined> {
    await removeSubscription(this.database.fork(), person.sessionId);
  }

  #toView(kept: Awaited<ReturnType<typeof findSubscription>>): PushView {
    const { publicKey } = this.env.push;
    return { publicKey, endpoint: kept?.endpoint ?? null, failing: kept?.lastError != null };
  }
}
