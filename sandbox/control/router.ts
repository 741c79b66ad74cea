/**
 * `/sandbox`: control routes for tests and for the control pages. JSON in, JSON out; errors are `{code, message}`. Only
 * programs and the sandbox's own pages may use them. `/sandbox/stripe/*` is described in stripe-routes.ts and
 * onramp.ts.
 *
 * | route | body | answer |
 * |---|---|---|
 * | GET    /health        |  | `{status: 'ok'}` |
 * | GET    /state         |  | `{clock, counts, deliveryModes, endpoints, faults, bankMode, priceModes, mailMode}` |
 * | GET    /idle?timeoutMs=5000 |  | `{idle: boolean}` once nothing is due and no webhook in flight, or when the time is up |
 * | GET    /clock         |  | `{now, offsetSeconds}` (`now` in seconds) |
 * | POST   /clock/advance | `{seconds}` | as GET; what became due (holds, refunds, retries) happens before the answer or just after |
 * | GET    /faults        |  | `{data: Fault[]}` |
 * | POST   /faults        | `{kind, path?, method?, times?, status?, page?, delayMs?}` | `Fault`; applies to `/v1`, `/bank`, `/watchman` and `/prices` paths |
 * | DELETE /faults        |  | `{data: []}` |
 * | POST   /reset         |  | `{}` everything deleted, the environment's endpoint registered again |
 * | GET    /bank/payouts?limit=50 |  | `{data: Payout[]}` without beneficiaries |
 * | POST   /bank/payouts/:externalId/settle | `{rejection?: {code, message}}` | `Payout`: one that is pending is paid, or rejected |
 * | POST   /bank/payouts/:externalId/return | `{amount?, code?, message?}` all optional | `PayoutReturn`: a payment comes back, all of it unless an amount is given |
 * | GET    /bank/differences |  | `{data: Difference[]}` by which statements differ from what the bank did |
 * | POST   /bank/differences | `{kind: 'missing'/'doubled'/'amount'/'day'/'reference'/'currency', externalId, record?, …}`, `{kind: 'extra', day, cents, fee?}` or `{kind: 'gap', day, byCents}` | the same; it stays until a reset |
 * | GET    /bank/mode     |  | `{rejectNext, rejection: {code, message}, pendNext, pendForMs: ms or null, slowMs, closedOn: day[], names: 'holder' \| 'match' \| 'close_match' \| 'no_match' \| 'not_supported'}` |
 * | PUT    /bank/mode     | the same, all optional; what is left out is the default | as GET |
 * | GET    /prices/mode   |  | `{data: {westernUnion: mode, …}}`, every price site and rate source |
 * | PUT    /prices/mode   | `{source, mode: 'normal' \| 'changed_shape' \| 'absurd_value' \| 'wrong_value'}` | as GET; holds until set again |
 * | GET    /mail?to=&limit=50 |  | `{data: Message[]}` newest first, of one recipient or of all |
 * | PUT    /mail/mode     | `{refuseNext, refusal: 'temporary' \| 'permanent'}`, both optional | the same; the next `refuseNext` messages are refused |
 *
 * Failures of the bank are faults with path `^/bank/`. A price site that refuses, is slow or unreachable is a fault
 * with its path, as `{path: '^/prices/remitly/', kind: 'error', status: 429}`; changed pages and wrong rates are modes.
 */
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import {
  BankError,
  bankMode,
  bankModeSchema,
  listPayouts,
  setBankMode,
  settlementSchema,
  settlePayout,
} from '../bank/payouts.ts';
import { returnPayout, returnSchema } from '../bank/returns.ts';
import { addBankDifference, bankDifferenceSchema, bankDifferences } from '../bank/statements.ts';
import type { SandboxContext } from '../context.ts';
import { listMessages, mailMode, mailModeSchema, setMailMode } from '../mailbox/messages.ts';
import { priceModeSchema, priceModes, setPriceMode } from '../prices/modes.ts';
import type { ApiKeys } from '../server/api-keys.ts';
import { addFault, clearFaults, listFaults } from '../server/fault-injection.ts';
import { faultSchema } from '../server/fault-schema.ts';
import { deliveryModes } from '../stripe/delivery-modes.ts';
import { challengeRouter } from './challenge.ts';
import { anyBody, ControlError, controlRoute, readQuery, sameOriginOnly } from './control-route.ts';
import { onrampCheckout, onrampControl } from './onramp.ts';
import { stripeControl } from './stripe-routes.ts';
import { counts, endpointViews } from './views.ts';

export interface ControlOptions {
  context: SandboxContext;
  keys: ApiKeys;
  log: Logger;
  /** Called when something may have become due. */
  changed: () => void;
  /** Resolves with true once nothing is due or in flight, with false after the time given. */
  idle: (timeoutMs: number) => Promise<boolean>;
  /** After a reset: registers again what the environment names. */
  prepare: () => void;
}

const YEAR_SECONDS = 366 * 86_400;
const advanceBody = z.strictObject({ seconds: z.int().min(0).max(YEAR_SECONDS) });
const idleQuery = z.object({ timeoutMs: z.coerce.number().int().min(0).max(60_000).default(5000) });
const limitQuery = z.object({ limit: z.coerce.number().int().min(1).max(100_000).default(50) });

const mailQuery = limitQuery.extend({ to: z.string().optional() });

function clockView({ clock }: SandboxContext): object {
  return { now: clock.seconds(), offsetSeconds: clock.offsetSeconds };
}

function stateView(context: SandboxContext): object {
  return {
    clock: clockView(context),
    counts: counts(context),
    deliveryModes: deliveryModes(context),
    endpoints: endpointViews(context),
    faults: listFaults(context),
    bankMode: bankMode(context),
    priceModes: priceModes(context),
    mailMode: mailMode(context),
  };
}

function clockAndFaults(router: Router, { context, changed }: ControlOptions): void {
  router.get('/clock', (_, response) => {
    response.json(clockView(context));
  });
  const advance = controlRoute(context, changed, advanceBody, ({ body }) => {
    context.clock.advance(body.seconds);
    return clockView(context);
  });
  router.post('/clock/advance', advance);
  router.get('/faults', (_, response) => {
    response.json({ data: listFaults(context) });
  });
  router.post(
    '/faults',
    controlRoute(context, changed, faultSchema, ({ body }) => addFault(context, body)),
  );
  const clear = controlRoute(context, changed, anyBody, () => {
    clearFaults(context);
    return { data: [] };
  });
  router.delete('/faults', clear);
}

function bankControl({ context, changed }: ControlOptions): Router {
  const router = Router();
  router.get('/payouts', (request, response) => {
    response.json({ data: listPayouts(context, readQuery(request, limitQuery).limit) });
  });
  const giveBack = controlRoute(context, changed, returnSchema, ({ params, body }) =>
    returnPayout(context, params.externalId ?? '', body),
  );
  router.post('/payouts/:externalId/return', giveBack);
  router.post(
    '/payouts/:externalId/settle',
    controlRoute(context, changed, settlementSchema, ({ params, body }) =>
      settlePayout(context, params.externalId ?? '', body),
    ),
  );
  router.get('/differences', (_, response) => {
    response.json({ data: bankDifferences(context) });
  });
  router.post(
    '/differences',
    controlRoute(context, changed, bankDifferenceSchema, ({ body }) => addBankDifference(context, body)),
  );
  router.get('/mode', (_, response) => {
    response.json(bankMode(context));
  });
  const setMode = controlRoute(context, changed, bankModeSchema, ({ body }) => {
    setBankMode(context, body);
    return bankMode(context);
  });
  router.put('/mode', setMode);
  return router;
}

function pricesControl({ context, changed }: ControlOptions): Router {
  const router = Router();
  router.get('/mode', (_, response) => {
    response.json({ data: priceModes(context) });
  });
  const setMode = controlRoute(context, changed, priceModeSchema, ({ body }) => {
    setPriceMode(context, body);
    return { data: priceModes(context) };
  });
  router.put('/mode', setMode);
  return router;
}

function mailControl({ context, changed }: ControlOptions): Router {
  const router = Router();
  router.get('/', async (request, response) => {
    response.json({ data: await listMessages(context, readQuery(request, mailQuery)) });
  });
  const setMode = controlRoute(context, changed, mailModeSchema, ({ body }) => {
    setMailMode(context, body);
    return mailMode(context);
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
    if (error instanceof ControlError || error instanceof BankError) {
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
  const { context, keys, log, changed, idle, prepare } = options;
  const router = Router();
  router.use('/stripe/payment_intents', challengeRouter(context, keys, changed));
  router.use('/stripe/onramp_sessions', onrampCheckout(context, keys, changed));
  router.use(sameOriginOnly, express.json({ limit: '64kb' }));
  router.get('/health', (_, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/state', (_, response) => {
    response.json(stateView(context));
  });
  router.get('/idle', async (request, response) => {
    const { timeoutMs } = readQuery(request, idleQuery);
    response.json({ idle: await idle(timeoutMs) });
  });
  const reset = controlRoute(context, changed, anyBody, () => {
    context.storage.clear();
    prepare();
    return {};
  });
  router.post('/reset', reset);
  clockAndFaults(router, options);
  router.use('/bank', bankControl(options));
  router.use('/prices', pricesControl(options));
  router.use('/mail', mailControl(options));
  router.use('/stripe', stripeControl(context, changed), onrampControl(context, changed));
  router.use((request) => {
    throw new ControlError(404, 'not_found', `The sandbox has no ${request.method} ${request.baseUrl}${request.path}.`);
  });
  router.use(refusals(log));
  return router;
}
