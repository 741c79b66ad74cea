import { createAdapter } from '@socket.io/postgres-adapter';
import pg from 'pg';
import { Server } from 'socket.io';
import { io, type Socket } from 'socket.io-client';
import { freePort } from '../ports.ts';
import type { PostgresServer } from '../postgres/server.ts';
import { Service } from '../service.ts';
import { type BenchProduct, type Close, webhookSecret } from './bench-product.ts';
import { answersOf } from './floor-answers.ts';
import { floorTables, sign } from './floor-event.ts';
import { inLanes, send } from './load.ts';

/** The hand-written servers beside the product, on a database of their own. */
export interface Floors {
  readonly sql: pg.Pool;
  /** The processes: bare node, and Nest. */
  readonly pids: readonly number[];
  /** Of the bare server, which has Socket.IO too. */
  readonly barePort: number;
  readonly nestPort: number;
  /** Sends events to a floor, `width` at a time; returns the seconds it took. */
  run(floor: 'event' | 'nest' | 'booking', events: readonly string[], width: number): Promise<number>;
  /** Milliseconds from one process to a browser of another, through PostgreSQL. */
  hop(): Promise<number>;
  close: Close;
}

export async function startFloors(server: PostgresServer, product: BenchProduct): Promise<Floors> {
  const admin = new pg.Client({ connectionString: server.url() });
  await admin.connect();
  await admin.query('create database floors');
  await admin.end();
  const url = server.url('floors');
  const sql = new pg.Pool({ connectionString: url, max: 2 });
  await sql.query(floorTables);
  const answers = JSON.stringify(await answersOf(product.stack.apiUrl));
  const ports = { bare: await freePort(), nest: await freePort() };
  const service = (name: 'bare' | 'nest', file: string) => {
    const env = {
      ...process.env,
      ...{ FLOOR_PORT: String(ports[name]), DATABASE_URL: url, STRIPE_API_URL: product.stack.sandboxUrl },
      ...{ WEBHOOK_SECRET: webhookSecret, NODE_ENV: 'production', FLOOR_ANSWERS: answers },
    };
    return new Service({ name, argv: [`infra/bench/${file}`], env, ready: { line: /^ready$/ } });
  };
  const services = [service('bare', 'floor-server.ts'), service('nest', 'nest-floor-server.ts')];
  for (const one of services) await one.start();
  const pids = services.map((one) => one.pid ?? 0);
  const urls = {
    event: `http://127.0.0.1:${ports.bare}/event`,
    nest: `http://127.0.0.1:${ports.nest}/event`,
    booking: `http://127.0.0.1:${ports.bare}/booking`,
  };
  const sender = openSender(url);
  const browser = io(`http://127.0.0.1:${ports.bare}`, { transports: ['websocket'] });
  await connected(browser);
  return {
    ...{ sql, pids, barePort: ports.bare, nestPort: ports.nest },
    run: (floor, events, width) =>
      inLanes(events, width, async (body, agent) => {
        const headers = { 'content-type': 'application/json', 'stripe-signature': sign(body, webhookSecret) };
        const { status } = await send(agent, urls[floor], { headers, body });
        if (status !== 200) throw new Error(`the floor answered ${status}`);
      }),
    hop: async () => {
      const started = performance.now();
      const arrived = new Promise((resolve) => browser.once('changed', resolve));
      sender.server.emit('changed', sampleView);
      await arrived;
      return performance.now() - started;
    },
    close: async () => {
      browser.close();
      await sender.close();
      for (const one of services) await one.close();
      await sql.end();
    },
  };
}

/** Resolves once a socket is connected. */
export function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
}

function openSender(url: string): { server: Server; close: Close } {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const server = new Server({ adapter: createAdapter(pool) });
  return {
    server,
    close: async () => {
      await server.of('/').adapter.close();
      // Not waited for: the adapter keeps its connection until this process ends.
      void pool.end();
    },
  };
}

/** As long as what the product pushes about a transfer. */
const sampleView = { id: 'x'.repeat(36), view: 'x'.repeat(1100) };
