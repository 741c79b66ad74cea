import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minuteMs, secondMs } from '#core/time/time';
import {
  deliveryMs,
  maxEndpoints,
  maxFailingMs,
  overlapMs,
  type WebhookEventType,
  webhookEventTypes,
} from '#core/webhooks/events';
import type { JobResult } from '#platform/outbox/row-jobs';
import { NonRetryableError } from '#platform/queues/retry';
import { createTestUser } from '../../testing/accounts.ts';
import { jobsNamed, testStep } from '../../testing/steps.ts';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { makeMove, openTestTransfer, testMoment, transferIn } from '../../testing/transfers.ts';
import { Email } from '../emails/email.entity.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { deliverEvent } from './deliver.ts';
import { signatureOf } from './sign.ts';
import { writeStepEvents } from './step-events.ts';
import { WebhookDelivery } from './webhook.entity.ts';
import {
  createWebhook,
  listDeliveries,
  listWebhooks,
  resendDelivery,
  rotateSecret,
  updateWebhook,
} from './webhooks.ts';

const fixture = useTransferFixture();
let adminId = '';
let now = testMoment;
/** Requests that the partner's server received, and its answers. */
let received: { body: string; headers: IncomingHttpHeaders }[];
let answer: { status: number; headers?: Record<string, string> };
/** A promise that delays the answer to the next request. */
let whenReceived: () => Promise<unknown>;
let receiver: ReturnType<typeof createServer>;
let url = '';

beforeEach(async () => {
  await fixture.asOwner(
    'delete from webhook_delivery; delete from webhook_endpoint; delete from mail; delete from outbox',
  );
  adminId = (await createTestUser(fixture.database, { role: 'admin', name: 'Ana' })).id;
  now = testMoment;
  received = [];
  answer = { status: 200 };
  whenReceived = async () => {};
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
      const end = () => response.writeHead(answer.status, answer.headers).end('thanks');
      whenReceived().then(end, end);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
});

afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

const context = () =>
  ({
    ...{ database: fixture.database, log: pino({ level: 'silent' }), webhooksAnywhere: true },
    now: () => now,
  }) as Partial<JobContext> as JobContext;

const add = (events: readonly WebhookEventType[] = webhookEventTypes, address = url) =>
  fixture.database.transaction((em) =>
    createWebhook(em, { url: address, description: 'Contabilidad', events, adminId, at: now }, { anywhere: true }),
  );
/** Runs the last job of every open delivery. @throws what a job throws. */
const deliver = async (): Promise<JobResult[]> => {
  const open = (await deliveries()).filter(({ nextAttemptAt }) => nextAttemptAt);
  return Promise.all(open.map((job) => deliverEvent(context(), job)));
};
const deliveries = () =>
  fixture.database.fork().find(WebhookDelivery, {}, { orderBy: { createdAt: 'asc', id: 'asc' } });
const webhooks = () => listWebhooks(fixture.database.fork(), now);
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

describe('the events of a transfer', () => {
  test('are written with its moves for each subscribed endpoint, and contain only ids, amounts and the state', async () => {
    await add(['transfer.held', 'transfer.completed']);
    await add(['transfer.held']);
    const { id } = await transferIn(fixture.database, 'completed', { userId: fixture.userId });
    const written = await deliveries();
    expect(written.map(({ eventType }) => eventType).toSorted()).toEqual([
      'transfer.completed',
      'transfer.held',
      'transfer.held',
    ]);
    const held = written.filter(({ eventType }) => eventType === 'transfer.held');
    expect(new Set(held.map(({ eventId }) => eventId)).size).toBe(1);
    expect(held[0]?.body).toEqual({
      ...{ id: held[0]?.eventId, type: 'transfer.held', version: '2026-12-27', created: '2026-11-20T15:00:00.000Z' },
      transfer: {
        ...{ id, state: 'in_review', version: 2, amount: '100.00', currency: 'EUR' },
        ...{ bolivianos: '1291.17', returned: '0.00' },
      },
    });
  });

  test('are not written without an endpoint, for a disabled one, or for a payment that was never authorized', async () => {
    await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    const { webhook } = await add();
    const { id } = await fixture.database.transaction(async (em) => openTestTransfer(em, { userId: fixture.userId }));
    await makeMove(fixture.database, id, 'withdraw');
    const off = { id: webhook.id, description: '', events: webhook.events, enabled: false, at: now };
    await fixture.database.transaction((em) => updateWebhook(em, off));
    await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    expect(await deliveries()).toEqual([]);
  });

  test('are rolled back with the move, and each has a job that names the transfer', async () => {
    await add();
    await add(['transfer.approved']);
    await add(['transfer.rejected']);
    const { id } = await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    await fixture.asOwner('delete from webhook_delivery; delete from outbox');
    const undone = fixture.database.transaction(async (em) => {
      await moveTransfer(em, id, 'approve', { at: now });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect([await deliveries(), await jobsNamed(fixture.database, 'deliver-event')]).toEqual([[], []]);
    await makeMove(fixture.database, id, 'approve');
    const written = await deliveries();
    expect(written).toHaveLength(2);
    expect(await jobsNamed(fixture.database, 'deliver-event')).toEqual(
      expect.arrayContaining(
        written.map((one) => ({
          data: { id: one.id, dispatch: 1, transferId: id },
          jobKey: `deliver-event-${one.id}-1`,
        })),
      ),
    );
  });

  test('are written once per endpoint, and not for steps that do not change the state', async () => {
    await add();
    const transfer = await fixture.database.transaction(async (em) => openTestTransfer(em, { userId: fixture.userId }));
    const tell = (name: string) =>
      fixture.database.transaction((em) => writeStepEvents(em, testStep(transfer, name, { at: now })));
    await tell('attach_intent');
    expect(await deliveries()).toEqual([]);
    await tell('hold');
    await tell('hold');
    expect((await deliveries()).map(({ eventType }) => eventType)).toEqual(['transfer.held']);
    expect(await jobsNamed(fixture.database, 'deliver-event')).toHaveLength(1);
  });
});

describe('a delivery', () => {
  const held = () => transferIn(fixture.database, 'in_review', { userId: fixture.userId });

  test('is signed, has its event in a header too, and is made once', async () => {
    const { secret } = await add();
    await held();
    await deliver();
    await deliver();
    expect(received).toHaveLength(1);
    const [{ body = '', headers = {} } = {}] = received;
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'chasqui-event-id': JSON.parse(body).id });
    expect(headers['chasqui-signature']).toBe(signatureOf(body, [secret], now));
    const [delivered] = await deliveries();
    expect(delivered).toMatchObject({ status: 'delivered', attempts: 1, responseStatus: 200, error: null });
    expect(delivered).toMatchObject({ nextAttemptAt: null, lastAttemptAt: now });
    expect(await deliverEvent(context(), { id: delivered?.id ?? '', dispatch: 1 })).toBeUndefined();
    expect(received).toHaveLength(1);
  });

  test('that fails is retried later with the same event and body until a 2xx answer', async () => {
    await add();
    await held();
    answer = { status: 500 };
    const [again] = await deliver();
    expect(again).toEqual({ at: new Date(now.getTime() + minuteMs / 2), error: 'status 500' });
    const [first] = await deliveries();
    expect(first).toMatchObject({ status: 'pending', attempts: 1, responseStatus: 500, error: 'status' });
    expect(first?.nextAttemptAt).toEqual(again?.at);
    expect((await webhooks())[0]?.failing_since).toBe(now.toISOString());
    expect(await deliver()).toEqual([{ at: again?.at }]);
    expect(received).toHaveLength(1);
    later(minuteMs / 2);
    answer = { status: 204 };
    await deliver();
    expect(received.map(({ body }) => body)).toEqual([received[0]?.body, received[0]?.body]);
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 2, responseStatus: 204 }]);
    expect((await webhooks())[0]?.failing_since).toBeNull();
  });

  test.each([
    [204, 'delivered'],
    [503, 'pending'],
  ])(
    'whose worker died during the attempt is repeated, and the first attempt writes nothing: %i',
    async (second, status) => {
      await add();
      await held();
      const slow = Promise.withResolvers<void>();
      whenReceived = () => slow.promise;
      const first = deliver();
      await expect.poll(() => received.length).toBe(1);
      whenReceived = async () => {};
      answer = { status: second };
      await deliver();
      answer = { status: 500 };
      slow.resolve();
      expect(await first).toEqual([undefined]);
      expect(await deliveries()).toMatchObject([{ status, attempts: 2, responseStatus: second }]);
      expect(received[1]?.body).toBe(received[0]?.body);
    },
  );

  test('that is resent during an attempt is made by its new job, and the attempt writes nothing', async () => {
    await add();
    await held();
    const [{ id = '' } = {}] = await deliveries();
    whenReceived = () => fixture.database.transaction((em) => resendDelivery(em, id, now));
    expect(await deliver()).toEqual([undefined]);
    whenReceived = async () => {};
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: 1, dispatch: 2 }]);
    expect((await jobsNamed(fixture.database, 'deliver-event')).at(-1)?.data).toMatchObject({ id, dispatch: 2 });
    expect(await deliverEvent(context(), { id, dispatch: 1 })).toBeUndefined();
    expect(received).toHaveLength(1);
    await deliver();
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  test('of a slow endpoint does not block the others: its concurrent attempts are limited', async () => {
    await add();
    for (let count = 0; count < 9; count += 1) await held();
    const slow = Promise.withResolvers<void>();
    whenReceived = () => slow.promise;
    const running = (await deliveries()).map((job) => deliverEvent(context(), job));
    expect(await Promise.race(running)).toEqual({ at: new Date(now.getTime() + 5 * secondMs) });
    await expect.poll(() => received.length).toBe(8);
    slow.resolve();
    await Promise.all(running);
    expect((await deliveries()).filter(({ attempts }) => attempts === 0)).toHaveLength(1);
    expect(await deliver()).toEqual([undefined]);
    expect(received).toHaveLength(9);
  });

  test('follows no redirects, and fails if the server is not listening', async () => {
    await add();
    await add(['transfer.held'], 'http://127.0.0.1:9/');
    await held();
    answer = { status: 302, headers: { location: url } };
    await deliver();
    expect(received).toHaveLength(1);
    const errors = (await deliveries()).map(({ error, responseStatus }) => [error, responseStatus]).toSorted();
    expect(errors).toEqual([
      ['connection', null],
      ['status', 302],
    ]);
  });

  test('that keeps failing ends after 72 hours, disables its endpoint and notifies admins once; it can be resent by hand', async () => {
    const { webhook } = await add();
    await held();
    answer = { status: 503 };
    const end = testMoment.getTime() + deliveryMs;
    const attempts = async () => {
      for (let rounds = 0; rounds < 40; rounds += 1) {
        const [again] = await deliver();
        if (again) now = again.at;
      }
    };
    await expect(attempts()).rejects.toThrow(new NonRetryableError('status 503'));
    expect(now.getTime()).toBe(end);
    const [failed] = await deliveries();
    expect(failed).toMatchObject({ status: 'failed', responseStatus: 503 });
    expect(await webhooks()).toMatchObject([{ enabled: false, disabled_because: 'failures' }]);
    const emails = await fixture.database.fork().find(Email, { kind: 'webhook_disabled', userId: adminId });
    expect(emails.map(({ data }) => data)).toEqual([
      { host: new URL(url).host, failingSince: testMoment.toISOString() },
    ]);
    await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    expect(await deliveries()).toHaveLength(1);
    answer = { status: 200 };
    received = [];
    await fixture.database.transaction((em) => resendDelivery(em, failed?.id ?? '', now));
    await deliver();
    expect(received.map(({ body }) => JSON.parse(body).id)).toEqual([failed?.eventId]);
    const page = await listDeliveries(fixture.database.fork(), { endpointId: webhook.id, limit: 10 });
    expect(page.items).toMatchObject([{ status: 'delivered', response_status: 200, next_attempt_at: null }]);
  });

  test('that expires does not change its endpoint if that succeeded recently or was disabled by an admin', async () => {
    const { webhook } = await add();
    await held();
    answer = { status: 503 };
    await fixture.asOwner(`update webhook_delivery set expires_at = '${now.toISOString()}'`);
    await expect(deliver()).rejects.toThrow(new NonRetryableError('status 503'));
    expect(await webhooks()).toMatchObject([{ enabled: true, failing_since: now.toISOString() }]);
    later(maxFailingMs);
    const off = { id: webhook.id, description: '', events: webhook.events, enabled: false, at: now };
    await fixture.database.transaction((em) => updateWebhook(em, off));
    const [{ id = '' } = {}] = await deliveries();
    await fixture.database.transaction((em) => resendDelivery(em, id, now));
    await fixture.asOwner(`update webhook_delivery set expires_at = '${now.toISOString()}'`);
    await expect(deliver()).rejects.toThrow(new NonRetryableError('status 503'));
    expect(await webhooks()).toMatchObject([{ enabled: false, disabled_because: 'admin' }]);
    expect(await fixture.database.fork().count(Email, { kind: 'webhook_disabled' })).toBe(0);
  });

  test('is signed with both secrets for a day after a rotation, then with the new one only', async () => {
    const { webhook, secret: old } = await add();
    const { secret } = await fixture.database.transaction((em) => rotateSecret(em, webhook.id, now));
    expect(secret).not.toBe(old);
    await held();
    await deliver();
    later(overlapMs);
    const [{ id } = { id: '' }] = await deliveries();
    await fixture.database.transaction((em) => resendDelivery(em, id, now));
    await deliver();
    const body = received[0]?.body ?? '';
    expect(received.map(({ headers }) => headers['chasqui-signature'])).toEqual([
      signatureOf(body, [secret, old], testMoment),
      signatureOf(body, [secret], now),
    ]);
  });

  test('of a disabled endpoint is no longer made', async () => {
    const { webhook } = await add();
    await held();
    const off = { id: webhook.id, description: 'x', events: webhook.events, enabled: false, at: now };
    await fixture.database.transaction((em) => updateWebhook(em, off));
    await deliver();
    expect(received).toEqual([]);
    expect(await deliveries()).toMatchObject([{ status: 'stopped' }]);
    const [{ id = '' } = {}] = await deliveries();
    await fixture.database.transaction((em) => resendDelivery(em, id, now));
    whenReceived = () => fixture.database.transaction((em) => updateWebhook(em, off));
    expect(await deliver()).toEqual([undefined]);
    expect(await deliveries()).toMatchObject([{ status: 'stopped', responseStatus: null }]);
  });
});

test('a forbidden address is rejected, and so are more endpoints than the maximum', async () => {
  const input = { url: 'https://10.0.0.1/', description: '', events: ['transfer.held'] as const, adminId, at: now };
  const create = (address: string, anywhere: boolean) =>
    fixture.database.transaction((em) => createWebhook(em, { ...input, url: address }, { anywhere }));
  await expect(create('https://10.0.0.1/', false)).rejects.toMatchObject({ code: 'invalid_input' });
  for (let count = 0; count < maxEndpoints; count += 1) await create(url, true);
  await expect(create(url, true)).rejects.toMatchObject({ code: 'invalid_input' });
});
