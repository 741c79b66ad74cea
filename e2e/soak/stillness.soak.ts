import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#platform/database/database';
import { onEveryQueueBackend, type QueueServices } from '../../infra/testing/redis.ts';
import { openTestQueues, type TestQueues } from '../../platform/testing/queues.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../../testing/database.ts';
import { openTestTransfer } from '../../testing/transfers.ts';
import { unfinished } from './stillness.ts';

onEveryQueueBackend('unfinished', (_backend, start) => {
  let services: QueueServices;
  let opened: TestQueues;
  let database: Database;
  beforeAll(async () => {
    services = await start();
    opened = await openTestQueues({ databaseUrl: services.database.url, redisUrl: services.redisUrl });
    database = await openDatabase(services.database.url, { poolMax: 1 });
  });
  afterAll(async () => {
    await database.close();
    await opened.close();
    await services.close();
  });

  const payout = { id: 'bp_1', externalId: randomUUID(), amount: '10.00', status: 'paid', reference: 'BO1' };
  const look = ({ idle = true, returnedAmount = '0.00' } = {}) =>
    unfinished(
      {
        databaseUrl: services.database.url,
        sandbox: { idle: async () => idle, payouts: async () => [{ ...payout, returnedAmount }] },
      },
      Object.values(opened.queues),
    );

  test('names the unfinished work in queues, tables and simulators, and is empty without any', async () => {
    expect(await look()).toEqual({});
    expect(await look({ idle: false })).toEqual({ 'due at the simulators': 1 });
    expect(await look({ returnedAmount: '1.00' })).toEqual({ 'returned payments': 1 });

    const { payouts, maintenance } = opened.queues;
    const add = (options: object) => payouts.add('run-payout', { id: randomUUID(), dispatch: 1 }, options);
    await add({ attempts: 1 });
    const worker = opened.work('payouts', () => Promise.reject(new Error('no')));
    await new Promise((resolve) => worker.once('failed', resolve));
    await worker.close();
    await add({});
    await add({ delay: 60_000 });
    await maintenance.add('sweep-all', {});
    expect(await look()).toEqual({ 'failed run-payout': 1, 'waiting run-payout': 1, 'delayed run-payout': 1 });
    await payouts.obliterate({ force: true });

    const { id: userId } = await createTestUser(database);
    await database.transaction(async (em) => openTestTransfer(em, { userId }));
    expect(await look()).toMatchObject({ 'open operations': 1, 'awaiting_payment transfers': 1 });
  });
});
