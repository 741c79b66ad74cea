import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { Logger } from '#platform/logging';
import type { Queues } from '#platform/queues/queues';
import { adminsOnly } from '../access/admins-only.ts';

export const queueBoardPath = '/ops/queues';

/** Serves the queue dashboard, to admins only. */
export function serveQueueBoard(
  app: NestExpressApplication,
  parts: { env: ApiConfiguration; queues: Queues; log: Logger },
): void {
  const board = new ExpressAdapter().setBasePath(queueBoardPath);
  createBullBoard({
    queues: Object.values(parts.queues).map((queue) => new BullMQAdapter(queue)),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Chasqui · colas', boardLogo: { path: '' } } },
  });
  app.use(queueBoardPath, adminsOnly(app, parts));
  app.use(queueBoardPath, board.getRouter());
}
