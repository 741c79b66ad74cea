import { expect } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { type ApiClient, CallFailed, openPayment, payWithCard, sampleRecipient, signUp } from './api-client.ts';
import { balances, query, total } from './ledger.ts';
import type { TestApp } from './test-app.ts';
import { until } from './until.ts';

const senderCount = 10;
/** Payments in progress at the same time. */
const width = 8;

/** What was decided about every transfer. */
type Decisions = Map<string, 'approve' | 'reject'>;

/** How far the payments are. */
export interface Progress {
  /** Payments whose decision was accepted. */
  decided: number;
  /** Until all are decided. */
  paying: boolean;
}

/** Makes `count` payments and decides about each, while `disturb` runs beside them; it has to end when they are done. */
export async function payWhileDisturbed(
  app: TestApp,
  count: number,
  disturb: (progress: Progress) => Promise<void>,
): Promise<Decisions> {
  const senders = await Promise.all(
    Array.from({ length: Math.min(senderCount, count) }, async () => {
      const client = await signUp(app.url);
      return { client, recipientId: (await client.call(endpoints.createRecipient, { body: sampleRecipient })).id };
    }),
  );
  const progress: Progress = { decided: 0, paying: true };
  const disturbing = disturb(progress);
  const decisions: Decisions = new Map();
  await inParallel(count, width, async (index) => {
    const { client, recipientId } = senders[index % senders.length] as (typeof senders)[number];
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
    progress.decided += 1;
  });
  progress.paying = false;
  await disturbing;
  return decisions;
}

/** Waits for the end, then asserts that every decision was carried out exactly once at Stripe, at the bank and in the ledger. */
export async function expectDecisionsCarriedOut(
  { sandbox, databaseUrl }: TestApp,
  decisions: Decisions,
): Promise<void> {
  await until(
    'every decision is carried out',
    async () => {
      const [open] = await query<{ count: string }>(
        databaseUrl,
        `select count(*) from transfer where state not in ('completed', 'rejected')
           or (state = 'rejected' and authorization_voided_at is null)`,
      );
      return open?.count === '0';
    },
    90_000,
  );
  const transfers = await query<{ id: string; state: string; payment_intent_id: string; bolivianos_minor: string }>(
    databaseUrl,
    'select id, state, payment_intent_id, bolivianos_minor from transfer',
  );
  const expected = [...decisions].map(([id, decision]) => [id, decision === 'approve' ? 'completed' : 'rejected']);
  expect(new Map(transfers.map(({ id, state }) => [id, state]))).toEqual(new Map(expected as [string, string][]));

  const intents = new Map((await sandbox.intents()).map((intent) => [intent.id, intent]));
  expect(intents.size).toBe(transfers.length);
  for (const { id, state, payment_intent_id } of transfers) {
    const intent = intents.get(payment_intent_id);
    expect(intent).toMatchObject({
      transferId: id,
      status: state === 'completed' ? 'succeeded' : 'canceled',
      amountReceived: state === 'completed' ? 2000 : 0,
      // Stripe reports a cancelled hold as refunded, though nothing was received.
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
    // Our own decision was committed before its answer was lost.
    if (!(error instanceof CallFailed && error.code === 'already_decided')) throw error;
  }
}

/** Repeats a call while the api does not answer, as a user would. @throws what the api refuses. */
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
