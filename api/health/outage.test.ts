import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RateBoard } from '#core/contracts/http/rates';
import { type ApiConfiguration, readApiConfiguration } from '#platform/configuration/api';
import { openLiveSender } from '#platform/live/adapter';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { overTcp } from '../../infra/testing/database-urls.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

/** A TCP proxy to the database, which can be closed and opened again. */
class Cable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;

  constructor(host: string, port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, host);
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
    });
  }

  async plug(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this.#port;
  }

  async pull(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  /** Ends every connection; new ones are still taken. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

let env: ApiConfiguration;
let api: TestApi;
let cable: Cable;
let browser: TestBrowser;

beforeAll(async () => {
  const url = overTcp((await createTestDatabase()).url);
  cable = new Cable(url.hostname, Number(url.port));
  url.host = `127.0.0.1:${await cable.plug()}`;
  env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url.href });
  api = await TestApi.start(env);
  ({ browser } = await api.person());
});

/** How long recovery may take. */
const waiting = { timeout: 15_000 };

afterAll(async () => {
  await api?.close();
  await cable?.pull();
});

it('a failure of ours tells the id of its request, which is in the log too, and a proxy may give it', async () => {
  const id = 'proxy-018f4c3e';
  await cable.pull();
  const answer = await browser.send('GET', '/api/recipients', undefined, { 'x-request-id': id });
  await cable.plug();
  expectFailure(answer, 503, 'unavailable');
  expect([answer.body.reference, answer.headers.get('x-request-id')]).toEqual([id, id]);
  const lines = api.logged.filter((line) => line.includes(id));
  expect(lines.map((line) => JSON.parse(line).msg)).toContain('a back end is not reachable');
  await expect.poll(async () => (await browser.send('GET', '/api/health/ready')).status, waiting).toBe(200);
  expect((await browser.send('GET', '/api/recipients')).headers.get('x-request-id')).toMatch(/^[0-9A-Z]{12}$/);
});

it('the api answers `unavailable` while the database is down, stays up, and works again once the database is back', async () => {
  expect((await browser.send('GET', '/api/health/ready')).status).toBe(200);
  await cable.pull();
  expectFailure(await browser.send('GET', '/api/transactions'), 503, 'unavailable');
  expectFailure(
    await browser.send('POST', '/api/auth/login', { email: 'a@example.com', password: 'x' }),
    503,
    'unavailable',
  );
  const ready = await browser.send('GET', '/api/health/ready');
  expectFailure(ready, 503, 'unavailable');
  expect((await browser.send('GET', '/api/health/live')).status).toBe(200);
  await cable.plug();
  await expect.poll(async () => (await browser.send('GET', '/api/transactions')).status, waiting).toBe(200);
  await expect.poll(async () => (await browser.send('GET', '/api/health/ready')).status, waiting).toBe(200);
});

it('the api never reports a lost database connection as an unexpected failure, nor leaks its place in the pool', async () => {
  for (let round = 0; round < 6; round += 1) {
    const answers = Array.from({ length: 5 }, () => [
      browser.send('GET', '/api/dashboard'),
      browser.send('POST', '/api/recipients', sampleRecipient),
    ]).flat();
    cable.cut();
    for (const { status } of await Promise.all(answers)) expect([200, 201, 503]).toContain(status);
  }
  await expect.poll(async () => (await browser.send('GET', '/api/dashboard')).status, waiting).toBe(200);
  expect(api.logged.filter((line) => line.includes('failed unexpectedly'))).toEqual([]);
}, 60_000);

it('browsers receive live events of the worker again after every outage', async () => {
  const sender = openLiveSender(env, pino({ level: 'silent' }), api.database.personalData);
  const socket = io(api.url, { transports: ['websocket'], forceNew: true });
  const received = new Set<string>();
  socket.on('rate:changed', (board: RateBoard) => received.add(board.lastUpdated));
  try {
    // More outages than the sender's one connection: none may be lost on the way.
    for (let outage = 0; outage < 3; outage += 1) {
      cable.cut();
      const mark = `outage ${outage}`;
      await expect
        .poll(() => {
          sender.emit('everyone', 'rate:changed', { lastUpdated: mark } as RateBoard);
          return received.has(mark);
        }, waiting)
        .toBe(true);
    }
  } finally {
    socket.disconnect();
    await sender.close();
  }
}, 90_000);

it('an api that shuts down is not ready, still accepts requests, and ends when the last one is answered', async () => {
  const ending = await TestApi.start({ ...env, drainMs: 400 });
  const { hostname, port } = new URL(ending.url);
  const slow = connect(Number(port), hostname);
  const answer = new Promise<string>((resolve, reject) => {
    let text = '';
    slow.on('data', (chunk) => {
      text += chunk;
    });
    slow.on('end', () => resolve(text)).on('error', reject);
  });
  const body = JSON.stringify({ email: 'nadie@example.com', password: 'una-clave-larga' });
  const head = [
    'POST /api/auth/login HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    `Origin: ${env.publicUrl}`,
  ];
  slow.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`);
  await expect.poll(async () => (await ending.visitor().send('GET', '/api/health/ready')).status).toBe(200);
  const ended = ending.close();
  expectFailure(await ending.visitor().send('GET', '/api/health/ready'), 503, 'unavailable');
  const late = await ending.visitor().send('GET', '/api/health/live');
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
  await expect
    .poll(
      () =>
        fetch(ending.url).then(
          ({ status }) => status,
          () => 'refused',
        ),
      waiting,
    )
    .toBe('refused');
  slow.write(body);
  expect(await answer).toMatch(/^HTTP\/1\.1 401 .*\r\nConnection: close\r\n/s);
  await ended;
});
