import { Controller, Inject } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { endpoints } from '#core/contracts/http/endpoints';
import { Database } from '#platform/database/database';
import type { Queues } from '#platform/queues/queues';
import { Serve } from '../http/serve.ts';
import { QUEUES } from '../tokens.ts';

/** What a load balancer asks: is this process alive, and can it do its work. */
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicator: HealthIndicatorService,
    private readonly database: Database,
    @Inject(QUEUES) private readonly queues: Queues,
  ) {}

  @Serve(endpoints.live)
  async live() {
    return { status: 'ok' as const };
  }

  /** @throws ServiceUnavailableException, answered as `unavailable`, while a back end is down. */
  @Serve(endpoints.ready)
  async ready() {
    const { status, details } = await this.health.check([
      () => this.#up('database', () => this.database.fork().execute('select 1')),
      () => this.#up('queues', () => this.queues.sweeps.getJobCounts('waiting')),
    ]);
    return { status: status as 'ok', details };
  }

  /** Says only up or down: a driver's message names hosts and people. */
  async #up(name: string, ask: () => Promise<unknown>) {
    const session = this.indicator.check(name);
    try {
      await ask();
      return session.up();
    } catch {
      return session.down();
    }
  }
}
