// The reference of `npm run bench`: the shortest service that does the product's work with Nest, BullMQ and pg.
//   POST /event    checks the signature and inserts one row
//   POST /webhook  also writes an outbox row; its job reads the payment at Stripe and moves the transfer
//   POST /approve  opens a capture; its job captures at Stripe and opens a payout; the payout's job orders the bank to pay
// Environment: FLOOR_PORT, DATABASE_URL, REDIS_URL (queues in PostgreSQL without it), STRIPE_API_URL, BANK_API_URL, WEBHOOK_SECRET.
import 'reflect-metadata';
import { Agent } from 'node:http';
import { BullModule, getQueueToken, Processor, WorkerHost } from '@nestjs/bullmq';
import { Body, Controller, HttpCode, Inject, Module, Post, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ConnectionOptions, createPostgresBackend, type Job, Queue, setDefaultBackendFactory } from 'bullmq';
import pg from 'pg';
import { Server } from 'socket.io';
import { isSigned } from './floor-events.ts';
import { send } from './load.ts';

const { FLOOR_PORT, DATABASE_URL, REDIS_URL, STRIPE_API_URL, BANK_API_URL, WEBHOOK_SECRET = '' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 32 });
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const sockets = new Server();

const queueNames = ['events', 'captures', 'payouts'] as const;
type QueueName = (typeof queueNames)[number];

/** A job to add once its transaction is committed. */
interface Added {
  readonly queue: QueueName;
  /** Of the event, or of the transfer. */
  readonly id: string;
}

interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly object: { readonly id: string; readonly object: string; readonly payment_intent?: string };
  };
}

/** Commits rows together with the jobs that they cause, and hands the jobs to BullMQ. */
class Outbox {
  readonly #queues: Readonly<Record<QueueName, Queue>>;

  constructor(events: Queue, captures: Queue, payouts: Queue) {
    this.#queues = { events, captures, payouts };
  }

  async commit(work: (client: pg.PoolClient) => Promise<readonly Added[]>): Promise<void> {
    const client = await pool.connect();
    let rows: readonly { readonly row: string; readonly queue: QueueName; readonly id: string }[] = [];
    try {
      await client.query('begin');
      for (const { queue, id } of await work(client)) {
        const text = 'insert into outbox (queue, about) values ($1, $2) returning id';
        rows = [...rows, { row: (await client.query(text, [queue, id])).rows[0].id, queue, id }];
      }
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
    for (const { queue, id } of rows) await this.#queues[queue].add('run', { id }, { jobId: `run-${id}` });
    if (rows.length > 0) await pool.query('delete from outbox where id = any($1)', [rows.map(({ row }) => row)]);
  }
}
Inject(getQueueToken('events'))(Outbox, undefined, 0);
Inject(getQueueToken('captures'))(Outbox, undefined, 1);
Inject(getQueueToken('payouts'))(Outbox, undefined, 2);

async function insertEvent(client: pg.Pool | pg.PoolClient, event: StripeEvent): Promise<boolean> {
  const { id, object, payment_intent: intent } = event.data.object;
  const inserted = await client.query(
    'insert into event (id, type, payment_intent_id) values ($1, $2, $3) on conflict (id) do nothing',
    [event.id, event.type, object === 'payment_intent' ? id : (intent ?? '')],
  );
  return inserted.rowCount === 1;
}

interface SignedRequest {
  readonly rawBody: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

function eventOf({ rawBody, headers }: SignedRequest): StripeEvent {
  if (!isSigned(rawBody, headers['stripe-signature'] ?? '', WEBHOOK_SECRET)) throw new Error('not signed');
  return JSON.parse(rawBody.toString()) as StripeEvent;
}

class Routes {
  readonly #outbox: Outbox;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  async event(request: SignedRequest) {
    await insertEvent(pool, eventOf(request));
    return { received: true };
  }

  async webhook(request: SignedRequest) {
    const event = eventOf(request);
    await this.#outbox.commit(async (client) =>
      (await insertEvent(client, event)) ? [{ queue: 'events', id: event.id }] : [],
    );
    return { received: true };
  }

  async approve({ id }: { id: string }) {
    await this.#outbox.commit(async (client) => {
      await move(client, id, { from: 'in_review', to: 'approved' });
      await client.query("insert into operation (transfer_id, kind, status) values ($1, 'capture', 'pending')", [id]);
      return [{ queue: 'captures', id }];
    });
    return {};
  }
}
// Node runs these files without compiling them, and knows no decorator syntax.
Inject(Outbox)(Routes, undefined, 0);
for (const path of ['event', 'webhook', 'approve'] as const) {
  const method = Object.getOwnPropertyDescriptor(Routes.prototype, path) as PropertyDescriptor;
  Post(path)(Routes.prototype, path, method);
  HttpCode(200)(Routes.prototype, path, method);
  (path === 'approve' ? Body : Req)()(Routes.prototype, path, 0);
}
Controller()(Routes);

/** Moves a locked transfer, with its history. @throws unless it is in the state `from`. */
async function move(
  client: pg.PoolClient,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<{ intent: string; amount: string }> {
  const moved = await client.query(
    `update transfer set state = $3, version = version + 1 where id = $1 and state = $2
     returning version, payment_intent_id as intent, amount_minor as amount`,
    [id, from, to],
  );
  if (moved.rowCount !== 1) throw new Error(`transfer ${id} is not ${from}`);
  const [{ version, intent, amount }] = moved.rows;
  await client.query('insert into step (transfer_id, version, state) values ($1, $2, $3)', [id, version, to]);
  return { intent, amount };
}

/** Books one movement of money: what one account loses, the other receives. */
async function post(
  client: pg.PoolClient,
  id: string,
  { amount, from, to }: { amount: string; from: string; to: string },
) {
  await client.query(
    'insert into posting (transfer_id, account, amount_minor) values ($1, $2, -$4::bigint), ($1, $3, $4::bigint)',
    [id, from, to, amount],
  );
}

const settle = (client: pg.PoolClient, id: string, kind: string, reference: string) =>
  client.query(
    "update operation set status = 'succeeded', provider_reference = $3 where transfer_id = $1 and kind = $2",
    [id, kind, reference],
  );

function callStripe(method: string, path: string, key?: string): Promise<{ id: string; status: string }> {
  const headers = {
    authorization: 'Bearer sk_test_sandbox',
    ...(key && { 'idempotency-key': key, 'content-type': 'application/x-www-form-urlencoded' }),
  };
  return answered(`${STRIPE_API_URL}/v1/payment_intents/${path}`, { method, headers });
}

async function answered<Answer>(url: string, request: Parameters<typeof send>[2]): Promise<Answer> {
  const { status, text } = await send(agent, url, request);
  if (status >= 300) throw new Error(`${url} answered ${status} ${text}`);
  return JSON.parse(text) as Answer;
}

const work: Readonly<Record<QueueName, (id: string, outbox: Outbox) => Promise<void>>> = {
  async events(eventId, outbox) {
    const found = await pool.query(
      'select e.payment_intent_id as intent, t.id from event as e join transfer as t using (payment_intent_id) where e.id = $1',
      [eventId],
    );
    const [{ intent, id } = { intent: '', id: '' }] = found.rows;
    const payment = id ? await callStripe('GET', `${intent}?expand[0]=latest_charge`) : null;
    let isMoved = false;
    await outbox.commit(async (client) => {
      const locked = await client.query('select state, amount_minor as amount from transfer where id = $1 for update', [
        id || null,
      ]);
      const [{ state, amount } = { state: '', amount: '0' }] = locked.rows;
      isMoved = payment?.status === 'requires_capture' && state === 'awaiting_payment';
      if (isMoved) {
        await move(client, id, { from: state, to: 'in_review' });
        await settle(client, id, 'authorization', intent);
        await post(client, id, { amount, from: 'card', to: 'held' });
      }
      await client.query('update event set handled_at = now() where id = $1', [eventId]);
      return [];
    });
    if (isMoved) sockets.emit('transfer:changed', { id, state: 'in_review' });
  },

  async captures(id, outbox) {
    const { rows } = await pool.query('select payment_intent_id as intent from transfer where id = $1', [id]);
    const { status } = await callStripe('POST', `${rows[0].intent}/capture`, `capture-${id}`);
    if (status !== 'succeeded') throw new Error(`the capture of ${id} is ${status}`);
    await outbox.commit(async (client) => {
      const { intent, amount } = await move(client, id, { from: 'approved', to: 'captured' });
      await settle(client, id, 'capture', intent);
      await post(client, id, { amount, from: 'held', to: 'owed' });
      await client.query("insert into operation (transfer_id, kind, status) values ($1, 'payout', 'pending')", [id]);
      return [{ queue: 'payouts', id }];
    });
    sockets.emit('transfer:changed', { id, state: 'captured' });
  },

  async payouts(id, outbox) {
    const order = { externalId: id, amount: '100.00', currency: 'BOB', beneficiary };
    const headers = { authorization: 'Bearer bank_sandbox', 'idempotency-key': id, 'content-type': 'application/json' };
    const body = JSON.stringify(order);
    const paid = await answered<{ status: string; reference: string }>(`${BANK_API_URL}/v1/payouts`, { headers, body });
    if (paid.status !== 'paid') throw new Error(`the payout of ${id} is ${paid.status}`);
    await outbox.commit(async (client) => {
      const { amount } = await move(client, id, { from: 'captured', to: 'completed' });
      await settle(client, id, 'payout', paid.reference);
      await post(client, id, { amount, from: 'owed', to: 'paid' });
      return [];
    });
    sockets.emit('transfer:changed', { id, state: 'completed' });
  },
};

const beneficiary = {
  ...{ name: 'Rosa Mamani', ci: '4567890', phone: '+59171234567', city: 'La Paz' },
  ...{ bankName: 'Banco Unión', bankAccount: '10000012345678' },
};

/** The class of one queue's processor. */
function processorOf(queue: QueueName) {
  class Host extends WorkerHost {
    readonly #outbox: Outbox;

    constructor(outbox: Outbox) {
      super();
      this.#outbox = outbox;
    }

    process({ data }: Job<{ id: string }>): Promise<void> {
      return work[queue](data.id, this.#outbox);
    }
  }
  Processor(queue, { concurrency: 16 })(Host);
  Inject(Outbox)(Host, undefined, 0);
  return Host;
}

/** The queues' tables are made first where PostgreSQL keeps them. */
async function connectQueues(): Promise<ConnectionOptions> {
  if (REDIS_URL) return { url: REDIS_URL, maxRetriesPerRequest: null };
  setDefaultBackendFactory(createPostgresBackend);
  const connection = { connectionString: DATABASE_URL, schema: 'bullmq', migrate: true };
  const queue = new Queue('events', { connection: connection as unknown as ConnectionOptions });
  await queue.waitUntilReady();
  await queue.close();
  const shared = new pg.Pool({ connectionString: DATABASE_URL, max: 6, options: '-c search_path="bullmq"' });
  return shared as unknown as ConnectionOptions;
}

class Floor {}
Module({
  imports: [
    BullModule.forRoot({
      connection: await connectQueues(),
      defaultJobOptions: { attempts: 5, removeOnComplete: { age: 24 * 3600 } },
    }),
    BullModule.registerQueue(...queueNames.map((name) => ({ name }))),
  ],
  controllers: [Routes],
  providers: [Outbox, ...queueNames.map(processorOf)],
})(Floor);

const app = await NestFactory.create(Floor, { rawBody: true, logger: ['error'] });
await app.listen(Number(FLOOR_PORT), '127.0.0.1');
sockets.attach(app.getHttpServer());
console.log('ready');
process.on('SIGTERM', () => process.exit(0));
