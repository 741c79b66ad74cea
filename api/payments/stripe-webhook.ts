import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { Stripe } from 'stripe';
import { z } from 'zod';
import { Failure } from '#core/contracts/failures';
import type { StripeEventStore } from '#domain/payments/store-stripe-events';
import type { Logger } from '#platform/logging';
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

/** How far Stripe's clock may be ahead of ours, in seconds; the SDK itself looks only at how old a signature is. */
const clockSkewSeconds = 300;

/** The path as the api's other paths are matched, with or without a query. */
const webhookUrl = new RegExp(`^${stripeWebhookPath}/?(?:\\?|$)`, 'i');

/** Why a request was refused that now goes the way of all others. */
const refusals = new WeakMap<IncomingMessage, unknown>();

/**
 * Stripe's webhook: verifies and stores events; the worker acts on them later. It takes them from the server before everything else
 * a request passes, because nothing of that concerns it and most requests are events. What it refuses goes on to `refusedWebhooks`.
 */
export function takeWebhooks(
  server: Server,
  { env, stripe, log }: Pick<Parts, 'env' | 'stripe' | 'log'>,
  events: StripeEventStore,
): void {
  const [others] = server.listeners('request') as RequestListener[];
  const accepted = new AcceptedLog(log);
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAt = performance.now();
    // Refused before its body is read.
    if (request.headers['stripe-signature'] === undefined) throw new Failure('invalid_signature');
    // As bytes, because the signature is about them.
    const body = await readBytes(request, eventBytesMax);
    const event = verify(body, request.headers['stripe-signature'], { stripe, secret: env.stripe.webhookSecret });
    if (event === null)
      log.warn({ path: stripeWebhookPath }, 'a webhook of a kind that is not used; check its destination');
    else if (relevant.test(event.type)) await events.store(event);
    response.writeHead(200, acceptedHeaders).end(acceptedBody);
    if (event) accepted.add(event.id, performance.now() - startedAt);
  };
  server.on('close', () => accepted.write());
  server.removeAllListeners('request').on('request', (request, response) => {
    if (request.method !== 'POST' || !webhookUrl.test(request.url ?? '')) return others?.(request, response);
    receive(request, response).catch((error: unknown) => {
      refusals.set(request, error);
      others?.(request, response);
    });
  });
}

/**
 * Answers webhooks that were not accepted with Failure `invalid_signature`, `malformed_body`, `body_too_large`,
 * `unsupported_media_type`, or `unavailable`, so that Stripe delivers again.
 */
export function refusedWebhooks(log: Logger): RequestHandler {
  return (request, response, next) => {
    if (!refusals.has(request)) return next();
    answerFailure(refusals.get(request), request, response, log);
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
  signature: string | string[] | undefined,
  { stripe, secret }: { stripe: Stripe; secret: string },
): Stripe.Event | null {
  if (typeof signature !== 'string') throw new Failure('invalid_signature');
  try {
    const event = stripe.webhooks.constructEvent(body, signature, secret);
    if (signedAt(signature) > Date.now() / 1000 + clockSkewSeconds) throw new Failure('invalid_signature');
    shape.parse(event);
    if (relevant.test(event.type)) subject.parse(event);
    return event;
  } catch (error) {
    if (error instanceof Failure) throw error;
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

/** The signed moment of a verified signature header, in seconds since 1970; of several the last, as the SDK reads it. */
function signedAt(header: string): number {
  const moment = header.split(',').findLast((part) => part.startsWith('t='));
  return Number.parseInt(moment?.slice(2) ?? '', 10);
}
