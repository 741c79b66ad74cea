import { flushCompileCache } from 'node:module';
import { ConfigurationError } from './configuration/configuration-error.ts';
import { connectionProblem } from './database/connection-problem.ts';
import { type Logger, logWritten } from './logging.ts';

/** A process that serves until it is stopped. */
export interface RunningProcess {
  /** Takes no new work, finishes what is in flight, and closes every connection. */
  close(): Promise<void>;
}

interface ProcessOptions<Configuration extends { databaseUrl: string }> {
  /** As people at the terminal call it: "La api", "El worker". */
  readonly title: string;
  /** How long the end may take after a signal, in ms. Orchestrators have to wait longer before they kill. */
  shutdownMs(configuration: Configuration): number;
  /** @throws an error whose message says what to correct. */
  configure(): Configuration;
  log(configuration: Configuration): Logger;
  start(configuration: Configuration, log: Logger): Promise<RunningProcess>;
  /** The message for a start-up error of this process alone, such as a port in use. */
  describe?(error: unknown, configuration: Configuration): string | undefined;
}

/** How long the last line of the log may take to be written, in ms. */
const logMsMax = 500;

/**
 * Runs a process from its configuration to SIGTERM or SIGINT. Errors that the person at the terminal can correct are printed
 * as one message without a stack; work that does not end in time is cut off with exit code 1, and other processes take it up again.
 */
export async function runProcess<Configuration extends { databaseUrl: string }>(
  options: ProcessOptions<Configuration>,
): Promise<void> {
  // What Node compiled is kept for the next start (NODE_COMPILE_CACHE). Node would write it when the process exits, three thousand
  // files that no deadline of ours ends: a busy disk kept processes for half a minute.
  flushCompileCache();
  let configuration: Configuration;
  try {
    configuration = options.configure();
  } catch (error) {
    return exitWith(error instanceof Error ? error.message : String(error));
  }
  const log = options.log(configuration);
  let running: RunningProcess;
  try {
    running = await options.start(configuration, log);
  } catch (error) {
    if (error instanceof ConfigurationError) return exitWith(error.message);
    return exitWith(
      options.describe?.(error, configuration) ??
        connectionProblem(error, configuration.databaseUrl) ??
        `${options.title} no pudo arrancar: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
  const stop = async (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping');
    setTimeout(() => exitWith(`${options.title} no terminó a tiempo.`), options.shutdownMs(configuration)).unref();
    await running.close();
    log.info('stopped');
    await logWritten(log, logMsMax);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));
}

function exitWith(message: string): never {
  console.error(message);
  process.exit(1);
}
