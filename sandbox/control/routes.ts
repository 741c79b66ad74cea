/**
 * `/sandbox`: the control plane for tests and for the control pages. JSON in, JSON out; errors are `{code, message}`. Only
 * programs and the sandbox's own pages may use it. `/sandbox/stripe/*` is described in stripe-routes.ts and onramp.ts.
 *
 * | route | body | answer |
 * |---|---|---|
 * | GET    /health        |  | `{status: 'ok'}` |
 * | GET    /state         |  | `{clock, counts, deliveryModes, endpoints, faults, bankMode, priceModes, mailMode}` |
 * | GET    /idle?timeoutMs=5000 |  | `{idle: boolean}` once no webhook is on its way or due, or when the time is up |
 * | GET    /clock         |  | `{now, offsetSeconds}` (`now` in seconds) |
 * | POST   /clock/advance | `{seconds}` | as GET; what became due meanwhile (holds, refunds, retries) happens before the answer or just after |
 * | GET    /faults        |  | `{data: Fault[]}` |
 * | POST   /faults        | `{kind, path?, method?, times?, status?, delayMs?}` | `Fault`; strikes `/v1`, `/bank` and `/prices` paths |
 * | DELETE /faults        |  | `{data: []}` |
 * | POST   /reset         |  | `{}` everything forgotten, the environment's endpoint registered again |
 * | GET    /bank/payouts?limit=50 |  | `{data: Payout[]}` without beneficiaries |
 * | GET    /bank/mode     |  | `{rejectNext, rejection: {code, message}, slowMs}` |
 * | PUT    /bank/mode     | the same, all optional; what is left out is the default | as GET |
 * | GET    /prices/mode   |  | `{data: {westernUnion: mode, …}}`, every price site and rate source |
 * | PUT    /prices/mode   | `{source, mode: 'normal' \| 'changed_shape' \| 'absurd_value' \| 'wrong_value'}` | as GET; holds until set again |
 * | GET    /mail?to=&limit=50 |  | `{data: Message[]}` newest first, of one recipient or of all |
 * | PUT    /mail/mode     | `{refuseNext, refusal: 'temporary' \| 'permanent'}`, both optional | the same; so many messages are refused |
 *
 * A bank that fails is a fault with path `^/bank/`. A price site that is closed to us, slow or away is a fault with its path, as
 * `{path: '^/prices/remitly/', kind: 'error', status: 429}`; one that changed its page or tells nonsense is a mode.
 */
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { bankMode, bankModeSchema, listPayouts, setBankMode } from '../bank/payouts.ts';
import { listMessages, mailMode, mailModeSchema, setMailMode } from '../mailbox/messages.ts';
import { priceModeSchema, priceModes, setPriceMode } from '../prices/modes.ts';
import { addFault, clearFaults, faultSchema, listFaults } from '../server/faults.ts';
import type { ApiKeys } from '../server/keys.ts';
import { deliveryModes } from '../stripe/delivery-modes.ts';
import type { World } from '../world.ts';
import { challengeRouter } from './challenge.ts';
import { ControlError, control, nothing, queryOf, sameOriginOnly } from './door.ts';
import { onrampCheckout, onrampControl } from './onramp.ts';
import { stripeControl } from './stripe-routes.ts';
import { counts, endpointViews } from './views.ts';

export interface ControlOptions {
  world: World;
  keys: ApiKeys;
  log: Logger;
  /** Called when something may have become due. */
  changed: () => void;
  /** Whether a webhook is on its way or due now. */
  busy: () => boolean;
  /** Brings a forgotten world back to how a fresh one starts. */
  prepare: () => void;
}

const YEAR_SECONDS = 366 * 86_400;
const advanceBody = z.strictObject({ seconds: z.int().min(0).max(YEAR_SECONDS) });
const idleQuery = z.object({ timeoutMs: z.coerce.number().int().min(0).max(60_000).default(5000) });
const limitQuery = z.object({ limit: z.coerce.number().int().min(1).max(10_000).default(50) });

const mailQuery = limitQuery.extend({ to: z.string().optional() });

const IDLE_LOOK_MS = 10;

async function untilIdle(busy: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (busy()) {
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, IDLE_LOOK_MS));
  }
  return true;
}

function clockView({ clock }: World): object {
  return { now: clock.seconds(), offsetSeconds: clock.offsetSeconds };
}

function stateView(world: World): object {
  return {
    clock: clockView(world),
    counts: counts(world),
    deliveryModes: deliveryModes(world),
    endpoints: endpointViews(world),
    faults: listFaults(world),
    bankMode: bankMode(world),
    priceModes: priceModes(world),
    mailMode: mailMode(world),
  };
}

function clockAndFaults(router: Router, { world, changed }: ControlOptions): void {
  router.get('/clock', (_, response) => {
    response.json(clockView(world));
  });
  const advance = control(world, changed, advanceBody, ({ body }) => {
    world.clock.advance(body.seconds);
    return clockView(world);
  });
  router.post('/clock/advance', advance);
  router.get('/faults', (_, response) => {
    response.json({ data: listFaults(world) });
  });
  router.post(
    '/faults',
    control(world, changed, faultSchema, ({ body }) => addFault(world, body)),
  );
  const clear = control(world, changed, nothing, () => {
    clearFaults(world);
    return { data: [] };
  });
  router.delete('/faults', clear);
}

function bankControl({ world, changed }: ControlOptions): Router {
  const router = Router();
  router.get('/payouts', (request, response) => {
    response.json({ data: listPayouts(world, queryOf(request, limitQuery).limit) });
  });
  router.get('/mode', (_, response) => {
    response.json(bankMode(world));
  });
  const setMode = control(world, changed, bankModeSchema, ({ body }) => {
    setBankMode(world, body);
    return bankMode(world);
  });
  router.put('/mode', setMode);
  return router;
}

function pricesControl({ world, changed }: ControlOptions): Router {
  const router = Router();
  router.get('/mode', (_, response) => {
    response.json({ data: priceModes(world) });
  });
  const setMode = control(world, changed, priceModeSchema, ({ body }) => {
    setPriceMode(world, body);
    return { data: priceModes(world) };
  });
  router.put('/mode', setMode);
  return router;
}

function mailControl({ world, changed }: ControlOptions): Router {
  const router = Router();
  router.get('/', (request, response) => {
    response.json({ data: listMessages(world, queryOf(request, mailQuery)) });
  });
  const setMode = control(world, changed, mailModeSchema, ({ body }) => {
    setMailMode(world, body);
    return mailMode(world);
  });
  router.put('/mode', setMode);
  return router;
}

function refusals(log: Logger) {
  return (error: unknown, _: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) {
      next(error);
      return;
    }
    if (error instanceof ControlError) {
      response.status(error.status).json({ code: error.code, message: error.message });
      return;
    }
    const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
    if (status >= 500) log.error({ err: error }, 'control failure');
    response
      .status(status)
      .json({ code: status >= 500 ? 'internal' : 'invalid', message: 'The sandbox cannot do this.' });
  };
}

/** The router for `/sandbox`. */
export function controlRouter(options: ControlOptions): Router {
  const { world, keys, log, changed, busy, prepare } = options;
  const router = Router();
  router.use('/stripe/payment_intents', challengeRouter(world, keys, changed));
  router.use('/stripe/onramp_sessions', onrampCheckout(world, keys, changed));
  router.use(sameOriginOnly, express.json({ limit: '64kb' }));
  router.get('/health', (_, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/state', (_, response) => {
    response.json(stateView(world));
  });
  router.get('/idle', async (request, response) => {
    const { timeoutMs } = queryOf(request, idleQuery);
    response.json({ idle: await untilIdle(busy, timeoutMs) });
  });
  const reset = control(world, changed, nothing, () => {
    world.storage.clear();
    prepare();
    return {};
  });
  router.post('/reset', reset);
  clockAndFaults(router, options);
  router.use('/bank', bankControl(options));
  router.use('/prices', pricesControl(options));
  router.use('/mail', mailControl(options));
  router.use('/stripe', stripeControl(world, changed), onrampControl(world, changed));
  router.use((request) => {
    throw new ControlError(404, 'not_found', `The sandbox has no ${request.method} ${request.baseUrl}${request.path}.`);
  });
  router.use(refusals(log));
  return router;
}
