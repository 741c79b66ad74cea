/** Events: snapshots of changed objects, stored in the transaction of the change. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';
import { missingObject } from '../server/errors.ts';
import { expand, flag, listOf, pages, text, timeRange } from '../server/parameters.ts';
import { createDeliveries } from './deliveries.ts';
import { type Page, pageOf } from './lists.ts';

/** The simulated API version. */
export const API_VERSION = '2026-10-28.endive';

type EventType = Stripe.Event['type'];

/** Stripe lists and shows events for 30 days. */
const KEPT_SECONDS = 30 * 86_400;

/** Changed or removed fields with their earlier values; nested objects as a whole, new fields not at all. */
export function changedFrom<T extends object>(before: T, after: T): Partial<T> {
  const changed: Partial<T> = {};
  for (const key of Object.keys(before) as (keyof T)[]) {
    if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) changed[key] = before[key];
  }
  return changed;
}

/** Stores an event and its deliveries. `previous`, the object before the change, gives `previous_attributes`. */
export function emit<T extends { id: string }>(call: Call, type: EventType, object: T, previous?: T): void {
  const { storage, clock } = call.context;
  const endpoints = storage
    .list('webhook_endpoint', { limit: 100 })
    .data.filter(({ status, enabled_events }) => status === 'enabled' && wants(enabled_events, type));
  const event = {
    id: newId('evt_3'),
    object: 'event',
    api_version: API_VERSION,
    created: clock.seconds(),
    data: { object, ...(previous ? { previous_attributes: changedFrom(previous, object) } : {}) },
    livemode: false,
    pending_webhooks: endpoints.length,
    request: call.request,
    type,
  } as unknown as Stripe.Event;
  storage.insert('event', event, {});
  for (const endpoint of endpoints) createDeliveries(call.context, event, endpoint.id);
}

function wants(enabled: string[], type: string): boolean {
  return enabled.includes('*') || enabled.includes(type);
}

/** Endpoints that have not received the event of row `o` yet, in SQL. */
const UNDELIVERED = `SELECT endpoint_id FROM deliveries WHERE event_id = o.id
  GROUP BY endpoint_id HAVING sum(state = 'delivered') = 0`;

function keptSince({ context }: Call): number {
  return context.clock.seconds() - KEPT_SECONDS;
}

function withPending(context: SandboxContext, event: Stripe.Event): Stripe.Event {
  const sql = `SELECT count(*) AS pending FROM (${UNDELIVERED.replace('o.id', '?')})`;
  return { ...event, pending_webhooks: Number(context.storage.one(sql, event.id)?.pending ?? 0) };
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrieveEvent(call: Call, id: string): Stripe.Event {
  const event = call.context.storage.find('event', id);
  if (!event || event.created < keptSince(call)) throw missingObject('event', id);
  return withPending(call.context, event);
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  created: timeRange.optional(),
  type: text().optional(),
  types: listOf(text(), 20).optional(),
  delivery_success: flag.optional(),
});

/** `type` may end in `*`, as in `charge.*`. */
export function listEvents(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.Event> {
  const { context } = call;
  const conditions = [`o.created >= ${keptSince(call)}`];
  if (input.delivery_success !== undefined) {
    conditions.push(`${input.delivery_success ? 'NOT ' : ''}EXISTS (${UNDELIVERED})`);
  }
  const prefix = input.type && /^([a-z_.]+\.)\*$/.exec(input.type)?.[1];
  if (prefix) conditions.push(`substr(json_extract(o.body, '$.type'), 1, ${prefix.length}) = '${prefix}'`);
  const types = input.types ?? (input.type && !prefix ? [input.type] : undefined);
  const page = pageOf(context, 'event', '/v1/events', input, {
    ...(types ? { types } : {}),
    where: conditions.join(' AND '),
  });
  return { ...page, data: page.data.map((event) => withPending(context, event)) };
}
