import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { Logger } from '#platform/logging';
import type { Queues } from '#platform/queues/queues';
import { adminsOnly } from '../access/admins-only.ts';
import { boardLook } from './look.ts';

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
    options: { uiConfig: boardLook },
  });
  app.use(queueBoardPath, adminsOnly(app, parts));
  app.use(queueBoardPath, withoutForeignFonts);
  app.use(queueBoardPath, board.getRouter());
}

/** The dashboard's page asks Google for its fonts, which our policy of content refuses with an error in the console. */
const withoutForeignFonts: RequestHandler = (_request, response, next) => {
  const render = response.render.bind(response);
  response.render = (view: string, options?: object) =>
    render(view, options ?? {}, (error, html) => {
      if (error) return next(error);
      response.send(html.replace(/<link [^>]*fonts\.googleapis\.com[^>]*>/g, ''));
    });
  next();
};
