import { readWorkerConfiguration } from '#platform/configuration/worker';
import { createLogger } from '#platform/logging';
import { runProcess } from '#platform/process';
import { startWorker } from './start.ts';

await runProcess({
  title: 'El worker',
  // A rate run may take longer: it is cut off, and its jobs are taken up by another worker or at the next start.
  shutdownMs: () => 8_000,
  configure: () => readWorkerConfiguration(),
  log: (env) => createLogger('worker', env.logLevel),
  start: startWorker,
  describe: (error, env) => {
    const { code, port } = error as { code?: unknown; port?: unknown };
    if (code !== 'EADDRINUSE') return undefined;
    const variable = port === env.metrics?.port ? 'WORKER_METRICS_LISTEN' : 'WORKER_HEALTH_PORT';
    return `El puerto ${port} ya está en uso: elige otro con ${variable}.`;
  },
});
