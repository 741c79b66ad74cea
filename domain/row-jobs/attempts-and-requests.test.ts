import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { currentRequestId, runForRequest } from '#platform/request-id';
import { untilLockIsAwaited } from '../../infra/testing/lock-waits.ts';
import { attemptNow } from '../../testing/operations.ts';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { cancelTransfer } from '../payouts/cancel.ts';
import { Operation } from '../provider-calls/operation.entity.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';

const fixture = usePaymentFixture();

test('everything that a request causes carries its id: operations and their moves, e-mails, notifications, partner events and pushes', async () => {
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
  for (const kind of ['capture', 'payout']) {
    const rows = await em.find(OutboxRow, {
      kind: 'job',
      name: kind === 'payout' ? 'run-payout' : 'run-card-operation',
    });
    for (const { data } of rows) {
      const [operation] = await em.find(Operation, { id: String(data.id), kind: kind as never });
      if (operation) await runForRequest(String(data.requestId), () => attemptNow(context as JobContext, operation.id));
    }
  }
  expect(during.sort()).toEqual(['REQUEST-OF-ONE', 'REQUEST-OF-OTHER']);
  for (const [id, requestId] of [
    [one, 'REQUEST-OF-ONE'],
    [other, 'REQUEST-OF-OTHER'],
  ]) {
    const rows = await em.execute<{ what: string; request_id: string | null }[]>(
      `with params as (select ?::uuid as id, ?::text as request_id)
       select kind as what, o.request_id from operation as o, params where transfer_id = params.id and kind <> 'authorization'
       union all select kind, m.request_id from mail as m, params where data ->> 'transferId' = params.id::text and kind <> 'transfer_held'
       union all select 'notification', w.request_id from web_push as w, params where transfer_id = params.id
       union all select event_type, d.request_id from webhook_delivery as d, params where transfer_id = params.id
       union all select name, data ->> 'requestId' from outbox as o, params where data ->> 'transferId' = params.id::text
         and o.id >= (select min(id) from outbox where data ->> 'requestId' = params.request_id)`,
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

test('a payout waits for a concurrent cancellation of its transfer, does not block others and is not made', async () => {
  const [id, other] = [await fixture.create({ state: 'captured' }), await fixture.create({ state: 'captured' })];
  const { userId } = await fixture.see(id);
  const locked = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const cancelling = fixture.database.transaction(async (em) => {
    await lockTransfer(em, id);
    locked.resolve();
    await taken.promise;
    // Ends the operation, whose attempt has started in the meantime.
    await cancelTransfer(em, id, { senderId: userId, at: fixture.now });
  });
  await locked.promise;
  const attempting = Promise.all([fixture.run(id, 'payout'), fixture.run(other, 'payout')]);
  await untilLockIsAwaited(fixture.database);
  taken.resolve();
  await cancelling;
  await attempting;
  expect((await fixture.see(id)).state).toBe('refunding');
  expect((await fixture.see(other)).state).toBe('completed');
  expect(fixture.payouts(id)).toEqual([]);
  expect(await fixture.steps(id)).not.toContain('start_payout');
});
