import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Failure } from '#core/contracts/failures';
import type { Env } from '#platform/env';
import type { Logger } from '#platform/logging';
import type { Queues } from '#platform/queues/queues';
import { isFromOurPages, isSafeMethod } from '../access/origin.ts';
import { Sessions } from '../access/sessions.ts';
import { answerFailure } from '../http/failure.filter.ts';

export const queueBoardPath = '/ops/queues';

/** Serves the queue dashboard, to admins only. */
export function serveQueueBoard(app: NestExpressApplication, parts: { env: Env; queues: Queues; log: Logger }): void {
  const board = new ExpressAdapter().setBasePath(queueBoardPath);
  createBullBoard({
    queues: Object.values(parts.queues).map((queue) => new BullMQAdapter(queue)),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Chasqui · colas', boardLogo: { path: '' } } },
  });
  app.use(queueBoardPath, (request: Request, response: Response, next: NextFunction) => {
    admit(app.get(Sessions), request, parts.env).then(
      () => next(),
      (error: unknown) => {
        const signedOut = error instanceof Failure && error.code === 'unauthenticated';
        if (signedOut && isSafeMethod(request.method) && request.accepts(['json', 'html']) === 'html') {
          response.redirect(`/login?next=${encodeURIComponent(request.originalUrl)}`);
          return;
        }
        answerFailure(error, request, response, parts.log);
      },
    );
  });
  app.use(queueBoardPath, board.getRouter());
}

/** @throws Failure `wrong_origin`, `unauthenticated`, `forbidden`. */
async function admit(sessions: Sessions, request: Request, env: Env): Promise<void> {
  if (!isSafeMethod(request.method) && !isFromOurPages(request.headers, env)) {
    throw new Failure('wrong_origin');
  }
  const person = await sessions.find(request.headers.cookie);
  if (!person) throw new Failure('unauthenticated');
  if (person.user.role !== 'admin') throw new Failure('forbidden');
}
