import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { RateView } from '#core/contracts/http/rates';
import { formatRate } from '#core/rate';
import { Database } from '#platform/database/database';
import { type CurrentRate, currentRate, setRate, toRateView } from '#platform/database/rates';
import { User } from '#platform/database/schema/people';
import { RateEntry } from '#platform/database/schema/rates';
import type { Env } from '#platform/env';
import { Call, type CallOf, Serve } from '../contract/serve.ts';
import { cutPage, readNumberCursor } from '../paging/pages.ts';
import { ENV } from '../parts.ts';

/** Setting rates, and who set which. */
@Controller()
export class AdminRatesController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Serve(endpoints.setRate)
  async set(@Call() { body, person }: CallOf<typeof endpoints.setRate>): Promise<RateView> {
    const input = { currency: body.currency, rate: body.rate, setById: person.user.id, at: new Date() };
    return this.database.transaction(async (em) => {
      await setRate(em, input);
      const moment = { now: input.at, pauseAfterMs: this.env.rates.pauseAfterMs };
      return toRateView((await currentRate(em, body.currency, moment)) as CurrentRate);
    });
  }

  @Serve(endpoints.rateHistory)
  async history(@Call() { query }: CallOf<typeof endpoints.rateHistory>) {
    const em = this.database.read();
    const start = readNumberCursor(query.cursor);
    const rows = await em.find(
      RateEntry,
      { ...(query.currency ? { currency: query.currency } : {}), ...(start ? { id: { $lt: start } } : {}) },
      { orderBy: { id: 'desc' }, limit: query.limit + 1 },
    );
    const page = cutPage(rows, query.limit);
    const people = await em.find(User, { id: { $in: [...new Set(page.rows.map((entry) => entry.setById))] } });
    const names = new Map(people.map((person) => [person.id, person.name]));
    const items = page.rows.map((entry) => ({
      id: String(entry.id),
      date: entry.createdAt.toISOString(),
      currency: entry.currency,
      rate: formatRate(entry.rate),
      setBy: names.get(entry.setById) ?? '',
    }));
    return { items, nextCursor: page.nextCursor };
  }
}
