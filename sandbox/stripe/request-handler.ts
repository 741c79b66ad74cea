/** How a request to `/v1` is handled: key, version, limits and parameters are checked, then its route runs in a transaction. */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';
import { type ApiKeys, authenticate } from '../server/api-keys.ts';
import { internalError, invalidRequest, StripeError } from '../server/errors.ts';
import type { FaultRequest } from '../server/fault-schema.ts';
import { canonical, decodeForm, type Form } from '../server/form.ts';
import { checkKey, inputDigest, type KeyedRequest, KeysInUse, remember, replay } from '../server/idempotency.ts';
import { readParameters } from '../server/parameters.ts';
import { type ApiResponse, respond } from '../server/respond.ts';
import { accountMode } from './account-mode.ts';
import { API_VERSION } from './events.ts';
import { expanded } from './expansion.ts';
import { checkPermission, resourceOf } from './permissions.ts';
import { RateLimits, rateLimited } from './rate-limits.ts';
import { redacted } from './redaction.ts';

export interface Route {
  method: 'get' | 'post' | 'delete';
  path: string;
  schema: z.ZodType;
  /** Whether a browser with the publishable key may call it. */
  publishable: boolean;
  run: (call: Call, id: string, input: never) => object;
}

export interface StripeRouterOptions {
  context: SandboxContext;
  keys: ApiKeys;
  log: Logger;
  /** Called when something may have become due. */
  changed: () => void;
}

export class RequestHandler {
  readonly #options: StripeRouterOptions;
  readonly #keysInUse = new KeysInUse();
  readonly #limits = new RateLimits();

  constructor(options: StripeRouterOptions) {
    this.#options = options;
  }

  async handle(route: Route, request: Request, response: Response): Promise<void> {
    const { context, keys, log, changed } = this.#options;
    const requestId = newId('req_').slice(0, 18);
    response.set({ 'request-id': requestId, 'stripe-version': API_VERSION });
    const path = request.baseUrl + request.path;
    try {
      const { restrictedKeys, requestsPerSecond } = accountMode(context);
      const caller = authenticate(request, keys, route.publishable, restrictedKeys);
      checkVersion(request);
      this.#limits.take(`${route.method} ${route.path}`, requestsPerSecond);
      const form = formOf(request);
      const keyed = this.#keyed(request, path, form);
      if (keyed) response.set('idempotency-key', keyed.key);
      const call: Call = { context, ...caller, request: { id: requestId, idempotency_key: keyed?.key ?? null } };
      await respond(
        context,
        response,
        {
          method: request.method,
          path,
          idempotencyKey: call.request.idempotency_key,
          execute: (fails) => this.#execute(route, call, String(request.params.id ?? ''), form, keyed, fails),
          failure: (fault) => injected(fault).body(),
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
          checkPermission(call, resourceOf(route.path), route.method === 'get' ? 'read' : 'write');
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

/** Other versions exist at Stripe, and this is the one that is simulated. Stripe.js sends none. */
function checkVersion(request: Request): void {
  const version = request.get('stripe-version');
  if (version && version !== API_VERSION) throw invalidRequest(`Invalid Stripe API version: ${version.slice(0, 40)}`);
}

function injected({ status, code }: FaultRequest): StripeError {
  if (status === 429 && !code) return rateLimited();
  const type = status === 402 ? 'card_error' : status < 500 ? 'invalid_request_error' : 'api_error';
  return new StripeError(status, type, 'An injected failure of the sandbox.', code ? { code } : {});
}
