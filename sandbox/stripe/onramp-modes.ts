/** Settings of the onramp simulator. */
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';

/** Stripe's guide documents the first name, much public code uses the second: both must work. */
export const ONRAMP_EVENT_NAMES = ['crypto.onramp_session_updated', 'crypto.onramp_session.updated'] as const;

export const onrampModeSchema = z.strictObject({
  eventName: z.enum(ONRAMP_EVENT_NAMES).default(ONRAMP_EVENT_NAMES[0]),
  /** As if Stripe had not approved the account: sessions are refused. */
  disabled: z.boolean().default(false),
});
export type OnrampMode = z.infer<typeof onrampModeSchema>;

const SETTING = 'onramp_mode';

export function onrampMode(context: SandboxContext): OnrampMode {
  return context.storage.setting<OnrampMode>(SETTING, onrampModeSchema.parse({}));
}

export function setOnrampMode(context: SandboxContext, mode: OnrampMode): void {
  context.storage.setSetting(SETTING, mode);
}
