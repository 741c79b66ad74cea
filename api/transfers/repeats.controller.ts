import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { ReminderView, RepeatView } from '#core/contracts/http/repeats';
import { changeRepeat, createRepeat, endRepeat, pauseRepeat, skipRepeat } from '#domain/repeats/plans';
import { findPlans, findReminder, type RepeatPlan } from '#domain/repeats/repeat.repository';
import { toReminderView, toRepeatView, toRepeatViews } from '#domain/repeats/repeat-views';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** A sender's repeating transfers. The worker reminds of them; they are paid as every other one. */
@Controller()
export class RepeatsController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.listRepeats)
  async list(@Call() { query, person }: CallOf<typeof endpoints.listRepeats>) {
    const em = this.database.fork();
    const { rows, nextCursor } = await findPlans(em, person.user.id, query);
    return { items: await toRepeatViews(em, rows, new Date()), nextCursor };
  }

  @Serve(endpoints.createRepeat)
  create(@Call() { body: request, person }: CallOf<typeof endpoints.createRepeat>): Promise<RepeatView> {
    return this.#show((em, at) => createRepeat(em, this.env, { userId: person.user.id, request, at }));
  }

  @Serve(endpoints.changeRepeat)
  change(@Call() { params, body: request, person }: CallOf<typeof endpoints.changeRepeat>): Promise<RepeatView> {
    const userId = person.user.id;
    return this.#show((em, at) => changeRepeat(em, this.env, { userId, id: params.id, request, at }));
  }

  @Serve(endpoints.pauseRepeat)
  pause(@Call() { params, body, person }: CallOf<typeof endpoints.pauseRepeat>): Promise<RepeatView> {
    return this.#show((em, at) => pauseRepeat(em, { userId: person.user.id, ...params, ...body, at }));
  }

  @Serve(endpoints.skipRepeat)
  skip(@Call() { params, body, person }: CallOf<typeof endpoints.skipRepeat>): Promise<RepeatView> {
    return this.#show((em, at) => skipRepeat(em, { userId: person.user.id, ...params, ...body, at }));
  }

  @Serve(endpoints.endRepeat)
  async end(@Call() { params, person }: CallOf<typeof endpoints.endRepeat>): Promise<undefined> {
    await this.database.transaction((em) => endRepeat(em, { userId: person.user.id, ...params, at: new Date() }));
  }

  @Serve(endpoints.getReminder)
  async reminder(@Call() { params, person }: CallOf<typeof endpoints.getReminder>): Promise<ReminderView> {
    const em = this.database.fork();
    return toReminderView(em, await findReminder(em, person.user.id, params.id), new Date());
  }

  /** Changes a plan in one transaction and returns the result. */
  #show(change: (em: EntityManager, at: Date) => Promise<RepeatPlan>): Promise<RepeatView> {
    const at = new Date();
    return this.database.transaction(async (em) => toRepeatView(em, await change(em, at), at));
  }
}
