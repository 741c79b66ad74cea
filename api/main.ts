import { type ApiConfiguration, readApiConfiguration } from '#platform/configuration/api';
import { connectionProblem, errorCodeOf } from '#platform/database/connection-problem';
import { createLogger } from '#platform/logging';
import { type Api, startApi } from './start.ts';

/** How long work in flight may take after we were asked to stop, in ms. */
const stopMsMax = 15_000;

await run();

async function run(): Promise<void> {
  const env = orExit(() => readApiConfiguration());
  const log = createLogger('api', env.logLevel);
  let api: Api;
  try {
    api = await startApi(env, log);
  } catch (error) {
    return exitWith(sentenceFor(error, env));
  }
  log.info({ port: api.port, url: env.publicUrl }, 'api ready');
  const stop = async (signal: NodeJS.Signals) => {
    log.info({ signal }, 'api stopping');
    setTimeout(() => exitWith('La api no terminó a tiempo.'), stopMsMax).unref();
    await api.close();
    log.info('api stopped');
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function orExit<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    return exitWith(error instanceof Error ? error.message : String(error));
  }
}

/** One clear sentence for whoever started us. */
function exitWith(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function sentenceFor(error: unknown, env: ApiConfiguration): string {
  const code = errorCodeOf(error);
  if (code === 'EADDRINUSE') return `El puerto ${env.port} ya está en uso: elige otro con PORT.`;
  if (code === 'EACCES') return `Falta permiso para usar el puerto ${env.port}: elige otro con PORT.`;
  const problem = connectionProblem(error, env.databaseUrl);
  if (problem) return problem;
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `La api no pudo arrancar: ${reason}`;
}
