import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type JobName, jobs } from '#core/contracts/jobs';
import { openDatabase } from '#domain/database';
import { cutConnections, onEveryQueueBackend, type QueueServices } from '../../infra/testing/redis.ts';
import { Database } from '../database/database.ts';
import type { Push } from '../live/push.ts';
import { createLogger } from '../logging.ts';
import type { QueueBackend } from '../queues/queues.ts';
import { openTestQueues, type TestQueues } from '../testing/queues.ts';
import { OutboxRow } from './outbox.entity.ts';
import { addJob, addPush } from './outbox.ts';
import { Relay } from './relay.ts';

const log = createLogger('platform', 'silent');
/** Fast to try again, so that failures cost a test little. */
const times = { idleMs: 100, failureMs: 50 };

onEveryQueueBackend('the relay', (_backend, start) => {
  let services: QueueServices;
  let backend: QueueBackend;
  /** Two processes on the same database and queues. */
  let here: TestQueues & { database: Database };
  let there: TestQueues & { database: Database };
  let relays: Relay[];

  const open = async () => ({
    database: await openDatabase(services.database.url, { poolMax: 4 }),
    ...(await openTestQueues(backend)),
  });
  const run = (process = here, push: Push = async () => {}, its: ConstructorParameters<typeof Relay>[4] = times) => {
    const relay = new Relay(process.database, process.queues, push, log, its);
    relays.push(relay);
    relay.start();
    return relay;
  };

  beforeAll(async () => {
    services = await start();
    backend = { databaseUrl: services.database.url, redisUrl: services.redisUrl };
    [here, there] = await Promise.all([open(), open()]);
  });
  beforeEach(() => {
    relays = [];
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(relays.map((relay) => relay.stop()));
    await here.database.fork().nativeDelete(OutboxRow, {});
    await Promise.all(Object.values(here.queues).map((queue) => queue.obliterate({ force: true })));
  });
  afterAll(async () => {
    for (const { database, close } of [here, there]) {
      await close();
      await database.close();
    }
    await services.close();
  });

  const commit = (name: 'sync-payment' | 'expire-payment', options: { runAt?: Date; key?: string } = {}, count = 1) => {
    const ids = Array.from({ length: count }, () => randomUUID());
    return here.database.transaction(async (em) => {
      for (const transferId of ids) addJob(em, name, { transferId }, options);
      return ids;
    });
  };
  const left = () => here.database.fork().count(OutboxRow);
  const carried = () => expect.poll(left, { interval: 5, timeout: 15_000 }).toBe(0);
  const jobsOf = async (name: JobName) => {
    const all = await here.queues[jobs[name].queue].getJobs(['waiting', 'delayed', 'active', 'completed', 'failed']);
    return all.filter((job) => job.name === name);
  };
  const transfersOf = async (name: JobName) => (await jobsOf(name)).map((job) => job.data.transferId);

  test('turns a committed row into a job with its data and the default number of attempts', async () => {
    run();
    const [transferId] = await commit('expire-payment');
    await carried();
    const [job, ...more] = await jobsOf('expire-payment');
    expect(more).toEqual([]);
    expect(job).toMatchObject({ name: 'expire-payment', data: { transferId }, queueName: 'expiries', attemptsMade: 0 });
    expect(job?.opts).toMatchObject({ attempts: 8, backoff: { type: 'exponential' } });
  });

  test('never sees a row of a transaction that was rolled back', async () => {
    run();
    const lost = here.database.transaction(async (em) => {
      addJob(em, 'expire-payment', { transferId: randomUUID() });
      addPush(em, 'rate-changed', {});
      await em.flush();
      throw new Error('rolled back');
    });
    await expect(lost).rejects.toThrow('rolled back');
    const ids = await commit('expire-payment');
    await carried();
    expect(await transfersOf('expire-payment')).toEqual(ids);
  });

  test('does not take a row before the transaction that wrote it commits', async () => {
    run();
    run(there);
    const writing = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const transferId = randomUUID();
    const slow = here.database.transaction(async (em) => {
      addJob(em, 'expire-payment', { transferId });
      await em.flush();
      written.resolve();
      await writing.promise;
    });
    await written.promise;
    const others = await commit('sync-payment', {}, 3);
    await expect.poll(() => transfersOf('sync-payment'), { interval: 5 }).toHaveLength(others.length);
    expect(await transfersOf('expire-payment')).toEqual([]);
    writing.resolve();
    await slow;
    await expect.poll(() => transfersOf('expire-payment'), { interval: 5 }).toEqual([transferId]);
  });

  test('is woken by a commit and does not wait for its next poll', async () => {
    run(here, undefined, { ...times, idleMs: 60_000 });
    for (let round = 1; round <= 5; round++) {
      await commit('expire-payment');
      await expect.poll(() => transfersOf('expire-payment'), { interval: 5, timeout: 10_000 }).toHaveLength(round);
    }
  });

  test('takes rows of a process that crashed after its commit', async () => {
    const ids = await commit('expire-payment');
    run(there);
    await carried();
    expect(await transfersOf('expire-payment')).toEqual(ids);
  });

  test('gives every row to a queue exactly once, also beside another relay', async () => {
    const adding = [here, there].map(({ queues: { confirmations } }) => ({
      singles: vi.spyOn(confirmations, 'add'),
      bulks: vi.spyOn(confirmations, 'addBulk'),
    }));
    const ids = await commit('sync-payment', {}, 350);
    run();
    run(there);
    const more = await Promise.all(Array.from({ length: 30 }, () => commit('sync-payment')));
    await carried();
    const expected = [...ids, ...more.flat()].sort();
    const handed = adding.flatMap(({ singles, bulks }) => [
      ...singles.mock.calls.map(([, data]) => data.transferId),
      ...bulks.mock.calls.flatMap(([bulk]) => bulk.map((job) => job.data.transferId)),
    ]);
    expect(handed.sort()).toEqual(expected);
    expect((await transfersOf('sync-payment')).sort()).toEqual(expected);
  });

  test('tries again when a queue fails, and keeps the row until then', async () => {
    const failing = vi.spyOn(here.queues.expiries, 'add').mockRejectedValue(new Error('queue down'));
    run();
    const ids = await commit('expire-payment');
    await expect.poll(() => failing.mock.calls.length, { interval: 5 }).toBeGreaterThan(1);
    expect(await left()).toBe(1);
    failing.mockRestore();
    await carried();
    expect(await transfersOf('expire-payment')).toEqual(ids);
  });

  test('tries again when a queue never answers', async () => {
    const silent = vi.spyOn(here.queues.expiries, 'add').mockReturnValueOnce(new Promise(() => {}));
    run(here, undefined, { ...times, queueMsMax: 50 });
    const ids = await commit('expire-payment');
    await carried();
    expect(silent.mock.calls.length).toBeGreaterThan(1);
    expect(await transfersOf('expire-payment')).toEqual(ids);
  });

  test('makes no second job when it is killed between the queue and its commit', async () => {
    const { expiries } = here.queues;
    const add = expiries.add.bind(expiries);
    const dying = vi.spyOn(expiries, 'add').mockImplementationOnce(async (...job) => {
      await add(...job);
      throw new Error('killed here');
    });
    run();
    const ids = await commit('expire-payment', {}, 3);
    await carried();
    expect(dying.mock.calls.length).toBeGreaterThan(1);
    expect((await transfersOf('expire-payment')).sort()).toEqual(ids.sort());
  });

  test('continues after every connection was cut', async () => {
    run();
    const before = await commit('expire-payment');
    await carried();
    await cutConnections(services);
    const after = await retried(() => commit('expire-payment'));
    await expect
      .poll(() => retried(() => transfersOf('expire-payment')), { interval: 20, timeout: 15_000 })
      .toHaveLength(2);
    expect((await transfersOf('expire-payment')).sort()).toEqual([...before, ...after].sort());
  });

  test('keeps a delayed job in the queue until its time', async () => {
    run();
    const runAt = new Date(Date.now() + 3_600_000);
    await commit('expire-payment', { runAt });
    await carried();
    const [job] = await jobsOf('expire-payment');
    expect(await job?.getState()).toBe('delayed');
    expect(Math.abs((job?.timestamp ?? 0) + (job?.delay ?? 0) - runAt.getTime())).toBeLessThan(5_000);
  });

  test('runs a delayed job at its time and not before, and an overdue one at once', async () => {
    run();
    const ran = new Map<string, number>();
    const runAt = new Date(Date.now() + 700);
    const [late] = await commit('expire-payment', { runAt });
    await commit('expire-payment', { runAt: new Date(Date.now() - 60_000) });
    const worker = here.work(
      'expiries',
      async (job) => {
        ran.set((job.data as { transferId: string }).transferId, Date.now());
      },
      { concurrency: 2 },
    );
    await expect.poll(() => ran.size, { interval: 5, timeout: 15_000 }).toBe(2);
    await worker.close();
    // Timers may round down by a millisecond.
    expect(ran.get(late as string)).toBeGreaterThanOrEqual(runAt.getTime() - 2);
  });

  test('makes one job of rows with the same key, also after that job was done', async () => {
    run();
    const key = `expire-payment-${randomUUID()}-swept`;
    await commit('expire-payment', { key }, 2);
    await carried();
    await commit('expire-payment', { key });
    await carried();
    expect(await jobsOf('expire-payment')).toHaveLength(1);
    const worker = here.work('expiries', async () => {});
    await new Promise((resolve) => worker.once('completed', resolve));
    await worker.close();
    await commit('expire-payment', { key });
    await carried();
    const [job, ...more] = await jobsOf('expire-payment');
    expect(more).toEqual([]);
    expect(await job?.getState()).toBe('completed');
  });

  test('sends a push while a queue does not answer', async () => {
    const pushed = Promise.withResolvers<void>();
    vi.spyOn(here.queues.expiries, 'add').mockReturnValue(new Promise(() => {}));
    const relay = run(here, async () => pushed.resolve(), { ...times, queueMsMax: 300 });
    await here.database.transaction(async (em) => {
      addJob(em, 'expire-payment', { transferId: randomUUID() });
      addPush(em, 'rate-changed', {});
    });
    await pushed.promise;
    expect(await here.database.fork().count(OutboxRow, { kind: 'job' })).toBe(1);
    await relay.stop();
  });

  test('hands the pushes of a batch over together, after the commit that wrote them', async () => {
    const pushed: string[][] = [];
    run(here, async (em, rows) => {
      await em.execute('select 1');
      pushed.push(rows.map((row) => row.name));
    });
    await here.database.transaction(async (em) => {
      addPush(em, 'rate-changed', {});
      addPush(em, 'transfer-changed', { transferId: randomUUID() });
    });
    await carried();
    expect(pushed).toEqual([['rate-changed', 'transfer-changed']]);
  });

  test('hands over rows of this process as they were committed, without taking them from the table first', async () => {
    const free: { name: string }[] = [];
    run(here, async () => {
      free.push(
        ...(await there.database.fork().execute<{ name: string }[]>('select name from outbox for update skip locked')),
      );
    });
    await here.database.transaction(async (em) => addPush(em, 'rate-changed', {}));
    await carried();
    expect(free).toEqual([{ name: 'rate-changed' }]);
  });

  test('leaves fresh rows to the process that committed them, and takes older ones', async () => {
    const pushed: string[] = [];
    const release = Promise.withResolvers<void>();
    run(here, async () => {
      pushed.push('here');
      await release.promise;
    });
    const looking = vi.spyOn(there.database, 'fork');
    run(there, async () => void pushed.push('there'), { ...times, idleMs: 20, restMs: 60_000 });
    await here.database.transaction(async (em) => addPush(em, 'rate-changed', {}));
    const before = looking.mock.calls.length;
    await expect.poll(() => looking.mock.calls.length, { interval: 5 }).toBeGreaterThan(before + 2);
    expect(pushed).toEqual(['here']);
    await here.database.fork().execute(`update outbox set created_at = now() - interval '2 minutes'`);
    await expect.poll(() => pushed, { interval: 5 }).toEqual(['here', 'there']);
    release.resolve();
    await carried();
  });

  test('does not let a failing push hold up jobs, even when its query fails', async () => {
    run(here, async (em) => {
      await em.execute('select no_such_column');
    });
    const ids = await here.database.transaction(async (em) => {
      addPush(em, 'rate-changed', {});
      const transferId = randomUUID();
      addJob(em, 'expire-payment', { transferId });
      return [transferId];
    });
    await carried();
    expect(await transfersOf('expire-payment')).toEqual(ids);
  });

  test('leaves rows of unknown kind to the version that wrote them, and carries the others', async () => {
    run();
    await here.database
      .fork()
      .execute(
        `insert into outbox (kind, name, data, created_at) select 'job', 'not-yet-invented', '{}', now() from generate_series(1, 120)`,
      );
    const ids = await commit('expire-payment');
    await expect.poll(() => transfersOf('expire-payment'), { interval: 5 }).toEqual(ids);
    await expect.poll(left, { interval: 5 }).toBe(120);
  });

  test('leaves remaining rows in the outbox when it is stopped', async () => {
    await run().stop();
    await commit('expire-payment');
    expect(await left()).toBe(1);
    expect(await transfersOf('expire-payment')).toEqual([]);
  });

  /** What a request or job would do: the first try may meet a dead connection. */
  async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
    return vi.waitFor(work, { interval: 20, timeout: 10_000 });
  }
});
