/** Stored deliveries: event, endpoint, attempts and state. */
import type Stripe from 'stripe';
import type { SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';
import { DUPLICATE_GAP_MS, deliveryModeOf, SHUFFLE_WINDOW_MS } from './delivery-modes.ts';

/** `held` waits to be flushed, `dropped` is lost on purpose, `failed` ran out of attempts. */
export type DeliveryState = 'pending' | 'held' | 'dropped' | 'delivered' | 'failed';

export interface Delivery {
  id: string;
  event: string;
  eventType: string;
  endpoint: string;
  state: DeliveryState;
  attempts: number;
  /** Sandbox milliseconds of the next attempt; null when none is due. */
  nextAt: number | null;
  lastStatus: number | null;
  lastError: string | null;
  created: number;
  deliveredAt: number | null;
}

type Row = NonNullable<ReturnType<SandboxContext['storage']['one']>>;

export function deliveryFrom(row: Row): Delivery {
  const number = (value: Row[string] | undefined) => (value == null ? null : Number(value));
  return {
    id: String(row.id),
    event: String(row.event_id),
    eventType: String(row.event_type),
    endpoint: String(row.endpoint_id),
    state: row.state as DeliveryState,
    attempts: Number(row.attempts),
    nextAt: number(row.next_at),
    lastStatus: number(row.last_status),
    lastError: row.last_error == null ? null : String(row.last_error),
    created: Number(row.created),
    deliveredAt: number(row.delivered_at),
  };
}

export interface NewDelivery {
  event: Pick<Stripe.Event, 'id' | 'type'>;
  endpointId: string;
  state: DeliveryState;
  /** Sandbox milliseconds. */
  nextAt: number | null;
}

export function addDelivery(context: SandboxContext, { event, endpointId, state, nextAt }: NewDelivery): string {
  const id = newId('del_');
  context.storage.run(
    `INSERT INTO deliveries (id, event_id, event_type, endpoint_id, state, next_at, created)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...[id, event.id, event.type, endpointId, state, nextAt, context.clock.millis()],
  );
  return id;
}

/** Creates the deliveries of a new event to one endpoint, by that endpoint's mode. */
export function createDeliveries(context: SandboxContext, event: Stripe.Event, endpointId: string): void {
  const mode = deliveryModeOf(context, endpointId);
  const now = context.clock.millis();
  for (let later = 0; later <= mode.duplicate; later += 1) {
    const jitter = mode.shuffle ? Math.floor(Math.random() * SHUFFLE_WINDOW_MS) : 0;
    const at = now + mode.delayMs + later * DUPLICATE_GAP_MS + jitter;
    for (let copy = 0; copy < mode.simultaneous; copy += 1) {
      const state = mode.mode === 'deliver' ? 'pending' : mode.mode === 'hold' ? 'held' : 'dropped';
      addDelivery(context, { event, endpointId, state, nextAt: state === 'pending' ? at : null });
    }
  }
}

export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  event?: string | undefined;
  endpoint?: string | undefined;
  limit?: number | undefined;
}

/** Newest first. */
export function listDeliveries(context: SandboxContext, filter: DeliveryFilter): Delivery[] {
  const { state = null, event = null, endpoint = null, limit = 100 } = filter;
  const sql = `SELECT * FROM deliveries WHERE (?1 IS NULL OR state = ?1) AND (?2 IS NULL OR event_id = ?2)
    AND (?3 IS NULL OR endpoint_id = ?3) ORDER BY seq DESC LIMIT ?4`;
  return context.storage.all(sql, state, event, endpoint, limit).map(deliveryFrom);
}

export function findDelivery(context: SandboxContext, id: string): Delivery | undefined {
  const row = context.storage.one('SELECT * FROM deliveries WHERE id = ?', id);
  return row && deliveryFrom(row);
}

/** Makes a delivery due at `at` (sandbox milliseconds) whatever its state; its attempts start again. */
export function makeDue(context: SandboxContext, id: string, at: number): void {
  const sql = `UPDATE deliveries SET state = 'pending', next_at = ?, attempts = 0 WHERE id = ?`;
  context.storage.run(sql, at, id);
}
