import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { startQueueServices } from '../../infra/testing/redis.ts';
import type { Push } from '../live/push.ts';
import { relayTimes as times, useRelayFixture } from '../testing/relay-fixture.ts';
import { addPush } from './outbox.ts';

// Pushes bypass the queues, so the queues' backend makes no difference.
const fixture = useRelayFixture(() => startQueueServices(false));

test('hands a push over at once, and together those that follow soon after it', async () => {
  const batches: number[] = [];
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const push: Push = async (_, rows) => {
    (batches.push(rows.length) === 1 ? first : second).resolve();
  };
  fixture.run(fixture.here, push, { ...times, pushPauseMs: 2_000 });
  const commit = () => fixture.here.database.transaction(async (em) => addPush(em, 'rate-changed', {}));
  await commit();
  await first.promise;
  await commit();
  await commit();
  await second.promise;
  expect(batches).toEqual([1, 2]);
});

test('hands the pushes of a batch over together, after the commit that wrote them', async () => {
  const pushed: string[][] = [];
  fixture.run(fixture.here, async (em, rows) => {
    await em.execute('select 1');
    pushed.push(rows.map((row) => row.name));
  });
  await fixture.here.database.transaction(async (em) => {
    addPush(em, 'rate-changed', {});
    addPush(em, 'transfer-changed', { transferId: randomUUID() });
  });
  await fixture.carried();
  expect(pushed).toEqual([['rate-changed', 'transfer-changed']]);
});

test('hands over rows of this process as they were committed, without taking them from the table first', async () => {
  const free: { name: string }[] = [];
  fixture.run(fixture.here, async () => {
    free.push(
      ...(await fixture.there.database
        .fork()
        .execute<{ name: string }[]>('select name from outbox for update skip locked')),
    );
  });
  await fixture.here.database.transaction(async (em) => addPush(em, 'rate-changed', {}));
  await fixture.carried();
  expect(free).toEqual([{ name: 'rate-changed' }]);
});

test('leaves fresh rows to the process that committed them, and takes older ones', async () => {
  const pushed: string[] = [];
  const release = Promise.withResolvers<void>();
  fixture.run(fixture.here, async () => {
    pushed.push('here');
    await release.promise;
  });
  const looking = vi.spyOn(fixture.there.database, 'fork');
  fixture.run(fixture.there, async () => void pushed.push('there'), { ...times, idleMs: 20, restMs: 60_000 });
  // The first look, at the start, takes whatever was written until that millisecond.
  await expect.poll(() => looking.mock.calls.length, { interval: 5 }).toBeGreaterThan(1);
  await fixture.here.database.transaction(async (em) => addPush(em, 'rate-changed', {}));
  const before = looking.mock.calls.length;
  await expect.poll(() => looking.mock.calls.length, { interval: 5 }).toBeGreaterThan(before + 2);
  expect(pushed).toEqual(['here']);
  await fixture.here.database.fork().execute(`update outbox set created_at = now() - interval '2 minutes'`);
  await expect.poll(() => pushed, { interval: 5 }).toEqual(['here', 'there']);
  release.resolve();
  await fixture.carried();
});
