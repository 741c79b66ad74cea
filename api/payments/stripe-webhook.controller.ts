import { Controller, Headers, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Stripe } from 'stripe';
import { z } from 'zod';
import { Failure } from '#core/contracts/failures';
import { storeStripeEvent } from '#domain/payments/stripe-event.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { SignedCall } from '../access/access.guard.ts';
import { stripeWebhookPath } from '../http/routes.ts';
import { ENV, STRIPE } from '../tokens.ts';

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

/** Stripe's webhook: verifies and stores events; the worker acts on them later. */
@Controller()
export class StripeWebhookController {
  constructor(
    private readonly database: Database,
    @Inject(STRIPE) private readonly stripe: Stripe,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  /** @throws Failure `invalid_signature`, `malformed_body`. */
  @Post(stripeWebhookPath)
  @HttpCode(200)
  @SignedCall()
  async receive(@Req() request: Request, @Headers('stripe-signature') signature: string | undefined) {
    const event = this.#verify(request.body, signature);
    if (relevant.test(event.type)) {
      await this.database.transaction((em) => storeStripeEvent(em, event, new Date()));
    }
    return { received: true };
  }

  #verify(body: unknown, signature: string | undefined): Stripe.Event {
    if (!Buffer.isBuffer(body) || !signature) throw new Failure('invalid_signature');
    try {
      const event = this.stripe.webhooks.constructEvent(body, signature, this.env.stripe.webhookSecret);
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
}

/** The signed moment of a verified signature header, in seconds since 1970; of several the last, as the SDK reads it. */
function signedAt(header: string): number {
  return Number([...header.matchAll(/(?:^|,)t=(\d+)/g)].at(-1)?.[1] ?? Number.NaN);
}
