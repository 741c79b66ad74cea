/**
 * `/sandbox/stripe`: control routes of the Stripe simulator. JSON in, JSON out; errors are `{code, message}`.
 *
 * | route | body | answer |
 * |---|---|---|
 * | GET  /payment_intents?limit=50            |  | `{data: IntentView[]}` newest first |
 * | GET  /payment_intents/:id                 |  | `IntentView & {events: EventView[]}` |
 * | POST /payment_intents/:id/challenge       | `{outcome: 'complete'/'fail'/'cancel', client_secret?}` | `{status, redirectUrl}` |
 * | POST /payment_intents/:id/expire_hold     |  | `IntentView` |
 * | POST /payment_intents/:id/dispute         | `{inquiry?: false, prevented?: 'resolution'/'block', reason?: 'fraudulent', amount?}` | `Dispute` that is opened now |
 * | PUT  /payment_intents/:id/refunds         | `{pending: boolean, reason?: 'processing'/'insufficient_funds'}`: its refunds stay pending, or those that are succeed | `IntentView` |
 * | POST /refunds/:id/fail                    | `{reason?: 'insufficient_funds'}` Stripe's `failure_reason` | `Refund` that fails, pending or succeeded |
 * | GET  /account                             |  | `AccountMode` |
 * | PUT  /account                             | `{uncoveredRefunds?: 'none'/'pending'/'refused', settlement?: {currency, rate}/null, requestsPerSecond?: number/null, restrictedKeys?: {'rk_test_…': {charge: 'read', …}}}`; what is left out stays | as GET |
 * | POST /payouts                             | `{currency, amount?}` all that is available unless an amount is given | `Payout` |
 * | POST /payouts/:id/fail                    |  | `Payout` that comes back |
 * | POST /differences                         | `{kind: 'missing'/'doubled'/'unbooked'/'amount'/'fee'/'day'/'currency', payment_intent, movement?, by?, days?, currency?}` or `{kind: 'stripe_fee'/'extra', amount, currency}` | the `BalanceTransaction` that differs now from what happened, or was taken away |
 * | GET  /disputes?limit=50                   |  | `{data: Dispute[]}` newest first |
 * | POST /disputes/:id/decide                 | `{decision: 'won'/'lost'/'escalated'/'expired'/'appealable'/'appealed'}` | `Dispute` |
 * | GET  /events?limit=50&type=&payment_intent= |  | `{data: EventView[]}` |
 * | POST /events/:id/deliver                  | `{endpoint?, copies?: 1, simultaneous?: false}` | `{deliveries: id[]}` new deliveries, at once, whatever the mode |
 * | GET  /deliveries?limit=&state=&event=&endpoint= |  | `{data: Delivery[]}` |
 * | POST /deliveries/:id/deliver              |  | `Delivery` made due at once: a held, lost, failed or already delivered one |
 * | POST /deliveries/flush                    | `{states?: ['held'], order?: 'random'/'created'/'reverse', gapMs?: 20}` | `{deliveries: id[]}` in the order of sending |
 * | GET  /endpoints                           |  | `{data: EndpointView[]}` |
 * | GET  /delivery_mode                       |  | `{global: DeliveryMode, endpoints: {[id]: DeliveryMode}}` |
 * | PUT  /delivery_mode                       | `{endpoint?, mode?, duplicate?, simultaneous?, shuffle?, delayMs?, retryDelaysMs?}`; what is left out is the default | as GET |
 *
 * The challenge route may also be called from another origin (form-encoded, with the publishable key). It then requires
 * the intent's `client_secret` and answers errors in Stripe's shape.
 */
import { type Request, Router } from 'express';
import { z } from 'zod';
import { internalCall, type SandboxContext } from '../context.ts';
import { StripeError } from '../server/errors.ts';
import { accountChangeSchema, accountMode, setAccountMode } from '../stripe/account-mode.ts';
import { addStripeDifference, type StripeDifference, stripeDifferenceSchema } from '../stripe/balance-differences.ts';
import { addDelivery, type Delivery, findDelivery, listDeliveries, makeDue } from '../stripe/deliveries.ts';
import { deliveryModeSchema, deliveryModes, setDeliveryMode } from '../stripe/delivery-modes.ts';
import { DECISIONS, type Decision } from '../stripe/dispute-object.ts';
import { decideDispute, openDispute } from '../stripe/disputes.ts';
import { expireHold } from '../stripe/holds.ts';
import { failPayout, payOut } from '../stripe/payouts.ts';
import { coverRefunds, failRefund, keepRefundsPending, PENDING_REASONS } from '../stripe/refund-outcomes.ts';
import { anyBody, ControlError, controlRoute, readQuery } from './control-route.ts';
import { type EventView, endpointViews, eventView, intentView } from './views.ts';

const limit = z.coerce.number().int().min(1).max(100_000).default(50);

const intentQuery = z.object({ limit });
const eventQuery = z.object({ limit, type: z.string().optional(), payment_intent: z.string().optional() });
const deliveryQuery = z.object({
  limit,
  state: z.enum(['pending', 'held', 'dropped', 'delivered', 'failed']).optional(),
  event: z.string().optional(),
  endpoint: z.string().optional(),
});

const deliverBody = z.strictObject({
  endpoint: z.string().optional(),
  copies: z.int().min(1).max(50).default(1),
  /** All copies at the same instant instead of one after the other. */
  simultaneous: z.boolean().default(false),
});
const disputeBody = z.strictObject({
  inquiry: z.boolean().default(false),
  /** It never becomes a chargeback: the amount is refunded, or nothing moves. */
  prevented: z.enum(['resolution', 'block']).optional(),
  reason: z.string().max(60).optional(),
  /** Minor units; all that was not refunded unless given. */
  amount: z.int().min(1).optional(),
});
const refundsBody = z.strictObject({
  pending: z.boolean(),
  reason: z.enum(PENDING_REASONS).default('processing'),
});
const failureBody = z.strictObject({ reason: z.string().max(60).default('insufficient_funds') });

const payoutBody = z.strictObject({ currency: z.enum(['eur', 'usd']), amount: z.int().min(1).optional() });
const decisionBody = z.strictObject({ decision: z.enum(DECISIONS) });

const flushBody = z.strictObject({
  states: z.array(z.enum(['held', 'dropped', 'failed', 'pending'])).default(['held']),
  order: z.enum(['random', 'created', 'reverse']).default('random'),
  /** Pause between deliveries, so that they arrive in the order of sending. */
  gapMs: z.int().min(0).max(10_000).default(20),
});

function findIntent(context: SandboxContext, id: string) {
  const intent = context.storage.find('payment_intent', id);
  if (!intent) throw new ControlError(404, 'not_found', 'No such payment intent.');
  return intent;
}

function eventsOf(context: SandboxContext, intentId: string, limit: number, type?: string): EventView[] {
  const rows = context.storage.all(
    `SELECT body FROM objects WHERE kind = 'event' AND (?1 IS NULL OR json_extract(body, '$.type') = ?1)
     AND (json_extract(body, '$.data.object.id') = ?2 OR json_extract(body, '$.data.object.payment_intent') = ?2)
     ORDER BY seq DESC LIMIT ?3`,
    ...[type ?? null, intentId, limit],
  );
  return rows.map(({ body }) => eventView(context, JSON.parse(String(body))));
}

function listEventViews(context: SandboxContext, request: Request): { data: EventView[] } {
  const { limit, type, payment_intent } = readQuery(request, eventQuery);
  if (payment_intent) return { data: eventsOf(context, payment_intent, limit, type) };
  const { data } = context.storage.list('event', { limit, ...(type ? { types: [type] } : {}) });
  return { data: data.map((event) => eventView(context, event)) };
}

function deliverEvent(
  context: SandboxContext,
  id: string,
  body: z.infer<typeof deliverBody>,
): { deliveries: string[] } {
  const event = context.storage.find('event', id);
  if (!event) throw new ControlError(404, 'not_found', 'No such event.');
  const endpoints = endpointViews(context).filter((one) => !body.endpoint || one.id === body.endpoint);
  if (endpoints.length === 0) throw new ControlError(404, 'not_found', 'No such endpoint.');
  const now = context.clock.millis();
  const deliveries = endpoints.flatMap(({ id: endpointId }) =>
    Array.from({ length: body.copies }, (_, copy) => {
      const nextAt = now + (body.simultaneous ? 0 : copy * 20);
      return addDelivery(context, { event, endpointId, state: 'pending', nextAt });
    }),
  );
  return { deliveries };
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

function flush(context: SandboxContext, body: z.infer<typeof flushBody>): { deliveries: string[] } {
  const sql = 'SELECT id FROM deliveries WHERE state IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT 10000';
  const inOrder = context.storage.all(sql, JSON.stringify(body.states)).map(({ id }) => String(id));
  const order = { created: inOrder, reverse: inOrder.toReversed(), random: shuffled(inOrder) }[body.order];
  const now = context.clock.millis();
  for (const [index, id] of order.entries()) makeDue(context, id, now + index * body.gapMs);
  return { deliveries: order };
}

function redeliver(context: SandboxContext, id: string): Delivery {
  if (!findDelivery(context, id)) throw new ControlError(404, 'not_found', 'No such delivery.');
  makeDue(context, id, context.clock.millis());
  return findDelivery(context, id) as Delivery;
}

function expire(context: SandboxContext, id: string): object {
  const intent = findIntent(context, id);
  if (intent.status !== 'requires_capture') throw new ControlError(409, 'not_held', `Its status is ${intent.status}.`);
  expireHold(internalCall(context), intent.latest_charge as string);
  return intentView(context, findIntent(context, id));
}

function dispute(context: SandboxContext, id: string, body: z.infer<typeof disputeBody>): object {
  const intent = findIntent(context, id);
  const charge = intent.latest_charge ? context.storage.find('charge', intent.latest_charge as string) : undefined;
  if (!charge?.captured || charge.refunded) throw new ControlError(409, 'not_charged', 'Nothing of it is charged.');
  return openDispute(internalCall(context), charge, body);
}

function decide(context: SandboxContext, id: string, decision: Decision): object {
  if (!context.storage.find('dispute', id)) throw new ControlError(404, 'not_found', 'No such dispute.');
  decideDispute(internalCall(context), id, decision);
  return context.storage.find('dispute', id) as object;
}

function failNow(context: SandboxContext, id: string, reason: string): object {
  if (!context.storage.find('refund', id)) throw new ControlError(404, 'not_found', 'No such refund.');
  failRefund(internalCall(context), id, reason);
  return context.storage.find('refund', id) as object;
}

function payOutNow(context: SandboxContext, { currency, amount }: z.infer<typeof payoutBody>): object {
  try {
    return payOut(internalCall(context), currency, amount);
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    throw new ControlError(409, 'not_available', error.message);
  }
}

function failPayoutNow(context: SandboxContext, id: string): object {
  if (!context.storage.find('payout', id)) throw new ControlError(404, 'not_found', 'No such payout.');
  failPayout(internalCall(context), id);
  return context.storage.find('payout', id) as object;
}

function differ(context: SandboxContext, difference: StripeDifference): object {
  const transaction = addStripeDifference(context, difference);
  if (!transaction) throw new ControlError(404, 'not_found', 'The payment has no such movement.');
  return transaction;
}

/** The router for `/sandbox/stripe`, without the challenge. */
export function stripeControl(context: SandboxContext, changed: () => void): Router {
  const router = Router();
  router.get('/payment_intents', (request, response) => {
    const { data } = context.storage.list('payment_intent', readQuery(request, intentQuery));
    response.json({ data: data.map((intent) => intentView(context, intent)) });
  });
  router.get('/payment_intents/:id', (request, response) => {
    const intent = findIntent(context, request.params.id);
    response.json({ ...intentView(context, intent), events: eventsOf(context, intent.id, 100) });
  });
  router.post(
    '/payment_intents/:id/expire_hold',
    controlRoute(context, changed, anyBody, ({ params }) => expire(context, params.id ?? '')),
  );
  router.post(
    '/payment_intents/:id/dispute',
    controlRoute(context, changed, disputeBody, ({ params, body }) => dispute(context, params.id ?? '', body)),
  );
  router.put(
    '/payment_intents/:id/refunds',
    controlRoute(context, changed, refundsBody, ({ params, body }) => {
      const { id } = findIntent(context, params.id ?? '');
      keepRefundsPending(internalCall(context), id, body.pending ? body.reason : null);
      return intentView(context, findIntent(context, id));
    }),
  );
  router.post(
    '/refunds/:id/fail',
    controlRoute(context, changed, failureBody, ({ params, body }) => failNow(context, params.id ?? '', body.reason)),
  );
  router.post(
    '/payouts',
    controlRoute(context, changed, payoutBody, ({ body }) => payOutNow(context, body)),
  );
  router.post(
    '/payouts/:id/fail',
    controlRoute(context, changed, anyBody, ({ params }) => failPayoutNow(context, params.id ?? '')),
  );
  router.get('/account', (_, response) => {
    response.json(accountMode(context));
  });
  router.put(
    '/account',
    controlRoute(context, changed, accountChangeSchema, ({ body }) => {
      const mode = setAccountMode(context, body);
      coverRefunds(context, mode);
      return mode;
    }),
  );
  router.post(
    '/differences',
    controlRoute(context, changed, stripeDifferenceSchema, ({ body }) => differ(context, body)),
  );
  router.get('/disputes', (request, response) => {
    response.json({ data: context.storage.list('dispute', readQuery(request, intentQuery)).data });
  });
  router.post(
    '/disputes/:id/decide',
    controlRoute(context, changed, decisionBody, ({ params, body }) => decide(context, params.id ?? '', body.decision)),
  );
  router.get('/events', (request, response) => {
    response.json(listEventViews(context, request));
  });
  router.post(
    '/events/:id/deliver',
    controlRoute(context, changed, deliverBody, ({ params, body }) => deliverEvent(context, params.id ?? '', body)),
  );
  router.get('/deliveries', (request, response) => {
    response.json({ data: listDeliveries(context, readQuery(request, deliveryQuery)) });
  });
  router.post(
    '/deliveries/flush',
    controlRoute(context, changed, flushBody, ({ body }) => flush(context, body)),
  );
  router.post(
    '/deliveries/:id/deliver',
    controlRoute(context, changed, anyBody, ({ params }) => redeliver(context, params.id ?? '')),
  );
  router.get('/endpoints', (_, response) => {
    response.json({ data: endpointViews(context) });
  });
  router.get('/delivery_mode', (_, response) => {
    response.json(deliveryModes(context));
  });
  const modeBody = deliveryModeSchema.extend({ endpoint: z.string().optional() });
  router.put(
    '/delivery_mode',
    controlRoute(context, changed, modeBody, ({ body: { endpoint, ...mode } }) => {
      setDeliveryMode(context, mode, endpoint);
      return deliveryModes(context);
    }),
  );
  return router;
}
