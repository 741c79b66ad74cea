import { readApiConfiguration } from '#platform/configuration/api';
import { errorCodeOf } from '#platform/database/connection-problem';
import { createLogger } from '#platform/logging';
import { runProcess } from '#platform/process';
import { startApi } from './start.ts';

await runProcess({
  title: 'La api',
  shutdownMs: ({ drainMs }) => drainMs + 8_000,
  configure: () => readApiConfiguration(),
  log: (env) => createLogger('api', env.logLevel),
  start: async (env, log) => {
    const api = await startApi(env, log);
    log.info({ port: api.port, url: env.publicUrl }, 'api ready');
    return api;
  },
  describe: (error, env) => {
    const code = errorCodeOf(error);
    const { port } = error as { port?: unknown };
    const variable = port === env.metrics?.port ? 'API_METRICS_LISTEN' : 'PORT';
    if (code === 'EADDRINUSE') return `El puerto ${port ?? env.port} ya está en uso: elige otro con ${variable}.`;
    if (code === 'EACCES') return `Falta permiso para usar el puerto ${env.port}: elige otro con PORT.`;
    return undefined;
  },
});
