import { Stripe } from 'stripe';
import { ConfigurationError } from './configuration/configuration-error.ts';
import type { Server } from './configuration/secrets.ts';
import type { StripeConfiguration } from './configuration/variables.ts';

/** One short try: a Stripe that does not answer must not delay a start. */
const options = { timeout: 5_000, maxNetworkRetries: 0 };
const one = { limit: 1 };

/**
 * The rights of docs/stripe-keys.md, under the names of Stripe's dashboard, with the cheapest calls that show whether a key may read them. The
 * dashboard has one right for charges and refunds.
 */
const readings = {
  PaymentIntents: (stripe: Stripe) => stripe.paymentIntents.list(one, options),
  'Charges and Refunds': (stripe: Stripe) => stripe.charges.list(one, options),
  Disputes: (stripe: Stripe) => stripe.disputes.list(one, options),
  Files: (stripe: Stripe) => stripe.files.list(one, options),
  Events: (stripe: Stripe) => stripe.events.list(one, options),
  'Balance transaction sources': (stripe: Stripe) => stripe.balanceTransactions.list(one, options),
  Payouts: (stripe: Stripe) => stripe.payouts.list(one, options),
  'Radar early fraud warnings': (stripe: Stripe) => stripe.radar.earlyFraudWarnings.list(one, options),
  Reviews: (stripe: Stripe) => stripe.reviews.list(one, options),
  'Crypto onramp': (stripe: Stripe) => stripe.rawRequest('GET', '/v1/crypto/onramp_sessions?limit=1', {}, options),
} as const;
type Right = keyof typeof readings;
const rights = Object.keys(readings) as Right[];

/** Whether a server needs a right. A right to write includes that to read. */
function isNeeded(right: Right, server: Server): boolean {
  return server === 'worker' || right === 'PaymentIntents' || right === 'Crypto onramp';
}

/**
 * Asks Stripe whether a restricted key has the rights of its server and no others, as far as reading shows it. What Stripe does not answer is
 * no reason not to start. @throws ConfigurationError naming every right that is missing or too many.
 */
export async function checkStripeRights(
  stripe: Stripe,
  server: Server,
  configuration: Pick<StripeConfiguration, 'secretKey' | 'sellsCrypto'>,
): Promise<void> {
  if (!configuration.secretKey.startsWith('rk_')) return;
  // The onramp right is only needed where crypto is sold.
  const needed = rights.filter((right) => right !== 'Crypto onramp' || configuration.sellsCrypto);
  const answers = await Promise.all(needed.map((right) => mayRead(stripe, right)));
  const problems = needed.flatMap((right, index) => {
    const needed = isNeeded(right, server);
    if (answers[index] === undefined || answers[index] === needed) return [];
    const problem = needed ? `lacks the right "${right}"` : `must not have the right "${right}"`;
    return [`STRIPE_SECRET_KEY of the ${server} ${problem} (docs/stripe-keys.md)`];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** Undefined: Stripe did not say. */
async function mayRead(stripe: Stripe, right: Right): Promise<boolean | undefined> {
  try {
    await readings[right](stripe);
    return true;
  } catch (error) {
    return error instanceof Stripe.errors.StripePermissionError ? false : undefined;
  }
}
