/** Stripe's routes under `/v1`, as far as card payments and the onramp need them, and how each request is handled. */
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import type { z } from 'zod';
import type { Call } from '../context.ts';
import { internalError, StripeError } from '../server/errors.ts';
import * as balance from './balance.ts';
import * as charges from './charges.ts';
import * as customers from './customers.ts';
import * as disputeEvidence from './dispute-evidence.ts';
import { retrieveDispute } from './dispute-object.ts';
import * as disputes from './disputes.ts';
import * as events from './events.ts';
import * as files from './files.ts';
import * as fraudWarnings from './fraud-warnings.ts';
import * as holds from './holds.ts';
import * as onramp from './onramp.ts';
import * as onrampCreation from './onramp-creation.ts';
import * as onrampQuotes from './onramp-quotes.ts';
import * as attempts from './payment-attempts.ts';
import * as intents from './payment-intents.ts';
import * as methods from './payment-methods.ts';
import * as payouts from './payouts.ts';
import * as refunds from './refunds.ts';
import { RequestHandler, type Route, type StripeRouterOptions } from './request-handler.ts';
import * as reviews from './reviews.ts';
import * as endpoints from './webhook-endpoints.ts';

/** Binds a handler to its parameters: `id` is the `:id` of the path, or empty. */
function route<Schema extends z.ZodType>(
  method: Route['method'],
  path: string,
  schema: Schema,
  run: (call: Call, id: string, input: z.output<Schema>) => object,
  publishable = false,
): Route {
  return { method, path, schema, publishable, run: run as Route['run'] };
}

const PUBLISHABLE = true;
const UPLOAD = '/files';

const ROUTES: Route[] = [
  route('post', '/payment_intents', intents.createParameters, (call, _, input) => intents.createIntent(call, input)),
  route('get', '/payment_intents', intents.listParameters, (call, _, input) => intents.listIntents(call, input)),
  route('get', '/payment_intents/:id', intents.retrieveParameters, intents.retrieveIntent, PUBLISHABLE),
  route('post', '/payment_intents/:id', intents.updateParameters, intents.updateIntent),
  route('post', '/payment_intents/:id/confirm', attempts.confirmParameters, confirm, PUBLISHABLE),
  route('post', '/payment_intents/:id/capture', holds.captureParameters, holds.captureIntent),
  route('post', '/payment_intents/:id/cancel', holds.cancelParameters, holds.cancelIntent),
  route('get', '/charges', charges.listParameters, (call, _, input) => charges.listCharges(call, input)),
  route('get', '/charges/:id', charges.retrieveParameters, charges.retrieveCharge),
  route('post', '/charges/:id', charges.updateParameters, charges.updateCharge),
  route('post', '/refunds', refunds.createParameters, (call, _, input) => refunds.createRefund(call, input)),
  route('get', '/refunds', refunds.listParameters, (call, _, input) => refunds.listRefunds(call, input)),
  route('get', '/refunds/:id', refunds.retrieveParameters, refunds.retrieveRefund),
  route('post', '/refunds/:id', refunds.updateParameters, refunds.updateRefund),
  route('post', '/refunds/:id/cancel', refunds.retrieveParameters, refunds.cancelRefund),
  route('get', '/disputes', disputes.listParameters, (call, _, input) => disputes.listDisputes(call, input)),
  route('get', '/disputes/:id', disputes.retrieveParameters, retrieveDispute),
  route('post', '/disputes/:id', disputeEvidence.updateParameters, disputeEvidence.updateDispute),
  route('post', '/disputes/:id/close', disputes.retrieveParameters, disputes.closeDispute),
  route('get', '/radar/early_fraud_warnings', fraudWarnings.listParameters, (call, _, input) =>
    fraudWarnings.listFraudWarnings(call, input),
  ),
  route('get', '/radar/early_fraud_warnings/:id', fraudWarnings.retrieveParameters, fraudWarnings.retrieveFraudWarning),
  route('get', '/reviews', reviews.listParameters, (call, _, input) => reviews.listReviews(call, input)),
  route('get', '/reviews/:id', reviews.retrieveParameters, reviews.retrieveReview),
  route('post', '/reviews/:id/approve', reviews.retrieveParameters, reviews.approveReview),
  route('post', UPLOAD, files.createParameters, (call, _, input) => files.createFile(call, input)),
  route('get', UPLOAD, files.listParameters, (call, _, input) => files.listFiles(call, input)),
  route('get', '/files/:id', files.retrieveParameters, files.retrieveFile),
  route('get', '/events', events.listParameters, (call, _, input) => events.listEvents(call, input)),
  route('get', '/events/:id', events.retrieveParameters, events.retrieveEvent),
  route('post', '/webhook_endpoints', endpoints.createParameters, (call, _, input) =>
    endpoints.createEndpoint(call, input),
  ),
  route('get', '/webhook_endpoints', endpoints.listParameters, (call, _, input) =>
    endpoints.listEndpoints(call, input),
  ),
  route('get', '/webhook_endpoints/:id', endpoints.retrieveParameters, endpoints.retrieveEndpoint),
  route('post', '/webhook_endpoints/:id', endpoints.updateParameters, endpoints.updateEndpoint),
  route('delete', '/webhook_endpoints/:id', endpoints.retrieveParameters, endpoints.deleteEndpoint),
  route(
    'post',
    '/payment_methods',
    methods.createParameters,
    (call, _, input) => methods.createMethod(call, input),
    PUBLISHABLE,
  ),
  route('get', '/payment_methods', methods.listParameters, (call, _, input) => methods.listMethods(call, input)),
  route('get', '/payment_methods/:id', methods.retrieveParameters, methods.retrieveMethod),
  route('post', '/payment_methods/:id', methods.updateParameters, methods.updateMethod),
  route('post', '/payment_methods/:id/attach', methods.attachParameters, methods.attachMethod),
  route('post', '/payment_methods/:id/detach', methods.retrieveParameters, methods.detachMethod),
  route('post', '/customers', customers.createParameters, (call, _, input) => customers.createCustomer(call, input)),
  route('get', '/customers', customers.listParameters, (call, _, input) => customers.listCustomers(call, input)),
  route('get', '/customers/:id', customers.retrieveParameters, customers.retrieveCustomer),
  route('post', '/customers/:id', customers.updateParameters, customers.updateCustomer),
  route('delete', '/customers/:id', customers.retrieveParameters, customers.deleteCustomer),
  route('post', '/crypto/onramp_sessions', onrampCreation.createParameters, (call, _, input) =>
    onrampCreation.createSession(call, input),
  ),
  route('get', '/crypto/onramp_sessions', onramp.listParameters, (call, _, input) => onramp.listSessions(call, input)),
  route('get', '/crypto/onramp_sessions/:id', onramp.retrieveParameters, onramp.retrieveSession, PUBLISHABLE),
  route('get', '/crypto/onramp/quotes', onrampQuotes.quoteParameters, (call, _, input) =>
    onrampQuotes.listQuotes(call, input),
  ),
  route('get', '/payouts', payouts.listParameters, (call, _, input) => payouts.listPayouts(call, input)),
  route('get', '/payouts/:id', payouts.retrieveParameters, payouts.retrievePayout),
  route('get', '/balance', balance.balanceParameters, balance.retrieveBalance),
  route('get', '/balance_transactions', balance.listParameters, (call, _, input) =>
    balance.listTransactions(call, input),
  ),
  route('get', '/balance_transactions/:id', balance.retrieveParameters, balance.retrieveTransaction),
];

function confirm(call: Call, id: string, input: z.infer<typeof attempts.confirmParameters>): object {
  const intent = intents.findIntent(call, id);
  intents.checkClientSecret(call, intent, input.client_secret);
  return attempts.confirmStored(call, intent, input);
}

/** The router for `/v1`. */
export function stripeRouter(options: StripeRouterOptions): Router {
  const router = Router();
  const handler = new RequestHandler(options);
  // Uploads are multipart; every other body is a form.
  router.post(UPLOAD, express.raw({ type: () => true, limit: 2 * files.FILE_BYTES_MAX }), (request, _, next) => {
    const decode = async () => {
      request.body = await files.uploadAsForm(request);
    };
    decode().then(
      () => next(),
      () => next({ status: 400 }),
    );
  });
  router.use(express.text({ type: () => true, limit: '1mb' }));
  for (const entry of ROUTES) {
    router[entry.method](entry.path, (request, response) => handler.handle(entry, request, response));
  }
  router.use((request, response) => {
    const message = `Unrecognized request URL (${request.method}: ${request.baseUrl}${request.path}). Please see https://docs.stripe.com or we can help at https://support.stripe.com/.`;
    response.status(404).json(new StripeError(404, 'invalid_request_error', message).body());
  });
  router.use((error: unknown, _: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    // The body or the path could not be decoded.
    const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
    if (status >= 500) options.log.error({ err: error }, 'sandbox failure');
    const message = 'The request could not be read.';
    const failure = status >= 500 ? internalError() : new StripeError(status, 'invalid_request_error', message);
    response.status(failure.status).json(failure.body());
  });
  return router;
}
