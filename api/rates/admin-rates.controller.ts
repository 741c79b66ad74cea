import { Controller, Inject } from '@nestjs/common';
import type { RateChangeView } from '#core/contracts/http/admin-rates';
import { endpoints } from '#core/contracts/http/endpoints';
import { invalidInput } from '#core/contracts/invalid-input';
import { scheduleMsMax } from '#core/rates/guard-rails';
import { currentRate } from '#domain/rates/current-rates';
import { findRateChangePage, type RateChange } from '#domain/rates/rate-change.repository';
import { attemptRateChange, confirmRateChange, declineRateChange, proposeRateChange } from '#domain/rates/rate-changes';
import { readRateManagement } from '#domain/rates/rate-management';
import { toRateChangeViews, toRateView } from '#domain/rates/rate-views';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Changing rates, what admins decide on, and who changed what and why. */
@Controller()
export class AdminRatesController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.setRate)
  async set(@Call() { body, person }: CallOf<typeof endpoints.setRate>) {
    const at = new Date();
    const { currency, rate } = body;
    const activateAt = body.activateAt === undefined ? null : new Date(body.activateAt);
    if (activateAt && (activateAt <= at || activateAt.getTime() - at.getTime() > scheduleMsMax)) {
      throw invalidInput({ activateAt: 'activation_out_of_range' });
    }
    const input = { currency, rate, reason: body.reason || null, activateAt, proposedById: person.user.id, at };
    return this.#attempt(at, (em) => proposeRateChange(em, this.env.rates, input));
  }

  @Serve(endpoints.confirmRateChange)
  async confirm(@Call() { params, person }: CallOf<typeof endpoints.confirmRateChange>) {
    const input = { changeId: BigInt(params.id), personId: person.user.id, at: new Date() };
    return this.#attempt(input.at, (em) => confirmRateChange(em, this.env.rates, input));
  }

  @Serve(endpoints.declineRateChange)
  async decline(@Call() { params, person }: CallOf<typeof endpoints.declineRateChange>) {
    const input = { changeId: BigInt(params.id), personId: person.user.id, at: new Date() };
    return this.#attempt(input.at, (em) => declineRateChange(em, input));
  }

  @Serve(endpoints.rateHistory)
  async history(@Call() { query }: CallOf<typeof endpoints.rateHistory>) {
    const em = this.database.fork();
    const { rows, nextCursor } = await findRateChangePage(em, query);
    return { items: await toRateChangeViews(em, rows), nextCursor };
  }

  @Serve(endpoints.rateManagement)
  async desk() {
    return readRateManagement(this.database.fork(), this.env.rates, new Date());
  }

  /** What became of the change, and the currency's rate after it. */
  async #attempt(at: Date, work: (em: EntityManager) => Promise<RateChange>) {
    return attemptRateChange(this.database, async (em) => {
      const changed = await work(em);
      const [change] = await toRateChangeViews(em, [changed]);
      const moment = { now: at, pauseAfterMs: this.env.rates.pauseAfterMs };
      const inForce = await currentRate(em, changed.currency, moment);
      return { change: change as RateChangeView, inForce: inForce && toRateView(inForce) };
    });
  }
}
