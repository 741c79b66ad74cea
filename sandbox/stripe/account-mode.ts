/** How the account of the simulated Stripe is set up. */
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';
import { permissionsSchema } from './permissions.ts';

const accountSchema = z.strictObject({
  /**
   * Refunds that the balance does not cover: none, or all, which wait until it does again (as for most accounts), or are refused with
   * `balance_insufficient`. https://docs.stripe.com/refunds
   */
  uncoveredRefunds: z.enum(['none', 'pending', 'refused']),
  /** The one currency that the account is paid in, and how much of it a unit of any other one brings; null: each in its own. */
  settlement: z.strictObject({ currency: z.enum(['eur', 'usd']), rate: z.number().positive().max(1000) }).nullable(),
  /** Requests per second that each endpoint takes; Stripe's own limit is 25 (https://docs.stripe.com/rate-limits). Null: any number. */
  requestsPerSecond: z.int().min(1).max(10_000).nullable(),
  /** Restricted keys and what each may do. */
  restrictedKeys: z.record(z.string().startsWith('rk_test_').max(200), permissionsSchema),
});
export type AccountMode = z.infer<typeof accountSchema>;

/** A partial change; the rest stays. */
export const accountChangeSchema = accountSchema.partial();

const initial: AccountMode = {
  uncoveredRefunds: 'none',
  settlement: null,
  requestsPerSecond: null,
  restrictedKeys: {},
};
const SETTING = 'account_mode';

export function accountMode(context: SandboxContext): AccountMode {
  return context.storage.setting<AccountMode>(SETTING, initial);
}

export function setAccountMode(context: SandboxContext, change: z.infer<typeof accountChangeSchema>): AccountMode {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const mode = { ...accountMode(context), ...Object.fromEntries(given) };
  context.storage.setSetting(SETTING, mode);
  return mode;
}
