/**
 * The sandbox as one server: Stripe at `/v1`, the bank at `/bank`, price sites at `/prices`, the control plane at `/sandbox`,
 * pages at `/`; and a mail server on a port of its own.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { type Logger, pino } from 'pino';
import { bankRouter } from './bank/routes.ts';
import { Clock } from './clock.ts';
import { internalCall, type SandboxContext } from './context.ts';
import { challengePage } from './control/challenge-page.ts';
import { controlRouter } from './control/router.ts';
import { DelayedTasks, type Task } from './delayed-tasks.ts';
import { startMailServer } from './mailbox/server.ts';
import { pricesRouter } from './prices/routes.ts';
import { type DueWork, Scheduler } from './scheduler.ts';
import { cors } from './server/cors.ts';
import { hostCheck, noFraming } from './server/host-check.ts';
import { staticFiles } from './server/static-files.ts';
import { Storage } from './storage.ts';
import { bookCharge } from './stripe/charges.ts';
import { expireHold } from './stripe/holds.ts';
import { fulfilSession } from './stripe/onramp.ts';
import { finishRefund } from './stripe/refunds.ts';
import { stripeRouter } from './stripe/routes.ts';
import { WebhookDispatcher } from './stripe/webhook-dispatcher.ts';
import { registerOwnEndpoint } from './stripe/webhook-endpoints.ts';

export interface SandboxOptions {
  /** 0 (the default) takes any free port. */
  port?: number;
  /** Of the mail server; 0 (the default) takes any free port. */
  smtpPort?: number;
  host?: string;
  /** Folder of the state file; absent keeps state in memory. */
  dataDir?: string;
  webhookUrl?: string;
  secretKey?: string;
  publishableKey?: string;
  webhookSecret?: string;
  bankKey?: string;
  /** Origins whose pages may call with the publishable key; absent means any. */
  webOrigins?: string[];
  /** This server as a browser reaches it; by default http://localhost:<port>. */
  publicUrl?: string;
  /** Host name under which programs may call the simulated services (not the control routes), as in a container network. */
  serviceHost?: string;
  /** How long a balance transaction or an asynchronous refund takes, in milliseconds. */
  asyncDelayMs?: number;
  /** Where its time begins; by default now, or where stored state ended. */
  beginAt?: Date;
  log?: Logger;
}

export interface Sandbox {
  /** http://127.0.0.1:<port>, without a trailing slash. */
  url: string;
  port: number;
  smtpPort: number;
  /** Finishes what is under way and stops. What is left is in storage. */
  close(): Promise<void>;
}

const ASYNC_DELAY_MS = 1000;
const CLOSE_GRACE_MS = 2000;

const PERFORM: Record<Task, (context: SandboxContext, ref: string) => void> = {
  expire_hold: (context, ref) => expireHold(internalCall(context), ref),
  book_charge: (context, ref) => bookCharge(internalCall(context), ref),
  finish_refund: (context, ref) => finishRefund(internalCall(context), ref),
  fulfil_onramp: (context, ref) => fulfilSession(internalCall(context), ref),
};

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function buildContext(options: SandboxOptions): SandboxContext {
  const storage = new Storage(options.dataDir);
  const clock = new Clock(storage);
  if (options.beginAt) clock.begin(options.beginAt);
  const tasks: DelayedTasks = new DelayedTasks(storage, clock, (task, ref) => PERFORM[task](context, ref));
  const asyncDelayMs = options.asyncDelayMs ?? ASYNC_DELAY_MS;
  const context: SandboxContext = { storage, clock, tasks, asyncDelayMs, publicUrl: options.publicUrl ?? '' };
  return context;
}

function buildApp(
  options: SandboxOptions,
  context: SandboxContext,
  dispatcher: WebhookDispatcher,
  scheduler: Scheduler,
  log: Logger,
) {
  const keys = {
    secret: options.secretKey ?? 'sk_test_sandbox',
    publishable: options.publishableKey ?? 'pk_test_sandbox',
  };
  const changed = () => scheduler.wake();
  const isDue = (work: DueWork) => (work.nextDue() ?? Number.POSITIVE_INFINITY) <= context.clock.millis();
  const busy = () => dispatcher.inFlight > 0 || [context.tasks, dispatcher].some(isDue);
  const app = express();
  app.disable('x-powered-by');
  app.use(hostCheck(options), noFraming);
  const corsPaths = [
    '/v1',
    '/sandbox/stripe/payment_intents/:id/challenge',
    '/sandbox/stripe/onramp_sessions/:id/checkout',
  ];
  app.use(corsPaths, cors(options.webOrigins));
  app.use('/v1', stripeRouter({ context, keys, log, changed }));
  app.use('/bank', bankRouter({ context, key: options.bankKey ?? 'bank_sandbox', log }));
  app.use('/prices', pricesRouter(context, log));
  app.use('/sandbox', controlRouter({ context, keys, log, changed, busy, prepare: () => prepare(context, options) }));
  app.get('/challenge', challengePage(context));
  app.use(staticFiles());
  app.use((_, response) => {
    response.status(404).json({ error: { type: 'invalid_request_error', message: 'Unrecognized request URL' } });
  });
  return app;
}

/** Registers the webhook endpoint the environment names. Must run in a transaction. */
function prepare(context: SandboxContext, options: SandboxOptions): void {
  if (options.webhookUrl) registerOwnEndpoint(context, options.webhookUrl, options.webhookSecret ?? 'whsec_sandbox');
}

/** Starts a sandbox. Rejects when the port is taken or the data folder cannot be written. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const log = options.log ?? pino({ level: 'silent' });
  const context = buildContext(options);
  const dispatcher: WebhookDispatcher = new WebhookDispatcher(context, log, () => scheduler.wake());
  const scheduler: Scheduler = new Scheduler(context.clock, [context.tasks, dispatcher], (error) =>
    log.error({ err: error }, 'due work'),
  );
  context.storage.transaction(() => prepare(context, options));
  const server = createServer(buildApp(options, context, dispatcher, scheduler, log));
  const host = options.host ?? '127.0.0.1';
  const failToStart = (error: unknown): never => {
    server.close();
    context.storage.close();
    throw error;
  };
  const port = await listen(server, options.port ?? 0, host).catch(failToStart);
  const mailServer = await startMailServer({ context, port: options.smtpPort ?? 0, host, log }).catch(failToStart);
  context.publicUrl ||= `http://localhost:${port}`;
  scheduler.wake();
  const close = async () => {
    scheduler.close();
    const closed = new Promise((resolve) => server.close(resolve));
    await dispatcher.close(CLOSE_GRACE_MS);
    server.closeAllConnections();
    await closed;
    await mailServer.close();
    context.storage.close();
  };
  return { url: `http://127.0.0.1:${port}`, port, smtpPort: mailServer.port, close };
}
