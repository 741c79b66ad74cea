import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '#core/contracts/failures';
import { hourMs, minuteMs } from '#core/time/time';
import { referenceOf } from '#core/transfers/reference';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import type { JobResult } from '#platform/outbox/row-jobs';
import { NonRetryableError } from '#platform/queues/retry';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { jobsNamed, testStep } from '../../testing/steps.ts';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { makeMove, openTestTransfer, testMoment, transferIn } from '../../testing/transfers.ts';
import { purgeExpired } from '../../worker/retention/retention.ts';
import { setLocale } from '../accounts/account.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { removePersonalData } from '../own-account/closing.repository.ts';
import { endOtherSessions, endSession, endSessions, openSession } from '../sign-in/session.repository.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { isKnownPushService, readSubscription, sendToBrowser } from '../web-pushes/push-service.ts';
import { PushSubscription, WebPush } from '../web-pushes/web-push.entity.ts';
import { keepSubscription, maxSubscriptions, removeSubscription } from '../web-pushes/web-push.repository.ts';
import type { WebPushText } from '../web-pushes/web-push-texts.ts';
import { noteNewsRead } from './news.repository.ts';
import { sendWebPush } from './send-web-push.ts';
import { writeStepWebPushes } from './step-web-pushes.ts';

const fixture = useTransferFixture();
const { PUSH_PUBLIC_KEY: publicKey, PUSH_PRIVATE_KEY: privateKey } = testEnvironment;
const services = { hosts: ['fcm.googleapis.com', '*.push.apple.com'], anywhere: true };

let userId = '';
let now = testMoment;
/** Requests that the push service received, and its answers. */
let received: { path: string; body: Buffer; headers: IncomingHttpHeaders }[];
let answer = 201;
let whenReceived: () => Promise<unknown>;
let pushService: ReturnType<typeof createServer>;
let url = '';

beforeEach(async () => {
  await fixture.asOwner('delete from push_subscription');
  await fixture.database.fork().nativeDelete(OutboxRow, {});
  userId = (await createTestUser(fixture.database)).id;
  await fixture.database.fork().execute(`update app_user set news_read_until = '2026-01-01' where id = ?`, [userId]);
  now = testMoment;
  answer = 201;
  received = [];
  whenReceived = async () => {};
  pushService = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', body: Buffer.concat(chunks), headers: request.headers });
      const [now, end] = [whenReceived, () => response.writeHead(answer).end()];
      whenReceived = async () => {};
      now().then(end, end);
    });
  });
  await new Promise<void>((resolve) => pushService.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`;
});

afterEach(async () => {
  pushService.closeAllConnections();
  await new Promise((resolve) => pushService.close(resolve));
});

/** A signed-in browser that is subscribed. */
async function turnOn(of = userId, { endpoint = `${url}/${randomUUID()}`, at = now } = {}) {
  const keys = createECDH('prime256v1');
  const p256dh = keys.generateKeys('base64url');
  const auth = randomBytes(16);
  const sessionId = await fixture.database.transaction(async (em) => {
    const device = { browser: null, system: null };
    const expiresAt = new Date(at.getTime() + 12 * hourMs);
    const { id } = openSession(em, { device, userId: of, secret: randomUUID(), at, expiresAt, factorAt: null });
    await em.flush();
    const subscription = { endpoint, p256dh, auth: auth.toString('base64url') };
    await keepSubscription(em, { ...subscription, userId: of, sessionId: id, at });
    return id;
  });
  return { sessionId, endpoint, read: (body: Buffer) => JSON.parse(decrypt(body, keys, auth)) };
}

/** Decrypts a one-record message as a browser does (RFC 8188 and RFC 8291). */
function decrypt(body: Buffer, keys: ReturnType<typeof createECDH>, auth: Buffer): string {
  const [salt, theirs] = [body.subarray(0, 16), body.subarray(21, 86)];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), theirs]);
  const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(theirs), auth, info, 32));
  const derived = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));
  const sealed = body.subarray(86);
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

const subject = 'mailto:avisos@localhost';
const context = () =>
  ({
    ...{ database: fixture.database, log: pino({ level: 'silent' }), now: () => now },
    push: { publicKey, privateKey, subject, ...services },
  }) as Partial<JobContext> as JobContext;
/** Runs the last job of every open notification. @throws what a job throws. */
async function send(): Promise<JobResult[]> {
  const open = (await written()).filter(({ nextAttemptAt }) => nextAttemptAt);
  return Promise.all(open.map((job) => sendWebPush(context(), job)));
}
const approved = async (of = userId) => (await transferIn(fixture.database, 'approved', { userId: of })).id;
const written = () => fixture.database.fork().find(WebPush, {}, { orderBy: { createdAt: 'asc', key: 'asc' } });
const subscriptions = () => fixture.database.fork().find(PushSubscription, {}, { orderBy: { createdAt: 'asc' } });
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

describe('the notification of a step', () => {
  test('is sent encrypted to each browser of the sender, and names neither person nor amount', async () => {
    const [phone, computer] = [await turnOn(), await turnOn()];
    await turnOn((await createTestUser(fixture.database)).id);
    const id = await approved();
    await send();
    expect(received.map(({ path }) => `${url}${path}`).toSorted()).toEqual([phone.endpoint, computer.endpoint].sort());
    const [first] = received;
    const reader = first?.path && phone.endpoint.endsWith(first.path) ? phone : computer;
    expect(reader.read(first?.body ?? Buffer.alloc(0))).toEqual({
      title: 'Aprobamos tu envío',
      body: `Envío ${referenceOf(id)}. Toca para verlo.`,
      lang: 'es',
      tag: expect.stringContaining(`${id}-3-`),
      address: `/dashboard?envio=${id}`,
      at: testMoment.getTime(),
    });
    expect(first?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' });
    expect(first?.headers.authorization).toContain(publicKey);
    // A sent one stays sent.
    await send();
    expect(received).toHaveLength(2);
    expect(await written()).toMatchObject([{ sentAt: now }, { sentAt: now }]);
  });

  test('is in the language that the sender reads when it is sent', async () => {
    const { read } = await turnOn();
    await approved();
    await setLocale(fixture.database.fork(), userId, 'en');
    await send();
    expect(read(received[0]?.body ?? Buffer.alloc(0))).toMatchObject({
      title: 'We approved your transfer',
      lang: 'en',
    });
  });

  test('is written for news only, with a job that names its transfer, and rolled back with the step', async () => {
    await turnOn();
    const { id } = await fixture.database.transaction(async (em) => openTestTransfer(em, { userId }));
    await makeMove(fixture.database, id, 'hold');
    expect([await written(), await jobsNamed(fixture.database, 'send-web-push')]).toEqual([[], []]);
    const undone = fixture.database.transaction(async (em) => {
      await moveTransfer(em, id, 'approve', { at: now });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect([await written(), await jobsNamed(fixture.database, 'send-web-push')]).toEqual([[], []]);
    await makeMove(fixture.database, id, 'approve');
    const [push, ...more] = await written();
    expect([push?.kind, more]).toEqual(['approved', []]);
    expect(await jobsNamed(fixture.database, 'send-web-push')).toEqual([
      { data: { id: push?.id, dispatch: 1, transferId: id }, jobKey: `send-web-push-${push?.id}-1` },
    ]);
  });

  test('is written once, only in states in which the step is news', async () => {
    await turnOn();
    const transfer = await transferIn(fixture.database, 'in_review', { userId });
    const tell = (name: string, state: 'in_review' | 'completed') => {
      const step = testStep(transfer, name, { after: { state } });
      return fixture.database.transaction((em) => writeStepWebPushes(em, step));
    };
    await tell('count_bank_returns', 'in_review');
    await tell('toString', 'completed');
    expect(await written()).toEqual([]);
    await tell('count_bank_returns', 'completed');
    await tell('count_bank_returns', 'completed');
    expect((await written()).map(({ kind }) => kind)).toEqual(['deposit_partly_returned']);
    expect(await jobsNamed(fixture.database, 'send-web-push')).toHaveLength(1);
  });

  test('is skipped for a browser that is being removed, and the step succeeds', async () => {
    const { sessionId } = await turnOn();
    const { id } = await transferIn(fixture.database, 'in_review', { userId });
    const isWaiting = async () => {
      const [row] = await fixture.database
        .fork()
        .execute<{ waiting: boolean }[]>(
          `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waiting`,
        );
      return row?.waiting;
    };
    let approving: Promise<unknown> = Promise.resolve();
    await fixture.database.transaction(async (em) => {
      await removeSubscription(em, sessionId);
      approving = makeMove(fixture.database, id, 'approve');
      await expect.poll(isWaiting, { timeout: 10_000, interval: 20 }).toBe(true);
    });
    expect(await approving).toMatchObject({ state: 'approved' });
    expect(await written()).toEqual([]);
  });

  test('is retried under the same topic when the push service fails, and shows the failure', async () => {
    await turnOn();
    await approved();
    answer = 503;
    const [again] = await send();
    expect(again).toEqual({ at: (await written())[0]?.nextAttemptAt, error: 'status 503' });
    expect((await subscriptions())[0]).toMatchObject({ lastError: 'status 503', lastSentAt: null });
    expect(await send()).toEqual([{ at: again?.at }]);
    expect(received).toHaveLength(1);
    later(hourMs);
    answer = 201;
    expect(await send()).toEqual([undefined]);
    expect(received[1]?.headers.topic).toBe(received[0]?.headers.topic);
    expect((await subscriptions())[0]).toMatchObject({ lastError: null, lastSentAt: now });
    expect(await written()).toMatchObject([{ attempts: 2, sentAt: now, nextAttemptAt: null }]);
  });

  test('is given up after a day', async () => {
    await turnOn();
    await approved();
    answer = 503;
    later(23.9 * hourMs);
    await fixture.database.fork().execute('update session set expires_at = ?', [new Date(now.getTime() + 9 * hourMs)]);
    await fixture.database.fork().nativeUpdate(WebPush, {}, { attempts: 20 });
    await expect(send()).rejects.toThrow(new NonRetryableError('status 503'));
    expect(await written()).toMatchObject([{ nextAttemptAt: null, sentAt: null }]);
    await approved();
    later(25 * hourMs);
    await fixture.database.fork().execute('update session set expires_at = ?', [new Date(now.getTime() + hourMs)]);
    expect(await send()).toEqual([undefined]);
    expect(received).toHaveLength(1);
    expect((await written()).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null]);
  });

  test('is sent by its last job only, and waits while notifications are not configured', async () => {
    await turnOn();
    await approved();
    const [{ id = '' } = {}] = await written();
    await fixture.database.fork().nativeUpdate(WebPush, { id }, { dispatch: 2 });
    expect(await sendWebPush(context(), { id, dispatch: 1 })).toBeUndefined();
    expect(await sendWebPush({ ...context(), push: null }, { id, dispatch: 2 })).toBeUndefined();
    expect(await written()).toMatchObject([{ attempts: 0, nextAttemptAt: now }]);
    await sendWebPush(context(), { id, dispatch: 2 });
    expect(received).toHaveLength(1);
  });

  test('is not changed by an attempt that a newer one overtook', async () => {
    await turnOn();
    await approved();
    const [{ id = '' } = {}] = await written();
    // Its worker was considered dead, and another one starts an attempt before the push service answers.
    whenReceived = () => fixture.database.fork().nativeUpdate(WebPush, { id }, { attempts: 2 });
    expect(await send()).toEqual([undefined]);
    expect(await written()).toMatchObject([{ attempts: 2, sentAt: null, nextAttemptAt: now }]);
    expect((await subscriptions())[0]).toMatchObject({ lastSentAt: null });
    await send();
    expect(received[1]?.headers.topic).toBe(received[0]?.headers.topic);
    expect(await written()).toMatchObject([{ attempts: 3, sentAt: now }]);
  });

  test('is not retried when the push service rejects the message itself', async () => {
    await turnOn();
    await approved();
    answer = 413;
    await expect(send()).rejects.toThrow(new NonRetryableError('status 413'));
    expect((await written())[0]).toMatchObject({ nextAttemptAt: null, sentAt: null });
    expect((await subscriptions())[0]?.lastError).toBe('status 413');
  });

  test('is not sent when it was read elsewhere or the session has ended', async () => {
    await turnOn();
    await approved();
    await fixture.database.fork().nativeUpdate(PushSubscription, { userId }, { lastError: 'status 503' });
    await noteNewsRead(fixture.database.fork(), userId, now);
    await send();
    expect(await subscriptions()).toMatchObject([{ lastError: 'status 503', lastSentAt: null }]);
    await fixture.database.fork().execute(`update app_user set news_read_until = '2026-01-01' where id = ?`, [userId]);
    await approved();
    later(13 * hourMs);
    await send();
    expect(received).toEqual([]);
    expect((await written()).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null]);
  });

  test.each([404, 410])(
    'removes its browser with all pending notifications when the push service answers %i',
    async (gone) => {
      await turnOn();
      await approved();
      answer = gone;
      await send();
      expect([await subscriptions(), await written()]).toEqual([[], []]);
    },
  );

  test('is deleted a month later', async () => {
    await turnOn();
    await approved();
    later(31 * 24 * hourMs);
    await fixture.database.fork().execute('update session set expires_at = ?', [now]);
    await purgeExpired(context());
    expect([(await subscriptions()).length, await written()]).toEqual([1, []]);
  });
});

describe('a subscribed browser', () => {
  test.each([
    ['it is signed out', (em, sessionId) => endSession(em, sessionId, now)],
    ['all sessions of the person end', (em) => endSessions(em, [userId], now)],
    ['all but another session end', (em) => endOtherSessions(em, { userId, exceptId: randomUUID(), at: now })],
    ['the account is closed', (em) => removePersonalData(em, userId, now)],
  ] satisfies [string, (em: Parameters<typeof endSession>[0], sessionId: string) => Promise<unknown>][])(
    'is removed with all pending notifications when %s',
    async (_, ended) => {
      const bystander = await createTestUser(fixture.database);
      await turnOn(bystander.id);
      const { sessionId } = await turnOn();
      await approved();
      await fixture.database.transaction(async (em) => void (await ended(em, sessionId)));
      expect((await subscriptions()).map((one) => one.userId)).toEqual([bystander.id]);
      expect(await written()).toEqual([]);
    },
  );

  test('belongs to the user who subscribed last, without notifications of the previous one', async () => {
    const { endpoint } = await turnOn();
    await approved();
    const other = await createTestUser(fixture.database);
    await turnOn(other.id, { endpoint });
    expect(await subscriptions()).toMatchObject([{ userId: other.id, endpoint }]);
    expect(await written()).toEqual([]);
  });

  test('belongs to one user when several subscribe concurrently', async () => {
    const { endpoint } = await turnOn();
    const others = await Promise.all(Array.from({ length: 5 }, () => createTestUser(fixture.database)));
    await Promise.all(others.map(({ id }) => turnOn(id, { endpoint })));
    expect(await subscriptions()).toMatchObject([{ endpoint }]);
  });

  test('is kept when it subscribes again, and is dropped beyond the maximum per user', async () => {
    const { sessionId } = await turnOn();
    const [kept] = await subscriptions();
    const { p256dh, auth, endpoint } = kept as PushSubscription;
    await approved();
    const again = { userId, sessionId, p256dh, auth, endpoint, at: now };
    await fixture.database.transaction((em) => keepSubscription(em, again));
    expect([(await subscriptions())[0]?.id, (await written()).length]).toEqual([kept?.id, 1]);
    for (let more = 0; more < maxSubscriptions; more++) {
      later(minuteMs);
      await turnOn(userId, { at: now });
    }
    const all = await subscriptions();
    expect(all).toHaveLength(maxSubscriptions);
    expect(all.map(({ id }) => id)).not.toContain(kept?.id);
  });
});

describe('the address of a subscription', () => {
  test.each([
    ['https://fcm.googleapis.com/fcm/send/abc', true],
    ['https://web.push.apple.com/abc', true],
    ['https://push.apple.com/abc', false],
    ['https://evilpush.apple.com.example/abc', false],
    ['https://fcm.googleapis.com.evil.example/abc', false],
    ['https://fcm.googleapis.com:8443/abc', false],
    ['https://fcm.googleapis.com@evil.example/abc', false],
    ['http://fcm.googleapis.com/abc', false],
    ['https://127.0.0.1/abc', false],
    ['https://localhost/abc', false],
    ['https://metadata.internal/abc', false],
    ['file:///etc/passwd', false],
  ])('%s is allowed as a push service: %s', (endpoint, known) => {
    expect(isKnownPushService(endpoint, services.hosts)).toBe(known);
  });

  test('is stored only with a valid encryption key', () => {
    const endpoint = 'https://fcm.googleapis.com/fcm/send/abc';
    const auth = 'AAAAAAAAAAAAAAAAAAAAAA';
    expect(readSubscription({ endpoint, p256dh: publicKey, auth }, services.hosts)).toMatchObject({ endpoint, auth });
    const offCurve = `${publicKey.slice(0, -4)}AAAA`;
    for (const [address, p256dh] of [
      [endpoint, offCurve],
      ['https://evil.example/', publicKey],
    ] as const)
      expect(() => readSubscription({ endpoint: address, p256dh, auth }, services.hosts)).toThrow(
        new Failure('push_service_unknown'),
      );
  });

  test('must belong to a known push service in real mode', async () => {
    const real = { publicKey, privateKey, subject: 'https://chasqui.example', ...services, anywhere: false };
    const elsewhere = { endpoint: 'https://evil.example/', p256dh: publicKey, auth: 'AAAAAAAAAAAAAAAAAAAAAA' };
    const message = { text: { title: 'a', body: 'b' } as WebPushText, key: 'a', ttlMs: 1000 };
    expect(await sendToBrowser(real, elsewhere, message)).toEqual({ error: 'address' });
  });
});
