import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { cutConnections, onEveryQueueBackend } from '../../infra/testing/redis.ts';
import { relayTimes as times, useRelayFixture } from '../testing/relay-fixture.ts';
import { OutboxRow } from './outbox.entity.ts';
import { addJob, addPush } from './outbox.ts';

onEveryQueueBackend('the relay', (_backend, start) => {
  const fixture = useRelayFixture(start);

  test('turns a committed row into a job with its data and the default number of attempts', async () => {
    fixture.run();
    const [transferId] = await fixture.commit('expire-payment');
    await fixture.carried();
    const [job, ...more] = await fixture.jobsOf('expire-payment');
    expect(more).toEqual([]);
    expect(job).toMatchObject({
      name: 'expire-payment',
      data: { transferId },
      queueName: 'confirmations',
      attemptsMade: 0,
    });
    expect(job?.opts).toMatchObject({ attempts: 8, backoff: { type: 'custom' } });
  });

  test('never sees a row of a transaction that was rolled back', async () => {
    fixture.run();
    const lost = fixture.here.database.transaction(async (em) => {
      addJob(em, 'expire-payment', { transferId: randomUUID() });
      addPush(em, 'rate-changed', {});
      await em.flush();
      throw new Error('rolled back');
    });
    await expect(lost).rejects.toThrow('rolled back');
    const ids = await fixture.commit('expire-payment');
    await fixture.carried();
    expect(await fixture.transfersOf('expire-payment')).toEqual(ids);
  });

  test('does not take a row before the transaction that wrote it commits', async () => {
    fixture.run();
    fixture.run(fixture.there);
    const writing = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const transferId = randomUUID();
    const slow = fixture.here.database.transaction(async (em) => {
      addJob(em, 'expire-payment', { transferId });
      await em.flush();
      written.resolve();
      await writing.promise;
    });
    await written.promise;
    const others = await fixture.commit('sync-payment', {}, 3);
    await expect.poll(() => fixture.transfersOf('sync-payment'), { interval: 5 }).toHaveLength(others.length);
    expect(await fixture.transfersOf('expire-payment')).toEqual([]);
    writing.resolve();
    await slow;
    await expect.poll(() => fixture.transfersOf('expire-payment'), { interval: 5 }).toEqual([transferId]);
  });

  test('is woken by a commit and does not wait for its next poll', async () => {
    fixture.run(fixture.here, undefined, { ...times, idleMs: 60_000 });
    for (let round = 1; round <= 5; round++) {
      await fixture.commit('expire-payment');
      await expect
        .poll(() => fixture.transfersOf('expire-payment'), { interval: 5, timeout: 10_000 })
        .toHaveLength(round);
    }
  });

  test('takes rows of a process that crashed after its commit', async () => {
    const ids = await fixture.commit('expire-payment');
    fixture.run(fixture.there);
    await fixture.carried();
    expect(await fixture.transfersOf('expire-payment')).toEqual(ids);
  });

  test('gives every row to a queue exactly once, even with another relay running', async () => {
    const adding = [fixture.here, fixture.there].map(({ queues: { confirmations } }) => ({
      singles: vi.spyOn(confirmations, 'add'),
      bulks: vi.spyOn(confirmations, 'addBulk'),
    }));
    const ids = await fixture.commit('sync-payment', {}, 350);
    fixture.run();
    fixture.run(fixture.there);
    const more = await Promise.all(Array.from({ length: 30 }, () => fixture.commit('sync-payment')));
    await fixture.carried();
    const expected = [...ids, ...more.flat()].sort();
    const handed = adding.flatMap(({ singles, bulks }) => [
      ...singles.mock.calls.map(([, data]) => data.transferId),
      ...bulks.mock.calls.flatMap(([bulk]) => bulk.map((job) => job.data.transferId)),
    ]);
    expect(handed.sort()).toEqual(expected);
    expect((await fixture.transfersOf('sync-payment')).sort()).toEqual(expected);
  });

  test('tries again when a queue fails, and keeps the row until then', async () => {
    const failing = vi.spyOn(fixture.here.queues.confirmations, 'add').mockRejectedValue(new Error('queue down'));
    fixture.run();
    const ids = await fixture.commit('expire-payment');
    await expect.poll(() => failing.mock.calls.length, { interval: 5 }).toBeGreaterThan(1);
    expect(await fixture.left()).toBe(1);
    failing.mockRestore();
    await fixture.carried();
    expect(await fixture.transfersOf('expire-payment')).toEqual(ids);
  });

  test('tries again when a queue never answers', async () => {
    const silent = vi.spyOn(fixture.here.queues.confirmations, 'add').mockReturnValueOnce(new Promise(() => {}));
    fixture.run(fixture.here, undefined, { ...times, queueMsMax: 50 });
    const ids = await fixture.commit('expire-payment');
    await fixture.carried();
    expect(silent.mock.calls.length).toBeGreaterThan(1);
    expect(await fixture.transfersOf('expire-payment')).toEqual(ids);
  });

  test('makes no second job when it is killed between the queue and its commit', async () => {
    const { confirmations } = fixture.here.queues;
    const add = confirmations.add.bind(confirmations);
    const dying = vi.spyOn(confirmations, 'add').mockImplementationOnce(async (...job) => {
      await add(...job);
      throw new Error('killed here');
    });
    fixture.run();
    const ids = await fixture.commit('expire-payment', {}, 3);
    await fixture.carried();
    expect(dying.mock.calls.length).toBeGreaterThan(1);
    expect((await fixture.transfersOf('expire-payment')).sort()).toEqual(ids.sort());
  });

  test('continues after every connection was cut', async () => {
    fixture.run();
    const before = await fixture.commit('expire-payment');
    await fixture.carried();
    await cutConnections(fixture.services);
    const after = await retried(() => fixture.commit('expire-payment'));
    await expect
      .poll(() => retried(() => fixture.transfersOf('expire-payment')), { interval: 20, timeout: 15_000 })
      .toHaveLength(2);
    expect((await fixture.transfersOf('expire-payment')).sort()).toEqual([...before, ...after].sort());
  });

  test('keeps a delayed job in the queue until its time', async () => {
    fixture.run();
    const runAt = new Date(Date.now() + 3_600_000);
    await fixture.commit('expire-payment', { runAt });
    await fixture.carried();
    const [job] = await fixture.jobsOf('expire-payment');
    expect(await job?.getState()).toBe('delayed');
    expect(Math.abs((job?.timestamp ?? 0) + (job?.delay ?? 0) - runAt.getTime())).toBeLessThan(5_000);
  });

  test('runs a delayed job at its time and not before, and an overdue one at once', async () => {
    fixture.run();
    const ran = new Map<string, number>();
    const runAt = new Date(Date.now() + 700);
    const [late] = await fixture.commit('expire-payment', { runAt });
    await fixture.commit('expire-payment', { runAt: new Date(Date.now() - 60_000) });
    const worker = fixture.here.work(
      'confirmations',
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
    fixture.run();
    const key = `expire-payment-${randomUUID()}-swept`;
    await fixture.commit('expire-payment', { key }, 2);
    await fixture.carried();
    await fixture.commit('expire-payment', { key });
    await fixture.carried();
    expect(await fixture.jobsOf('expire-payment')).toHaveLength(1);
    const worker = fixture.here.work('confirmations', async () => {});
    await new Promise((resolve) => worker.once('completed', resolve));
    await worker.close();
    await fixture.commit('expire-payment', { key });
    await fixture.carried();
    const [job, ...more] = await fixture.jobsOf('expire-payment');
    expect(more).toEqual([]);
    expect(await job?.getState()).toBe('completed');
  });

  test('sends a push while a queue does not answer', async () => {
    const pushed = Promise.withResolvers<void>();
    vi.spyOn(fixture.here.queues.confirmations, 'add').mockReturnValue(new Promise(() => {}));
    const relay = fixture.run(fixture.here, async () => pushed.resolve(), { ...times, queueMsMax: 300 });
    await fixture.here.database.transaction(async (em) => {
      addJob(em, 'expire-payment', { transferId: randomUUID() });
      addPush(em, 'rate-changed', {});
    });
    await pushed.promise;
    expect(await fixture.here.database.fork().count(OutboxRow, { kind: 'job' })).toBe(1);
    await relay.stop();
  });

  test('deletes rows of several commits together, at the latest when it is stopped', async () => {
    const relay = fixture.run(fixture.here, async () => {}, { ...times, idleMs: 60_000, keptMs: 60_000 });
    const query = vi.spyOn(await fixture.here.database.pool(), 'query');
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push(...(await fixture.commit('expire-payment')));
      await expect
        .poll(() => fixture.transfersOf('expire-payment'), { interval: 5, timeout: 15_000 })
        .toHaveLength(ids.length);
    }
    expect(await fixture.left()).toBe(3);
    await relay.stop();
    expect(await fixture.left()).toBe(0);
    const deleted = query.mock.calls.filter(([text]) => String(text).includes('delete from outbox'));
    expect(deleted).toHaveLength(1);
  });

  test('does not let a failing push delay jobs, even when its query fails', async () => {
    fixture.run(fixture.here, async (em) => {
      await em.execute('select no_such_column');
    });
    const ids = await fixture.here.database.transaction(async (em) => {
      addPush(em, 'rate-changed', {});
      const transferId = randomUUID();
      addJob(em, 'expire-payment', { transferId });
      return [transferId];
    });
    await fixture.carried();
    expect(await fixture.transfersOf('expire-payment')).toEqual(ids);
  });

  test('leaves rows of unknown kind to the version that wrote them, and carries the others', async () => {
    fixture.run();
    await fixture.here.database
      .fork()
      .execute(
        `insert into outbox (kind, name, data, created_at) select 'job', 'not-yet-invented', '{}', now() from generate_series(1, 120)`,
      );
    const ids = await fixture.commit('expire-payment');
    await expect.poll(() => fixture.transfersOf('expire-payment'), { interval: 5 }).toEqual(ids);
    await expect.poll(() => fixture.left(), { interval: 5 }).toBe(120);
  });

  test('leaves remaining rows in the outbox when it is stopped', async () => {
    await fixture.run().stop();
    await fixture.commit('expire-payment');
    expect(await fixture.left()).toBe(1);
    expect(await fixture.transfersOf('expire-payment')).toEqual([]);
  });

  /** What a request or job would do: the first try may meet a dead connection. */
  async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
    return vi.waitFor(work, { interval: 20, timeout: 10_000 });
  }
});
