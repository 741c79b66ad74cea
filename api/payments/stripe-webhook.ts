import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import { Stripe } from 'stripe';
import { z } from 'zod';
import { Failure } from '#core/contracts/failures';
import type { StripeEventStore } from '#domain/payments/store-stripe-events';
import type { Logger } from '#platform/logging';
import { addressOf, networkOf } from '../access/network.ts';
import { readBytes } from '../http/bodies.ts';
import { answerFailure } from '../http/failure.filter.ts';
import { stripeWebhookPath } from '../http/routes.ts';
import type { Parts } from '../tokens.ts';

/** Stripe's largest events are far below. */
const eventBytesMax = 1024 * 1024;

/**
 * Kinds of event that concern a transfer's payment or a crypto order. Stripe's guide and its own examples
 * disagree on the name of the onramp's event, so both are accepted.
 */
const relevant =
  /^(payment_intent|charge|refund|review|radar\.early_fraud_warning)\.|^crypto\.onramp_session[._]updated$/;

/** The part of an event that is read. A valid signature does not guarantee its shape. */
const shape = z.object({
  id: z.string().regex(/^evt_\w{1,200}$/),
  type: z.string().regex(/^[a-z0-9_.]{1,200}$/),
  data: z.object({ object: z.object({}) }),
});

const stripeId = z.string().regex(/^\w{1,200}$/);
/** What a relevant event is about: these ids are stored. A destination may be set up to expand the payment intent. */
const subject = z.object({
  data: z.object({
    object: z.object({
      id: stripeId.optional(),
      payment_intent: z.union([stripeId, z.object({ id: stripeId })]).nullish(),
    }),
  }),
});

/** An event of Stripe's second API version, which carries no object: nothing that concerns a payment has one. */
const thinEvent = z.object({ object: z.literal('v2.core.event'), id: z.string(), type: z.string() });

/** How old a signature may be, and how far Stripe's clock ahead of ours, in seconds; the SDK itself looks only at its age. */
const clockSkewSeconds = 300;

/** The path as the api's other paths are matched, with or without a query. */
const webhookUrl = new RegExp(`^${stripeWebhookPath}/?(?:\\?|$)`, 'i');

/** Failures of requests without a valid signature. */
const unsignedCodes: ReadonlySet<string> = new Set(['invalid_signature', 'body_too_large', 'unsupported_media_type']);

/** The refusals of requests, which Express then responds to. */
const refusals = new WeakMap<IncomingMessage, unknown>();

/**
 * Stripe's webhook: verifies and stores events; the worker acts on them later. It takes them from the server before everything else
 * a request passes, because nothing of that concerns it and most requests are events. What it refuses goes on to `refusedWebhooks`.
 */
export function takeWebhooks(
  app: NestExpressApplication,
  { env, stripe, log, rateLimits }: Pick<Parts, 'env' | 'stripe' | 'log' | 'rateLimits'>,
  events: StripeEventStore,
): void {
  const server: Server = app.getHttpServer();
  const [others] = server.listeners('request') as RequestListener[];
  const express: Express = app.getHttpAdapter().getInstance();
  const accepted = new AcceptedLog(log);
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAt = performance.now();
    const signature = request.headers['stripe-signature'];
    // Refused before its body is read.
    if (!isRecentSignature(signature)) throw new Failure('invalid_signature');
    // As bytes, because the signature is about them.
    const body = await readBytes(request, eventBytesMax);
    const event = verify(body, signature, { stripe, secret: env.stripe.webhookSecret });
    if (event === null)
      log.warn({ path: stripeWebhookPath }, 'a webhook of a kind that is not used; check its destination');
    else if (relevant.test(event.type)) await events.store(event);
    response.writeHead(200, acceptedHeaders).end(acceptedBody);
    if (event) accepted.add(event.id, performance.now() - startedAt);
  };
  /** What a request is refused with. Counted only now, so that a signed one never waits for a limit or meets one. */
  const refusalOf = async (error: unknown, request: IncomingMessage): Promise<unknown> => {
    if (!(error instanceof Failure) || !unsignedCodes.has(error.code)) return error;
    const network = networkOf({ ip: addressOf(request, express.get('trust proxy fn')) });
    return rateLimits.take('unsignedWebhooksPerNetwork', network).then(
      () => error,
      (limit: unknown) => limit,
    );
  };
  server.on('close', () => accepted.write());
  server.removeAllListeners('request').on('request', (request, response) => {
    if (request.method !== 'POST' || !webhookUrl.test(request.url ?? '')) return others?.(request, response);
    receive(request, response).catch(async (error: unknown) => {
      refusals.set(request, await refusalOf(error, request));
      others?.(request, response);
    });
  });
}

/**
 * Answers webhooks that were not accepted with Failure `invalid_signature`, `malformed_body`, `body_too_large`,
 * `unsupported_media_type`, or `unavailable`, so that Stripe delivers again, and networks that send many without
 * a right signature with `too_many_requests`.
 */
export function refusedWebhooks(log: Logger): RequestHandler {
  return (request, response, next) => {
    const refusal = refusals.get(request);
    if (refusal === undefined) return next();
    // What such a network still sends is not read.
    if (refusal instanceof Failure && refusal.code === 'too_many_requests') response.set('Connection', 'close');
    answerFailure(refusal, request, response, log);
  };
}

const acceptedBody = JSON.stringify({ received: true });
const acceptedHeaders = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(acceptedBody),
  'cache-control': 'no-store',
};

/** How long accepted events wait for a line in the log with others, in ms: writing a line costs a tenth of what accepting an event does. */
const logEveryMs = 50;

/** Logs accepted events as other requests are, but with one line for all of a moment. Each of them is a row as well. */
class AcceptedLog {
  readonly #log: Logger;
  #ids: string[] = [];
  #longestMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(id: string, ms: number): void {
    this.#timer ??= setTimeout(() => this.write(), logEveryMs);
    this.#ids.push(id);
    this.#longestMs = Math.max(this.#longestMs, ms);
  }

  /** Writes what waits. */
  write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ids.length === 0) return;
    this.#log.info(
      {
        ...{ req: { method: 'POST', path: stripeWebhookPath }, res: { statusCode: 200 } },
        ...{ events: this.#ids, responseTime: Math.round(this.#longestMs) },
      },
      'answered',
    );
    this.#ids = [];
    this.#longestMs = 0;
  }
}

/** The event, or null for one of a kind that is not used: refused, Stripe would send it again for three days. */
function verify(
  body: Buffer,
  signature: string,
  { stripe, secret }: { stripe: Stripe; secret: string },
): Stripe.Event | null {
  try {
    const event = stripe.webhooks.constructEvent(body, signature, secret);
    shape.parse(event);
    if (relevant.test(event.type)) subject.parse(event);
    return event;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw new Failure('invalid_signature');
    // The SDK refuses thin events once it has verified their signature.
    if (isThin(body)) return null;
    throw new Failure('malformed_body');
  }
}

function isThin(body: Buffer): boolean {
  try {
    return thinEvent.safeParse(JSON.parse(body.toString())).success;
  } catch {
    return false;
  }
}

/** Whether a header has the form and the age of a signature that Stripe makes now; only then the body decides. */
function isRecentSignature(header: string | string[] | undefined): header is string {
  if (typeof header !== 'string' || !/(?:^|,)v1=[0-9a-f]{64}(?:,|$)/.test(header)) return false;
  return Math.abs(signedAt(header) - Math.floor(Date.now() / 1000)) <= clockSkewSeconds;
}

/** The signed moment of a verified signature header, in seconds since 1970; of several the last, as the SDK reads it. */
function signedAt(header: string): number {
  const moment = header.split(',').findLast((part) => part.startsWith('t='));
  return Number.parseInt(moment?.slice(2) ?? '', 10);
}
