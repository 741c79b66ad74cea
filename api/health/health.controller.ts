import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Inject } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { Failure } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import { Database } from '#platform/database/database';
import type { Queues } from '#platform/queues/queues';
import { QUEUES } from '#platform/queues/queues.module';
import { Serve } from '../http/serve.ts';
import { STOPPING } from '../tokens.ts';

/** How long (ms) a queue may take to answer before it counts as down. */
const queueMsMax = 1_000;

/** Liveness and readiness for load balancers and orchestrators. */
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicator: HealthIndicatorService,
    private readonly database: Database,
    @Inject(QUEUES) private readonly queues: Queues,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  @Serve(endpoints.live)
  async live() {
    return { status: 'ok' as const };
  }

  /**
   * Ready while the database is, until shutdown begins. Queues are only reported: the outbox keeps jobs until they can
   * be handed over.
   * @throws Failure, ServiceUnavailableException, answered as `unavailable`, while the database is down or this process
   * ends.
   */
  @Serve(endpoints.ready)
  async ready() {
    if (this.stopping.aborted) throw new Failure('unavailable');
    const { status, details } = await this.health.check([
      () => this.#up('database', () => this.database.fork().execute('select 1')),
    ]);
    const queues = await this.#queueState();
    return { status: status as 'ok', details: { ...details, queues } };
  }

  async #queueState(): Promise<{ status: 'up' | 'down' }> {
    try {
      const answered = this.queues.maintenance.getJobCounts('waiting').then(() => true);
      return { status: (await Promise.race([answered, delay(queueMsMax, false)])) ? 'up' : 'down' };
    } catch {
      return { status: 'down' };
    }
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
