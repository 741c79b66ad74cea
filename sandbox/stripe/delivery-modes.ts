/** How webhooks are delivered: normally, late, repeatedly, out of order or not at all. */
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * In live mode Stripe tries for up to three days, with growing pauses that it does not publish
 * (https://docs.stripe.com/webhooks/process-undelivered-events). The first ones are short here, so that a restarted
 * product receives events soon.
 */
const liveRetryDelaysMs = [
  ...[5_000, 30_000, 2 * minuteMs, 10 * minuteMs, hourMs],
  ...[3 * hourMs, 6 * hourMs, 12 * hourMs, 24 * hourMs, 24 * hourMs],
];

export const deliveryModeSchema = z.strictObject({
  /** `drop` loses every event (until redelivered by hand), `hold` keeps them until flushed. */
  mode: z.enum(['deliver', 'drop', 'hold']).default('deliver'),
  /** Further copies of each event, `DUPLICATE_GAP_MS` apart. */
  duplicate: z.int().min(0).max(20).default(0),
  /** Copies sent at the same instant. */
  simultaneous: z.int().min(1).max(20).default(1),
  /** Sends events of one `SHUFFLE_WINDOW_MS` in random order. */
  shuffle: z.boolean().default(false),
  /** Delay before the first attempt. */
  delayMs: z.int().min(0).max(3_600_000).default(0),
  /** Pauses between attempts; after the last one the delivery is `failed`. */
  retryDelaysMs: z.array(z.int().min(0).max(86_400_000)).max(20).default(liveRetryDelaysMs),
});
export type DeliveryMode = z.infer<typeof deliveryModeSchema>;

export const SHUFFLE_WINDOW_MS = 400;
export const DUPLICATE_GAP_MS = 50;

interface DeliveryModes {
  global: DeliveryMode;
  endpoints: Record<string, DeliveryMode>;
}

const SETTING = 'delivery_modes';

export function deliveryModes(context: SandboxContext): DeliveryModes {
  return context.storage.setting<DeliveryModes>(SETTING, { global: deliveryModeSchema.parse({}), endpoints: {} });
}

/** The endpoint's own mode if it has one, else the global one. */
export function deliveryModeOf(context: SandboxContext, endpointId: string): DeliveryMode {
  const modes = deliveryModes(context);
  return modes.endpoints[endpointId] ?? modes.global;
}

/** @param endpointId if absent, sets the default mode for endpoints without a specific one. */
export function setDeliveryMode(context: SandboxContext, mode: DeliveryMode, endpointId?: string): void {
  const modes = deliveryModes(context);
  if (endpointId) modes.endpoints[endpointId] = mode;
  else modes.global = mode;
  context.storage.setSetting(SETTING, modes);
}
