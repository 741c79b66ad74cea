import { Controller, Inject } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import type { RateAlertView } from '#core/contracts/http/rate-alerts';
import { deleteRateAlert, findAlertPage } from '#domain/rates/rate-alert.repository';
import { createRateAlert } from '#domain/rates/rate-alerts';
import { toRateAlertView } from '#domain/rates/rate-views';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** A sender's alerts of rates. The worker fires them. */
@Controller()
export class RateAlertsController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.listRateAlerts)
  async list(@Call() { query, person }: CallOf<typeof endpoints.listRateAlerts>) {
    const { rows, nextCursor } = await findAlertPage(this.database.fork(), person.user.id, query);
    return { items: rows.map(toRateAlertView), nextCursor };
  }

  @Serve(endpoints.createRateAlert)
  async create(@Call() { body, person }: CallOf<typeof endpoints.createRateAlert>): Promise<RateAlertView> {
    const input = { userId: person.user.id, ...body, at: new Date() };
    return toRateAlertView(await this.database.transaction((em) => createRateAlert(em, this.env.rates, input)));
  }

  @Serve(endpoints.deleteRateAlert)
  async remove(@Call() { params, person }: CallOf<typeof endpoints.deleteRateAlert>): Promise<undefined> {
    if (!(await deleteRateAlert(this.database.fork(), person.user.id, params.id))) throw new Failure('not_found');
  }
}
