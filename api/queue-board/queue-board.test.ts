import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import { UnrecoverableError } from 'bullmq';
import type { Request, Response } from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { queueNames } from '#core/contracts/jobs';
import { AuditEntry } from '#domain/audit/audit.entity';
import { Email } from '#domain/emails/email.entity';
import { QueuePause } from '#domain/queue-pauses/queue-pause.entity';
import { findQueuePauses } from '#domain/queue-pauses/queue-pause.repository';
import { readApiConfiguration } from '#platform/configuration/api';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { openTestQueues, type TestQueues } from '../../platform/testing/queues.ts';
import { TestApp } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';
import { controlBoard } from './control.ts';

const board = '/ops/queues/api/queues';
const transferId = '0199b2d0-4e5f-4000-8000-0000000000e1';
let app: TestApp;
let opened: TestQueues;
let owner: TestBrowser;
let reviewer: TestBrowser;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
  opened = await openTestQueues({ databaseUrl: url, redisUrl: undefined });
  owner = (await app.api.person('admin', 'Olga', 'owner')).browser;
  reviewer = (await app.api.person('admin', 'Rita', 'reviewer')).browser;
});
beforeEach(async () => {
  await app.api.database.fork().nativeDelete(QueuePause, {});
  for (const queue of Object.values(opened.queues)) {
    await queue.resume();
    await queue.obliterate({ force: true });
  }
});
afterAll(async () => {
  await opened?.close();
  await app?.close();
});

const put = (path: string, by = owner, headers = {}) => by.send('PUT', `${board}/${path}`, undefined, headers);
const stored = async () => (await findQueuePauses(app.api.database.fork())).map(({ queue }) => queue);
const audited = async (kind: string) =>
  (await app.api.database.fork().find(AuditEntry, { kind: kind as never }, { orderBy: { at: 'asc' } })).map(
    ({ detail, subject }) => subject ?? JSON.parse(detail).path,
  );

/** A job that failed for good in a queue. */
async function failedJob(queue: 'emails' | 'payouts' | 'maintenance', name: string, data: object): Promise<Job> {
  const worker = opened.work(queue, async () => {
    throw new UnrecoverableError('the bank said no');
  });
  const job = await opened.queues[queue].add(name, data, { jobId: `${name}-${randomUUID()}-1` });
  await expect.poll(() => job.getState(), { timeout: 15_000, interval: 10 }).toBe('failed');
  await worker.close();
  return job;
}

async function emailRow(changes: Partial<Email> = {}): Promise<Email> {
  const em = app.api.database.fork();
  const { id: userId } = (await app.api.person()).user;
  const at = new Date();
  const email = em.create(Email, {
    ...{ id: randomUUID(), key: randomUUID(), userId, kind: 'rate_alert', data: {}, createdAt: at, attempts: 20 },
    ...{ dispatch: 1, nextAttemptAt: null, ...changes },
  });
  await em.persist(email).flush();
  return email;
}

describe('the queue dashboard', () => {
  test('shows of each job its name, transfer, attempts, duration and failure, and what each queue is for', async () => {
    await failedJob('payouts', 'run-payout', { id: randomUUID(), dispatch: 1, transferId });
    const spanish = await owner.send('GET', `${board}?activeQueue=payouts&status=latest&page=1&jobsPerPage=10`);
    expect(spanish.body.queues.map(({ name }: { name: string }) => name)).toEqual(queueNames);
    const payouts = spanish.body.queues.find(({ name }: { name: string }) => name === 'payouts');
    expect(payouts).toMatchObject({
      description: 'Pide al banco que pague a las familias.',
      allowCompletedRetries: false,
      jobs: [
        {
          ...{ name: 'run-payout', attempts: 1, failedReason: 'the bank said no' },
          ...{ processedOn: expect.any(Number), finishedOn: expect.any(Number) },
          externalUrl: { href: `/admin?transfer=${transferId}`, displayText: expect.stringMatching(/^TR\d{15}$/) },
        },
      ],
    });
    const english = await owner.send('GET', board, undefined, { 'accept-language': 'en' });
    const [first] = english.body.queues;
    expect(first.description).toBe('Handles what Stripe reports of payments, refunds and disputes.');
  });

  test('deletes no job of a queue of money, and says why in the reader’s language', async () => {
    const job = await failedJob('payouts', 'run-payout', { id: randomUUID(), dispatch: 1 });
    const calls = [`payouts/${job.id}/clean`, 'payouts/clean/failed', 'payouts/empty', 'payouts/obliterate'];
    for (const path of [...calls, 'payouts/promote', 'payouts/rate-limit']) {
      const refused = await put(path);
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'money_queue']);
      expect(refused.body.error).toMatch(/no se borra, vacía ni adelanta/);
      expect((await put(path, owner, { 'accept-language': 'en' })).body.error).toMatch(/cannot be deleted, drained/);
    }
    expect(await job.getState()).toBe('failed');
    expect(await audited('queue_board_used')).toEqual(
      expect.arrayContaining(calls.map((path) => `/api/queues/${path}`)),
    );
  });

  test('adds and changes jobs of no queue, and deletes those of queues without money', async () => {
    const job = await failedJob('emails', 'send-email', { id: randomUUID(), dispatch: 1 });
    for (const [method, path] of [
      ['POST', 'emails/add'],
      ['PATCH', `emails/${job.id}/update-data`],
      ['PATCH', `emails/${job.id}/delay`],
    ] as const) {
      const refused = await owner.send(method, `${board}/${path}`, { name: 'send-email', data: {}, delay: 1 });
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'jobs_not_editable']);
    }
    expect((await put(`emails/${job.id}/clean`)).status).toBe(204);
    expect(await opened.queues.emails.getJob(job.id ?? '')).toBeUndefined();
  });
});

describe('pausing a queue', () => {
  test('stores the pause, which admins see and the audit log keeps, until it is resumed', async () => {
    expect((await put('payouts/pause', reviewer)).status).toBe(200);
    expect([await stored(), await opened.queues.payouts.isPaused()]).toEqual([['payouts'], true]);
    const support = (await app.api.person('admin', 'Sara', 'support')).browser;
    expect((await support.send('GET', '/api/admin/queue-pauses')).body.pauses).toMatchObject([
      { queue: 'payouts', paused_by: 'Rita' },
    ]);
    expect((await put('payouts/resume', support)).status).toBe(403);
    expect((await put('payouts/resume')).status).toBe(200);
    expect([await stored(), await opened.queues.payouts.isPaused()]).toEqual([[], false]);
    expect([await audited('queue_paused'), await audited('queue_resumed')]).toEqual([['payouts'], ['payouts']]);
  });

  test('of all queues stores each, and shows them paused also when BullMQ has forgotten it', async () => {
    expect((await put('pause')).status).toBe(200);
    expect((await stored()).toSorted()).toEqual([...queueNames].sort());
    await opened.queues.emails.resume();
    const { queues } = (await owner.send('GET', board)).body;
    expect(queues.map(({ isPaused }: { isPaused: boolean }) => isPaused)).toEqual(queueNames.map(() => true));
    expect((await put('resume')).status).toBe(200);
    expect(await stored()).toEqual([]);
  });

  test('of money is only ended by who has proven a second factor lately', async () => {
    const { browser, user } = await app.api.person('admin', 'Tito', 'treasurer');
    await app.api.setFactorAt(user, new Date(0));
    expect((await put('payouts/pause', browser)).status).toBe(200);
    expect((await put('emails/pause', browser)).status).toBe(200);
    expect((await put('payouts/resume', browser)).body.code).toBe('second_factor_stale');
    expect((await put('emails/resume', browser)).status).toBe(200);
    expect(await stored()).toEqual(['payouts']);
  });
});

describe('a pause while BullMQ cannot be reached', () => {
  const away = () => Promise.reject(new Error('connect ECONNREFUSED'));

  /** Sends a call to the dashboard's control with queues that behave like this. */
  async function call(path: string, payouts: object) {
    const { user } = await app.api.person('admin', 'Olga', 'owner');
    const database = app.api.database;
    const parts = { env: readApiConfiguration({ ...testEnvironment, DATABASE_URL: 'postgres://u:p@localhost/x' }) };
    const queues = { payouts } as never;
    const control = controlBoard({ get: () => database } as never, {
      ...parts,
      queues,
      log: pino({ level: 'silent' }),
    });
    const answered = Promise.withResolvers<{ status: number; body: unknown }>();
    let status = 200;
    const response = {
      locals: {},
      set: () => response,
      status: (code: number) => {
        status = code;
        return response;
      },
      json: (body: unknown) => answered.resolve({ status, body }),
    };
    const person = { user, factorAt: null };
    const request = { method: 'PUT', path: `/api/queues/${path}`, headers: {}, person, acceptsLanguages: () => 'en' };
    control(request as unknown as Request, response as unknown as Response, answered.reject);
    return answered.promise;
  }

  test('is stored and so holds', async () => {
    expect(await call('payouts/pause', { pause: away })).toEqual({ status: 200, body: {} });
    expect(await stored()).toEqual(['payouts']);
  });

  test('is not ended, and the page says that the queue is still paused', async () => {
    await put('payouts/pause');
    const [before] = await findQueuePauses(app.api.database.fork());
    const refused = { status: 503, body: { code: 'queues_unreachable', error: expect.stringMatching(/still paused/) } };
    expect(await call('payouts/resume', { isPaused: away })).toEqual(refused);
    // It breaks off between the two.
    const resume = vi.fn(away);
    expect(await call('payouts/resume', { isPaused: async () => true, resume })).toEqual(refused);
    expect(resume).toHaveBeenCalledTimes(1);
    expect(await findQueuePauses(app.api.database.fork())).toMatchObject([{ ...before }]);
  });
});

describe('retrying a failed job', () => {
  test('of a row that was given up adds a new job for it', async () => {
    const { id } = await emailRow();
    const job = await failedJob('emails', 'send-email', { id, dispatch: 1 });
    expect((await put(`emails/${job.id}/retry`)).status).toBe(204);
    const email = await app.api.database.fork().findOneOrFail(Email, { id });
    expect(email).toMatchObject({ dispatch: 2, attempts: 0, nextAttemptAt: expect.any(Date) });
    await expect
      .poll(async () => (await opened.queues.emails.getJob(`send-email-${id}-2`))?.getState(), { timeout: 10_000 })
      .toBe('waiting');
    expect((await put(`emails/${job.id}/retry`)).body.code).toBe('job_superseded');
  });

  test('of a row that is done is refused, and of one that is open left to BullMQ', async () => {
    const done = await failedJob('emails', 'send-email', {
      id: (await emailRow({ sentAt: new Date() })).id,
      dispatch: 1,
    });
    const refused = await put(`emails/${done.id}/retry`);
    expect([refused.status, refused.body.code]).toEqual([409, 'job_done']);
    const open = await emailRow({ nextAttemptAt: new Date() });
    const job = await failedJob('emails', 'send-email', { id: open.id, dispatch: 1 });
    expect((await put(`emails/${job.id}/retry`)).status).toBe(204);
    expect(await job.getState()).toBe('waiting');
    expect((await put(`emails/${job.id}/retry`)).body.code).toBe('job_not_failed');
  });

  test('of a payout asks for a role that may act on cases, and for the second factor', async () => {
    const job = await failedJob('payouts', 'run-payout', { id: randomUUID(), dispatch: 1 });
    const treasurer = await app.api.person('admin', 'Tito', 'treasurer');
    expect((await put(`payouts/${job.id}/retry`, treasurer.browser)).body.code).toBe('forbidden');
    const stale = await app.api.person('admin', 'Rita', 'reviewer');
    await app.api.setFactorAt(stale.user, new Date(0));
    expect((await put(`payouts/${job.id}/retry`, stale.browser)).body.code).toBe('second_factor_stale');
    expect((await put(`payouts/${job.id}/retry`, reviewer)).body.code).toBe('job_done');
  });

  test('of all failed jobs skips operations and completed work', async () => {
    const job = await failedJob('maintenance', 'purge-expired', {});
    expect((await put('maintenance/retry/failed')).body).toEqual({ retried: 1, skipped: 0 });
    expect(await job.getState()).toBe('waiting');
    await failedJob('payouts', 'run-payout', { id: randomUUID(), dispatch: 1 });
    expect((await put('payouts/retry/failed')).body).toEqual({ retried: 0, skipped: 1 });
    const { id } = await emailRow();
    await failedJob('emails', 'send-email', { id, dispatch: 1 });
    await failedJob('emails', 'send-email', { id: (await emailRow({ sentAt: new Date() })).id, dispatch: 1 });
    expect((await put('emails/retry/failed')).body).toEqual({ retried: 1, skipped: 1 });
    expect(await app.api.database.fork().count(OutboxRow, { jobKey: `send-email-${id}-3` })).toBe(0);
  });
});

test('a transfer’s operations are listed for admins, with the jobs that the queues know', async () => {
  const { items, queues_readable } = (await owner.send('GET', `/api/admin/transactions/${app.ids.transferId}/work`))
    .body;
  expect(queues_readable).toBe(true);
  expect(items[0]).toMatchObject({ type: 'operation', kind: 'authorization', status: 'pending' });
});
