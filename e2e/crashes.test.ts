import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { balances, query, total } from './books.ts';
import { type Caller, CallFailed, openPayment, payWithCard, sampleRecipient, signUp } from './caller.ts';
import { type House, openHouse } from './house.ts';
import { until } from './until.ts';

const paymentCount = 200;
const senderCount = 10;
/** Payments on their way at the same time. */
const width = 8;

let database: TestDatabase;
let house: House;
let senders: { caller: Caller; recipientId: string }[];

beforeAll(async () => {
  database = await createTestDatabase();
  house = await openHouse({ database });
  senders = await Promise.all(
    Array.from({ length: senderCount }, async () => {
      const caller = await signUp(house.url);
      return { caller, recipientId: (await caller.call(endpoints.createRecipient, { body: sampleRecipient })).id };
    }),
  );
});

afterAll(async () => {
  await house?.stack.close();
  await database?.drop();
});

describe('200 payments while api and worker are killed', () => {
  test('every held payment ends in one transfer, every approved one in one capture and one payout', async () => {
    let chaos = true;
    const kills = { api: 0, worker: 0 };
    const killing = (async () => {
      while (chaos) {
        const victim = Math.random() < 0.5 ? 'api' : 'worker';
        await house.stack.kill(victim, 'SIGKILL');
        kills[victim] += 1;
        await house.stack.start(victim);
        await pauseAtRandom();
      }
    })();

    const wanted = new Map<string, 'approve' | 'reject'>();
    await inParallel(paymentCount, width, async (index) => {
      const { caller, recipientId } = senders[index % senderCount] as (typeof senders)[number];
      const key = `payment-${index}`;
      const payment = await persistently(() => openPayment(caller, { amount: '20.00', recipientId, key }));
      const paid = await payWithCard(house.stack.sandboxUrl, payment);
      expect(paid.body.status).toBe('requires_capture');
      // Half of the browsers close right after paying.
      if (index % 2 === 0) {
        await caller
          .call(endpoints.confirmTransaction, { body: { paymentIntentId: payment.paymentIntentId } })
          .catch(() => {});
      }
      const decision = index % 5 === 0 ? 'reject' : 'approve';
      wanted.set(payment.transferId, decision);
      await until(`transfer ${payment.transferId} is in review`, () => isIn(payment.transferId, 'in_review'), 60_000);
      await persistently(() => decide(payment.transferId, decision));
    });
    chaos = false;
    await killing;
    expect(kills.api).toBeGreaterThan(2);
    expect(kills.worker).toBeGreaterThan(2);
    await expectAllSettled(wanted);
  }, 240_000);
});

/** Every decision was carried out exactly once, at Stripe, at the bank and in the books. */
async function expectAllSettled(wanted: Map<string, 'approve' | 'reject'>): Promise<void> {
  const { sandbox } = house;
  await until(
    'every decision is carried out',
    async () => {
      const [open] = await query<{ count: string }>(
        database.url,
        `select count(*) from transfer where state not in ('completed', 'rejected')
           or (state = 'rejected' and hold_released_at is null)`,
      );
      return open?.count === '0';
    },
    90_000,
  );
  const transfers = await query<{ id: string; state: string; payment_intent_id: string; bolivianos_minor: string }>(
    database.url,
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
      amountRefunded: 0,
    });
  }

  const paid = transfers.filter(({ state }) => state === 'completed');
  const payouts = await sandbox.payouts();
  expect(payouts.map(({ externalId }) => externalId).sort()).toEqual(paid.map(({ id }) => id).sort());

  const captures = (await sandbox.events('&type=charge.captured')).length;
  expect(captures).toBe(paid.length);

  const books = await balances(database.url);
  for (const currency of ['EUR', 'BOB']) expect(total(books[currency])).toBe(0n);
  expect(books.EUR?.card_processor).toBe(BigInt(-2000 * paid.length));
  expect(books.BOB?.bank).toBe(paid.reduce((sum, { bolivianos_minor }) => sum + BigInt(bolivianos_minor), 0n));
  expect(books.BOB?.payout_due).toBe(0n);
}

async function isIn(transferId: string, state: string): Promise<boolean> {
  const rows = await query<{ state: string }>(database.url, 'select state from transfer where id = $1', [transferId]);
  return rows[0]?.state === state;
}

async function decide(transferId: string, decision: 'approve' | 'reject'): Promise<void> {
  const params = { id: transferId };
  try {
    await (decision === 'approve'
      ? house.admin.call(endpoints.approve, { params })
      : house.admin.call(endpoints.reject, { params, body: {} }));
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

function pauseAtRandom(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 1800));
}
