import { Agent } from 'node:http';
import pg from 'pg';
import { freePort } from '../ports.ts';
import type { PostgresServer } from '../postgres/server.ts';
import { Service } from '../service.ts';
import { type BenchProduct, type Close, type HeldPayment, webhookSecret } from './bench-product.ts';
import { floorTables, sign } from './floor-events.ts';
import { inLanes, send, until } from './load.ts';

/** A payment held at the simulated Stripe, and its transfer in the reference service. */
export type FloorPayment = Pick<HeldPayment, 'transferId' | 'intentId' | 'event'>;

/** The reference service (floor-service.ts), on a separate database, with the product's simulators. */
export class Floor {
  readonly #sql: pg.Pool;
  readonly #service: Service;
  readonly #url: string;
  readonly #product: BenchProduct;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });

  private constructor(parts: { sql: pg.Pool; service: Service; url: string; product: BenchProduct }) {
    this.#sql = parts.sql;
    this.#service = parts.service;
    this.#url = parts.url;
    this.#product = parts.product;
  }

  static async start(server: PostgresServer, product: BenchProduct): Promise<Floor> {
    const admin = new pg.Client({ connectionString: server.url() });
    await admin.connect();
    await admin.query('create database floor');
    await admin.end();
    const databaseUrl = server.url('floor');
    const sql = new pg.Pool({ connectionString: databaseUrl, max: 2 });
    await sql.query(floorTables);
    const port = await freePort();
    const { sandboxUrl } = product.stack;
    const env = {
      ...process.env,
      ...{ FLOOR_PORT: String(port), DATABASE_URL: databaseUrl, WEBHOOK_SECRET: webhookSecret, NODE_ENV: 'production' },
      ...{ STRIPE_API_URL: sandboxUrl, BANK_API_URL: `${sandboxUrl}/bank` },
      // Another database of Redis than the product's queues.
      ...(product.redis && { REDIS_URL: `${product.redis.url}/3` }),
    };
    const argv = ['infra/bench/floor-service.ts'];
    const service = new Service({ name: 'floor', argv, env, ready: { line: /^ready$/ } });
    await service.start();
    return new Floor({ sql, service, url: `http://127.0.0.1:${port}`, product });
  }

  get pid(): number {
    return this.#service.pid ?? 0;
  }

  /** Opens payments at Stripe, holds their cards and stores their transfers. */
  async openPayments(count: number): Promise<FloorPayment[]> {
    const held: Omit<FloorPayment, 'transferId'>[] = [];
    await inLanes(Array.from({ length: count }), 6, async () => {
      held.push(await this.#product.holdPayment());
    });
    const { rows } = await this.#sql.query<{ id: string; intent: string }>(
      `insert into transfer (payment_intent_id, amount_minor) select intent, 1000 from unnest($1::text[]) as intent
       returning id, payment_intent_id as intent`,
      [held.map(({ intentId }) => intentId)],
    );
    const ids = new Map(rows.map(({ id, intent }) => [intent, id]));
    return held.map((payment) => ({ ...payment, transferId: ids.get(payment.intentId) ?? '' }));
  }

  /** Sends an event. `event`: only its row is inserted. @throws when it is not accepted. */
  async deliver(
    event: string,
    { route = 'webhook', agent = this.#agent }: { route?: 'webhook' | 'event'; agent?: Agent } = {},
  ) {
    const headers = { 'content-type': 'application/json', 'stripe-signature': sign(event, webhookSecret) };
    await this.#post(`/${route}`, { headers, body: event }, agent);
  }

  approve(id: string): Promise<void> {
    return this.#post(
      '/approve',
      { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id }) },
      this.#agent,
    );
  }

  async #post(path: string, request: Parameters<typeof send>[2], agent: Agent): Promise<void> {
    const { status, text } = await send(agent, `${this.#url}${path}`, request);
    if (status !== 200) throw new Error(`the reference service answered ${status} ${text}`);
  }

  async countIn(state: string, payments: readonly FloorPayment[]): Promise<number> {
    const text = 'select count(*)::int from transfer where state = $1 and id = any ($2)';
    return (await this.#sql.query(text, [state, payments.map(({ transferId }) => transferId)])).rows[0].count;
  }

  /** Waits until every event was handled. */
  settled(): Promise<void> {
    return until('the reference service has handled all events', async () => {
      const { rows } = await this.#sql.query('select count(*)::int as left from event where handled_at is null');
      return rows[0].left === 0;
    });
  }

  readonly close: Close = async () => {
    await this.#service.close();
    await this.#sql.end();
    this.#agent.destroy();
  };
}
