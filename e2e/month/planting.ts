import { requestJson } from '../../sandbox/testing/control-client.ts';
import type { Planted, Sent, World } from './world.ts';

/** The required outcome of a transfer for planting a difference about it. */
export type Carrier = 'completed' | 'rejected' | 'refunded' | 'refunding' | 'disputed' | 'returned';

export type Found = Omit<Planted, 'what' | 'transferId'>;

/** A difference between what happened and what Stripe or the bank will say of it. */
export interface Plant {
  readonly what: string;
  readonly carrier: Carrier;
  /** Plants it; returns the expected findings. */
  readonly plant: (world: World, sent: Sent) => Promise<Found | readonly Found[]>;
}

/** Has Stripe list something else than what happened. */
export function atStripe({ app }: World, body: object): Promise<unknown> {
  return requestJson(app.stack.sandboxUrl, 'POST', '/sandbox/stripe/differences', body);
}

/** Has the bank do so. */
export function atBank({ app }: World, body: object): Promise<unknown> {
  return requestJson(app.stack.sandboxUrl, 'POST', '/sandbox/bank/differences', body);
}
