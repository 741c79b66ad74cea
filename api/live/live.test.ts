import { once } from 'node:events';
import { get } from 'node:http';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { moveTransfer } from '#domain/transfers/move-transfer';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { findPlainValues } from '../../infra/testing/plain-values.ts';
import { onEveryQueueBackend, type QueueServices } from '../../infra/testing/redis.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { TestApi } from '../testing/test-api.ts';
import { TestApp } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});

/** How long a push may take on a busy machine. */
const waiting = { timeout: 10_000 };

/** Connects and collects every event that arrives. */
async function listen(browser: TestBrowser, url: string, headers: Record<string, string> = {}) {
  const socket = io(url, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { cookie: browser.cookie, ...headers },
  });
  sockets.push(socket);
  const received: { event: string; payload: Record<string, unknown> }[] = [];
  socket.onAny((event, payload) => received.push({ event, payload }));
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve);
    socket.on('connect_error', reject);
  });
  return { socket, received };
}

it('limits a network to a thousand live connections per process', async () => {
  const { url: databaseUrl } = await createTestDatabase();
  const api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: databaseUrl }));
  onTestFinished(() => api.close());
  const address = `${api.url}/socket.io/?EIO=4&transport=polling`;
  const opened: string[] = [];
  const open = async () => {
    const response = await fetch(address, { headers: { origin: new URL(api.url).origin } });
    if (response.ok) opened.push(JSON.parse((await response.text()).slice(1)).sid);
    return response.status;
  };
  for (let batch = 0; batch < 100; batch += 1) await Promise.all(Array.from({ length: 10 }, open));
  expect(opened).toHaveLength(1000);
  expect(await open()).toBe(403);
  // "1" closes a connection of Engine.IO.
  await fetch(`${address}&sid=${opened[0]}`, { method: 'POST', body: '1' });
  await expect.poll(open, waiting).toBe(200);
});

onEveryQueueBackend('live events', (backend, start) => {
  let services: QueueServices;
  let app: TestApp;
  /** A second api on the same database, as behind a load balancer. */
  let second: TestApi;

  beforeAll(async () => {
    services = await start();
    const { database, redisUrl } = services;
    const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: database.url, REDIS_URL: redisUrl });
    app = await TestApp.open(env);
    second = await TestApi.start(env);
  });

  afterAll(async () => {
    await second?.close();
    await app?.close();
    await services?.close();
  });

  it('live events come from an api that reports its queues as ready', async () => {
    expect((await app.visitor.send('GET', '/api/health/ready')).body.details.queues).toEqual({ status: 'up' });
    const { queues } = (await app.admin.send('GET', '/ops/queues/api/queues')).body;
    expect(queues.map(({ name }: { name: string }) => name)).toContain('decisions');
  });

  it('live events reach the people they concern and no others, in every process', async () => {
    const stranger = await app.api.person();
    const support = await app.api.person('admin', 'Eva Choque', 'support');
    // Wait until the pushes about this test's own cases are sent, so that no listener receives them.
    const left = () =>
      app.api.database
        .fork()
        .execute<{ count: number }[]>("select count(*)::int as count from outbox where kind = 'push'");
    await expect.poll(left, { timeout: 20_000, interval: 20 }).toEqual([{ count: 0 }]);
    const rooms = {
      sender: await listen(app.sender, app.api.url),
      senderElsewhere: await listen(app.sender, second.url),
      admin: await listen(app.admin, app.api.url),
      adminElsewhere: await listen(app.admin, second.url),
      support: await listen(support.browser, second.url),
      stranger: await listen(stranger.browser, app.api.url),
      visitor: await listen(app.api.visitor(), second.url),
    };
    const { transferId } = app.ids;
    const [ownCase] = await app.api.database
      .fork()
      .execute<{ id: string }[]>('select id from desk_case where transfer_id = ?', [transferId]);
    await app.api.database.transaction((em) => moveTransfer(em, transferId, 'hold', { at: new Date() }));
    expect((await app.call('confirmRateChange', app.admin)).status).toBe(200);
    // Everyone receives the rate: so every connection is known to work before missing events count.
    for (const { received } of Object.values(rooms)) {
      await expect.poll(() => received.map(({ event }) => event), waiting).toContain('rate:changed');
    }
    const about = (name: keyof typeof rooms) =>
      rooms[name].received
        .filter(({ event }) => event !== 'rate:changed')
        .map(({ event, payload }) => ({ event, about: (payload.change ?? payload) as Record<string, unknown> }))
        .map(({ event, about: { id, state } }) => [event, id, state])
        .sort();
    const own = [['transfer:changed', transferId, 'in_review']];
    const all = [
      // The move ended the request that waited about the transfer.
      ['admin:case-changed', ownCase?.id, undefined],
      ['admin:rate-change-updated', app.ids.rateChangeId, 'activated'],
      ['admin:transfer-changed', transferId, 'in_review'],
    ];
    await expect.poll(() => about('sender'), waiting).toEqual(own);
    await expect.poll(() => about('senderElsewhere'), waiting).toEqual(own);
    await expect.poll(() => about('admin'), waiting).toEqual(all);
    await expect.poll(() => about('adminElsewhere'), waiting).toEqual(all);
    await expect.poll(() => about('support'), waiting).toEqual(all);
    const accountIn = (name: 'admin' | 'support') =>
      rooms[name].received.find(({ event }) => event === 'admin:transfer-changed')?.payload.recipient_details;
    expect(accountIn('admin')).toMatchObject({ bank_account: '•••5678' });
    expect(accountIn('support')).toMatchObject({ bank_account: '•••5678', address: '•••' });
    expect(about('stranger')).toEqual([]);
    expect(about('visitor')).toEqual([]);
    // Nothing that was written, queued or sent between the processes has the numbers of who is paid.
    const { ci, phone, bankAccount } = sampleRecipient;
    const { database, redisUrl } = services;
    const places = { databaseUrl: database.ownerUrl, redisUrl };
    expect(await findPlainValues(places, [ci, bankAccount, phone.slice(-8)])).toEqual([]);
    // Redis has nothing of anybody at all.
    const people = [sampleRecipient.name, sampleRecipient.address, 'Carmen Rojas', '@example.com'];
    expect(await findPlainValues({ redisUrl }, people)).toEqual([]);
    // The search does find unencrypted values.
    if (redisUrl) expect(await findPlainValues({ redisUrl }, ['"nsp"'])).toEqual(['socket.io']);
    expect(await findPlainValues(places, [sampleRecipient.name])).toEqual(expect.arrayContaining(['public.recipient']));
  });

  it('live events stop for a closed session in every process, and continue for all others', async () => {
    const { browser } = await app.api.person();
    const here = await listen(browser, app.api.url);
    const elsewhere = await listen(browser, second.url);
    const visitor = await listen(app.api.visitor(), app.api.url);
    const closed = Promise.all(
      [here, elsewhere].map(({ socket }) => new Promise((resolve) => socket.on('disconnect', resolve))),
    );
    await browser.send('POST', '/api/auth/logout');
    await closed;
    expect(visitor.socket.connected).toBe(true);
  });

  // Between a browser and one process nothing depends on where the queues are.
  if (backend === 'postgres') {
    it.each(['foo', 'h2c', 'websocket'])(
      'a request elsewhere that asks to upgrade to %s gets its answer',
      async (protocol) => {
        const headers = { connection: 'Upgrade', upgrade: protocol };
        const [response] = await once(get(`${app.api.url}/api/rate`, { headers }), 'response');
        expect(response.statusCode).toBe(200);
        response.resume();
      },
    );

    it('live events do not reach pages of other sites, and a browser that asks for a room is hung up on', async () => {
      await expect(listen(app.sender, app.api.url, { origin: 'https://evil.example' })).rejects.toThrow();
      const visitor = await listen(app.api.visitor(), app.api.url);
      visitor.socket.emit('join', 'admins');
      await expect.poll(() => visitor.socket.connected, waiting).toBe(false);
      const quiet = await listen(app.api.visitor(), app.api.url);
      const { transferId } = app.ids;
      await app.api.database.transaction((em) => moveTransfer(em, transferId, 'reject', { at: new Date() }));
      await app.api.setRates((await app.api.person('admin')).user, 13_600_000n);
      await expect.poll(() => quiet.received.map(({ event }) => event), waiting).toEqual(['rate:changed']);
      expect(visitor.received).toEqual([]);
    });
  }
});
