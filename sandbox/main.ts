/** Entry point of the sandbox as a separate process. */
import { flushCompileCache } from 'node:module';
import { pino } from 'pino';
import { readEnvironment } from './environment.ts';
import { startSandbox } from './sandbox.ts';

// Otherwise Node writes the compile cache only when the process exits.
flushCompileCache();
const environment = readEnvironment(process.env);
const log = pino({ name: 'sandbox', level: environment.LOG_LEVEL });

try {
  const sandbox = await startSandbox({
    port: environment.SANDBOX_PORT,
    smtpPort: environment.SANDBOX_SMTP_PORT ?? environment.SANDBOX_PORT + 1,
    host: environment.SANDBOX_HOST,
    secretKey: environment.SANDBOX_STRIPE_SECRET_KEY,
    publishableKey: environment.SANDBOX_STRIPE_PUBLISHABLE_KEY,
    webhookSecret: environment.SANDBOX_STRIPE_WEBHOOK_SECRET,
    bankKey: environment.SANDBOX_BANK_KEY,
    log,
    ...(environment.SANDBOX_DATA_DIR ? { dataDir: environment.SANDBOX_DATA_DIR } : {}),
    ...(environment.SANDBOX_WEBHOOK_URL ? { webhookUrl: environment.SANDBOX_WEBHOOK_URL } : {}),
    ...(environment.SANDBOX_WEB_ORIGIN ? { webOrigins: environment.SANDBOX_WEB_ORIGIN.split(',') } : {}),
    ...(environment.SANDBOX_SERVICE_HOST ? { serviceHost: environment.SANDBOX_SERVICE_HOST } : {}),
    ...(environment.SANDBOX_PUBLIC_URL ? { publicUrl: environment.SANDBOX_PUBLIC_URL.replace(/\/$/, '') } : {}),
  });
  log.info({ port: sandbox.port }, 'sandbox ready');
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      sandbox.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
} catch (error) {
  log.fatal({ err: error }, 'sandbox could not start');
  process.exitCode = 1;
}
