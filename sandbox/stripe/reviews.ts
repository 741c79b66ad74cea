/** Radar's reviews: payments that people should check in Stripe's dashboard. They do not block payments. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call } from '../context.ts';
import { newId } from '../ids.ts';
import { missingObject, wrongState } from '../server/errors.ts';
import { expand, pages, timeRange } from '../server/parameters.ts';
import { emit } from './events.ts';
import { type Page, pageOf } from './lists.ts';

/** Opens the review of a stored charge that Radar sent to one, and names it in the charge. Returns its id, or null. */
export function openReview(call: Call, charge: Stripe.Charge): string | null {
  if (charge.outcome?.type !== 'manual_review') return null;
  const review: Stripe.Review = {
    id: newId('prv_3'),
    object: 'review',
    billing_zip: charge.billing_details.address?.postal_code ?? null,
    charge: charge.id,
    closed_reason: null,
    created: call.context.clock.seconds(),
    ip_address: null,
    ip_address_location: null,
    livemode: false,
    open: true,
    opened_reason: 'rule',
    ...(typeof charge.payment_intent === 'string' ? { payment_intent: charge.payment_intent } : {}),
    reason: 'rule',
    session: null,
  };
  call.context.storage.insert('review', review, {});
  charge.review = review.id;
  call.context.storage.save('charge', charge);
  emit(call, 'review.opened', review);
  return review.id;
}

/** Closes the review of a charge, where one is open. */
export function closeReview(call: Call, { review: id }: Stripe.Charge, reason: Stripe.Review.ClosedReason): void {
  const before = typeof id === 'string' ? call.context.storage.find('review', id) : undefined;
  if (before?.open) close(call, before, reason);
}

function close(call: Call, before: Stripe.Review, reason: Stripe.Review.ClosedReason): Stripe.Review {
  const after = { ...before, open: false, closed_reason: reason, reason };
  call.context.storage.save('review', after);
  emit(call, 'review.closed', after, before);
  return after;
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrieveReview(call: Call, id: string): Stripe.Review {
  const review = call.context.storage.find('review', id);
  if (!review) throw missingObject('review', id);
  return review;
}

export function approveReview(call: Call, id: string): Stripe.Review {
  const review = retrieveReview(call, id);
  if (!review.open) throw wrongState(`The review ${id} is already closed.`, 'resource_already_exists');
  return close(call, review, 'approved');
}

export const listParameters = z.strictObject({ ...pages, ...expand, created: timeRange.optional() });

/** The open ones. */
export function listReviews(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.Review> {
  return pageOf(call.context, 'review', '/v1/reviews', input, { where: "json_extract(o.body, '$.open')" });
}
