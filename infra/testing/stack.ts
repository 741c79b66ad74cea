import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFailed } from 'vitest';
import { freePort } from '../ports.ts';
import { Service } from '../service.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { testEnvironment } from './environment.ts';

/** The second api is api2, and so on. */
export type ProcessName = 'sandbox' | 'api' | 'worker' | `api${number}` | `worker${number}`;

export interface StackOptions {
  /** Migrated and of this stack alone: `createTestDatabase()`, or one of a server that the test restarts. */
  database: { url: string };
  /** Undefined: queues and sockets on PostgreSQL. */
  redisUrl?: string | undefined;
  /** Over the test environment, for every process. */
  env?: Record<string, string>;
  /** How many of each there are: one when absent. Several apis share one address behind a load balancer. */
  replicas?: { readonly api: number; readonly worker: number };
  /** Checkouts from whose build processes run instead of from this one's. */
  builds?: Partial<Record<ProcessName, string>>;
  /** Restarts a crashed process, as `npm start` does. Without it, a crash makes `close` fail. */
  revive?: boolean;
}

interface Ports {
  /** The product's port: that of its only api, or of the balancer in front of several. */
  readonly api: number;
  readonly apis: readonly number[];
  readonly sandbox: number;
  readonly smtp: number;
}

const revivePauseMs = 300;
const logLinesShown = 40;

/** Answered requests are left out of the log of a failure. */
function isInteresting(line: string): boolean {
  return !(line.includes('"msg":"answered"') && /"statusCode":[23]/.test(line));
}

/**
 * Starts the built product as `npm start` runs it, sandbox, api and worker as processes of their own on free ports, and
 * waits until all serve. Needs `dist/` (the e2e project's set-up builds it).
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stack = await Stack.prepare(options);
  try {
    await stack.start('sandbox');
    await stack.startServers();
    return stack;
  } catch (error) {
    console.error(stack.log());
    await stack.close().catch(() => {});
    throw error;
  }
}

export class Stack {
  /** Address of the product. */
  readonly apiUrl: string;
  /** Address of the sandbox. */
  readonly sandboxUrl: string;
  /** Every api and worker, by name. */
  readonly servers: readonly ProcessName[];
  readonly #services: ReadonlyMap<ProcessName, Service>;
  readonly #ports: Ports;
  #balancer: Balancer | undefined;
  readonly #sandboxData: string;
  readonly #unexpected: string[] = [];
  #closing = false;

  private constructor(options: StackOptions, ports: Ports, sandboxData: string) {
    this.apiUrl = `http://localhost:${ports.api}`;
    this.sandboxUrl = `http://localhost:${ports.sandbox}`;
    this.#sandboxData = sandboxData;
    const env = { ...process.env, ...testEnvironment, ...this.#addresses(options, ports), ...options.env };
    this.#ports = ports;
    const { replicas = { api: 1, worker: 1 }, builds = {} } = options;
    const services: Service[] = [
      new Service({
        name: 'sandbox',
        argv: ['dist/sandbox/main.js'],
        env,
        ready: { url: `http://127.0.0.1:${ports.sandbox}/sandbox/health` },
      }),
      ...ports.apis.map(
        (port, index) =>
          new Service({
            ...inBuild(builds, numbered('api', index)),
            argv: ['dist/api/main.js'],
            env: { ...env, PORT: String(port) },
            ready: { url: `http://127.0.0.1:${port}/api/health/ready` },
          }),
      ),
      ...Array.from(
        { length: replicas.worker },
        (_, index) =>
          new Service({
            ...inBuild(builds, numbered('worker', index)),
            argv: ['dist/worker/main.js'],
            env,
            ready: { line: /\bready\b/ },
          }),
      ),
    ];
    this.#services = new Map(services.map((service) => [service.name as ProcessName, service]));
    this.servers = [...this.#services.keys()].filter((name) => name !== 'sandbox');
    for (const service of services) {
      if (options.revive) service.keepRunning({ firstMs: revivePauseMs, longestMs: revivePauseMs });
      else service.onUnexpectedExit = (reason) => this.#ended(service, reason);
    }
  }

  static async prepare(options: StackOptions): Promise<Stack> {
    const api = await freePort();
    const apis = [api];
    // The product's own port is the balancer's.
    if (options.replicas && options.replicas.api > 1)
      for (let index = 0; index < options.replicas.api; index += 1) apis[index] = await freePort();
    const ports = { api, apis, sandbox: await freePort(), smtp: await freePort() };
    return new Stack(options, ports, await mkdtemp(join(tmpdir(), 'chasqui-sandbox-')));
  }

  #addresses(options: StackOptions, ports: Ports): Record<string, string> {
    const sandbox = `http://127.0.0.1:${ports.sandbox}`;
    return {
      LOG_LEVEL: 'info',
      PORT: String(ports.api),
      PUBLIC_URL: this.apiUrl,
      TRUST_PROXY: '127.0.0.1, ::1',
      DATABASE_URL: options.database.url,
      REDIS_URL: options.redisUrl ?? '',
      STRIPE_API_URL: sandbox,
      STRIPE_JS_URL: `${this.sandboxUrl}/stripe.js`,
      BANK_API_URL: `${sandbox}/bank`,
      WATCHMAN_URL: `${sandbox}/watchman`,
      RATE_SOURCES_URL: `${sandbox}/prices`,
      SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
      SANDBOX_PORT: String(ports.sandbox),
      SANDBOX_SMTP_PORT: String(ports.smtp),
      SANDBOX_DATA_DIR: this.#sandboxData,
      SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${ports.api}/api/stripe/webhook`,
      SANDBOX_PUBLIC_URL: this.sandboxUrl,
    };
  }

  /** Starts all apis and workers, and the balancer. */
  async startServers(): Promise<void> {
    await Promise.all(this.servers.map((name) => this.start(name)));
    const { api, apis } = this.#ports;
    if (apis.length > 1) this.#balancer = await startBalancer(api, apis, '/api/health/ready');
  }

  #service(name: ProcessName): Service {
    const service = this.#services.get(name);
    if (!service) throw new Error(`there is no ${name}`);
    return service;
  }

  /** Starts a process that was killed or stopped, and waits until it serves. */
  start(name: ProcessName): Promise<void> {
    return this.#service(name).start();
  }

  /** SIGTERM, then waits for the clean end. */
  stop(name: ProcessName): Promise<void> {
    return this.#service(name).stop();
  }

  /** Waits for the end. */
  kill(name: ProcessName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    return this.#service(name).kill(signal);
  }

  /** Ends it cleanly if it still runs, starts it again on the same port. */
  restart(name: ProcessName): Promise<void> {
    return this.#service(name).restart();
  }

  pid(name: ProcessName): number | undefined {
    return this.#service(name).pid;
  }

  /** The output of one process, or the latest of all. */
  log(name?: ProcessName): string {
    if (name) return this.#service(name).lines.join('\n');
    return [...this.#services.values()]
      .flatMap(({ name, lines }) =>
        lines
          .filter(isInteresting)
          .slice(-logLinesShown)
          .map((line) => `${name}: ${line}`),
      )
      .join('\n');
  }

  /** Call it in a test: should the test fail, the last log lines are shown. */
  showLogOnFailure(): void {
    onTestFailed(() => console.error(this.log()));
  }

  /** Stops everything. Throws if a process had ended unexpectedly. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#balancer?.close();
    for (const name of [...this.servers, 'sandbox'] as const) await this.#service(name).close();
    await rm(this.#sandboxData, { recursive: true, force: true });
    this.expectUnbroken();
  }

  /** Throws if a process has ended unexpectedly. */
  expectUnbroken(): void {
    if (this.#unexpected.length > 0) throw new Error(`ended by itself: ${this.#unexpected.join('; ')}`);
  }

  #ended(service: Service, reason: string) {
    if (this.#closing) return;
    this.#unexpected.push(`${service.name} (${reason}): ${service.lines.slice(-5).join(' ')}`);
  }
}

/** The name of the first, second and further process of a kind. */
const numbered = (kind: 'api' | 'worker', index: number): ProcessName => (index === 0 ? kind : `${kind}${index + 1}`);

const inBuild = (builds: StackOptions['builds'], name: ProcessName) => ({
  name,
  ...(builds?.[name] !== undefined && { cwd: builds[name] }),
});
