/** How the account of the simulated Stripe is set up. */
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';

export const accountModeSchema = z.strictObject({
  /**
   * Refunds that the balance does not cover: none, or all, which wait until it does again (as for most accounts), or are refused with
   * `balance_insufficient`. https://docs.stripe.com/refunds
   */
  uncoveredRefunds: z.enum(['none', 'pending', 'refused']),
});
export type AccountMode = z.infer<typeof accountModeSchema>;

const initial: AccountMode = { uncoveredRefunds: 'none' };
const SETTING = 'account_mode';

export function accountMode(context: SandboxContext): AccountMode {
  return context.storage.setting<AccountMode>(SETTING, initial);
}

/** What is changed; the rest stays as it is. */
export const accountChangeSchema = accountModeSchema.partial();

export function setAccountMode(context: SandboxContext, change: z.infer<typeof accountChangeSchema>): AccountMode {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const mode = { ...accountMode(context), ...Object.fromEntries(given) };
  context.storage.setSetting(SETTING, mode);
  return mode;
}
