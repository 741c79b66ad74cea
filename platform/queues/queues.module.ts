import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { queueNames } from '#core/contracts/jobs';
import { defaultJobOptions, type QueueConnection, type Queues } from './queues.ts';

/** Token of all queues of the process, as `Queues`. */
export const QUEUES = Symbol('queues');

/** Registers every queue of the contract, in the api and in the worker. Nest closes the queues at shutdown. */
@Module({})
export class QueuesModule {
  /** `onError` receives connection errors; the queues reconnect by themselves. */
  static register(connection: QueueConnection, onError: (error: Error) => void): DynamicModule {
    return {
      module: QueuesModule,
      global: true,
      imports: [
        BullModule.forRoot({
          connection: connection.producer,
          defaultJobOptions,
          ...(connection.telemetry && { telemetry: connection.telemetry }),
        }),
        BullModule.registerQueue(...queueNames.map((name) => ({ name }))),
      ],
      providers: [
        {
          provide: QUEUES,
          inject: queueNames.map((name) => getQueueToken(name)),
          useFactory: (...queues: Queue[]): Queues => {
            for (const queue of queues) queue.on('error', onError);
            return Object.fromEntries(queues.map((queue) => [queue.name, queue])) as Queues;
          },
        },
      ],
      exports: [QUEUES],
    };
  }
}
