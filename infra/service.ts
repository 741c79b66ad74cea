import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from './failure.ts';
import { compileCache, nodeProgram, root } from './places.ts';

const lifeline = join(root, 'infra/lifeline.ts');
const readyMsMax = 60_000;
const stopMsMax = 15_000;
const linesMax = 2_000;
/** Before asking again a server that does not listen yet, and one that says it cannot serve yet. */
const silentPauseMs = 50;
const unwellPauseMs = 300;

/** How a service says that it serves: an address that answers 2xx, or a line it prints. */
export type Readiness = { url: string } | { line: RegExp };

export interface ServiceOptions {
  name: string;
  /** Arguments for Node: the script and its own. */
  argv: string[];
  env: NodeJS.ProcessEnv;
  ready: Readiness;
  /** Gets every line it prints. */
  onLine?: (line: string) => void;
}

/**
 * One server process. It sits in its own process group, so Ctrl-C reaches it only through `stop`, and ends by itself
 * when this process is gone.
 */
export class Service {
  readonly name: string;
  /** The last lines it printed, over all its lives. */
  readonly lines: string[] = [];
  /** Called when the process ends without having been asked to, once it had been ready. */
  onUnexpectedExit: ((reason: string) => void) | undefined;
  readonly #options: ServiceOptions;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #ready = false;
  #stopping = false;
  #closed = false;

  constructor(options: ServiceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  /** Starts it and waits until it serves. Throws `Failure` when it ends or stays silent instead. */
  async start(): Promise<void> {
    if (this.#child || this.#closed) return;
    const { argv, env, ready } = this.#options;
    this.#ready = false;
    this.#stopping = false;
    const child = spawn(nodeProgram, ['--enable-source-maps', '--import', lifeline, ...argv], {
      cwd: root,
      env: { ...env, ...compileCache },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdin?.on('error', () => {});
    const announced = this.#follow(child);
    this.#exited = new Promise((resolve) => {
      child.once('error', () => this.#ended(child, 'no se pudo ejecutar', resolve));
      child.once('exit', (code, signal) => this.#ended(child, signal ?? `código ${code}`, resolve));
    });
    const serves = 'line' in ready ? announced : this.#answers(child, ready.url);
    const cancel = new AbortController();
    const tooLate = delay(readyMsMax, undefined, { signal: cancel.signal, ref: false }).catch(() => {});
    await Promise.race([serves, this.#exited, tooLate]);
    cancel.abort();
    if (this.#child !== child) throw new Failure(`«${this.name}» terminó al arrancar: ${this.#lastComplaint()}`);
    if (!(await Promise.race([serves, false]))) {
      await this.kill('SIGKILL');
      throw new Failure(`«${this.name}» no respondió en ${readyMsMax / 1000} s.`);
    }
    this.#ready = true;
  }

  /** Asks it to finish and waits; insists after a while. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#stopping = true;
    child.kill('SIGTERM');
    const insist = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
    await this.#exited;
    clearTimeout(insist);
  }

  /** Stops it for good: whoever wanted to start it again no longer can. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.stop();
  }

  /** Sends the signal and waits for the end; nobody is told about it as unexpected. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.#child) return;
    this.#stopping = true;
    this.#child.kill(signal);
    await this.#exited;
  }

  /** Stops it if it runs, and starts it again. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Passes on what it prints; the promise becomes true at the line that says it is ready. */
  #follow(child: ChildProcess): Promise<boolean> {
    const { ready, onLine } = this.#options;
    return new Promise((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (!stream) continue;
        createInterface({ input: stream }).on('line', (line) => {
          this.lines.push(line);
          if (this.lines.length > linesMax) this.lines.shift();
          onLine?.(line);
          if ('line' in ready && ready.line.test(line)) resolve(true);
        });
      }
    });
  }

  async #answers(child: ChildProcess, url: string): Promise<boolean> {
    while (this.#child === child) {
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
        await response.arrayBuffer();
        if (response.ok) return true;
        await delay(unwellPauseMs);
      } catch {
        await delay(silentPauseMs);
      }
    }
    return false;
  }

  #ended(child: ChildProcess, reason: string, resolve: () => void) {
    if (this.#child === child) this.#child = undefined;
    resolve();
    if (this.#ready && !this.#stopping) this.onUnexpectedExit?.(reason);
  }

  /** The last thing it said that reads like a reason, without its stack. */
  #lastComplaint(): string {
    const said = this.lines.slice(-50).map(reasonIn);
    const reason = said.findLast((line) => /(error|fatal|exception)\b[^:]*: ./i.test(line));
    return reason ?? said.findLast((line) => line !== '') ?? 'sin decir por qué';
  }
}

/** The message of a JSON log entry, or the line itself. */
function reasonIn(line: string): string {
  if (!line.startsWith('{"')) return line.trim();
  try {
    const entry = JSON.parse(line) as { msg?: string; err?: { type?: string; message?: string } };
    return entry.err?.message ? `${entry.err.type ?? 'Error'}: ${entry.err.message}` : (entry.msg ?? '');
  } catch {
    return line.trim();
  }
}
