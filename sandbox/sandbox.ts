/**
 * The sandbox as one server: Stripe at `/v1`, the bank at `/bank`, price sites at `/prices`, a list service at
 * `/watchman`, the control routes at `/sandbox`, pages at `/`; and a mail server on a separate port. Tests that need
 * Stripe or the bank alone use `testing/`.
 */
import express, { type Express } from 'express';
import { type Logger, pino } from 'pino';
import { bankRouter } from './bank/routes.ts';
import { type ContextOptions, createContext, type SandboxContext } from './context.ts';
import { challengePage } from './control/challenge-page.ts';
import { controlRouter } from './control/router.ts';
import { startMailServer } from './mailbox/server.ts';
import { pricesRouter } from './prices/routes.ts';
import { cors } from './server/cors.ts';
import { type HostCheckOptions, hostCheck, noFraming } from './server/host-check.ts';
import { listen } from './server/http-server.ts';
import { staticFiles } from './server/static-files.ts';
import { type StripeOptions, StripeSimulator } from './stripe/simulator.ts';
import { watchmanRouter } from './watchman/routes.ts';

export interface SandboxOptions extends ContextOptions, StripeOptions, Pick<HostCheckOptions, 'serviceHost'> {
  /** 0 (the default) takes any free port. */
  port?: number;
  /** Of the mail server; 0 (the default) takes any free port. */
  smtpPort?: number;
  host?: string;
  bankKey?: string;
  /** Origins whose pages may call with the publishable key; absent means any. */
  webOrigins?: string[];
  log?: Logger;
}

export interface Sandbox {
  /** http://127.0.0.1:<port>, without a trailing slash. */
  url: string;
  port: number;
  smtpPort: number;
  /** Finishes requests and deliveries under way and stops. The rest stays in storage. */
  close(): Promise<void>;
}

function buildApp(options: SandboxOptions, context: SandboxContext, stripe: StripeSimulator, log: Logger): Express {
  const { keys, changed } = stripe;
  const app = express();
  app.disable('x-powered-by');
  app.use(hostCheck(options), noFraming);
  const corsPaths = [
    '/v1',
    '/sandbox/stripe/payment_intents/:id/challenge',
    '/sandbox/stripe/onramp_sessions/:id/checkout',
  ];
  app.use(corsPaths, cors(options.webOrigins));
  app.use('/v1', stripe.router);
  app.use('/bank', bankRouter({ context, log, key: options.bankKey }));
  app.use('/prices', pricesRouter(context, log));
  app.use('/watchman', watchmanRouter(context));
  const control = controlRouter({
    ...{ context, keys, log, changed },
    idle: (timeoutMs) => stripe.idle(timeoutMs),
    prepare: () => stripe.registerEndpoint(),
  });
  app.use('/sandbox', control);
  app.get('/challenge', challengePage(context));
  app.use(staticFiles());
  app.use((_, response) => {
    response.status(404).json({ error: { type: 'invalid_request_error', message: 'Unrecognized request URL' } });
  });
  return app;
}

/** Starts a sandbox. Rejects when a port is taken or the data folder cannot be written. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, smtpPort = 0, host = '127.0.0.1', log = pino({ level: 'silent' }) } = options;
  const context = createContext(options);
  const stripe = new StripeSimulator(context, options, log);
  const failToStart = (error: unknown): never => {
    context.storage.close();
    throw error;
  };
  const server = await listen(buildApp(options, context, stripe, log), port, host).catch(failToStart);
  const mailServer = await startMailServer({ context, port: smtpPort, host, log }).catch(async (error) => {
    await server.close();
    return failToStart(error);
  });
  context.publicUrl ||= `http://localhost:${server.port}`;
  stripe.start();
  const close = async () => {
    await server.close(() => stripe.close());
    await mailServer.close();
    context.storage.close();
  };
  return { url: `http://127.0.0.1:${server.port}`, port: server.port, smtpPort: mailServer.port, close };
}
