/** Stripe's routes under `/v1`, as far as card payments and the onramp need them, and how each request is handled. */
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';
import { type ApiKeys, authenticate } from '../server/api-keys.ts';
import { internalError, StripeError } from '../server/errors.ts';
import { canonical, decodeForm, type Form } from '../server/form.ts';
import { checkKey, inputDigest, type KeyedRequest, KeysInUse, remember, replay } from '../server/idempotency.ts';
import { readParameters } from '../server/parameters.ts';
import { type ApiResponse, respond } from '../server/respond.ts';
import * as balance from './balance.ts';
import * as charges from './charges.ts';
import * as customers from './customers.ts';
import * as disputes from './disputes.ts';
import * as events from './events.ts';
import { expanded } from './expansion.ts';
import * as files from './files.ts';
import * as fraudWarnings from './fraud-warnings.ts';
import * as holds from './holds.ts';
import * as onramp from './onramp.ts';
import * as onrampCreation from './onramp-creation.ts';
import * as onrampQuotes from './onramp-quotes.ts';
import * as attempts from './payment-attempts.ts';
import * as intents from './payment-intents.ts';
import * as methods from './payment-methods.ts';
import { redacted } from './redaction.ts';
import * as refunds from './refunds.ts';
import * as reviews from './reviews.ts';
import * as endpoints from './webhook-endpoints.ts';

type Method = 'get' | 'post' | 'delete';

interface Route {
  method: Method;
  path: string;
  schema: z.ZodType;
  /** Whether a browser with the publishable key may call it. */
  publishable: boolean;
  run: (call: Call, id: string, input: never) => object;
}

/** Ties a handler to its parameters: `id` is the `:id` of the path, empty where there is none. */
function route<Schema extends z.ZodType>(
  method: Method,
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
  route('get', '/disputes/:id', disputes.retrieveParameters, disputes.retrieveDispute),
  route('post', '/disputes/:id', disputes.updateParameters, disputes.updateDispute),
  route('post', '/disputes/:id/close', disputes.retrieveParameters, disputes.closeDispute),
  route('get', '/radar/early_fraud_warnings', fraudWarnings.listParameters, (call, _, input) =>
    fraudWarnings.listFraudWarnings(call, input),
  ),
  route('get', '/radar/early_fraud_warnings/:id', fraudWarnings.retrieveParameters, fraudWarnings.retrieveFraudWarning),
  route('get', '/reviews', reviews.listParameters, (call, _, input) => reviews.listReviews(call, input)),
  route('get', '/reviews/:id', reviews.retrieveParameters, reviews.retrieveReview),
  route('post', '/reviews/:id/approve', reviews.retrieveParameters, reviews.approveReview),
  route('post', UPLOAD, files.createParameters, (call, _, input) => files.createFile(call, input)),
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

export interface StripeRouterOptions {
  context: SandboxContext;
  keys: ApiKeys;
  log: Logger;
  /** Called when something may have become due. */
  changed: () => void;
}

/** Authenticates one request, reads its parameters, runs its route in a transaction and builds the response. */
class RequestHandler {
  readonly #options: StripeRouterOptions;
  readonly #keysInUse = new KeysInUse();

  constructor(options: StripeRouterOptions) {
    this.#options = options;
  }

  async handle(route: Route, request: Request, response: Response): Promise<void> {
    const { context, keys, log, changed } = this.#options;
    const requestId = newId('req_').slice(0, 18);
    response.set({ 'request-id': requestId, 'stripe-version': events.API_VERSION });
    const path = request.baseUrl + request.path;
    try {
      const key = authenticate(request, keys, route.publishable);
      const form = formOf(request);
      const keyed = this.#keyed(request, path, form);
      if (keyed) response.set('idempotency-key', keyed.key);
      const call: Call = { context, key, request: { id: requestId, idempotency_key: keyed?.key ?? null } };
      await respond(
        context,
        response,
        {
          method: request.method,
          path,
          idempotencyKey: call.request.idempotency_key,
          execute: (fails) => this.#execute(route, call, String(request.params.id ?? ''), form, keyed, fails),
          failure: (status) => injected(status).body(),
          ...(keyed ? { begin: () => this.#begin(keyed), end: () => this.#keysInUse.give(keyed.key) } : {}),
        },
        changed,
      );
    } catch (error) {
      if (!(error instanceof StripeError)) log.error({ err: error, requestId }, 'sandbox failure');
      const failure = error instanceof StripeError ? error : internalError();
      if (!response.headersSent) response.status(failure.status).json(failure.body());
    }
  }

  #keyed(request: Request, path: string, form: Form): KeyedRequest | undefined {
    const key = request.get('idempotency-key');
    if (request.method !== 'POST' || !key) return undefined;
    checkKey(key);
    const digest = inputDigest(this.#options.context, canonical(form));
    return { key, request: `${request.method} ${path}`, digest };
  }

  #begin(keyed: KeyedRequest): ApiResponse | undefined {
    this.#keysInUse.take(keyed.key);
    try {
      const { context } = this.#options;
      const first = context.storage.transaction(() => replay(context, keyed));
      if (first) this.#keysInUse.give(keyed.key);
      return first;
    } catch (error) {
      this.#keysInUse.give(keyed.key);
      throw error;
    }
  }

  #execute(
    route: Route,
    call: Call,
    id: string,
    form: Form,
    keyed: KeyedRequest | undefined,
    failsWhileExecuting: boolean,
  ): ApiResponse {
    const { context, log } = this.#options;
    const public_ = (body: object) => (call.key === 'publishable' ? redacted(body) : body);
    const failed = (error: StripeError): ApiResponse => ({ status: error.status, body: public_(error.body()) });
    try {
      return context.storage.transaction(() => {
        let done: ApiResponse;
        try {
          if (failsWhileExecuting) throw internalError();
          const input = readParameters(route.schema, form) as { expand?: string[] };
          const result = route.run(call, id, input as never);
          done = { status: 200, body: public_(expanded(call, result, input.expand)) };
        } catch (error) {
          if (!(error instanceof StripeError && error.keepsChanges)) throw error;
          done = failed(error);
        }
        if (keyed) remember(context, keyed, done);
        return done;
      });
    } catch (error) {
      // The transaction was rolled back.
      if (!(error instanceof StripeError)) log.error({ err: error, requestId: call.request.id }, 'sandbox failure');
      const failure = error instanceof StripeError ? error : internalError();
      const done = failed(failure);
      if (keyed && failure.replayed) context.storage.transaction(() => remember(context, keyed, done));
      return done;
    }
  }
}

function formOf(request: Request): Form {
  if (request.method === 'POST') return decodeForm(typeof request.body === 'string' ? request.body : '');
  const query = request.originalUrl.indexOf('?');
  return decodeForm(query < 0 ? '' : request.originalUrl.slice(query + 1));
}

function injected(status: number): StripeError {
  if (status === 429) {
    const message =
      'Request rate limit exceeded. Learn more about rate limits here: https://docs.stripe.com/rate-limits.';
    return new StripeError(429, 'invalid_request_error', message, { code: 'rate_limit' });
  }
  return new StripeError(status, 'api_error', 'An injected failure of the sandbox.');
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
