import express, { type Request, type RequestHandler, type Response } from 'express';
import { Stripe } from 'stripe';
import { z } from 'zod';
import { Failure } from '#core/contracts/failures';
import type { StripeEventStore } from '#domain/payments/store-stripe-events';
import { answerFailure } from '../http/failure.filter.ts';
import type { Parts } from '../tokens.ts';

/** Stripe's largest events are far below. */
const eventBytesMax = 1024 * 1024;

/**
 * Kinds of event that concern a transfer's payment or a crypto order. Stripe's guide and its own examples
 * disagree on the name of the onramp's event, so both are accepted.
 */
const relevant = /^(payment_intent|charge|refund)\.|^crypto\.onramp_session[._]updated$/;

/** The part of an event that is read. A valid signature does not guarantee its shape. */
const shape = z.object({
  id: z.string().regex(/^evt_\w{1,200}$/),
  type: z.string().regex(/^[a-z0-9_.]{1,200}$/),
  data: z.object({ object: z.object({}) }),
});

const stripeId = z.string().regex(/^\w{1,200}$/);
/** What a relevant event is about: these ids are stored. */
const subject = z.object({
  data: z.object({ object: z.object({ id: stripeId.optional(), payment_intent: stripeId.nullish() }) }),
});

/** How far Stripe's clock may be ahead of ours, in seconds; the SDK itself looks only at how old a signature is. */
const clockSkewSeconds = 300;

/**
 * Stripe's webhook: verifies and stores events; the worker acts on them later. It stands before everything else a request passes,
 * because nothing of that concerns it and most requests are events. Answers with Failure `invalid_signature`,
 * `malformed_body`, `body_too_large`, or `unavailable`, so that Stripe delivers again.
 */
export function stripeWebhook(
  { env, stripe, log }: Pick<Parts, 'env' | 'stripe' | 'log'>,
  events: StripeEventStore,
): RequestHandler {
  // As bytes, because the signature is about them. Compressed ones are refused: a small one can unpack into a huge one.
  const readBytes = express.raw({ type: () => true, limit: eventBytesMax, inflate: false });
  const receive = async (request: Request, response: Response): Promise<void> => {
    const event = verify(request.body, request.headers['stripe-signature'], {
      stripe,
      secret: env.stripe.webhookSecret,
    });
    if (relevant.test(event.type)) await events.store(event);
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(accepted);
  };
  return (request, response, next) => {
    if (request.method !== 'POST' || request.path !== '/') return next();
    const refuse = (error: unknown) => {
      answerFailure(error, request, response, log);
      log.info({ path: request.originalUrl, statusCode: response.statusCode }, 'a webhook was refused');
    };
    readBytes(request, response, (error?: unknown) => {
      if (error) refuse(error);
      else receive(request, response).catch(refuse);
    });
  };
}

const accepted = JSON.stringify({ received: true });

function verify(
  body: unknown,
  signature: string | string[] | undefined,
  { stripe, secret }: { stripe: Stripe; secret: string },
): Stripe.Event {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw new Failure('invalid_signature');
  try {
    const event = stripe.webhooks.constructEvent(body, signature, secret);
    if (signedAt(signature) > Date.now() / 1000 + clockSkewSeconds) throw new Failure('invalid_signature');
    shape.parse(event);
    if (relevant.test(event.type)) subject.parse(event);
    return event;
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw new Failure('invalid_signature');
    throw new Failure('malformed_body');
  }
}

/** The signed moment of a verified signature header, in seconds since 1970; of several the last, as the SDK reads it. */
function signedAt(header: string): number {
  return Number([...header.matchAll(/(?:^|,)t=(\d+)/g)].at(-1)?.[1] ?? Number.NaN);
}
