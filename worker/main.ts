import { readWorkerConfiguration } from '#platform/configuration/worker';
import { createLogger } from '#platform/logging';
import { runProcess } from '#platform/process';
import { startWorker } from './start.ts';

await runProcess({
  title: 'El worker',
  // A rate run may take longer: it is cut off, and its jobs are taken up by another worker or at the next start.
  shutdownMs: 8_000,
  configure: () => readWorkerConfiguration(),
  log: (env) => createLogger('worker', env.logLevel),
  start: startWorker,
  describe: (error, env) =>
    (error as { code?: unknown }).code === 'EADDRINUSE'
      ? `El puerto ${env.healthPort} ya está en uso: elige otro con WORKER_HEALTH_PORT.`
      : undefined,
});
