import pRetry from 'p-retry';
import { variablesOf } from '../platform/configuration/secrets.ts';
import { build } from './build.ts';
import type { Config } from './config.ts';
import { checkDatabase, type DatabaseUrls, migrateDatabase, startEmbeddedDatabase } from './database.ts';
import { errorCode, errorLine, Failure } from './failure.ts';
import { isPortFree } from './ports.ts';
import type { PostgresServer } from './postgres/server.ts';
import { Service, type ServiceOptions } from './service.ts';
import { printer, say } from './terminal.ts';

/** Pauses before a crashed process is restarted. */
const pauses = { firstMs: 1_000, longestMs: 30_000 };
const databaseRetries = 4;

/** Starts the product's processes, keeps them running, and stops them in order. */
export class Supervisor {
  readonly #config: Config;
  readonly #stopped = new AbortController();
  #starting: Promise<void> | undefined;
  #postgres: PostgresServer | undefined;
  /** In the order they are started; they are stopped from the last to the first. */
  readonly #services: Service[] = [];
  /** Called when the database cannot be started again. */
  onFailure: ((failure: Failure) => void) | undefined;

  constructor(config: Config) {
    this.#config = config;
  }

  /** Database, build, migrations, demo data, then the servers. Throws `Failure`; `stop` must be called either way. */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  /** Servers first, the database last. Safe to call at any time and more than once. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#closeServices();
    // An interrupted start may have started one more in the meantime.
    await this.#starting?.catch(() => {});
    await this.#closeServices();
    await this.#postgres?.stop();
  }

  /** Restarts every server, as after a rebuild. */
  async restartServers(): Promise<void> {
    for (const service of this.#services) await service.restart().catch((error) => say(errorLine(error)));
  }

  async #start() {
    const { signal } = this.#stopped;
    await this.#checkPorts();
    await this.#checkServices();
    signal.throwIfAborted();
    const built = build({ log: say, signal });
    const [database] = await this.#allOf([this.#openDatabase(), built.then(() => this.#startSandbox())]);
    signal.throwIfAborted();
    say('Poniendo al día la base de datos y arrancando los servicios…');
    const { env, demoPassword } = this.#config;
    await migrateDatabase({ env, database, seed: Boolean(demoPassword), signal });
    await this.#startServers({ ...env, DATABASE_URL: database.url });
  }

  /** As `Promise.all`, but a failure stops the others and then waits for them, so that `stop` finds all they have started. */
  async #allOf<Parts extends readonly Promise<unknown>[]>(parts: readonly [...Parts]) {
    for (const part of parts) part.catch(() => this.#stopped.abort());
    await Promise.allSettled(parts);
    return Promise.all(parts);
  }

  /** The api, then the worker, then the sandbox they both talk to. */
  async #closeServices() {
    for (const service of this.#services.toReversed()) await service.close();
  }

  async #checkPorts() {
    const { port, sandbox } = this.#config;
    const ports = { PORT: port, SANDBOX_PORT: sandbox?.port, SANDBOX_SMTP_PORT: sandbox?.smtpPort };
    for (const [name, number] of Object.entries(ports)) {
      if (number !== undefined) await requireFreePort(name, number);
    }
  }

  /** What others run, before anything of ours is made or started. */
  async #checkServices() {
    const { database, redisUrl } = this.#config;
    if (database) {
      // The role of DATABASE_URL may not exist before the database is migrated.
      const variable = database.ownerUrl === database.url ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
      await checkDatabase(database.ownerUrl, variable);
    }
    if (redisUrl) await checkRedis(redisUrl);
  }

  async #openDatabase(): Promise<DatabaseUrls> {
    if (this.#config.database) return this.#config.database;
    const { server, urls } = await startEmbeddedDatabase(say);
    this.#postgres = server;
    server.onUnexpectedExit = () => void this.#resumeDatabase(server);
    return urls;
  }

  async #resumeDatabase(server: PostgresServer): Promise<void> {
    const { signal } = this.#stopped;
    const resume = () => {
      say('La base de datos se detuvo; arranca de nuevo…');
      return server.resume();
    };
    try {
      await pRetry(resume, { retries: databaseRetries, signal });
    } catch (error) {
      if (signal.aborted) return;
      this.onFailure?.(error instanceof Failure ? error : new Failure(errorLine(error)));
    }
  }

  async #startSandbox() {
    const { sandbox } = this.#config;
    if (!sandbox) return;
    const ready = { url: `${sandbox.url}/sandbox/health` };
    await this.#launch({ name: 'sandbox', argv: ['dist/sandbox/main.js'], env: sandbox.env, ready });
  }

  async #startServers(env: NodeJS.ProcessEnv) {
    const api = { url: `http://127.0.0.1:${this.#config.port}/api/health/ready` };
    const own = { api: variablesOf('api', env), worker: variablesOf('worker', env) };
    await Promise.all([
      this.#launch({ name: 'worker', argv: ['dist/worker/main.js'], env: own.worker, ready: { line: /\bready\b/ } }),
      this.#launch({ name: 'api', argv: ['dist/api/main.js'], env: own.api, ready: api }),
    ]);
  }

  async #launch(options: Omit<ServiceOptions, 'onLine'>) {
    this.#stopped.signal.throwIfAborted();
    const service = new Service({ ...options, onLine: printer(options.name) });
    this.#services.push(service);
    await service.start();
    service.keepRunning(pauses, say);
  }
}

async function requireFreePort(name: string, port: number) {
  try {
    if (await isPortFree(port)) return;
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    throw new Failure(`No hay permiso para usar el puerto ${port}: elige otro, por ejemplo ${name}=3100 npm start.`);
  }
  throw new Failure(
    `El puerto ${port} está ocupado: cierra el programa que lo usa o elige otro, por ejemplo ${name}=${port + 100} npm start.`,
  );
}

async function checkRedis(url: string) {
  // Loaded where it is needed: this process stays as long as the product runs.
  const { Redis } = await import('ioredis');
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 });
  let reason: unknown;
  client.on('error', (error) => {
    reason = error;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw new Failure(`No se puede usar el Redis de REDIS_URL: ${errorLine(reason ?? error)}.`);
  } finally {
    client.disconnect();
  }
}
