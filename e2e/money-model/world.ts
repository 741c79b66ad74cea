import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import type { AdminRole } from '#core/accounts/admin-roles';
import { endpoints } from '#core/contracts/http/endpoints';
import { formatMinor } from '#core/money/money';
import { parseRate, type Rate } from '#core/rates/rate';
import { createUser } from '#domain/accounts/account.repository';
import { hashPassword, type PasswordCost } from '#domain/accounts/passwords';
import { setRate } from '#domain/rates/set-rate';
import { readApiConfiguration } from '#platform/configuration/api';
import { readWorkerConfiguration } from '#platform/configuration/worker';
import { addJob } from '#platform/outbox/outbox';
import type { RunningProcess } from '#platform/process';
import { type Api, startApi } from '../../api/start.ts';
import { unlimited } from '../../api/testing/test-api.ts';
import { freePort } from '../../infra/ports.ts';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { controlSandbox, requestJson, type Sandbox } from '../../sandbox/testing/control-client.ts';
import { startWorker } from '../../worker/start.ts';
import { ModelClock } from './clock.ts';
import { Person, password } from './people.ts';
import { startProviderProxy } from './provider-proxy.ts';
import { completionMs, Providers } from './providers.ts';
import { SeveredDatabase } from './severed-database.ts';
import { ProductTables } from './tables.ts';

const cheap: PasswordCost = { memory: 64, passes: 1 };
const log = pino({ level: process.env.MODEL_LOG ?? 'silent' });

/** From this amount on (US cents) two persons decide about a transfer, and about money of its case. */
export const twoPersonsUsdMinor = 60_00n;
/** Simulated things that take time (pending refunds, warnings of fraud) happen this long after their cause, in ms. */
const asyncDelayMs = 30_000;
/** How long a job stays locked whose worker died, in ms (platform/queues). */
const jobLockMs = 7_000;
/** How long the worker may be at work without anything that it waits for, in ms. */
const settleMsMax = 60_000;

/** Without rate limits and timers, so that only requested jobs run. */
const environment = {
  ...testEnvironment,
  REVIEW_TWO_PERSONS_USD: formatMinor(twoPersonsUsdMinor),
  DESK_TWO_PERSONS_USD: formatMinor(twoPersonsUsdMinor),
  BANK_COMPLETION_MINUTES: String(completionMs / 60_000),
  LIMIT_DAY_USD: '9000000',
  LIMIT_MONTH_USD: '9000000',
  LIMIT_UNPAID_TRANSFERS: '1000',
  LIMIT_DECLINES_ACCOUNT: '100000',
  LIMIT_DECLINES_NETWORK: '100000',
  LIMIT_DECLINES_CARD: '100000',
  RATE_PAUSE_SECONDS: '4000000000',
  RATE_EVERY_SECONDS: '4000000',
  SWEEP_SECONDS: '30',
  SMTP_URL: '',
  PUSH_PUBLIC_KEY: '',
  PUSH_PRIVATE_KEY: '',
};

/** The product with real PostgreSQL and simulated providers, all in this process under one clock. */
export class World {
  readonly clock = new ModelClock();
  readonly providers: Providers;
  sandbox!: Sandbox;
  sandboxUrl!: string;
  tables!: ProductTables;
  owner!: Person;
  /** Two reviewers. */
  first!: Person;
  second!: Person;
  /** Holds of the observed transfer, as the product knows them. */
  holdsOf: (transferId: string) => string[] = () => [];
  /** Whether Stripe's webhooks are delivered immediately. */
  deliversWebhooks = true;
  readonly #opened: (() => Promise<unknown>)[] = [];
  #api!: Api;
  #worker: RunningProcess | undefined;
  #workerDatabase!: SeveredDatabase;
  #startWorker!: () => Promise<RunningProcess>;
  /** Resolves when a worker that died is cut off; undefined while none did. */
  #crashing: Promise<void> | undefined;
  #ticks = 0;

  private constructor() {
    this.providers = new Providers({
      now: () => this.clock.now(),
      tick: () => this.tick(),
      holdsOf: (id) => this.holdsOf(id),
      reject: (code) => this.sandbox.bank({ rejectNext: 1, rejection: { code, message: 'El banco no paga.' } }),
      crash: () => {
        this.#crashing = this.#workerDatabase.disconnect();
        return this.#crashing;
      },
    });
  }

  static async open(): Promise<World> {
    const world = new World();
    try {
      await world.#open();
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  async #open(): Promise<void> {
    this.#opened.push(async () => this.clock.close());
    const database = await createTestDatabase();
    const workerDatabase = await SeveredDatabase.of(database.name);
    this.#workerDatabase = workerDatabase;
    this.#opened.push(async () => {
      await database.drop();
      await workerDatabase.drop();
    });
    const apiPort = await freePort();
    const sandbox = await startSandbox({ webhookUrl: `http://127.0.0.1:${apiPort}/api/stripe/webhook`, asyncDelayMs });
    this.#opened.push(sandbox.close);
    this.sandboxUrl = sandbox.url;
    this.sandbox = controlSandbox(sandbox.url);
    const proxy = await startProviderProxy(sandbox.url, (call, forward) => this.providers.conduct(call, forward));
    this.#opened.push(proxy.close);
    const env = { ...environment, DATABASE_URL: database.url, PORT: String(apiPort), STRIPE_API_URL: sandbox.url };
    this.#api = await startApi(readApiConfiguration(env), log, { rateLimitPoints: unlimited, passwordCost: cheap });
    this.#opened.push(() => this.#api.close());
    this.tables = new ProductTables(database.url);
    this.#opened.push(() => this.tables.close());
    await this.#createAdmins();
    const workerEnv = readWorkerConfiguration({
      ...env,
      DATABASE_URL: workerDatabase.urlFor(database.url),
      STRIPE_API_URL: proxy.url,
      BANK_API_URL: `${proxy.url}/bank`,
    });
    this.#startWorker = () => startWorker({ ...workerEnv, push: null }, log);
    this.#worker = await this.#startWorker();
    this.#opened.push(async () => this.#worker?.close());
    await this.settle();
  }

  async #createAdmins(): Promise<void> {
    this.owner = await this.createPerson('Olga Rojas', 'owner');
    this.first = await this.createPerson('Ana Quispe', 'reviewer');
    this.second = await this.createPerson('Luis Rojas', 'reviewer');
    const at = new Date(this.clock.now() - 1000);
    await this.#api.database.transaction((em) =>
      setRate(em, { currency: 'USD', rate: parseRate('11.40') as Rate, setById: this.owner.id, at }),
    );
  }

  /** A person whose address is proven: an admin, or a sender when the role is null. */
  async createPerson(name: string, role: AdminRole | null): Promise<Person> {
    const email = `${randomUUID()}@example.com`;
    const at = new Date(this.clock.now());
    const passwordHash = await hashPassword(password, cheap);
    const { id } = await this.#api.database.transaction((em) =>
      createUser(em, {
        ...{ email, name, passwordHash, role: role ? 'admin' : 'user', birthDate: '1990-05-17' },
        ...{ emailVerifiedAt: at, termsAcceptedAt: at, at, ...(role && { adminRole: role }) },
      }),
    );
    return new Person(() => `http://127.0.0.1:${this.#api.port}`, { id, name, email, role });
  }

  /** Orders facts in time. */
  tick(): number {
    this.#ticks += 1;
    return this.#ticks;
  }

  /** A call to the simulated Stripe past the product, as its dashboard makes it. */
  async stripe<Answer>(path: string, body?: Record<string, string>): Promise<Answer> {
    const response = await fetch(`${this.sandboxUrl}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: 'Bearer sk_test_sandbox' },
      ...(body && { body: new URLSearchParams(body) }),
    });
    if (!response.ok) throw new Error(`Stripe answered ${response.status} to ${path}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  /** A control route of the simulators that the typed client has not. Returns null when the simulator refuses. */
  control<Answer>(method: string, path: string, body?: unknown): Promise<Answer | null> {
    return requestJson<Answer>(this.sandboxUrl, method, `/sandbox${path}`, body).catch(() => null);
  }

  /** Waits until the worker and the simulators have nothing to do before time passes. A worker that died is started again. */
  async settle(): Promise<void> {
    let deadline = performance.now() + settleMsMax;
    let busy: string[] = [];
    let wasIdle = false;
    for (let pauseMs = 8; performance.now() < deadline; pauseMs = Math.min(pauseMs * 1.3, 40)) {
      if (this.#crashing) {
        await this.restartWorker();
        deadline = performance.now() + settleMsMax;
      }
      busy = await this.tables.busyWith(new Date(this.clock.now()));
      if (busy.length === 0 && wasIdle && !this.#crashing) return;
      wasIdle = busy.length === 0 && (await this.sandbox.idle());
      // Of a simulator that is idle all events are stored.
      if (!wasIdle) await pause(pauseMs);
    }
    throw new Error(`not at rest after ${settleMsMax} ms: ${busy.join(', ') || 'the simulators'}`);
  }

  /** All admins. */
  get admins(): readonly Person[] {
    return [this.owner, this.first, this.second];
  }

  /** How Stripe's events are delivered from now on; those that were not are sent when it delivers again. */
  async deliverWebhooks(mode: 'deliver' | 'hold' | 'drop' | 'duplicate'): Promise<void> {
    const copies = mode === 'duplicate' ? { duplicate: 3 } : { mode };
    await this.sandbox.deliver(copies);
    this.deliversWebhooks = mode === 'deliver' || mode === 'duplicate';
    if (this.deliversWebhooks) await this.sandbox.flush('random', ['held', 'dropped', 'failed']);
  }

  /** Everything works again, the reviewers may decide, and what one transfer met with concerns no later one. */
  async calm(): Promise<void> {
    this.providers.heal();
    await this.deliverWebhooks('deliver');
    await this.restoreReviewers();
    await this.liftStops();
    // A provider that failed too often for others is called again.
    if (this.providers.failed) await this.pass(15 * 60_000);
    this.providers.failed = false;
  }

  /** The reviewers have their role again, as if it had never been taken: a new one waits for a second owner and a day. */
  async restoreReviewers(): Promise<void> {
    for (const person of [this.first, this.second]) {
      if (!person.blocked && person.role === 'reviewer') continue;
      const params = { id: person.id };
      const body = { blocked: false, reason: 'Aclarado' };
      if (person.blocked) await this.owner.ask(endpoints.blockUser, { params, body });
      const sql = "update app_user set role = 'admin', admin_role = 'reviewer' where id = ?";
      await this.#api.database.fork().execute(sql, [person.id]);
      Object.assign(person, { blocked: false, role: 'reviewer' });
    }
  }

  /** Two admins lift every stop of the movement of money. */
  async liftStops(): Promise<void> {
    const seen = await this.owner.ask(endpoints.moneyStops);
    for (const { id, lift } of seen.ok ? seen.body.stops : []) {
      const params = { id };
      const confirms = lift?.requested_by_id === this.first.id ? this.second : this.first;
      if (!lift) await this.second.ask(endpoints.requestLift, { params, body: { reason: 'Aclarado' } });
      await confirms.ask(endpoints.confirmLift, { params });
    }
  }

  /** Advances time: the bank executes delayed orders in between, and in the end the sweep looks for due work. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    for (let due = this.providers.nextDueAt; due !== null && due <= end; due = this.providers.nextDueAt) {
      this.clock.jump(Math.max(0, due - this.clock.now()));
      await this.providers.completeDue();
    }
    this.clock.jump(Math.max(0, end - this.clock.now()));
    // It learns that its clock was turned.
    await this.sandbox.advance(0);
    await this.sweep();
  }

  /** The worker's sweep of every half minute. */
  async sweep(): Promise<void> {
    await this.request('sweep-all');
  }

  /** Has the worker do a scheduled job now. */
  async request(job: 'sweep-all' | 'reconcile-books'): Promise<void> {
    await this.#api.database.transaction(async (em) => addJob(em, job, {}));
    await this.settle();
  }

  /** The worker ends, as far as it still can, and another one starts. Jobs of one that died are locked until time has passed. */
  async restartWorker(): Promise<void> {
    if (this.#crashing) {
      await this.#crashing;
      this.#crashing = undefined;
      this.clock.jump(jobLockMs);
    }
    const old = this.#worker;
    this.#worker = undefined;
    await this.#workerDatabase.reconnect();
    await old?.close().catch(() => {});
    this.#worker = await this.#startWorker();
  }

  async close(): Promise<void> {
    for (const close of this.#opened.splice(0).reverse()) await close();
  }
}
