import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFailed } from 'vitest';
import { freePort } from '../ports.ts';
import { Service } from '../service.ts';
import { testEnvironment } from './environment.ts';

export type ProcessName = 'sandbox' | 'api' | 'worker';

export interface StackOptions {
  /** Migrated and of this stack alone: `createTestDatabase()`, or one of a server that the test restarts. */
  database: { url: string };
  /** Undefined: queues and sockets on PostgreSQL. */
  redisUrl?: string | undefined;
  /** Over the test environment, for every process. */
  env?: Record<string, string>;
  /** Starts again a process that ended by itself, as `npm start` does. Without it, such an end fails `close`. */
  revive?: boolean;
}

interface Ports {
  readonly api: number;
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
    await Promise.all([stack.start('api'), stack.start('worker')]);
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
  readonly #services: Record<ProcessName, Service>;
  readonly #sandboxData: string;
  readonly #unexpected: string[] = [];
  #closing = false;

  private constructor(options: StackOptions, ports: Ports, sandboxData: string) {
    this.apiUrl = `http://localhost:${ports.api}`;
    this.sandboxUrl = `http://localhost:${ports.sandbox}`;
    this.#sandboxData = sandboxData;
    const env = { ...process.env, ...testEnvironment, ...this.#addresses(options, ports), ...options.env };
    this.#services = {
      sandbox: new Service({
        name: 'sandbox',
        argv: ['dist/sandbox/main.js'],
        env,
        ready: { url: `http://127.0.0.1:${ports.sandbox}/sandbox/health` },
      }),
      api: new Service({
        name: 'api',
        argv: ['dist/api/main.js'],
        env,
        ready: { url: `http://127.0.0.1:${ports.api}/api/health/ready` },
      }),
      worker: new Service({ name: 'worker', argv: ['dist/worker/main.js'], env, ready: { line: /\bready\b/ } }),
    };
    for (const service of Object.values(this.#services)) {
      if (options.revive) service.keepRunning({ firstMs: revivePauseMs, longestMs: revivePauseMs });
      else service.onUnexpectedExit = (reason) => this.#ended(service, reason);
    }
  }

  static async prepare(options: StackOptions): Promise<Stack> {
    const ports = { api: await freePort(), sandbox: await freePort(), smtp: await freePort() };
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

  /** Starts a process that was killed or stopped, and waits until it serves. */
  start(name: ProcessName): Promise<void> {
    return this.#services[name].start();
  }

  /** SIGTERM, then waits for the clean end. */
  stop(name: ProcessName): Promise<void> {
    return this.#services[name].stop();
  }

  /** Waits for the end. */
  kill(name: ProcessName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    return this.#services[name].kill(signal);
  }

  /** Ends it cleanly if it still runs, starts it again on the same port. */
  restart(name: ProcessName): Promise<void> {
    return this.#services[name].restart();
  }

  pid(name: ProcessName): number | undefined {
    return this.#services[name].pid;
  }

  /** What one process printed, or the last of all of them. */
  log(name?: ProcessName): string {
    if (name) return this.#services[name].lines.join('\n');
    return Object.values(this.#services)
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

  /** Stops everything. Throws when a process had ended without having been asked to. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const name of ['api', 'worker', 'sandbox'] as const) await this.#services[name].close();
    await rm(this.#sandboxData, { recursive: true, force: true });
    this.expectUnbroken();
  }

  /** Throws when a process has ended without having been asked to. */
  expectUnbroken(): void {
    if (this.#unexpected.length > 0) throw new Error(`ended by itself: ${this.#unexpected.join('; ')}`);
  }

  #ended(service: Service, reason: string) {
    if (this.#closing) return;
    this.#unexpected.push(`${service.name} (${reason}): ${service.lines.slice(-5).join(' ')}`);
  }
}
