import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, RequestHandler, Response } from 'express';
import { type QueueName, queueNames } from '#core/contracts/jobs';
import { adminTransferAddress } from '#core/contracts/page-addresses';
import { type Locale, locales } from '#core/locale/locale';
import { referenceOf } from '#core/transfers/reference';
import { writeAudit } from '#domain/audit/audit.repository';
import { isQueuePaused } from '#domain/queue-pauses/queue-pause.repository';
import { runFor } from '#platform/caller';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import type { Logger } from '#platform/logging';
import type { Queues } from '#platform/queues/queues';
import { adminsOnly } from '../access/admins-only.ts';
import { isSafeMethod } from '../access/origin.ts';
import { callerOf } from '../http/contract.interceptor.ts';
import { answerFailure } from '../http/failure.filter.ts';
import type { CallRequest } from '../http/serve.ts';
import { requestedLanguage } from '../web/asked-language.ts';
import { controlBoard } from './control.ts';
import { boardLook, queueDescriptions } from './look.ts';

export const queueBoardPath = '/ops/queues';

/** The dashboard's browser files. Once bundled, the package would not find them next to itself. */
const uiBasePath = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));

/** Serves the queue dashboard, to admins only. */
export function serveQueueBoard(
  app: NestExpressApplication,
  parts: { env: ApiConfiguration; queues: Queues; log: Logger },
): void {
  app.use(queueBoardPath, adminsOnly(app, parts));
  app.use(queueBoardPath, audited(app.get(Database), parts.log));
  app.use(queueBoardPath, controlBoard(app, parts));
  const secure = parts.env.publicUrl.startsWith('https:');
  // A dashboard is configured for one language.
  for (const language of locales) {
    const board = new ExpressAdapter().setBasePath(queueBoardPath);
    createBullBoard({
      queues: queueNames.map((name) => new BoardQueue(name, { ...parts, database: app.get(Database), language })),
      serverAdapter: board,
      // On PostgreSQL one connection listens for all workers, so its name identifies none of them.
      options: { uiBasePath, uiConfig: { ...boardLook(language), showWorkers: parts.env.redisUrl !== undefined } },
    });
    const serve: RequestHandler = board.getRouter();
    const serveInLanguage: RequestHandler = (request, response, next) => {
      if (requestedLanguage(request, secure) !== language) return next();
      mendPage(response, language, next);
      serve(request, response, next);
    };
    app.use(queueBoardPath, serveInLanguage);
  }
}

/** Link to the transfer of a job, labelled with its reference. Bull Board omits empty links. */
function transferLink({ data }: { data: unknown }): { href: string; displayText: string } {
  const transferId = (data as { transferId?: unknown } | null)?.transferId;
  if (typeof transferId !== 'string') return undefined as never;
  return { href: adminTransferAddress(transferId), displayText: referenceOf(transferId) };
}

/** A queue as the dashboard shows it. */
class BoardQueue extends BullMQAdapter {
  /** A second run of a job that completed would do nothing. */
  override readonly allowCompletedRetries = false;
  readonly #name: QueueName;
  readonly #database: Database;

  constructor(
    name: QueueName,
    { queues, database, language }: { queues: Queues; database: Database; language: Locale },
  ) {
    super(queues[name], {
      description: queueDescriptions[name][language],
      externalJobUrl: transferLink,
    });
    this.#name = name;
    this.#database = database;
  }

  /** By PostgreSQL: an emptied Redis has forgotten the pause. */
  override async isPaused(): Promise<boolean> {
    return (await isQueuePaused(this.#database.fork(), this.#name)) || (await super.isPaused());
  }
}

/**
 * Writes the audit entry before every action, because the queues may be in Redis, outside of our transactions. So a
 * failed action may be recorded, but no action is unrecorded.
 */
function audited(database: Database, log: Logger): RequestHandler {
  return (request: CallRequest, response, next) => {
    if (isSafeMethod(request.method)) return next();
    // "/api/queues/emails/17/retry": names, ids of jobs and the action.
    const detail = { method: request.method, path: request.path.slice(0, 300) };
    const write = () => database.transaction((em) => writeAudit(em, 'queue_board_used', { detail }));
    runFor(callerOf(request), write).then(
      () => next(),
      (error: unknown) => answerFailure(error, request, response, log),
    );
  };
}

/**
 * The dashboard's page says that it is in English, and asks Google for its fonts, which our policy of content refuses with an error
 * in the console.
 */
function mendPage(response: Response, language: Locale, next: NextFunction): void {
  const render = response.render.bind(response);
  response.render = (view: string, options?: object) =>
    render(view, options ?? {}, (error, html) => {
      if (error) return next(error);
      const page = html.replace(/<link [^>]*fonts\.googleapis\.com[^>]*>/g, '');
      response.send(page.replace(/<html lang="\w+"/, `<html lang="${language}"`));
    });
}
