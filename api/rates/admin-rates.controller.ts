import { Controller, Inject } from '@nestjs/common';
import { invalidInput } from '#core/contracts/failures';
import type { RateChangeView } from '#core/contracts/http/admin-rates';
import { endpoints } from '#core/contracts/http/endpoints';
import { attemptRateChange, scheduleMsMax } from '#domain/rates/attempt-rate-change';
import { currentRate, toRateView } from '#domain/rates/current-rates';
import { RateChange } from '#domain/rates/rate.entity';
import { toRateChangeViews } from '#domain/rates/rate-change-views';
import { confirmRateChange, declineRateChange, proposeRateChange } from '#domain/rates/rate-changes';
import { readRateDesk } from '#domain/rates/rate-management';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { cutPage, readNumberCursor } from '#platform/database/pages';
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
      throw invalidInput({ activateAt: 'Elige una hora futura, como máximo dentro de 30 días' });
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
    const start = readNumberCursor(query.cursor);
    const rows = await em.find(
      RateChange,
      { ...(query.currency ? { currency: query.currency } : {}), ...(start ? { id: { $lt: start } } : {}) },
      { orderBy: { id: 'desc' }, limit: query.limit + 1 },
    );
    const page = cutPage(rows, query.limit);
    return { items: await toRateChangeViews(em, page.rows), nextCursor: page.nextCursor };
  }

  @Serve(endpoints.rateDesk)
  async desk() {
    return readRateDesk(this.database.fork(), this.env.rates, new Date());
  }

  /** What became of the change, and the currency's rate after it. */
  async #attempt(at: Date, work: (em: EntityManager) => Promise<RateChange>) {
    return attemptRateChange(this.database, async (em) => {
      const changed = await work(em);
      const [change] = await toRateChangeViews(em, [changed]);
      const inForce = await currentRate(em, changed.currency, {
        now: at,
        pauseAfterMs: this.env.rates.pauseAfterMs,
      });
      return { change: change as RateChangeView, inForce: inForce && toRateView(inForce) };
    });
  }
}
