/**
 * Onramp routes under `/sandbox/stripe`. The first is called by the form in the buyer's browser (form-encoded, with
 * publishable key and client secret; Stripe's error shape), the others by tests and the control page (JSON).
 *
 * | route | body | answer |
 * |---|---|---|
 * | POST /onramp_sessions/:id/checkout | `step` = start or pay, `client_secret`, `payment_method_data` | the session, redacted |
 * | GET  /onramp_sessions?limit=50     |  | `{data: OnrampView[]}` newest first |
 * | POST /onramp_sessions/:id/status   | `{status}` any of the five, backwards too | `OnrampView` |
 * | GET  /onramp_mode                  |  | `{eventName, disabled}` |
 * | PUT  /onramp_mode                  | the same; what is left out is the default | as GET |
 */
import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { type Call, internalCall, type SandboxContext } from '../context.ts';
import { type ApiKeys, authenticate } from '../server/api-keys.ts';
import { StripeError } from '../server/errors.ts';
import { decodeForm } from '../server/form.ts';
import { oneOf, readParameters, text } from '../server/parameters.ts';
import { findSession, moveSession, onrampView, onrampViews, paySession, startSession } from '../stripe/onramp.ts';
import { onrampMode, onrampModeSchema, setOnrampMode } from '../stripe/onramp-modes.ts';
import { ONRAMP_STATUSES } from '../stripe/onramp-session.ts';
import { methodData } from '../stripe/payment-methods.ts';
import { redacted } from '../stripe/redaction.ts';
import { ControlError, controlRoute, readQuery } from './control-route.ts';

const checkoutBody = z.strictObject({
  step: oneOf(['start', 'pay']),
  client_secret: text(),
  payment_method_data: methodData.optional(),
});

function checkout(context: SandboxContext, keys: ApiKeys, request: Request): object {
  const call: Call = { ...internalCall(context), ...authenticate(request, keys, true) };
  const input = readParameters(checkoutBody, decodeForm(typeof request.body === 'string' ? request.body : ''));
  // Card data come from browsers: every caller gets a browser's rights.
  const browser: Call = { ...call, key: 'publishable' };
  const session = findSession(browser, String(request.params.id), input.client_secret);
  if (input.step === 'start') return startSession(browser, session);
  return paySession(browser, session, input.payment_method_data ?? { type: 'card' });
}

/** The route of the form in the buyer's browser. */
export function onrampCheckout(context: SandboxContext, keys: ApiKeys, changed: () => void): Router {
  const router = Router();
  const body = express.text({ type: () => true, limit: '16kb' });
  router.post('/:id/checkout', body, (request: Request, response: Response) => {
    try {
      const session = context.storage.transaction(() => checkout(context, keys, request));
      changed();
      response.json(redacted(session));
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      response.status(error.status).json(error.body());
    }
  });
  return router;
}

const limitQuery = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(50) });
const statusBody = z.strictObject({ status: z.enum(ONRAMP_STATUSES) });

/** The control routes of the onramp. */
export function onrampControl(context: SandboxContext, changed: () => void): Router {
  const router = Router();
  router.get('/onramp_sessions', (request, response) => {
    response.json({ data: onrampViews(context, readQuery(request, limitQuery).limit) });
  });
  const setStatus = controlRoute(context, changed, statusBody, ({ params, body }) => {
    const session = context.storage.find('onramp_session', params.id ?? '');
    if (!session) throw new ControlError(404, 'not_found', 'No such onramp session.');
    return onrampView(moveSession(internalCall(context), session, body.status));
  });
  router.post('/onramp_sessions/:id/status', setStatus);
  router.get('/onramp_mode', (_, response) => {
    response.json(onrampMode(context));
  });
  const setMode = controlRoute(context, changed, onrampModeSchema, ({ body }) => {
    setOnrampMode(context, body);
    return onrampMode(context);
  });
  router.put('/onramp_mode', setMode);
  return router;
}
