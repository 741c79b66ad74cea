import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { checkoutHome, nodeProgram, root } from '../paths.ts';
import { PostgresServer } from '../postgres/server.ts';
import { testEnvironment } from '../testing/environment.ts';
import { createMigratedDatabase } from '../testing/services.ts';
import { Stack } from '../testing/stack.ts';
import { sign } from './floor-events.ts';
import { inLanes, send } from './load.ts';

const password = 'una-clave-larga';
export const webhookSecret = testEnvironment.STRIPE_WEBHOOK_SECRET;

/** Ends with everything it started stopped, and nothing left on disk. */
export type Close = () => Promise<void>;

/** PostgreSQL with its own defaults, as `npm start` runs it. Its data stays only in a directory that is given. */
export async function startDatabaseServer(kept = ''): Promise<{ server: PostgresServer; close: Close }> {
  await mkdir(checkoutHome, { recursive: true });
  const directory = kept ? resolve(kept) : await mkdtemp(join(checkoutHome, 'bench-'));
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
  const settings = { max_connections: '250' };
  const server = await PostgresServer.start({ directory, settings });
  const close = async () => {
    await server.stop('fast');
    if (!kept) await rm(directory, { recursive: true, force: true });
  };
  return { server, close };
}

/** Where queues and pushes go when they do not go through PostgreSQL. */
interface RedisPlace {
  readonly url: string;
  readonly pid: number | undefined;
}

/** A payment whose card is held at the simulated Stripe, which the product does not know yet. */
export interface HeldPayment {
  readonly transferId: string;
  readonly intentId: string;
  /** Stripe's event about the hold. */
  readonly event: string;
  readonly sender: Person;
}

/** A signed-in user. */
export interface Person {
  readonly userId: string;
  readonly headers: Record<string, string>;
}

/** The built product on a separate database. Stripe's webhooks come here and wait until there is a `forward`. */
export class BenchProduct {
  readonly stack: Stack;
  /** As the owner. */
  readonly sql: pg.Pool;
  readonly redis: RedisPlace | undefined;
  readonly #webhooks: Server;
  readonly #held = new Map<string, string>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  #client: Redis | undefined;
  /** Where Stripe's events go; null: they are kept. */
  forward: ((event: string) => Promise<void>) | null = null;

  private constructor(stack: Stack, sql: pg.Pool, webhooks: Server, redis: RedisPlace | undefined) {
    this.stack = stack;
    this.redis = redis;
    this.sql = sql;
    // PostgreSQL may stop before its last connections are closed.
    sql.on('error', () => {});
    this.#webhooks = webhooks;
  }

  static async start(server: PostgresServer, name: string, redis?: RedisPlace): Promise<BenchProduct> {
    const { url, ownerUrl } = await createMigratedDatabase(server.url(), name);
    const webhooks = createServer().listen(0, '127.0.0.1');
    await once(webhooks, 'listening');
    const { port } = webhooks.address() as AddressInfo;
    const env = {
      ...{ LIMIT_DAY_USD: '900000', LIMIT_MONTH_USD: '900000', LIMIT_UNPAID_TRANSFERS: '1000' },
      ...{ REVIEW_TWO_PERSONS_USD: '900000', REVIEW_NEW_DEVICE_USD: '900000' },
      CALL_LIMIT_FACTOR: '1000000',
      DEMO_PASSWORD: password,
      NODE_ENV: 'production',
      SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${port}/api/stripe/webhook`,
      // The simulators keep everything in memory: their disk is not what is measured.
      SANDBOX_DATA_DIR: '',
    };
    const database = { url, ownerUrl };
    await promisify(execFile)(nodeProgram, ['dist/tools/commands/seed.js'], {
      cwd: root,
      env: { ...process.env, ...testEnvironment, ...env, DATABASE_URL: url },
    });
    const stack = await Stack.prepare({ database, env, redisUrl: redis?.url });
    const product = new BenchProduct(stack, new pg.Pool({ connectionString: ownerUrl, max: 4 }), webhooks, redis);
    webhooks.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        product.#receive(body).then(
          (status) => response.writeHead(status).end(),
          (error: Error) => response.destroy(error),
        );
      });
    });
    await stack.start('sandbox');
    await Promise.all([stack.start('api'), stack.start('worker')]);
    return product;
  }

  get webhookUrl(): string {
    return `${this.stack.apiUrl}/api/stripe/webhook`;
  }

  /** Delivers an event as Stripe does. @throws when it is not accepted. */
  async deliver(event: string, agent = this.#agent): Promise<void> {
    const headers = { 'content-type': 'application/json', 'stripe-signature': sign(event, webhookSecret) };
    const { status } = await send(agent, this.webhookUrl, { headers, body: event });
    if (status !== 200) throw new Error(`a webhook was answered with ${status}`);
  }

  async #receive(body: string): Promise<number> {
    const { type, data } = JSON.parse(body) as { type: string; data: { object: { id: string } } };
    if (type === 'payment_intent.amount_capturable_updated') this.#held.set(data.object.id, body);
    await this.forward?.(body);
    return 200;
  }

  async #call(path: string, body: object, headers: Record<string, string> = {}, url = this.stack.apiUrl) {
    const answer = await send(this.#agent, `${url}${path}`, {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (answer.status >= 400) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
    return answer;
  }

  /** The limits count each person's network. */
  async #person(path: string, body: object, network: string): Promise<Person> {
    const { cookies, text } = await this.#call(path, body, { 'x-forwarded-for': network });
    const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
    return { userId: JSON.parse(text).user.id, headers: { cookie, 'x-forwarded-for': network } };
  }

  signInAdmin(): Promise<Person> {
    return this.#person('/api/auth/login', { email: 'admin@chasqui.test', password }, '10.9.9.9');
  }

  /** The code that was e-mailed to a new user. @throws when none arrives within half a minute. */
  async #emailedCode(email: string): Promise<string> {
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      const answer = await fetch(`${this.stack.sandboxUrl}/sandbox/mail?to=${encodeURIComponent(email)}`);
      const { data } = (await answer.json()) as { data: { subject: string }[] };
      const code = data.map(({ subject }) => /^\d{6}\b/.exec(subject)?.[0]).find((found) => found !== undefined);
      if (code) return code;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`no e-mail with a code came for ${email}`);
  }

  /** Opens payments as the web app does, and pays them at Stripe. */
  async openPayments(count: number): Promise<HeldPayment[]> {
    // Payments of one sender wait for each other: their limits are checked under one lock.
    const perSender = 5;
    const payments: HeldPayment[] = [];
    for (let first = 0; first < count; first += perSender) {
      const email = `${randomUUID()}@example.com`;
      const sender = await this.#person(
        '/api/auth/register',
        { name: 'Carmen Rojas', email, password, acceptedTerms: true },
        `10.1.${randomByte()}.${randomByte()}`,
      );
      await this.#call('/api/account/email/proof', { code: await this.#emailedCode(email) }, sender.headers);
      const recipient = JSON.parse((await this.#call('/api/recipients', sampleRecipient, sender.headers)).text);
      // The same payment a second time would be the first one, gone on with.
      const amounts = Array.from({ length: Math.min(perSender, count - first) }, (_, more) => `${10 + more / 100}`);
      await inLanes(amounts, 6, async (amount) => {
        payments.push(await this.#openPayment(sender, recipient.id, amount));
      });
    }
    return payments;
  }

  async #openPayment(sender: Person, recipientId: string, amount: string): Promise<HeldPayment> {
    const body = { amount, currency: 'eur', recipientId, birthDate: '1990-05-17' };
    const headers = { ...sender.headers, 'idempotency-key': randomUUID() };
    const opened = await this.#call('/api/new-account/create-payment-intent', body, headers);
    const { transferId, paymentIntentId: intentId, clientSecret } = JSON.parse(opened.text);
    return { transferId, intentId, event: await this.#hold(intentId, clientSecret), sender };
  }

  /** Opens a payment at Stripe that the product does not know, and holds its card. */
  async holdPayment(): Promise<Pick<HeldPayment, 'intentId' | 'event'>> {
    const { text } = await send(this.#agent, `${this.stack.sandboxUrl}/v1/payment_intents`, {
      headers: { authorization: 'Bearer sk_test_sandbox', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ amount: '1000', currency: 'eur', capture_method: 'manual' }).toString(),
    });
    const { id, client_secret: secret } = JSON.parse(text) as { id: string; client_secret: string };
    return { intentId: id, event: await this.#hold(id, secret) };
  }

  /** Holds the card of a payment, as the browser does, and returns Stripe's event about it. */
  async #hold(intentId: string, clientSecret: string): Promise<string> {
    const held = await send(this.#agent, `${this.stack.sandboxUrl}/v1/payment_intents/${intentId}/confirm`, {
      headers: { authorization: 'Bearer pk_test_sandbox', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_secret: clientSecret, use_stripe_sdk: 'true', ...card }).toString(),
    });
    if (held.status !== 200) throw new Error(`Stripe answered ${held.status} ${held.text}`);
    while (!this.#held.has(intentId)) await new Promise((resolve) => setTimeout(resolve, 5));
    return this.#held.get(intentId) ?? '';
  }

  async approve(transferId: string, admin: Person): Promise<void> {
    await this.#call(`/api/admin/transactions/${transferId}/approve`, {}, admin.headers);
  }

  /** How many of these transfers are in a state. */
  async countIn(state: string, payments: readonly HeldPayment[]): Promise<number> {
    const ids = payments.map(({ transferId }) => transferId);
    const text = 'select count(*)::int from transfer where state = $1 and id = any ($2)';
    const { rows } = await this.sql.query(text, [state, ids]);
    return rows[0].count;
  }

  /** Whether no outbox row, no operation, no e-mail, no check of names and no job that could run is left. */
  async isQuiet(): Promise<boolean> {
    const { rows } = await this.sql.query(
      `select (select count(*) from outbox) + (select count(*) from stripe_event
      where handled_at is null) + (select count(*) from operation where next_attempt_at is not null)
      + (select count(*) from mail where next_attempt_at is not null)
      + (select count(*) from transfer as t where state = 'in_review'
        and not exists (select from review where transfer_id = t.id and screening_status <> 'pending'))
      + (select count(*) from bullmq.job where state in ('waiting', 'active')) as left`,
    );
    return rows[0].left === '0' && (await this.#jobsInRedis()) === 0;
  }

  async #jobsInRedis(): Promise<number> {
    if (!this.redis) return 0;
    this.#client ??= new Redis(this.redis.url);
    const keys = await this.#client.keys('bull:*:[wa][ac][it]*');
    const lists = keys.filter((key) => /:(wait|active)$/.test(key));
    const lengths = await Promise.all(lists.map((key) => this.#client?.llen(key)));
    return lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0);
  }

  async close(): Promise<void> {
    await this.stack.close();
    await this.sql.end();
    this.#client?.disconnect();
    this.#agent.destroy();
    this.#webhooks.closeAllConnections();
    this.#webhooks.close();
  }
}

const randomByte = () => Math.floor(Math.random() * 256);

const sampleRecipient = {
  ...{ name: 'Rosa Mamani', email: '', phone: '+591 71234567', ci: '4567890', relationship: 'Mamá' },
  ...{ bankName: 'Banco Unión', bankAccount: '10000012345678', address: 'Av. Buenos Aires 1450', city: 'La Paz' },
};

const card = {
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': '4242424242424242',
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': '2034',
  'payment_method_data[card][cvc]': '123',
};
