/** Whether a publishable key of Stripe's belongs to its test mode, in which no card is charged. */
export function isTestKey(publishableKey: string): boolean {
  return publishableKey.startsWith('pk_test_');
}

/**
 * Whether cards are played by the simulator, which gives browsers a script of its own: with keys of a real Stripe account the
 * practice pages do not exist.
 */
export function isSandbox(publishableKey: string, scriptUrl: string | null | undefined): boolean {
  return isTestKey(publishableKey) && scriptUrl != null;
}
