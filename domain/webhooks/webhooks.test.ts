import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '#core/time/time';
import { deliveryMs, endpointsMost, overlapMs, type WebhookEventType, webhookEventTypes } from '#core/webhooks/events';
import { dueNoted } from '#platform/outbox/outbox';
import type { JobContext } from '../job-context.ts';
import { Email } from '../notifications/email.entity.ts';
import { createTestUser } from '../testing/accounts.ts';
import { useTransferFixture } from '../testing/transfer-fixture.ts';
import { makeMove, openTestTransfer, testMoment, transferIn } from '../testing/transfers.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { deliverDueEvents } from './deliver.ts';
import { hasDueDeliveries, takeDueDeliveries, writeAttempt } from './due-deliveries.repository.ts';
import { signatureOf } from './sign.ts';
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
/** What the partner's server got, and what it answers. */
let received: { body: string; headers: IncomingHttpHeaders }[];
let answer: { status: number; headers?: Record<string, string> };
let receiver: ReturnType<typeof createServer>;
let url = '';

beforeEach(async () => {
  await fixture.asOwner('delete from webhook_delivery; delete from webhook_endpoint; delete from mail');
  adminId = (await createTestUser(fixture.database, { role: 'admin', name: 'Ana' })).id;
  now = testMoment;
  received = [];
  answer = { status: 200 };
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
      response.writeHead(answer.status, answer.headers).end('thanks');
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
const deliver = () => deliverDueEvents(context());
const deliveries = () =>
  fixture.database.fork().find(WebhookDelivery, {}, { orderBy: { createdAt: 'asc', id: 'asc' } });
const webhooks = () => listWebhooks(fixture.database.fork(), now);
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

describe('the events of a transfer', () => {
  test('are written with its moves for each endpoint that wants them, and hold ids, amounts and the state alone', async () => {
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

  test('are none without an endpoint, none of one that is switched off, and none of a payment that was never held', async () => {
    await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    const { webhook } = await add();
    const { id } = await fixture.database.transaction(async (em) => openTestTransfer(em, { userId: fixture.userId }));
    await makeMove(fixture.database, id, 'withdraw');
    const off = { id: webhook.id, description: '', events: webhook.events, enabled: false, at: now };
    await fixture.database.transaction((em) => updateWebhook(em, off));
    await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    expect(await deliveries()).toEqual([]);
  });

  test('are undone with the move, and only a move that wrote some wakes who sends them', async () => {
    const { id } = await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    const noted: boolean[] = [];
    const approve = (end: () => void) =>
      fixture.database.transaction(async (em) => {
        await moveTransfer(em, id, 'approve', { at: now });
        noted.push(dueNoted(em).has('webhooks-due'));
        end();
      });
    const fail = () => {
      throw new Error('undone');
    };
    await expect(approve(fail)).rejects.toThrow('undone');
    await add();
    await expect(approve(fail)).rejects.toThrow('undone');
    expect(await deliveries()).toEqual([]);
    await approve(() => {});
    expect(noted).toEqual([false, true, true]);
    expect(await deliveries()).toHaveLength(1);
  });
});

describe('a delivery', () => {
  const held = () => transferIn(fixture.database, 'in_review', { userId: fixture.userId });

  test('is signed, says its event in a header too, and is made once', async () => {
    const { secret } = await add();
    await held();
    await deliver();
    await deliver();
    expect(received).toHaveLength(1);
    const [{ body = '', headers = {} } = {}] = received;
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'chasqui-event-id': JSON.parse(body).id });
    expect(headers['chasqui-signature']).toBe(signatureOf(body, [secret], now));
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 1, responseStatus: 200, error: null }]);
    expect(await hasDueDeliveries(fixture.database.fork(), now)).toBe(false);
  });

  test('that fails is tried again later with the same event and the same body, and an answer of 2xx ends it', async () => {
    await add();
    await held();
    answer = { status: 500 };
    await deliver();
    const [first] = await deliveries();
    expect(first).toMatchObject({ status: 'pending', attempts: 1, responseStatus: 500, error: 'status' });
    expect(first?.nextAttemptAt).toEqual(new Date(now.getTime() + minuteMs / 2));
    expect((await webhooks())[0]?.failing_since).toBe(now.toISOString());
    await deliver();
    expect(received).toHaveLength(1);
    later(minuteMs / 2);
    answer = { status: 204 };
    await deliver();
    expect(received.map(({ body }) => body)).toEqual([received[0]?.body, received[0]?.body]);
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 2, responseStatus: 204 }]);
    expect((await webhooks())[0]?.failing_since).toBeNull();
  });

  test('of a process that died in the attempt is made again after its lease, and what the first one says late changes nothing', async () => {
    await add();
    await held();
    const take = () => fixture.database.statement((em) => takeDueDeliveries(em, { now, leaseMs: minuteMs, each: 8 }));
    const [lost] = await take();
    if (!lost) throw new Error('nothing was due');
    expect(await take()).toEqual([]);
    later(minuteMs);
    await deliver();
    const result = {
      responseStatus: 500,
      error: 'status',
      nextAttemptAt: new Date(now.getTime() + hourMs),
      at: now,
    } as const;
    expect(await fixture.database.statement((em) => writeAttempt(em, lost, result))).toBeUndefined();
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  test('follows no redirect, and one of a server that does not listen fails', async () => {
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

  test('that nobody takes ends after 72 hours, switches its endpoint off and tells admins once; by hand it is sent again', async () => {
    const { webhook } = await add();
    await held();
    answer = { status: 503 };
    const end = testMoment.getTime() + deliveryMs;
    for (let rounds = 0; now.getTime() <= end && rounds < 40; rounds += 1) {
      await deliver();
      const [delivery] = await deliveries();
      if (!delivery?.nextAttemptAt) break;
      now = delivery.nextAttemptAt;
    }
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

  test('is signed with both secrets for a day after a new one was made, then with the new one alone', async () => {
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

  test('of an endpoint that is switched off is not made any more', async () => {
    const { webhook } = await add();
    await held();
    const off = { id: webhook.id, description: 'x', events: webhook.events, enabled: false, at: now };
    await fixture.database.transaction((em) => updateWebhook(em, off));
    await deliver();
    expect(received).toEqual([]);
    expect(await deliveries()).toMatchObject([{ status: 'stopped' }]);
  });
});

test('an address that may not be called is refused, and so are more of them than there may be', async () => {
  const input = { url: 'https://10.0.0.1/', description: '', events: ['transfer.held'] as const, adminId, at: now };
  const create = (address: string, anywhere: boolean) =>
    fixture.database.transaction((em) => createWebhook(em, { ...input, url: address }, { anywhere }));
  await expect(create('https://10.0.0.1/', false)).rejects.toMatchObject({ code: 'invalid_input' });
  for (let count = 0; count < endpointsMost; count += 1) await create(url, true);
  await expect(create(url, true)).rejects.toMatchObject({ code: 'invalid_input' });
});
