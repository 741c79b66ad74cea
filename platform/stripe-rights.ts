import { Stripe } from 'stripe';
import { ConfigurationError } from './configuration/configuration-error.ts';
import type { Server } from './configuration/secrets.ts';

/** One short try: a Stripe that does not answer holds up no start. */
const options = { timeout: 5_000, maxNetworkRetries: 0 };
const one = { limit: 1 };

/** What a restricted key may read, under the names of Stripe's dashboard, and the cheapest call that shows it. */
const readings = {
  PaymentIntents: (stripe: Stripe) => stripe.paymentIntents.list(one, options),
  Charges: (stripe: Stripe) => stripe.charges.list(one, options),
  Refunds: (stripe: Stripe) => stripe.refunds.list(one, options),
  Disputes: (stripe: Stripe) => stripe.disputes.list(one, options),
  Files: (stripe: Stripe) => stripe.files.list(one, options),
  Events: (stripe: Stripe) => stripe.events.list(one, options),
  'Balance transactions': (stripe: Stripe) => stripe.balanceTransactions.list(one, options),
  'Radar early fraud warnings': (stripe: Stripe) => stripe.radar.earlyFraudWarnings.list(one, options),
  Reviews: (stripe: Stripe) => stripe.reviews.list(one, options),
} as const;
type Right = keyof typeof readings;

/** What each server calls (docs/stripe-keys.md). A right to write includes that to read. */
const needed: Readonly<Record<Server, readonly Right[]>> = {
  api: ['PaymentIntents'],
  worker: Object.keys(readings) as Right[],
};

/** What the key of the server that people reach must not be good for. */
const refused: Readonly<Record<Server, readonly Right[]>> = {
  api: ['Disputes', 'Files', 'Events', 'Balance transactions'],
  worker: [],
};

/**
 * Asks Stripe whether a restricted key has the rights of its server and no others, as far as reading shows it. What Stripe does not answer is
 * no reason not to start. @throws ConfigurationError naming every right that is missing or too many.
 */
export async function checkStripeRights(stripe: Stripe, server: Server, secretKey: string): Promise<void> {
  if (!secretKey.startsWith('rk_')) return;
  const asked = [...needed[server], ...refused[server]];
  const answers = await Promise.all(asked.map((right) => mayRead(stripe, right)));
  const problems = asked.flatMap((right, index) => {
    const isNeeded = needed[server].includes(right);
    if (answers[index] === undefined || answers[index] === isNeeded) return [];
    const problem = isNeeded ? `lacks the right "${right}"` : `must not have the right "${right}"`;
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
