import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import pRetry from 'p-retry';
import { errorLine, Failure } from './failure.ts';
import { compileCache, nodeProgram, root } from './paths.ts';

const exitWithParent = join(root, 'infra/exit-with-parent.ts');
const readyMsMax = 60_000;
const stopMsMax = 15_000;
const linesMax = 2_000;
/** A process that ran this long before it ended starts with the shortest pause again. */
const steadyMs = 60_000;

/** How a service says that it serves: an address that answers 2xx, or a line it prints. */
export type Readiness = { url: string } | { line: RegExp };

export interface ServiceOptions {
  name: string;
  /** Arguments for Node: the script and its own. */
  argv: string[];
  env: NodeJS.ProcessEnv;
  /** The checkout that it runs from; this one when absent. */
  cwd?: string;
  ready: Readiness;
  /** Gets every line it prints. */
  onLine?: (line: string) => void;
}

/** `stdin` stays open: its end tells the process that this one is gone. */
const spawn = ({ argv, env, cwd = root }: ServiceOptions) =>
  execa(nodeProgram, ['--enable-source-maps', '--import', exitWithParent, ...argv], {
    cwd,
    env: { ...env, ...compileCache },
    extendEnv: false,
    detached: true,
    stdin: 'pipe',
    all: true,
    buffer: false,
    reject: false,
    forceKillAfterDelay: stopMsMax,
  });
type Spawned = ReturnType<typeof spawn>;

/**
 * One server process. It runs in its own process group, so Ctrl-C reaches it only through `stop`, and it ends when this
 * process is gone.
 */
export class Service {
  readonly name: string;
  /** The last lines it printed, in all its runs. */
  readonly lines: string[] = [];
  /** Called when the process ends unexpectedly after it had been ready. */
  onUnexpectedExit: ((reason: string) => void) | undefined;
  readonly #options: ServiceOptions;
  #process: Spawned | undefined;
  #exited: Promise<void> = Promise.resolve();
  #stopping = false;
  #closed = false;

  constructor(options: ServiceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get running(): boolean {
    return this.#process !== undefined;
  }

  /** Starts it and waits until it serves. Throws `Failure` when it ends, or does not serve in time. */
  async start(): Promise<void> {
    if (this.#process || this.#closed) return;
    const { ready } = this.#options;
    const child = spawn(this.#options);
    this.#process = child;
    this.#stopping = false;
    let serves = false;
    let printedReady = false;
    const ended = new AbortController();
    const printed = this.#follow(child, (line) => {
      printedReady ||= 'line' in ready && ready.line.test(line);
    });
    this.#exited = Promise.all([child, printed]).then(([{ signal, exitCode }]) => {
      this.#process = undefined;
      ended.abort();
      if (serves && !this.#stopping) this.onUnexpectedExit?.(signal ?? `código ${exitCode}`);
    });
    try {
      await pRetry(
        async () => {
          if (!('url' in ready ? await answers(ready.url) : printedReady)) throw new Error('not ready');
        },
        {
          retries: Infinity,
          minTimeout: 50,
          factor: 1.2,
          maxTimeout: 100,
          maxRetryTime: readyMsMax,
          signal: ended.signal,
        },
      );
    } catch {
      if (ended.signal.aborted) throw new Failure(`«${this.name}» terminó al arrancar: ${this.#lastComplaint()}`);
      await this.kill();
      throw new Failure(`«${this.name}» no respondió en ${readyMsMax / 1000} s.`);
    }
    serves = true;
  }

  /** Asks it to finish and waits; kills it after a while. */
  stop(): Promise<void> {
    return this.kill('SIGTERM');
  }

  /** Sends the signal and waits for the end, which is then not unexpected. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#stopping = true;
    this.#process?.kill(signal);
    await this.#exited;
  }

  /** Stops it for good: it cannot be started again. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.stop();
  }

  /** Stops it if it runs, and starts it again. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Restarts it whenever it ends unexpectedly, until `close`. The pause doubles each time. */
  keepRunning(pauses: { firstMs: number; longestMs: number }, report: (line: string) => void = () => {}): void {
    let pauseMs = pauses.firstMs;
    let startedAt = Date.now();
    const revive = async (reason: string): Promise<void> => {
      if (Date.now() - startedAt > steadyMs) pauseMs = pauses.firstMs;
      report(`«${this.name}» se detuvo (${reason}); vuelve a arrancar en ${pauseMs / 1000} s…`);
      await delay(pauseMs, undefined, { ref: false });
      pauseMs = Math.min(pauseMs * 2, pauses.longestMs);
      if (this.#closed || this.running) return;
      startedAt = Date.now();
      try {
        await this.start();
        report(`«${this.name}» está en marcha otra vez.`);
      } catch (error) {
        if (!this.#closed) await revive(errorLine(error));
      }
    };
    this.onUnexpectedExit = (reason) => void revive(reason);
  }

  /** Forwards its output until it has ended. */
  async #follow(child: Spawned, onLine: (line: string) => void): Promise<void> {
    for await (const line of child.iterable({ from: 'all' })) {
      this.lines.push(line);
      if (this.lines.length > linesMax) this.lines.shift();
      this.#options.onLine?.(line);
      onLine(line);
    }
  }

  /** The last thing it said that reads like a reason, without its stack. */
  #lastComplaint(): string {
    const said = this.lines.slice(-50).map(reasonIn);
    const reason = said.findLast((line) => /(error|fatal|exception)\b[^:]*: ./i.test(line));
    return reason ?? said.findLast((line) => line !== '') ?? 'sin decir por qué';
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
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
