import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode, errorLine, Failure } from '../failure.ts';
import { freePort, isPortFree } from '../ports.ts';
import { type Binaries, databaseOwner, installBinaries, type Owner } from './binaries.ts';

const host = '127.0.0.1';
const superuser = 'chasqui';
const readyMsMax = 120_000;
const stopMsMax = 20_000;
const portTries = 3;

export interface PostgresOptions {
  /** Holds `data`, `password`, `port` and `postgres.log`; created when missing. */
  directory: string;
  /** Settings over PostgreSQL's own defaults. */
  settings?: Record<string, string>;
  /** Told when a database cluster has to be created first. */
  onCreate?: () => void;
}

/**
 * A PostgreSQL server of our own on the loopback address, run by an unprivileged user when we are root. It sits in
 * its own process group (Ctrl-C does not reach it) and is stopped by a guardian should this process be killed.
 */
export class PostgresServer {
  readonly #options: PostgresOptions;
  readonly #binaries: Binaries;
  readonly #owner: Owner | undefined;
  readonly #data: string;
  #password = '';
  #port = 0;
  #process: ChildProcess | undefined;
  #guardian: ChildProcess | undefined;
  #stopping = false;
  /** Called when the server ends without having been asked to. */
  onUnexpectedExit: (() => void) | undefined;

  private constructor(options: PostgresOptions, binaries: Binaries, owner: Owner | undefined) {
    this.#options = options;
    this.#binaries = binaries;
    this.#owner = owner;
    this.#data = join(options.directory, 'data');
  }

  /** Creates the cluster if there is none, ends a server left over from a killed run, starts. Throws `Failure`. */
  static async start(options: PostgresOptions): Promise<PostgresServer> {
    const server = new PostgresServer(options, await installBinaries(), databaseOwner());
    try {
      await server.#prepare();
      await server.#stopLeftOver();
      await server.#launchOnFreePort();
      return server;
    } catch (error) {
      await server.stop();
      if (error instanceof Failure) throw error;
      if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) {
        throw new Failure(`Falta permiso para la base de datos en ${options.directory} (${errorCode(error)}).`);
      }
      throw new Failure(`La base de datos de ${options.directory} no arranca: ${errorLine(error)}.`);
    }
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Connection string of one of its databases, as the superuser. */
  url(database = 'postgres'): string {
    return `postgresql://${superuser}:${this.#password}@${host}:${this.#port}/${database}`;
  }

  /** Starts again on the same port, after `stop` or a crash. */
  async resume(): Promise<void> {
    await this.#stopLeftOver();
    await this.#launch();
  }

  /** `fast` rolls back what is open and closes cleanly; `immediate` is a crash with recovery at the next start. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    this.#stopping = true;
    const child = this.#process;
    if (child?.pid && child.exitCode === null && child.signalCode === null) {
      await endServer(child.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    }
    this.#guardian?.kill('SIGKILL');
    this.#guardian = undefined;
    this.#process = undefined;
  }

  async #prepare(): Promise<void> {
    const { directory } = this.#options;
    await mkdir(directory, { recursive: true });
    const passwordFile = join(directory, 'password');
    if (!existsSync(this.#data)) {
      this.#options.onCreate?.();
      await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
      if (this.#owner) await chown(passwordFile, this.#owner.uid, this.#owner.gid);
      await this.#createCluster(passwordFile);
    }
    this.#password = (await readFile(passwordFile, 'utf8')).trim();
    const major = await readFile(join(this.#data, 'PG_VERSION'), 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    );
    if (major !== this.#binaries.major) {
      const found = major ? `es de PostgreSQL ${major} y no de ${this.#binaries.major}` : 'está dañada';
      throw new Failure(`La base de datos de ${directory} ${found}: bórrala para empezar de cero o usa DATABASE_URL.`);
    }
  }

  /** Into a directory aside, renamed when complete, so that an interrupted first start leaves nothing half made. */
  async #createCluster(passwordFile: string): Promise<void> {
    const unfinished = `${this.#data}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    if (this.#owner) await chown(unfinished, this.#owner.uid, this.#owner.gid);
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = [`--username=${superuser}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    await promisify(execFile)(this.#binaries.initdb, [`--pgdata=${unfinished}`, '--no-sync', ...locale, ...access], {
      ...this.#spawnOptions(),
    }).catch((error: { stderr?: string }) => {
      const reason = /error: (.*)/.exec(error.stderr ?? '')?.[1] ?? errorLine(error);
      throw new Failure(`No se pudo crear la base de datos en ${this.#options.directory}: ${reason}.`);
    });
    await rename(unfinished, this.#data);
  }

  #spawnOptions() {
    // Nothing of our environment concerns it, and PGPORT and the like would change its behaviour.
    return { ...this.#owner, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  }

  /** A server of a run that was killed may still hold the data directory. */
  async #stopLeftOver(): Promise<void> {
    const pid = readPostmaster(this.#data)?.pid;
    if (!pid || !isPostgres(pid, this.#data)) return;
    if (!(await endServer(pid, 'SIGINT'))) {
      throw new Failure(
        `Otro PostgreSQL (proceso ${pid}) usa ${this.#data} y no termina: deténlo e inténtalo de nuevo.`,
      );
    }
  }

  /** The port of last time if it is free: people keep it in their database tools. */
  async #launchOnFreePort(): Promise<void> {
    const portFile = join(this.#options.directory, 'port');
    const last = Number(await readFile(portFile, 'utf8').catch(() => '0'));
    this.#port = last > 0 && (await isPortFree(last, host)) ? last : await freePort(host);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#launch();
        break;
      } catch (error) {
        if (attempt === portTries || (await isPortFree(this.#port, host))) throw error;
        this.#port = await freePort(host);
      }
    }
    await writeFile(portFile, String(this.#port));
  }

  async #launch(): Promise<void> {
    const logFile = join(this.#options.directory, 'postgres.log');
    const log = await open(logFile, 'w');
    await chmod(logFile, 0o600);
    const settings = {
      listen_addresses: host,
      port: String(this.#port),
      unix_socket_directories: '',
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...this.#options.settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#stopping = false;
    const child = spawn(this.#binaries.postgres, ['-D', this.#data, ...flags], {
      ...this.#spawnOptions(),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    this.#process = child;
    const spawnError = new Promise<never>((_, reject) => child.once('error', reject));
    child.once('exit', () => {
      if (this.#process === child && !this.#stopping) this.onUnexpectedExit?.();
    });
    try {
      await Promise.race([spawnError, this.#untilReady(child, logFile)]);
    } finally {
      await log.close();
    }
    this.#guardian = guard(child.pid as number);
  }

  async #untilReady(child: ChildProcess, logFile: string): Promise<void> {
    const deadline = Date.now() + readyMsMax;
    while (Date.now() < deadline) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Failure(`La base de datos de ${this.#options.directory} no arranca: ${lastComplaint(logFile)}.`);
      }
      const postmaster = readPostmaster(this.#data);
      if (postmaster && postmaster.pid === child.pid && postmaster.status === 'ready') return;
      await delay(20);
    }
    throw new Failure(`La base de datos de ${this.#options.directory} no responde: mira ${logFile}.`);
  }
}

/** What a running server notes about itself; its last line says whether it accepts connections. */
function readPostmaster(data: string): { pid: number; status: string | undefined } | undefined {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), status: lines[7]?.trim() };
  } catch {
    return undefined;
  }
}

/** The number of a long dead server may by now be somebody else's. */
function isPostgres(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data);
  } catch {
    return !existsSync('/proc/self');
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  try {
    // In a container whose first process does not collect orphans, a dead one stays listed as Z.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return !existsSync('/proc/self');
  }
}

/** Asks, then insists; true when the process is gone. */
async function endServer(pid: number, signal: 'SIGINT' | 'SIGQUIT'): Promise<boolean> {
  for (const next of [signal, 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(pid, next);
    } catch {
      return true;
    }
    const deadline = Date.now() + stopMsMax;
    while (Date.now() < deadline) {
      if (!isAlive(pid)) return true;
      await delay(20);
    }
  }
  return !isAlive(pid);
}

/**
 * A shell that waits for the end of this process (its standard input closes) and then stops the server cleanly, a
 * little later than the servers that use it stop by themselves.
 */
function guard(pid: number): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const guardian = spawn('/bin/sh', ['-c', 'read line; sleep 2; kill -INT "$0"', String(pid)], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guardian.on('error', () => {});
  guardian.unref();
  return guardian;
}

function lastComplaint(logFile: string): string {
  const complaints = readFileSync(logFile, 'utf8').match(/(?:FATAL|PANIC|ERROR): .*/g) ?? [];
  const last = complaints.at(-1)?.replace(/^\w+:\s*/, '');
  return last ? `«${last}» (registro completo en ${logFile})` : `mira ${logFile}`;
}
