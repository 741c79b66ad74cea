import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Job } from 'bullmq';
import type { NextFunction, RequestHandler, Response } from 'express';
import { isPermitted, type Permission } from '#core/accounts/roles';
import {
  queues as contract,
  isRowJob,
  type JobName,
  jobs,
  type QueueName,
  type RowJobData,
} from '#core/contracts/jobs';
import { adminRoleOf } from '#domain/accounts/account.repository';
import { pauseQueue, resumeQueue } from '#domain/queue-pauses/pause-queue';
import { type Retry, type RetryOutcome, retryRowJob, retryRules } from '#domain/row-jobs/retry-job';
import { runFor } from '#platform/caller';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { answeredWithin } from '#platform/http/time-limit';
import type { Logger } from '#platform/logging';
import type { Queues } from '#platform/queues/queues';
import { isSafeMethod } from '../access/origin.ts';
import type { Person } from '../access/sessions.ts';
import { callerOf } from '../http/contract.interceptor.ts';
import type { CallRequest } from '../http/serve.ts';
import { reviewPolicyOf } from '../transfers/reviews.controller.ts';
import { requestedLanguage } from '../web/asked-language.ts';
import { readBoardCall } from './board-calls.ts';
import { answerRefusal, BoardRefusal, type RefusalCode } from './refusals.ts';

/** Timeout for the queues' answer, in ms; then the person sees that they do not respond. */
const maxWaitMs = 2_000;

/** Failed jobs that are retried with one press. */
const maxRetriedJobs = 1_000;

interface Parts {
  readonly env: ApiConfiguration;
  readonly queues: Queues;
  readonly log: Logger;
}

/**
 * Runs before Bull Board's own routes: stores pauses in PostgreSQL, retries jobs by the rules of their subject, and
 * refuses to remove jobs from money queues.
 */
export function controlBoard(app: NestExpressApplication, parts: Parts): RequestHandler {
  const control = new Control(app.get(Database), parts);
  const secure = parts.env.publicUrl.startsWith('https:');
  return (request: CallRequest, response, next) => {
    if (isSafeMethod(request.method)) return next();
    const { person } = request;
    const done = async () => {
      if (!person) throw new BoardRefusal('forbidden');
      await control.carryOut(request, { person, response, next });
    };
    runFor(callerOf(request), done).catch((error: unknown) => {
      answerRefusal(error, { request, response, log: parts.log, language: requestedLanguage(request, secure) });
    });
  };
}

interface Call {
  readonly person: Person;
  readonly response: Response;
  readonly next: NextFunction;
}

class Control {
  readonly #database: Database;
  readonly #parts: Parts;

  constructor(database: Database, parts: Parts) {
    this.#database = database;
    this.#parts = parts;
  }

  /** Does what a call wants and answers it, or leaves it to Bull Board. @throws BoardRefusal or Failure where it may not be done. */
  async carryOut(request: CallRequest, { person, response, next }: Call): Promise<void> {
    const call = readBoardCall(request.method, request.path);
    switch (call.action) {
      case 'forward':
        return next();
      case 'pause':
        this.#require(person, 'pauseQueue');
        await this.#pause(call.queues, person);
        response.status(200).json({});
        return;
      case 'resume':
        this.#require(person, 'pauseQueue');
        if (call.queues.some((queue) => contract[queue].money)) this.#requireFreshFactor(person);
        await this.#resume(call.queues);
        response.status(200).json({});
        return;
      case 'retry': {
        const job = await this.#parts.queues[call.queue].getJob(call.jobId);
        // Bull Board answers that the job does not exist.
        if (!job) return next();
        if (!(await job.isFailed())) throw new BoardRefusal('job_not_failed');
        const outcome = await this.#retry(job, person);
        if (outcome === 'run') return next();
        if (outcome !== 'again') throw new BoardRefusal(refusalOf[outcome]);
        response.status(204).end();
        return;
      }
      case 'retry_all':
        response.status(200).json(await this.#retryAll(call.queue, person));
    }
  }

  #require(person: Person, permission: Permission): void {
    if (!isPermitted(adminRoleOf(person.user), permission)) throw new BoardRefusal('forbidden');
  }

  /** As for lifting a money stop, or acting on a case (api/access/access.guard.ts). */
  #requireFreshFactor({ factorAt }: Person): void {
    const { stepUpMs } = this.#parts.env.sessions;
    if (factorAt !== null && Date.now() - factorAt.getTime() > stepUpMs) throw new BoardRefusal('second_factor_stale');
  }

  /** The stored pause decides: workers return the queue's jobs even if BullMQ could not be paused. */
  async #pause(names: readonly QueueName[], person: Person): Promise<void> {
    const pause = { personId: person.user.id, at: new Date() };
    await this.#database.transaction(async (em) => {
      for (const queue of names) await pauseQueue(em, { queue, ...pause });
    });
    for (const queue of names) {
      await answeredWithin(maxWaitMs, this.#parts.queues[queue].pause()).catch((error: unknown) => {
        this.#parts.log.warn({ err: error, queue }, 'the pause of a queue is stored, but BullMQ could not be paused');
      });
    }
  }

  /**
   * If BullMQ cannot resume, the queue stays paused and the pause stays stored. @throws BoardRefusal
   * `queues_unreachable`.
   */
  async #resume(names: readonly QueueName[]): Promise<void> {
    for (const name of names) {
      const queue = this.#parts.queues[name];
      await this.#reach(() => queue.isPaused());
      const pause = await this.#database.transaction((em) => resumeQueue(em, name));
      try {
        await this.#reach(() => queue.resume());
      } catch (error) {
        const { pausedById: personId, pausedAt: at } = pause ?? {};
        if (personId && at) await this.#database.transaction((em) => pauseQueue(em, { queue: name, personId, at }));
        throw error;
      }
    }
  }

  async #reach<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await answeredWithin(maxWaitMs, call());
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'a queue does not answer');
      throw new BoardRefusal('queues_unreachable');
    }
  }

  async #retry(job: Job, person: Person): Promise<RetryOutcome> {
    const about = rowJobOf(job);
    if (!about) return 'run';
    const { permission, needsFreshFactor } = retryRules[about.name];
    this.#require(person, permission);
    if (needsFreshFactor) this.#requireFreshFactor(person);
    const { env } = this.#parts;
    const retry: Retry = { personId: person.user.id, at: new Date(), desk: env.desk, review: reviewPolicyOf(env) };
    return retryRowJob(this.#database, about, retry);
  }

  /** Retries the failed jobs of a queue. Those of operations are left out: each of them is decided on alone. */
  async #retryAll(name: QueueName, person: Person): Promise<{ retried: number; skipped: number }> {
    const failed = await this.#parts.queues[name].getFailed(0, maxRetriedJobs - 1);
    let retried = 0;
    for (const job of failed) {
      const about = rowJobOf(job);
      if (about && retryRules[about.name].needsFreshFactor) continue;
      const outcome = await this.#retry(job, person).catch((error: unknown) => {
        this.#parts.log.warn({ err: error, job: job.name, id: job.id }, 'a failed job was not retried');
        return 'done' as const;
      });
      if (outcome === 'run') await job.retry('failed');
      if (outcome === 'run' || outcome === 'again') retried += 1;
    }
    return { retried, skipped: failed.length - retried };
  }
}

const refusalOf: Readonly<Record<Exclude<RetryOutcome, 'run' | 'again'>, RefusalCode>> = {
  done: 'job_done',
  superseded: 'job_superseded',
  waits: 'retry_awaits_second_person',
};

/** The row that a job is for; null for other jobs, and for one of a version that this one does not know. */
function rowJobOf(job: Job): Parameters<typeof retryRowJob>[1] | null {
  const name = job.name as JobName;
  if (!Object.hasOwn(jobs, name) || !isRowJob(name)) return null;
  const { success, data } = jobs[name].data.safeParse(job.data);
  return success ? { name, data: data as RowJobData } : null;
}
