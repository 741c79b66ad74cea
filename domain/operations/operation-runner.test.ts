import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { currentRequestId, runForRequest } from '#platform/request-id';
import { untilLockIsAwaited } from '../../infra/testing/lock-waits.ts';
import type { JobContext } from '../job-context.ts';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { cancelTransfer } from '../transfers/cancel.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { OperationRunner } from './operation-runner.ts';

const fixture = usePaymentFixture();

/** A context in which the capture of one payment waits until it is released. */
function whileCapturing(intentId: string, released: Promise<void>): JobContext {
  const { stripe } = fixture.context;
  const paymentIntents = Object.create(stripe.paymentIntents);
  paymentIntents.capture = async (...args: Parameters<typeof stripe.paymentIntents.capture>) => {
    if (args[0] === intentId) await released;
    return stripe.paymentIntents.capture(...args);
  };
  return { ...fixture.context, stripe: Object.assign(Object.create(stripe), { paymentIntents }) } as JobContext;
}

const stateOf = async (id: string) => (await fixture.see(id)).state;

test('an attempt whose provider is slow holds up no other attempt', async () => {
  const [slow, quick] = [await fixture.create(), await fixture.create()];
  const released = Promise.withResolvers<void>();
  const runner = new OperationRunner(whileCapturing(await fixture.intentId(slow), released.promise), 'stripe');
  await runner.take();
  await expect.poll(() => stateOf(quick), { timeout: 15_000, interval: 5 }).toBe('captured');
  const late = await fixture.create();
  await runner.take();
  await expect.poll(() => stateOf(late), { timeout: 15_000, interval: 5 }).toBe('captured');
  expect(await stateOf(slow)).toBe('approved');
  released.resolve();
  await runner.idle();
  expect(await stateOf(slow)).toBe('captured');
});

test('operations beyond the width of a runner follow, each attempted once, also with two runners', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => fixture.create()));
  const runners = [new OperationRunner(fixture.context, 'stripe'), new OperationRunner(fixture.context, 'stripe')];
  await Promise.all(runners.map((runner) => runner.take()));
  await Promise.all(runners.map((runner) => runner.idle()));
  for (const id of ids) {
    expect(await fixture.operations(id, 'capture')).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(await fixture.dueKinds(id)).toEqual(['payout']);
  }
});

test('a runner leaves the operations of the other provider, and those that are not due', async () => {
  const id = await fixture.create({ state: 'captured' });
  const runner = new OperationRunner(fixture.context, 'stripe');
  await runner.take();
  await runner.idle();
  expect(await stateOf(id)).toBe('captured');
  fixture.now = new Date(fixture.now.getTime() - 1_000);
  const early = new OperationRunner(fixture.context, 'bank');
  await early.take();
  await early.idle();
  expect(await stateOf(id)).toBe('captured');
});

test('what a request leads to carries its id: operations and their moves, e-mails, notifications, partner events and pushes', async () => {
  const { database } = fixture;
  const [one, other] = [await fixture.create({ state: 'in_review' }), await fixture.create({ state: 'in_review' })];
  const { userId } = await fixture.see(one);
  const em = database.fork();
  const [sessionId, subscriptionId, endpointId] = [randomUUID(), randomUUID(), randomUUID()];
  await em.execute(
    `insert into session (id, user_id, token_hash, created_at, expires_at) values (?, ?, ?, now(), now() + interval '1 day')`,
    [sessionId, userId, sessionId],
  );
  await em.execute(
    `insert into push_subscription (id, user_id, session_id, endpoint, p256dh, auth, created_at)
       values (?, ?, ?, 'https://push.example/', '', '', now())`,
    [subscriptionId, userId, sessionId],
  );
  await em.execute(
    `insert into webhook_endpoint (id, url, description, events, secret, created_at, created_by_id)
       values (?, 'https://partner.example/', '', ?, '', now(), ?)`,
    [endpointId, '{transfer.approved,transfer.charged,transfer.completed}', userId],
  );
  await Promise.all([
    runForRequest('REQUEST-OF-ONE', () => fixture.approve(one)),
    runForRequest('REQUEST-OF-OTHER', () => fixture.approve(other)),
  ]);
  const during: (string | undefined)[] = [];
  const { stripe } = fixture.context;
  const paymentIntents = Object.create(stripe.paymentIntents);
  paymentIntents.capture = (...args: Parameters<typeof stripe.paymentIntents.capture>) => {
    during.push(currentRequestId());
    return stripe.paymentIntents.capture(...args);
  };
  const context = { ...fixture.context, stripe: Object.assign(Object.create(stripe), { paymentIntents }) };
  for (const provider of ['stripe', 'bank'] as const) {
    const runner = new OperationRunner(context as JobContext, provider);
    // Woken by a request that has nothing to do with it.
    await runForRequest('ANOTHER-REQUEST', () => runner.take());
    await runner.idle();
  }
  expect(during.sort()).toEqual(['REQUEST-OF-ONE', 'REQUEST-OF-OTHER']);
  for (const [id, requestId] of [
    [one, 'REQUEST-OF-ONE'],
    [other, 'REQUEST-OF-OTHER'],
  ]) {
    const rows = await em.execute<{ what: string; request_id: string | null }[]>(
      `with asked as (select ?::uuid as id, ?::text as request_id)
       select kind as what, o.request_id from operation as o, asked where transfer_id = asked.id and kind <> 'authorization'
       union all select kind, m.request_id from mail as m, asked where data ->> 'transferId' = asked.id::text and kind <> 'transfer_held'
       union all select 'notification', w.request_id from web_push as w, asked where transfer_id = asked.id
       union all select event_type, d.request_id from webhook_delivery as d, asked where transfer_id = asked.id
       union all select name, data ->> 'requestId' from outbox as o, asked where data ->> 'transferId' = asked.id::text
         and o.id >= (select min(id) from outbox where data ->> 'requestId' = asked.request_id)`,
      [id, requestId],
    );
    const kinds = new Set(rows.map(({ what }) => what));
    for (const kind of [
      'capture',
      'payout',
      'transfer_approved',
      'notification',
      'transfer.approved',
      'transfer-changed',
    ])
      expect([...kinds], kind).toContain(kind);
    expect(rows.filter(({ request_id }) => request_id !== requestId)).toEqual([]);
  }
});

test('a payout whose transfer is being cancelled waits for that, holds up no other and is not made', async () => {
  const [id, other] = [await fixture.create({ state: 'captured' }), await fixture.create({ state: 'captured' })];
  const { userId } = await fixture.see(id);
  const locked = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const cancelling = fixture.database.transaction(async (em) => {
    await lockTransfer(em, id);
    locked.resolve();
    await taken.promise;
    // It ends the operation, which was taken meanwhile.
    await cancelTransfer(em, id, { senderId: userId, at: fixture.now });
  });
  await locked.promise;
  const runner = new OperationRunner(fixture.context, 'bank');
  await runner.take();
  await untilLockIsAwaited(fixture.database);
  taken.resolve();
  await cancelling;
  await runner.idle();
  expect([await stateOf(id), await stateOf(other)]).toEqual(['refunding', 'completed']);
  expect(fixture.payouts(id)).toEqual([]);
  expect(await fixture.steps(id)).not.toContain('start_payout');
});
