import { Controller } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import { sourceHealth } from '#domain/rate-sources/source-health';
import { Database } from '#platform/database/database';
import { Serve } from '../http/serve.ts';

/** How the places our figures come from are doing. */
@Controller()
export class RateSourcesController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.rateSources)
  health() {
    return sourceHealth(this.database.fork(), new Date());
  }
}
