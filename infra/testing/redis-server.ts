import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pRetry from 'p-retry';
import { freePort } from '../ports.ts';

const readyMsMax = 10_000;

/** A Redis of one test alone, from the `redis-server` program of this machine. Its data is on disk, as it should be in production. */
export class TestRedisServer {
  readonly url: string;
  readonly #port: number;
  readonly #directory: string;
  #process: ChildProcess | undefined;
  readonly #onExit = () => this.#process?.kill('SIGKILL');

  private constructor(port: number, directory: string) {
    this.url = `redis://127.0.0.1:${port}`;
    this.#port = port;
    this.#directory = directory;
  }

  static async start(): Promise<TestRedisServer> {
    const server = new TestRedisServer(await freePort(), await mkdtemp(join(tmpdir(), 'chasqui-redis-')));
    process.once('exit', server.#onExit);
    await server.resume();
    return server;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Kills it; `resume` restarts it with its written data. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (!child) return;
    this.#process = undefined;
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await ended;
  }

  /** Starts it on the same port, and waits until it answers. */
  async resume(): Promise<void> {
    if (this.#process) return;
    const flags = ['--port', String(this.#port), '--bind', '127.0.0.1', '--maxmemory-policy', 'noeviction'];
    const kept = ['--save', '', '--appendonly', 'yes', '--dir', this.#directory];
    const child = spawn('redis-server', [...flags, ...kept], { stdio: 'ignore' });
    this.#process = child;
    await untilReady(this.#port, child);
  }

  /** Deletes all it holds, as a fail-over to an empty replica does. */
  async empty(): Promise<void> {
    const client = new Redis(this.url, { maxRetriesPerRequest: 1 });
    try {
      await client.flushall();
    } finally {
      client.disconnect();
    }
  }

  async close(): Promise<void> {
    process.off('exit', this.#onExit);
    await this.kill('SIGTERM');
    await rm(this.#directory, { recursive: true, force: true });
  }
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => {});
  // It refuses commands while it reads its data.
  const ask = async () => {
    if (client.status !== 'ready') await client.connect();
    await client.ping();
  };
  await pRetry(ask, {
    retries: Infinity,
    minTimeout: 20,
    factor: 1,
    maxRetryTime: readyMsMax,
    shouldRetry: () => child.exitCode === null,
  });
  client.disconnect();
}
