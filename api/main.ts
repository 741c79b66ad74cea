import { type Env, readEnv } from '#platform/env';
import { createLogger } from '#platform/logging';
import { type Api, startApi } from './start.ts';

/** How long work in flight may take after we were asked to stop, in ms. */
const stopMsMax = 15_000;

await run();

async function run(): Promise<void> {
  const env = orExit(() => readEnv());
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

/** Connection strings hold passwords, so only host and port of the database are named. */
function sentenceFor(error: unknown, env: Env): string {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') return `El puerto ${env.port} ya está en uso: elige otro con PORT.`;
  if (code === 'EACCES') return `Falta permiso para usar el puerto ${env.port}: elige otro con PORT.`;
  const { host } = new URL(env.databaseUrl);
  if (code?.startsWith('E') || code?.startsWith('08')) return `La base de datos en ${host} no responde (${code}).`;
  if (code === '28P01' || code === '28000') return `La base de datos en ${host} no acepta el usuario o la contraseña.`;
  if (code === '3D000') return `La base de datos de DATABASE_URL no existe en ${host}.`;
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `La api no pudo arrancar: ${reason}`;
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}
