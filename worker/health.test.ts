import { afterEach, expect, test } from 'vitest';
import type { Database } from '#platform/database/database';
import { serveHealth } from './health.ts';

let server: Awaited<ReturnType<typeof serveHealth>>;
afterEach(() => server.close());

const databaseThat = (answer: () => Promise<unknown>) =>
  ({ fork: () => ({ execute: answer }) }) as unknown as Pick<Database, 'fork'>;
const reachable = databaseThat(async () => []);
const unreachable = databaseThat(async () => {
  throw new Error('connect ECONNREFUSED db.internal');
});
const ask = async (path: string) => {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return { status: response.status, body: await response.json() };
};

test('a worker is live whatever its back ends do, and ready while the database answers and every queue is worked on', async () => {
  server = await serveHealth(0, reachable, { stoppedQueues: () => [] });
  expect(await ask('/live')).toEqual({ status: 200, body: { status: 'ok' } });
  expect(await ask('/ready')).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect((await ask('/anything')).status).toBe(404);
});

test('a worker is not ready while the database is down, and does not tell why', async () => {
  server = await serveHealth(0, unreachable, { stoppedQueues: () => [] });
  expect((await ask('/live')).status).toBe(200);
  const { status, body } = await ask('/ready');
  expect(status).toBe(503);
  expect(body).toMatchObject({ details: { database: { status: 'down' } } });
  expect(JSON.stringify(body)).not.toContain('db.internal');
});

test('a worker whose queue stopped is not ready and names the queue', async () => {
  server = await serveHealth(0, reachable, { stoppedQueues: () => ['payouts'] });
  expect(await ask('/ready')).toMatchObject({ status: 503, body: { details: { queues: { stopped: ['payouts'] } } } });
});
