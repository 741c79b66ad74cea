import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket as TcpSocket } from 'node:net';
import { Redis } from 'ioredis';
import pg from 'pg';
import { Server } from 'socket.io';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { RateBoard } from '#core/contracts/http/rates';
import type { Room } from '#core/contracts/live-events';
import { overTcp } from '../../infra/testing/database-urls.ts';
import { onEveryQueueBackend, type QueueServices } from '../../infra/testing/redis.ts';
import { createLogger } from '../logging.ts';
import { SecretBox } from '../secret-box.ts';
import { emitThrough, type LiveAdapter, openLiveAdapter, openLiveSender } from './adapter.ts';
import type { Sealing } from './sealed-streams.ts';

const log = createLogger('platform', 'silent');
const box = new SecretBox([randomBytes(32)]);
const sealing: Sealing = {
  seal: (text, owner) => box.encrypt(text, owner),
  open: async (sealed, owner) => box.decrypt(sealed, owner),
};
const waiting = { timeout: 15_000, interval: 5 };

/** A server with HTTP, like the api; browsers name their rooms themselves. */
interface LiveServer {
  http: HttpServer;
  server: Server;
  live: LiveAdapter;
  url: string;
}

onEveryQueueBackend('live events', (backend, start) => {
  let services: QueueServices;
  let env: Parameters<typeof openLiveSender>[0];
  let first: LiveServer;
  let second: LiveServer;
  /** A server without HTTP, as the worker has one. */
  let sender: ReturnType<typeof openLiveSender>;
  const browsers: Socket[] = [];

  beforeAll(async () => {
    services = await start();
    env = { databaseUrl: services.database.url, redisUrl: services.redisUrl };
    [first, second] = await Promise.all([openApi(), openApi()]);
    sender = openLiveSender(env, log, sealing);
  });
  afterEach(() => {
    for (const browser of browsers.splice(0)) browser.disconnect();
  });
  afterAll(async () => {
    await sender.close();
    for (const { server, live } of [first, second]) {
      await server.close();
      await live.close();
    }
    await services.close();
  });

  async function openApi(): Promise<LiveServer> {
    const live = openLiveAdapter(env, log, sealing);
    const http = createServer();
    const server = new Server(http, { adapter: live.adapter });
    server.on('connection', (socket) => void socket.join(socket.handshake.auth.rooms));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return { http, server, live, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
  }

  /** A browser in rooms, and the rates it received. Resolves once an event of the sender arrived: before, some may be lost. */
  async function browse(at: LiveServer, rooms: Room[]) {
    const socket = io(at.url, { transports: ['websocket'], auth: { rooms: [...rooms, 'everyone'] }, forceNew: true });
    browsers.push(socket);
    const received: string[] = [];
    let greeted = false;
    socket.on('rate:changed', (board: RateBoard) => {
      if (board.rate === 'greeting') greeted = true;
      else received.push(board.rate);
    });
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    const greet = () => {
      sender.emit('everyone', 'rate:changed', boardOf('greeting'));
      return greeted;
    };
    await expect.poll(greet, { timeout: 15_000, interval: 20 }).toBe(true);
    return received;
  }

  test('from a process without HTTP reach the browsers of the room in every process, and no others', async () => {
    const received = {
      ana: await browse(first, ['user:ana']),
      anaElsewhere: await browse(second, ['user:ana']),
      luis: await browse(first, ['user:luis']),
      admin: await browse(second, ['admins', 'user:jefa']),
    };
    sender.emit('user:ana', 'rate:changed', boardOf('for ana'));
    sender.emit('admins', 'rate:changed', boardOf('for admins'));
    sender.emit('everyone', 'rate:changed', boardOf('for everyone'));
    const all = Object.values(received);
    await expect.poll(() => all.every((one) => one.includes('for everyone')), waiting).toBe(true);
    expect(received).toEqual({
      ana: ['for ana', 'for everyone'],
      anaElsewhere: ['for ana', 'for everyone'],
      luis: ['for everyone'],
      admin: ['for admins', 'for everyone'],
    });
  });

  test('from one api process reach its own browsers and those of another', async () => {
    const [own, other] = [await browse(first, ['user:ana']), await browse(second, ['user:ana'])];
    emitThrough(first.server)('user:ana', 'rate:changed', boardOf('from one api'));
    await expect.poll(() => [own, other], waiting).toEqual([['from one api'], ['from one api']]);
  });

  test('arrive in the order one process sent them', async () => {
    const received = await browse(first, ['user:ana']);
    const sent = Array.from({ length: 200 }, (_, index) => `${index}`);
    for (const text of sent) sender.emit('user:ana', 'rate:changed', boardOf(text));
    await expect.poll(() => received.length, waiting).toBe(sent.length);
    expect(received).toEqual(sent);
  });

  // NOTIFY takes less than 8000 bytes: around that bound the adapter changes its way.
  test('of any size arrive whole', async () => {
    const received = await browse(first, ['user:ana']);
    const sizes = [...Array.from({ length: 90 }, (_, step) => 7_200 + step * 10), 100_000, 1_000_000];
    for (const size of sizes) sender.emit('user:ana', 'rate:changed', boardOf('ñ'.repeat(size / 2)));
    await expect.poll(() => received.length, waiting).toBe(sizes.length);
    expect(received.map((text) => text.length * 2).sort((a, b) => a - b)).toEqual(sizes);
  });

  test.runIf(backend === 'redis')(
    'are encrypted in Redis, and an unreadable one does not block the others',
    async () => {
      const received = await browse(first, ['user:ana']);
      const redis = new Redis(services.redisUrl as string);
      try {
        sender.emit('user:ana', 'rate:changed', boardOf('Lucía Mamani'));
        await expect.poll(() => received, waiting).toEqual(['Lucía Mamani']);
        const entries = await redis.xrange('socket.io', '-', '+');
        expect(JSON.stringify(entries)).not.toContain('Lucía');
        const last = entries.findLast(([, fields]) => fields.includes('data'))?.[1] ?? [];
        const at = last.indexOf('data') + 1;
        const foreign = new SecretBox([randomBytes(32)]).encrypt('{}', 'live');
        for (const unreadable of [foreign, 'x', '{', '', `${last[at]}x`])
          await redis.xadd('socket.io', '*', ...last.with(at, unreadable));
        // As a process of a version before wrote them.
        const plain = box.decrypt(last[at] ?? '', 'live').replace('Lucía Mamani', 'of before');
        await redis.xadd('socket.io', '*', ...last.with(at, plain));
        await expect.poll(() => received, waiting).toEqual(['Lucía Mamani', 'of before']);
      } finally {
        redis.disconnect();
      }
    },
  );

  test('reach browsers again after every connection between the processes was cut', async () => {
    await cutConnections();
    // `browse` waits for an event of the sender.
    await browse(first, ['user:ana']);
  });

  test('end without an unhandled error, even when closed while connecting', async () => {
    const unhandled: unknown[] = [];
    const collect = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', collect);
    try {
      const hasty = openLiveSender(env, log, sealing);
      await hasty.close();
      const calm = openLiveSender(env, log, sealing);
      await browse(first, ['user:ana']);
      await calm.close();
      await browse(first, ['user:ana']);
    } finally {
      process.off('unhandledRejection', collect);
    }
    expect(unhandled).toEqual([]);
  });

  test.runIf(backend === 'postgres')(
    'leave no connection behind when closed, not even one still being opened',
    async () => {
      const own = [first, second, sender].length;
      await expect.poll(listening, waiting).toBe(own);
      const [hasty, calm] = [openLiveSender(env, log, sealing), openLiveSender(env, log, sealing)];
      await hasty.close();
      await expect.poll(listening, waiting).toBe(own + 1);
      await calm.close();
      await expect.poll(listening, waiting).toBe(own);
    },
  );

  test.runIf(backend === 'postgres')('arrive once after a connection was cut while it began to listen', async () => {
    const own = [first, second, sender].length;
    await expect.poll(listening, waiting).toBe(own);
    let begun = 0;
    const { live, proxy } = await openThroughProxy((client) => {
      begun += 1;
      if (begun === 1) client.destroy();
      return begun > 1;
    });
    // The adapter reconnects both for the failed query and for the ended connection.
    await expect.poll(() => begun, waiting).toBe(3);
    await expect.poll(listening, waiting).toBe(own + 1);
    await live.close();
    await expect.poll(listening, waiting).toBe(own);
    proxy.close();
  });

  test.runIf(backend === 'postgres')(
    'leave no connection behind that was closed while it began to listen',
    async () => {
      const own = [first, second, sender].length;
      await expect.poll(listening, waiting).toBe(own);
      let begun = 0;
      const { live, proxy } = await openThroughProxy(() => {
        begun += 1;
        return false;
      });
      await expect.poll(() => begun, waiting).toBe(1);
      await live.close();
      await expect.poll(listening, waiting).toBe(own);
      proxy.close();
    },
  );

  /** A sender whose connections to PostgreSQL pass a proxy, which asks `isPassed` about each that begins to listen. */
  async function openThroughProxy(isPassed: (client: TcpSocket) => boolean) {
    const { port, hostname } = new URL(env.databaseUrl);
    const proxy = createTcpServer((client) => {
      const server = connect(Number(port), hostname);
      server.on('error', () => client.destroy()).pipe(client);
      client
        .on('error', () => server.destroy())
        .on('close', () => server.destroy())
        .on('data', (chunk) => {
          if (!chunk.includes('LISTEN') || isPassed(client)) server.write(chunk);
        });
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const through = overTcp(env.databaseUrl);
    through.hostname = '127.0.0.1';
    through.port = String((proxy.address() as AddressInfo).port);
    return { proxy, live: openLiveSender({ ...env, databaseUrl: through.href }, log, sealing) };
  }

  /** Connections that listen, or have not said anything yet. */
  async function listening(): Promise<number> {
    return ask(`select count(*)::int as answer from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and (query like 'LISTEN%' or query = '')`);
  }

  async function ask(sql: string): Promise<number> {
    const client = new pg.Client({ connectionString: services.database.ownerUrl });
    await client.connect();
    try {
      return (await client.query<{ answer: number }>(sql)).rows[0]?.answer ?? 0;
    } finally {
      await client.end();
    }
  }

  async function cutConnections(): Promise<void> {
    await ask(`select count(pg_terminate_backend(pid))::int as answer from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    if (!services.redisUrl) return;
    const redis = new Redis(services.redisUrl);
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    redis.disconnect();
  }
});

function boardOf(text: string): RateBoard {
  const rate = {
    currency: 'USD',
    rate: text,
    lastUpdated: '2026-11-20T15:00:00.000Z',
    source: 'admin',
    paused: false,
    marketSeenAt: null,
  } as const;
  return { ...rate, rates: { USD: rate, EUR: rate } };
}
