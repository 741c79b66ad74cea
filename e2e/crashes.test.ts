import { expect, onTestFinished, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { createTestDatabase } from '../infra/testing/database.ts';
import { startTestDatabaseServer } from '../infra/testing/database-server.ts';
import { type ApiClient, CallFailed, openPayment, payWithCard, sampleRecipient, signUp } from './api-client.ts';
import { balances, query, total } from './ledger.ts';
import { busySweeps, openApp, type TestApp } from './test-app.ts';
import { until } from './until.ts';

const senderCount = 10;
/** Payments on their way at the same time. */
const width = 8;

test('200 payments while api and worker are killed at random moments', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const app = await openAppOn(database);
  const kills = { api: 0, worker: 0 };
  const wanted = await payThroughTrouble(app, 200, async () => {
    const victim = Math.random() < 0.5 ? 'api' : 'worker';
    await app.stack.kill(victim, 'SIGKILL');
    kills[victim] += 1;
    await app.stack.start(victim);
    await pauseAtRandom(500, 4000);
  });
  expect(Math.min(kills.api, kills.worker)).toBeGreaterThan(2);
  await expectAllSettled(app, wanted);
}, 300_000);

test('120 payments while PostgreSQL crashes and restarts', async () => {
  const server = await startTestDatabaseServer();
  onTestFinished(() => server.close());
  const app = await openAppOn(server.database);
  let restarts = 0;
  const wanted = await payThroughTrouble(app, 120, async () => {
    await (restarts % 2 === 0 ? server.crash() : server.stop());
    restarts += 1;
    await server.resume();
    await pauseAtRandom(1500, 4000);
  });
  expect(restarts).toBeGreaterThan(1);
  await expectAllSettled(app, wanted);
}, 300_000);

async function openAppOn(database: { url: string }): Promise<TestApp> {
  const app = await openApp({ database, env: busySweeps });
  onTestFinished(() => app.stack.close());
  app.stack.showLogOnFailure();
  return app;
}

/** What every transfer was decided to be. */
type Decisions = Map<string, 'approve' | 'reject'>;

/** Many people pay and an admin decides, while `trouble` happens again and again at random moments. */
async function payThroughTrouble(app: TestApp, count: number, trouble: () => Promise<void>): Promise<Decisions> {
  const senders = await Promise.all(
    Array.from({ length: senderCount }, async () => {
      const client = await signUp(app.url);
      return { client, recipientId: (await client.call(endpoints.createRecipient, { body: sampleRecipient })).id };
    }),
  );
  let paying = true;
  const troubling = (async () => {
    while (paying) await trouble();
  })();
  const decisions: Decisions = new Map();
  await inParallel(count, width, async (index) => {
    const { client, recipientId } = senders[index % senderCount] as (typeof senders)[number];
    const key = `payment-${index}`;
    const payment = await persistently(() => openPayment(client, { amount: '20.00', recipientId, key }));
    const paid = await payWithCard(app.stack.sandboxUrl, payment);
    expect(paid.body.status).toBe('requires_capture');
    // Half of the browsers close right after paying.
    if (index % 2 === 0) {
      const body = { paymentIntentId: payment.paymentIntentId };
      await client.call(endpoints.confirmTransaction, { body }).catch(() => {});
    }
    const decision = index % 5 === 0 ? 'reject' : 'approve';
    decisions.set(payment.transferId, decision);
    const params = { id: payment.transferId };
    await until(
      `transfer ${payment.transferId} is in review`,
      async () => (await client.call(endpoints.getTransfer, { params })).state === 'in_review',
      120_000,
    );
    await persistently(() => decide(app.admin, payment.transferId, decision));
  });
  paying = false;
  await troubling;
  return decisions;
}

/** Every decision was carried out exactly once, at Stripe, at the bank and in the books. */
async function expectAllSettled({ sandbox, databaseUrl }: TestApp, wanted: Decisions): Promise<void> {
  await until(
    'every decision is carried out',
    async () => {
      const [open] = await query<{ count: string }>(
        databaseUrl,
        `select count(*) from transfer where state not in ('completed', 'rejected')
           or (state = 'rejected' and hold_released_at is null)`,
      );
      return open?.count === '0';
    },
    90_000,
  );
  const transfers = await query<{ id: string; state: string; payment_intent_id: string; bolivianos_minor: string }>(
    databaseUrl,
    'select id, state, payment_intent_id, bolivianos_minor from transfer',
  );
  const expected = [...wanted].map(([id, decision]) => [id, decision === 'approve' ? 'completed' : 'rejected']);
  expect(new Map(transfers.map(({ id, state }) => [id, state]))).toEqual(new Map(expected as [string, string][]));

  const intents = new Map((await sandbox.intents()).map((intent) => [intent.id, intent]));
  expect(intents.size).toBe(transfers.length);
  for (const { id, state, payment_intent_id } of transfers) {
    const intent = intents.get(payment_intent_id);
    expect(intent).toMatchObject({
      transferId: id,
      status: state === 'completed' ? 'succeeded' : 'canceled',
      amountReceived: state === 'completed' ? 2000 : 0,
      // Stripe counts a released hold as refunded, though nothing was received.
      amountRefunded: state === 'completed' ? 0 : 2000,
    });
  }

  const paid = transfers.filter(({ state }) => state === 'completed');
  const payouts = await sandbox.payouts();
  expect(payouts.map(({ externalId }) => externalId).sort()).toEqual(paid.map(({ id }) => id).sort());

  const captures = (await sandbox.events('&type=charge.captured')).length;
  expect(captures).toBe(paid.length);

  const books = await balances(databaseUrl);
  for (const currency of ['EUR', 'BOB']) expect(total(books[currency])).toBe(0n);
  expect(books.EUR?.card_processor).toBe(BigInt(-2000 * paid.length));
  expect(books.BOB?.bank).toBe(paid.reduce((sum, { bolivianos_minor }) => sum + BigInt(bolivianos_minor), 0n));
  expect(books.BOB?.payout_due).toBe(0n);
}

async function decide(admin: ApiClient, transferId: string, decision: 'approve' | 'reject'): Promise<void> {
  const params = { id: transferId };
  try {
    await (decision === 'approve'
      ? admin.call(endpoints.approve, { params })
      : admin.call(endpoints.reject, { params, body: {} }));
  } catch (error) {
    // Ours was carried out before its answer was lost.
    if (!(error instanceof CallFailed && error.code === 'already_decided')) throw error;
  }
}

/** As a person would: tries again while nobody answers. @throws what the api refuses. */
async function persistently<Result>(act: () => Promise<Result>): Promise<Result> {
  let refusal: unknown;
  const answer = await until(
    'the api answers',
    async () => {
      try {
        return { result: await act() };
      } catch (error) {
        if (!(error instanceof CallFailed && error.status < 500)) return false;
        refusal = error;
        return {};
      }
    },
    60_000,
  );
  if ('result' in answer) return answer.result as Result;
  throw refusal;
}

async function inParallel(count: number, lanes: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

function pauseAtRandom(leastMs: number, mostMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, leastMs + Math.random() * (mostMs - leastMs)));
}
