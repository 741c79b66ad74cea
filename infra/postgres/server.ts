import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chown, copyFile, cp, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode, errorLine, Failure } from '../failure.ts';
import { isRunning } from '../lock-file.ts';
import { freePort, isPortFree } from '../ports.ts';
import { type Binaries, databaseOwner, installBinaries, type Owner } from './binaries.ts';

const run = promisify(execFile);
const host = '127.0.0.1';
const superuser = 'chasqui';
const readyMsMax = 120_000;
const stopSecondsMax = 20;

export interface PostgresOptions {
  /** Holds `data`, `password`, `port` and `postgres.log`; created when missing. */
  directory: string;
  /** Settings over PostgreSQL's own defaults. */
  settings?: Record<string, string>;
  /** Called when the database cluster must be created first. */
  onCreate?: () => void;
}

/**
 * A PostgreSQL server of our own on the loopback address, run by an unprivileged user when we are root. It sits in
 * its own process group (Ctrl-C does not reach it) and is stopped by a watchdog should this process be killed.
 */
export class PostgresServer {
  readonly #options: PostgresOptions;
  readonly #binaries: Binaries;
  readonly #owner: Owner | undefined;
  readonly #data: string;
  #password = '';
  #port = 0;
  #process: ChildProcess | undefined;
  /** Called when the server ends unexpectedly. */
  onUnexpectedExit: (() => void) | undefined;

  private constructor(options: PostgresOptions, binaries: Binaries, owner: Owner | undefined) {
    this.#options = options;
    this.#binaries = binaries;
    this.#owner = owner;
    this.#data = join(options.directory, 'data');
  }

  /** Creates the cluster if missing, ends a server left over from a killed run, and starts. Throws `Failure`. */
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

  /**
   * Connection string of one of its databases, as the superuser or as another role. The password of such a role follows from
   * the superuser's and does not tell it.
   */
  url(database = 'postgres', role = superuser): string {
    const password =
      role === superuser ? this.#password : createHmac('sha256', this.#password).update(role).digest('base64url');
    return `postgresql://${role}:${password}@${host}:${this.#port}/${database}`;
  }

  /** Number of its main process while it runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts again on the same port, after `stop` or a crash. */
  async resume(): Promise<void> {
    await this.#stopLeftOver();
    await this.#launch();
  }

  /**
   * Starts a standby that follows this server, which stops for a moment, with a copy of its data in its directory. Needs the
   * replication that PostgreSQL has by default.
   */
  async startStandby(settings: Record<string, string>): Promise<PostgresServer> {
    const directory = join(this.#options.directory, 'standby');
    const standby = new PostgresServer(
      { directory, settings: { ...settings, primary_conninfo: this.url() } },
      this.#binaries,
      this.#owner,
    );
    await this.stop();
    await mkdir(directory);
    await cp(this.#data, standby.#data, { recursive: true });
    await copyFile(join(this.#options.directory, 'password'), join(directory, 'password'));
    await writeFile(join(standby.#data, 'standby.signal'), '');
    if (this.#owner) await run('chown', ['-R', `${this.#owner.uid}:${this.#owner.gid}`, directory]);
    await this.resume();
    await standby.#prepare();
    await standby.#launchOnFreePort();
    return standby;
  }

  /** `fast` rolls back open transactions and closes cleanly; `immediate` is a crash with recovery at the next start. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child && !hasEnded(child)) {
      const ended = once(child, 'exit');
      child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      const tooLong = setTimeout(() => child.kill('SIGKILL'), stopSecondsMax * 1000);
      await ended;
      clearTimeout(tooLong);
    }
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
    const major = (await readFile(join(this.#data, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
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
    const { scram_iterations: iterations } = this.#options.settings ?? {};
    const hashing = iterations ? ['-c', `scram_iterations=${iterations}`] : [];
    const flags = [`--pgdata=${unfinished}`, '--no-sync', ...locale, ...access, ...hashing];
    await run(this.#binaries.initdb, flags, this.#spawnOptions()).catch((error: { stderr?: string }) => {
      const reason = /error: (.*)/.exec(error.stderr ?? '')?.[1] ?? errorLine(error);
      throw new Failure(`No se pudo crear la base de datos en ${this.#options.directory}: ${reason}.`);
    });
    await rename(unfinished, this.#data);
  }

  #spawnOptions() {
    // It needs nothing from our environment, and variables such as PGPORT would change its behaviour.
    return { ...this.#owner, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  }

  /** A server of a run that was killed may still hold the data directory. */
  async #stopLeftOver(): Promise<void> {
    const pid = readPostmaster(this.#data)?.pid;
    if (!pid || !isPostgres(pid, this.#data)) return;
    const flags = ['stop', '-D', this.#data, '-m', 'fast', '-t', String(stopSecondsMax)];
    const deadline = Date.now() + stopSecondsMax * 1000;
    await run(this.#binaries.pgCtl, flags, this.#spawnOptions()).catch(() => {});
    // Its pid file goes before the process does, and pg_ctl fails at once when it is gone.
    while (isPostgres(pid, this.#data)) {
      if (Date.now() > deadline) {
        throw new Failure(
          `Otro PostgreSQL (proceso ${pid}) usa ${this.#data} y no termina: deténlo e inténtalo de nuevo.`,
        );
      }
      await delay(50);
    }
  }

  /** The port of last time if it is free: people keep it in their database tools. */
  async #launchOnFreePort(triesLeft = 2): Promise<void> {
    const portFile = join(this.#options.directory, 'port');
    const last = Number(await readFile(portFile, 'utf8').catch(() => '0'));
    this.#port = last > 0 && (await isPortFree(last, host)) ? last : await freePort(host);
    try {
      await this.#launch();
    } catch (error) {
      // Another process may have taken the port in between.
      if (triesLeft === 0 || (await isPortFree(this.#port, host))) throw error;
      return this.#launchOnFreePort(triesLeft - 1);
    }
    await writeFile(portFile, String(this.#port));
  }

  async #launch(): Promise<void> {
    const logFile = join(this.#options.directory, 'postgres.log');
    await rm(logFile, { force: true });
    const log = await open(logFile, 'w', 0o600);
    const settings = {
      listen_addresses: host,
      port: String(this.#port),
      unix_socket_directories: '',
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...this.#options.settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(this.#binaries.postgres, ['-D', this.#data, ...flags], {
      ...this.#spawnOptions(),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn').finally(() => log.close());
    this.#process = child;
    await this.#untilReady(child, logFile);
    const watchdog = stopWhenOrphaned(child.pid as number);
    child.once('exit', () => {
      // Its process id may soon be reused.
      watchdog?.kill('SIGKILL');
      if (this.#process === child) this.onUnexpectedExit?.();
    });
  }

  async #untilReady(child: ChildProcess, logFile: string): Promise<void> {
    const { directory } = this.#options;
    const deadline = Date.now() + readyMsMax;
    for (;;) {
      const postmaster = readPostmaster(this.#data);
      if (postmaster?.pid === child.pid && postmaster?.status === 'ready') return;
      if (hasEnded(child)) {
        throw new Failure(`La base de datos de ${directory} no arranca: ${lastComplaint(logFile)}.`);
      }
      if (Date.now() > deadline) {
        await this.stop('immediate');
        throw new Failure(`La base de datos de ${directory} no responde: mira ${logFile}.`);
      }
      await delay(20);
    }
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
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

/** Guards against a reused process id of a long dead server. */
function isPostgres(pid: number, data: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data);
  } catch {
    return !existsSync('/proc/self') && isRunning(pid);
  }
}

/**
 * A shell that waits for the end of this process (its standard input closes) and then stops the server cleanly, a
 * little later than the servers that use it stop by themselves.
 */
function stopWhenOrphaned(pid: number): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const watchdog = spawn('/bin/sh', ['-c', 'read line; sleep 2; kill -INT "$0"', String(pid)], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => {});
  watchdog.unref();
  return watchdog;
}

function lastComplaint(logFile: string): string {
  const complaints = readFileSync(logFile, 'utf8').match(/(?:FATAL|PANIC|ERROR): .*/g) ?? [];
  const last = complaints.at(-1)?.replace(/^\w+:\s*/, '');
  return last ? `«${last}» (registro completo en ${logFile})` : `mira ${logFile}`;
}
