import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { Controller, Inject } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import { maxWaitingAlerts, type RateAlertView } from '#core/contracts/http/rate-alerts';
import { User } from '#domain/accounts/account.entity';
import { ratesInForce } from '#domain/rates/quotes';
import { RateAlert } from '#domain/rates/rate.entity';
import { toRateAlertView } from '#domain/rates/rate-alerts';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { after, cutPage, readCursor } from '#platform/database/pages';
import { addJob } from '#platform/outbox/outbox';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** A sender's alerts of rates. Firing them is the worker's work. */
@Controller()
export class RateAlertsController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.listRateAlerts)
  async list(@Call() { query, person }: CallOf<typeof endpoints.listRateAlerts>) {
    const rows = await this.database
      .fork()
      .find(
        RateAlert,
        { userId: person.user.id, ...after(readCursor(query.cursor)) },
        { orderBy: { createdAt: 'desc', id: 'desc' }, limit: query.limit + 1 },
      );
    const page = cutPage(rows, query.limit);
    return { items: page.rows.map(toRateAlertView), nextCursor: page.nextCursor };
  }

  @Serve(endpoints.createRateAlert)
  create(@Call() { body, person }: CallOf<typeof endpoints.createRateAlert>): Promise<RateAlertView> {
    const userId = person.user.id;
    return this.database.transaction(async (em) => {
      // Of one person's requests only one at a time counts and adds.
      await em.findOneOrFail(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const { rate: inForce } = (await ratesInForce(em, this.env))[body.currency];
      if (inForce >= body.rate) throw new Failure('alert_already_met');
      const waiting = await em.count(RateAlert, { userId, firedAt: null });
      if (waiting >= maxWaitingAlerts) throw new Failure('too_many_alerts');
      const alert = em.create(RateAlert, { id: randomUUID(), userId, ...body, createdAt: new Date() });
      em.persist(alert);
      // The rate may be changing at this very moment, and whoever changes it does not see this alert yet.
      addJob(em, 'fire-rate-alerts', {});
      await em.flush();
      return toRateAlertView(alert);
    });
  }

  @Serve(endpoints.deleteRateAlert)
  async remove(@Call() { params, person }: CallOf<typeof endpoints.deleteRateAlert>): Promise<undefined> {
    const deleted = await this.database.fork().nativeDelete(RateAlert, { id: params.id, userId: person.user.id });
    if (deleted === 0) throw new Failure('not_found');
  }
}
