/**
 * Receives the answer to a 3-D Secure challenge: from the challenge page, a test, or the browser script on a merchant's
 * page.
 */
import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { internalCall, type SandboxContext } from '../context.ts';
import { type ApiKeys, authenticate } from '../server/api-keys.ts';
import { missingObject, StripeError } from '../server/errors.ts';
import { answerChallenge } from '../stripe/payment-attempts.ts';
import { checkClientSecret } from '../stripe/payment-intents.ts';

const bodySchema = z.object({ outcome: z.enum(['complete', 'fail', 'cancel']), client_secret: z.string().optional() });

export interface ChallengeResult {
  /** Of the payment intent, afterwards. */
  status: string;
  /** Where the cardholder is sent; null without a return URL. */
  redirectUrl: string | null;
}

function returnAddress(returnUrl: string | null, id: string, secret: string | null, status: string): string | null {
  if (!returnUrl) return null;
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', id);
  url.searchParams.set('payment_intent_client_secret', secret ?? '');
  url.searchParams.set('redirect_status', status === 'requires_payment_method' ? 'failed' : 'succeeded');
  return url.href;
}

function resolve(context: SandboxContext, keys: ApiKeys, request: Request): ChallengeResult {
  const read = bodySchema.safeParse(request.body ?? {});
  if (!read.success) throw new StripeError(400, 'invalid_request_error', z.prettifyError(read.error));
  const { outcome, client_secret } = read.data;
  const id = String(request.params.id);
  const intent = context.storage.find('payment_intent', id);
  if (!intent) throw missingObject('payment_intent', id, 'intent');
  const key = request.get('authorization') ? authenticate(request, keys, true).key : 'none';
  // Pages of other origins need the client secret; the control page and programs (which send no Origin) do not.
  const site = request.get('sec-fetch-site');
  const fromBrowser = (request.get('origin') !== undefined || site !== undefined) && site !== 'same-origin';
  if (key === 'publishable' || fromBrowser || client_secret !== undefined) {
    checkClientSecret({ ...internalCall(context), key: 'publishable' }, intent, client_secret);
  }
  const after = answerChallenge(internalCall(context), id, outcome);
  const { returnUrl } = context.storage.internals('payment_intent', id);
  return { status: after.status, redirectUrl: returnAddress(returnUrl, id, after.client_secret, after.status) };
}

/** The route `/sandbox/stripe/payment_intents/:id/challenge`. */
export function challengeRouter(context: SandboxContext, keys: ApiKeys, changed: () => void): Router {
  const router = Router();
  const bodies = [express.json({ limit: '16kb' }), express.urlencoded({ extended: false, limit: '16kb' })];
  router.post('/:id/challenge', bodies, (request: Request, response: Response) => {
    try {
      const result = context.storage.transaction(() => resolve(context, keys, request));
      changed();
      // The challenge page posts a form: redirect to the merchant's return URL.
      if (result.redirectUrl && request.accepts(['json', 'html']) === 'html')
        response.redirect(303, result.redirectUrl);
      else response.json(result);
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      response
        .status(error.status)
        .json({ code: error.details.code ?? 'invalid', message: error.message, ...error.body() });
    }
  });
  return router;
}
