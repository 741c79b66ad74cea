import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { build } from './build.ts';
import { checkDatabase, runDatabaseCommand, startEmbeddedDatabase } from './database.ts';
import { errorCode, errorLine, Failure } from './failure.ts';
import type { Plan } from './plan.ts';
import { isPortFree } from './ports.ts';
import type { PostgresServer } from './postgres/server.ts';
import { Service, type ServiceOptions } from './service.ts';
import { printer, say } from './terminal.ts';

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** A process that ran this long before it crashed starts with the shortest pause again. */
const steadyMs = 60_000;
const databaseTriesMax = 5;

/** Starts the product's processes, keeps them running, and stops them in order. */
export class Supervisor {
  readonly #plan: Plan;
  readonly #stopped = new AbortController();
  #postgres: PostgresServer | undefined;
  /** In the order they are started; they are stopped from the last to the first. */
  readonly #services: Service[] = [];
  /** Called when something the product cannot do without is beyond help. */
  onFailure: ((failure: Failure) => void) | undefined;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Database, build, migrations, demo data, then the servers. Throws `Failure`; `stop` must be called either way. */
  async start(): Promise<void> {
    await this.#checkPorts();
    const databaseUrl = await this.#openDatabase();
    if (this.#plan.redisUrl) await checkRedis(this.#plan.redisUrl);
    const { signal } = this.#stopped;
    if (signal.aborted) return;
    await build({ log: say, signal });
    const env = { ...this.#plan.env, DATABASE_URL: databaseUrl };
    if (signal.aborted) return;
    say('Poniendo al día la base de datos y arrancando los servicios…');
    await Promise.all([this.#prepareDatabase(env), this.#startSandbox()]);
    if (!signal.aborted) await this.#startServers(env);
  }

  /** Servers first, the database last. Safe to call at any time and more than once. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    // The api, then the worker, then the sandbox they both talk to.
    for (const service of this.#services.toReversed()) await service.close();
    await this.#postgres?.stop();
  }

  /** The end of patience: no process survives this. */
  async kill(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#services.map((service) => service.kill('SIGKILL')));
    await this.#postgres?.stop('immediate');
  }

  /** Restarts every server, as after a rebuild. */
  async restartServers(): Promise<void> {
    for (const service of this.#services) {
      if (this.#stopped.signal.aborted) return;
      await service.restart().catch((error) => {
        if (!this.#stopped.signal.aborted) say(errorLine(error));
      });
    }
  }

  async #checkPorts() {
    const { port, sandbox } = this.#plan;
    const ports = { PORT: port, SANDBOX_PORT: sandbox?.port, SANDBOX_SMTP_PORT: sandbox?.smtpPort };
    for (const [name, number] of Object.entries(ports)) {
      if (number !== undefined) await requireFreePort(name, number);
    }
  }

  async #openDatabase(): Promise<string> {
    const { databaseUrl } = this.#plan;
    if (databaseUrl) {
      await checkDatabase(databaseUrl);
      return databaseUrl;
    }
    const { server, url } = await startEmbeddedDatabase(say);
    this.#postgres = server;
    if (this.#stopped.signal.aborted) await server.stop();
    server.onUnexpectedExit = () => void this.#resumeDatabase(server, 1);
    return url;
  }

  async #resumeDatabase(server: PostgresServer, attempt: number): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    say('La base de datos se detuvo; arranca de nuevo…');
    try {
      await server.resume();
    } catch (error) {
      if (attempt === databaseTriesMax) {
        this.onFailure?.(error instanceof Failure ? error : new Failure(errorLine(error)));
        return;
      }
      await this.#pause(firstPauseMs * attempt);
      await this.#resumeDatabase(server, attempt + 1);
    }
  }

  async #prepareDatabase(env: NodeJS.ProcessEnv) {
    const { signal } = this.#stopped;
    await runDatabaseCommand('migrate', env, signal);
    if (this.#plan.demoPassword && !signal.aborted) await runDatabaseCommand('seed', env, signal);
  }

  async #startSandbox() {
    const { sandbox } = this.#plan;
    if (!sandbox) return;
    const ready = { url: `${sandbox.url}/sandbox/health` };
    await this.#launch({ name: 'sandbox', argv: ['dist/sandbox/main.js'], env: sandbox.env, ready });
  }

  async #startServers(env: NodeJS.ProcessEnv) {
    const api = { url: `http://127.0.0.1:${this.#plan.port}/api/health/ready` };
    await Promise.all([
      this.#launch({ name: 'worker', argv: ['dist/worker/main.js'], env, ready: { line: /\bready\b/ } }),
      this.#launch({ name: 'api', argv: ['dist/api/main.js'], env, ready: api }),
    ]);
  }

  async #launch(options: Omit<ServiceOptions, 'onLine'>) {
    if (this.#stopped.signal.aborted) return;
    const service = new Service({ ...options, onLine: printer(options.name) });
    this.#services.push(service);
    await service.start();
    this.#keepRunning(service);
  }

  #keepRunning(service: Service) {
    let pauseMs = firstPauseMs;
    let startedAt = Date.now();
    const revive = async (reason: string): Promise<void> => {
      if (Date.now() - startedAt > steadyMs) pauseMs = firstPauseMs;
      say(`«${service.name}» se detuvo (${reason}); vuelve a arrancar en ${pauseMs / 1000} s…`);
      await this.#pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      if (this.#stopped.signal.aborted || service.running) return;
      startedAt = Date.now();
      try {
        await service.start();
        say(`«${service.name}» está en marcha otra vez.`);
      } catch (error) {
        if (!this.#stopped.signal.aborted) await revive(errorLine(error));
      }
    };
    service.onUnexpectedExit = (reason) => void revive(reason);
  }

  async #pause(ms: number) {
    await delay(ms, undefined, { signal: this.#stopped.signal }).catch(() => {});
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
