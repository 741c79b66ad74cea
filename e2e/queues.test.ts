import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { type QueueName, queueNames } from '#core/contracts/jobs';
import type { TransferState } from '#core/transfers/states';
import { onEveryQueueBackend, type QueueServices } from '../infra/testing/redis.ts';
import { countJobs } from '../platform/queues/queues.ts';
import { openTestQueues, type TestQueues } from '../platform/testing/queues.ts';
import { type ApiClient, openPayment, payWithCard, sampleRecipient, signUp } from './api-client.ts';
import { query } from './ledger.ts';
import { openApp, type TestApp } from './test-app.ts';
import { until } from './until.ts';

// All work goes through the queues that the operators' dashboard shows; nothing bypasses them.

/** Jobs of one transfer that is paid, approved and paid out, by their queue. */
const jobsOfOneTransfer: Partial<Record<QueueName, readonly string[]>> = {
  // The payment made, held and succeeded, the charge made and captured.
  'stripe-events': Array(5).fill('handle-stripe-event'),
  screenings: ['screen-names'],
  decisions: ['run-card-operation'],
  payouts: ['run-payout'],
  emails: Array(3).fill('send-email'),
};

onEveryQueueBackend('the queues', (_backend, start) => {
  let services: QueueServices;
  let app: TestApp;
  let queues: TestQueues;
  let sender: ApiClient;
  let recipientId: string;

  beforeAll(async () => {
    services = await start();
    app = await openApp(services);
    queues = await openTestQueues({ databaseUrl: services.database.url, redisUrl: services.redisUrl });
    sender = await signUp(app);
    recipientId = (await sender.call(endpoints.createRecipient, { body: sampleRecipient })).id;
  });
  afterAll(async () => {
    await queues?.close();
    await app?.stack.close();
    await services?.close();
  });

  const reaches = (id: string, state: TransferState) =>
    until(`the transfer is ${state}`, async () => {
      return (await sender.call(endpoints.getTransfer, { params: { id } })).state === state;
    });
  const board = (path: string) => app.admin.request('PUT', `/ops/queues/api/queues/${path}`, { headers: sameOrigin() });
  const sameOrigin = () => ({ origin: new URL(app.url()).origin });

  async function payAndApprove(amount: string): Promise<string> {
    const payment = await openPayment(sender, { amount, recipientId });
    await payWithCard(app.stack.sandboxUrl, payment);
    const { transferId: id } = payment;
    await reaches(id, 'in_review');
    await until('the names are checked', async () => {
      return (await app.admin.call(endpoints.review, { params: { id } })).review.screening.status === 'clear';
    });
    await app.admin.call(endpoints.approve, { params: { id } });
    return id;
  }

  /** Names of the jobs about a transfer that completed, by queue. */
  async function completedAbout(id: string): Promise<Partial<Record<QueueName, string[]>>> {
    const [payment] = await query<{ intent: string }>(
      services.database.url,
      `select payment_intent_id as intent from transfer where id = '${id}'`,
    );
    const events = await query<{ id: string }>(
      services.database.url,
      `select id from stripe_event where payment_intent_id = '${payment?.intent}'`,
    );
    const eventIds = new Set(events.map((event) => event.id));
    const found: Partial<Record<QueueName, string[]>> = {};
    for (const name of queueNames) {
      const jobs = await queues.queues[name].getJobs(['completed']);
      const about = jobs.filter(({ data }) => data.transferId === id || data.id === id || eventIds.has(data.id));
      if (about.length > 0) found[name] = about.map((job) => job.name);
    }
    return found;
  }

  test('have exactly the jobs of one paid and approved transfer', async () => {
    const id = await payAndApprove('100.00');
    await reaches(id, 'completed');
    await expect.poll(() => completedAbout(id), { timeout: 20_000 }).toEqual(jobsOfOneTransfer);
  });

  test('that are paused for payouts stop payouts, also once the queues were emptied, and continue them', {
    timeout: 120_000,
  }, async () => {
    expect((await board('payouts/pause')).status).toBeLessThan(300);
    const id = await payAndApprove('101.00');
    await reaches(id, 'captured');
    if (services.redisUrl) {
      const redis = new Redis(services.redisUrl);
      await redis.flushdb();
      redis.disconnect();
    } else await queues.queues.payouts.obliterate({ force: true });
    // The sweep adds the lost job again, and the worker finds the pause in PostgreSQL.
    const missingUntilRestored = 60_000;
    await until(
      'the lost job is there again',
      async () => (await countJobs(queues.queues.payouts)).waiting > 0,
      missingUntilRestored,
    );
    await expect.poll(() => queues.queues.payouts.isPaused(), { timeout: 30_000 }).toBe(true);
    expect((await app.sandbox.payouts()).filter(({ externalId }) => externalId === id)).toEqual([]);
    expect((await board('payouts/resume')).status).toBeLessThan(300);
    await reaches(id, 'completed');
    expect((await app.sandbox.payouts()).filter(({ externalId }) => externalId === id)).toHaveLength(1);
  });
});
