import { Controller } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import { Database } from '#platform/database/database';
import { sourceHealth } from '#platform/database/source-health';
import { Serve } from '../contract/serve.ts';

/** How the places our figures come from are doing. */
@Controller()
export class RateSourcesController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.rateSources)
  health() {
    return sourceHealth(this.database.read(), new Date());
  }
}
