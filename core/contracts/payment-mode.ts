/** Whose cards are charged: the sandbox simulates them, Stripe's test mode charges none, `live` charges real ones. */
export const paymentModes = ['sandbox', 'test', 'live'] as const;
export type PaymentMode = (typeof paymentModes)[number];

/** The sandbox's secret key. It is public: nothing but the simulated Stripe takes it. */
export const sandboxSecretKey = 'sk_test_sandbox';

/** The one rule for the mode of an installation, from Stripe's secret (`sk_`) or restricted (`rk_`) key. */
export function paymentModeOf(secretKey: string): PaymentMode {
  if (secretKey === sandboxSecretKey) return 'sandbox';
  return /^[rs]k_test_/.test(secretKey) ? 'test' : 'live';
}
