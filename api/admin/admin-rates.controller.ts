import { Controller, Inject } from '@nestjs/common';
import type { RateChangeView } from '#core/contracts/http/admin-rates';
import { endpoints } from '#core/contracts/http/endpoints';
import { Database, type EntityManager } from '#platform/database/database';
import { toRateChangeViews } from '#platform/database/rate-change-views';
import { confirmRateChange, declineRateChange, proposeRateChange } from '#platform/database/rate-changes';
import { currentRate, toRateView } from '#platform/database/rates';
import { RateChange } from '#platform/database/schema/rates';
import type { Env } from '#platform/env';
import { invalidInput } from '../contract/input.ts';
import { Call, type CallOf, Serve } from '../contract/serve.ts';
import { cutPage, readNumberCursor } from '../paging/pages.ts';
import { ENV } from '../parts.ts';
import { attemptRateChange, scheduleMsMax } from './rate-changes.ts';
import { readRateDesk } from './rate-desk.ts';

/** Changing rates, what admins decide on, and who changed what and why. */
@Controller()
export class AdminRatesController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: Env,
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
    const em = this.database.read();
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
    return readRateDesk(this.database.read(), this.env.rates, new Date());
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
