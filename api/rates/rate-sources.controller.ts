import { Controller } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import { readSourceHealth } from '#domain/rate-observations/source-health';
import { Database } from '#platform/database/database';
import { Serve } from '../http/serve.ts';
import { toSourceHealthView } from './source-views.ts';

/** How the sources of prices and rates are doing. */
@Controller()
export class RateSourcesController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.rateSources)
  async health() {
    const { sources, lastRunAt } = await readSourceHealth(this.database.fork(), new Date());
    return { sources: sources.map(toSourceHealthView), lastRunAt: lastRunAt?.toISOString() ?? null };
  }
}
