import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from './config.ts';
import { errorLine, Failure } from './failure.ts';
import { lockInstance } from './instance-lock.ts';
import { root } from './paths.ts';
import { Supervisor } from './supervisor.ts';
import { say } from './terminal.ts';

/** One Ctrl-C arrives several times: from the terminal and through npm. A later one means "now". */
const sameSignalMs = 1_500;

/** What a command adds to the running product; its own processes end in `stop`. */
export interface Extra {
  start: (config: Config, supervisor: Supervisor) => Promise<void>;
  stop: () => Promise<void>;
  /** Lines for the person, when everything is ready. */
  announce: (config: Config) => string[];
}

/**
 * Runs the product until a signal ends it, and then this process: with exit code 0 after a signal, 1 after a failure,
 * whose message has then been shown.
 */
export async function run(extra: Extra): Promise<never> {
  const stopRequested = untilStopRequested();
  let supervisor: Supervisor | undefined;
  let unlock: (() => Promise<void>) | undefined;
  try {
    if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));
    const config = readConfig(process.env);
    unlock = await lockInstance();
    const { promise: unrecoverable, reject } = Promise.withResolvers<never>();
    supervisor = new Supervisor(config);
    supervisor.onFailure = reject;
    const started = start(config, supervisor, extra);
    await Promise.race([started.then(() => stopRequested), stopRequested, unrecoverable]);
    say('\nDeteniendo Chasqui…');
    await Promise.all([supervisor.stop(), extra.stop()]);
    await started.catch(() => {});
    say('Todo detenido.');
  } catch (error) {
    await Promise.all([supervisor?.stop(), extra.stop()]);
    console.error(`\n${error instanceof Failure ? error.message : `Algo inesperado falló: ${errorLine(error)}`}`);
    process.exitCode = 1;
  }
  await unlock?.();
  process.exit();
}

async function start(config: Config, supervisor: Supervisor, extra: Extra): Promise<void> {
  await supervisor.start();
  await extra.start(config, supervisor);
  for (const line of extra.announce(config)) say(line);
}

/**
 * Resolves at the first signal. A second one a while later ends this process at once: its servers notice that and stop by
 * themselves, a watchdog stops the database.
 */
function untilStopRequested(): Promise<void> {
  return new Promise((resolve) => {
    let first = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (first === 0) first = Date.now();
        else if (Date.now() - first > sameSignalMs) process.exit(1);
        resolve();
      });
    }
  });
}
