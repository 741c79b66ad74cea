import { type BeforeApplicationShutdown, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { createPush } from '#domain/notifications/live-push';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import type { Logger } from '#platform/logging';
import { Relay } from '#platform/outbox/relay';
import type { Queues } from '#platform/queues/queues';
import { QUEUES } from '#platform/queues/queues.module';
import { LiveGateway } from '../live/live.gateway.ts';
import { LiveModule } from '../live/live.module.ts';
import { ENV, LOG } from '../tokens.ts';
import { reviewPolicyOf } from '../transfers/reviews.controller.ts';

/** Runs the relay from the first request until the last one is answered, before live connections and queues are closed: browsers of other replicas get the last pushes too. */
@Injectable()
class RelayLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly relay: Relay) {}

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.relay.stop();
  }
}

/**
 * Hands the outbox's rows to queues and browsers. Nest shuts outer modules down first: only AppModule may import this one, so
 * that it stays farther out than the queues.
 */
@Module({
  imports: [LiveModule],
  providers: [
    {
      provide: Relay,
      inject: [Database, QUEUES, LiveGateway, ENV, LOG],
      useFactory: (database: Database, queues: Queues, live: LiveGateway, env: ApiConfiguration, log: Logger) =>
        new Relay(database, queues, createPush(live.emit, { ...env.rates, review: reviewPolicyOf(env) }), log),
    },
    RelayLifecycle,
  ],
})
export class OutboxModule {}
