import { Controller, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Stripe } from 'stripe';
import { z } from 'zod';
import { Failure } from '#core/contracts/failures';
import { storeStripeEvent } from '#domain/payments/stripe-event.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import type { Logger } from '#platform/logging';
import { networkOf } from '../access/network.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { readBytes } from '../http/bodies.ts';
import { stripeWebhookPath } from '../http/routes.ts';
import { OutsideContract } from '../http/serve.ts';
import { ENV, LOG, STRIPE } from '../tokens.ts';

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

/** Failures of requests without a valid signature. */
const unsignedCodes: ReadonlySet<string> = new Set(['invalid_signature', 'body_too_large', 'unsupported_media_type']);

/** Stripe's webhook: verifies and stores events; the worker acts on them later. */
@Controller()
export class StripeWebhookController {
  constructor(
    private readonly database: Database,
    private readonly rateLimits: RateLimits,
    @Inject(STRIPE) private readonly stripe: Stripe,
    @Inject(ENV) private readonly env: ApiConfiguration,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * Accepts an event once it is committed with its job. @throws Failure `invalid_signature`, `malformed_body`, `body_too_large`,
   * `unsupported_media_type`, and `too_many_requests` for networks that send many without a right signature.
   */
  @Post(stripeWebhookPath)
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @OutsideContract()
  async receive(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ readonly received: true }> {
    const event = await this.#read(request).catch((error: unknown) => this.#refuse(error, request, response));
    if (event === null)
      this.log.warn({ path: stripeWebhookPath }, 'a webhook of a kind that is not used; check its destination');
    else if (relevant.test(event.type))
      await this.database.transaction((em) => storeStripeEvent(em, event, new Date()));
    return { received: true };
  }

  /** The verified event of a request, or null for one of a kind that is not used: refused, Stripe would send it again for three days. */
  async #read(request: Request): Promise<Stripe.Event | null> {
    const signature = request.headers['stripe-signature'];
    // Refused before its body is read.
    if (!isRecentSignature(signature)) throw new Failure('invalid_signature');
    // As bytes, because the signature is about them.
    const body = await readBytes(request, eventBytesMax);
    try {
      const event = this.stripe.webhooks.constructEvent(body, signature, this.env.stripe.webhookSecret);
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

  /** Counts an unsigned request against its network. Only now, so that a signed one never waits for a limit or meets one. */
  async #refuse(error: unknown, request: Request, response: Response): Promise<never> {
    if (error instanceof Failure && unsignedCodes.has(error.code)) {
      await this.rateLimits.take('unsignedWebhooksPerNetwork', networkOf(request)).catch((limit: unknown) => {
        // What such a network still sends is not read.
        response.set('Connection', 'close');
        throw limit;
      });
    }
    throw error;
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
