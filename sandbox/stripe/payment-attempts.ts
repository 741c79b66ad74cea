/** Payment attempts: confirmation of a PaymentIntent and the answer to its 3-D Secure challenge. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call } from '../context.ts';
import { invalidRequest, missingObject, StripeError, wrongState } from '../server/errors.ts';
import { emptyable, expand, flag, ignored, oneOf, text } from '../server/parameters.ts';
import { shipping, shippingFrom } from './addresses.ts';
import { buildCharge, HOLD_SECONDS } from './charges.ts';
import { emit } from './events.ts';
import { planFraudWarning } from './fraud-warnings.ts';
import { behaviourOf, createFromData, markSetUp, methodData, resolveMethod } from './payment-methods.ts';
import { openReview } from './reviews.ts';
import type { Decline, TestCard } from './test-cards.ts';

/** Parameters of a confirmation, also of a create with `confirm=true`. */
export const confirmFields = {
  ...expand,
  error_on_requires_action: flag.optional(),
  mandate_data: ignored.optional(),
  off_session: z.union([flag, text()]).optional(),
  payment_method: text().optional(),
  payment_method_data: methodData.optional(),
  payment_method_options: z
    .strictObject({
      card: z.strictObject({ request_three_d_secure: oneOf(['any', 'automatic', 'challenge']).optional() }).optional(),
    })
    .optional(),
  radar_options: ignored.optional(),
  receipt_email: emptyable(text(512)).optional(),
  return_url: text().optional(),
  setup_future_usage: emptyable(oneOf(['off_session', 'on_session'])).optional(),
  shipping: emptyable(shipping).optional(),
  use_stripe_sdk: flag.optional(),
};
const inputSchema = z.object(confirmFields);
export type ConfirmInput = z.infer<typeof inputSchema>;

/** Stripe.js sends more than the API documents; it is ignored. */
export const confirmParameters = z.strictObject({
  ...confirmFields,
  client_secret: text().optional(),
  expected_payment_method_type: ignored.optional(),
  client_attribution_metadata: ignored.optional(),
  key: ignored.optional(),
});

const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

function checkConfirmable(call: Call, intent: Stripe.PaymentIntent, input: ConfirmInput): void {
  if (!CONFIRMABLE.includes(intent.status)) {
    const message =
      intent.status === 'succeeded'
        ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
        : `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action, requires_payment_method.`;
    throw wrongState(message, 'payment_intent_unexpected_state', { payment_intent: intent });
  }
  const mayRedirect = intent.automatic_payment_methods?.allow_redirects === 'always';
  if (call.key === 'secret' && mayRedirect && !input.return_url && !input.error_on_requires_action) {
    throw invalidRequest(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating PaymentIntents.",
    );
  }
  if (input.return_url && !URL.canParse(input.return_url)) {
    throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: 'return_url' });
  }
}

function methodFor(call: Call, intent: Stripe.PaymentIntent, input: ConfirmInput): Stripe.PaymentMethod {
  if (input.payment_method) return resolveMethod(call, input.payment_method, 'payment_method');
  if (input.payment_method_data) return createFromData(call, input.payment_method_data);
  if (intent.payment_method) return resolveMethod(call, intent.payment_method as string, 'payment_method');
  throw wrongState(
    "You cannot confirm this PaymentIntent because it's missing a payment method. Update the PaymentIntent with a payment method and then confirm it again.",
    'payment_intent_unexpected_state',
    { payment_intent: intent },
  );
}

interface Circumstances {
  offSession: boolean;
  /** `request_three_d_secure` of the intent. */
  requested: string | null;
}

function needsAuthentication(card: TestCard & { setUp: boolean }, { offSession, requested }: Circumstances): boolean {
  switch (card.authentication) {
    case 'required':
      return true;
    case 'unless_set_up':
    case 'on_session':
      return !(offSession && card.setUp);
    case 'optional':
      // 4242 and 3055 support 3-D Secure; only 3055 shows a challenge when it is requested.
      return card.names[0] === 'threeDSecureOptional' && (requested === 'any' || requested === 'challenge');
    default:
      return false;
  }
}

const AUTHENTICATION_REQUIRED: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
  adviceCode: null,
  networkDeclineCode: null,
};

/** Confirms a stored intent. Throws a card error with `keepsChanges` when the card is declined. */
export function confirmStored(call: Call, found: Stripe.PaymentIntent, input: ConfirmInput): Stripe.PaymentIntent {
  const { storage } = call.context;
  checkConfirmable(call, found, input);
  const method = methodFor(call, found, input);
  const card = behaviourOf(call.context, method.id);
  const requested = input.payment_method_options?.card?.request_three_d_secure;
  const options = found.payment_method_options?.card;
  const intent: Stripe.PaymentIntent = {
    ...found,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
    ...(input.receipt_email !== undefined ? { receipt_email: input.receipt_email } : {}),
    ...(input.setup_future_usage !== undefined ? { setup_future_usage: input.setup_future_usage } : {}),
    ...(input.shipping !== undefined ? { shipping: shippingFrom(input.shipping) } : {}),
    ...(options && requested
      ? { payment_method_options: { card: { ...options, request_three_d_secure: requested } } }
      : {}),
  };
  const circumstances = {
    offSession: input.off_session !== undefined && input.off_session !== false,
    requested: intent.payment_method_options?.card?.request_three_d_secure ?? null,
  };
  if (needsAuthentication(card, circumstances)) {
    if (!circumstances.offSession && !input.error_on_requires_action) return challenge(call, intent, input);
    throw declineIntent(call, intent, method, card, AUTHENTICATION_REQUIRED, false);
  }
  storage.save('payment_intent', intent, { returnUrl: input.return_url ?? null });
  return chargeIntent(call, intent, method, card, false);
}

/** Starts a challenge: in the browser script's dialog, or on the challenge page when the caller gives a return URL. */
function challenge(call: Call, intent: Stripe.PaymentIntent, input: ConfirmInput): Stripe.PaymentIntent {
  const { storage, publicUrl } = call.context;
  const redirect = Boolean(input.return_url) && input.use_stripe_sdk !== true;
  const query = new URLSearchParams({ payment_intent: intent.id, client_secret: intent.client_secret ?? '' });
  const url = `${publicUrl}/challenge?${query}`;
  const waiting: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_action',
    next_action: redirect
      ? { type: 'redirect_to_url', redirect_to_url: { return_url: input.return_url ?? null, url } }
      : { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } },
  };
  storage.save('payment_intent', waiting, { returnUrl: input.return_url ?? null });
  emit(call, 'payment_intent.requires_action', waiting);
  return waiting;
}

/** Charges the card. Throws the card error if it is declined. */
function chargeIntent(
  call: Call,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  card: TestCard,
  authenticated: boolean,
): Stripe.PaymentIntent {
  if (card.decline) throw declineIntent(call, intent, method, card, card.decline, authenticated);
  const { storage, tasks, clock, asyncDelayMs } = call.context;
  const held = intent.capture_method === 'manual';
  const charge = buildCharge(call, { intent, method, card, decline: null, authenticated });
  if (!held) Object.assign(charge, { captured: true, amount_captured: charge.amount });
  storage.insert('charge', charge, {});
  emit(call, 'charge.succeeded', charge);
  planFraudWarning(call, charge);
  const review = openReview(call, charge);
  const paid: Stripe.PaymentIntent = {
    ...intent,
    status: held ? 'requires_capture' : 'succeeded',
    amount_capturable: held ? intent.amount : 0,
    amount_received: held ? 0 : intent.amount,
    latest_charge: charge.id,
    review,
    next_action: null,
    last_payment_error: null,
  };
  storage.save('payment_intent', paid);
  emit(call, held ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded', paid);
  if (held) tasks.add('expire_hold', charge.id, (charge.created + HOLD_SECONDS) * 1000);
  else tasks.add('book_charge', charge.id, clock.millis() + asyncDelayMs);
  if (intent.setup_future_usage) markSetUp(call.context, method);
  return paid;
}

/** Stores a declined attempt and returns the error to throw. */
function declineIntent(
  call: Call,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  card: TestCard,
  decline: Decline,
  authenticated: boolean,
): StripeError {
  const { storage } = call.context;
  const charge = buildCharge(call, { intent, method, card, decline, authenticated });
  storage.insert('charge', charge, {});
  emit(call, 'charge.failed', charge);
  const details = {
    ...(decline.adviceCode ? { advice_code: decline.adviceCode } : {}),
    charge: charge.id,
    code: decline.code,
    decline_code: decline.declineCode,
    ...(decline.networkDeclineCode ? { network_decline_code: decline.networkDeclineCode } : {}),
    ...(decline.code === 'incorrect_cvc' ? { param: 'cvc' } : {}),
    payment_method: method,
  };
  const failed: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: charge.id,
    next_action: null,
    last_payment_error: {
      ...details,
      doc_url: `https://docs.stripe.com/error-codes/${decline.code.replaceAll('_', '-')}`,
      message: decline.message,
      type: 'card_error',
    },
  };
  storage.save('payment_intent', failed);
  emit(call, 'payment_intent.payment_failed', failed);
  const outcome = { replayed: true, keepsChanges: true };
  return new StripeError(402, 'card_error', decline.message, { ...details, payment_intent: failed }, outcome);
}

export type ChallengeOutcome = 'complete' | 'fail' | 'cancel';

/**
 * Applies the cardholder's answer. Returns the intent afterwards, also when the card is declined or authentication
 * failed. Throws when no challenge is open.
 */
export function answerChallenge(call: Call, intentId: string, outcome: ChallengeOutcome): Stripe.PaymentIntent {
  const { storage } = call.context;
  const intent = storage.find('payment_intent', intentId);
  if (!intent) throw missingObject('payment_intent', intentId, 'intent');
  if (intent.status !== 'requires_action') {
    const message = `No 3-D Secure challenge is open: the PaymentIntent has a status of ${intent.status}.`;
    throw wrongState(message, 'payment_intent_unexpected_state');
  }
  const method = resolveMethod(call, intent.payment_method as string, 'payment_method');
  if (outcome === 'complete') {
    const card = behaviourOf(call.context, method.id);
    try {
      return chargeIntent(call, intent, method, card, true);
    } catch (error) {
      if (error instanceof StripeError && error.details.payment_intent) return error.details.payment_intent;
      throw error;
    }
  }
  const failed: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: {
      code: 'payment_intent_authentication_failure',
      doc_url: 'https://docs.stripe.com/error-codes/payment-intent-authentication-failure',
      message:
        'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
      payment_method: method,
      type: 'invalid_request_error',
    },
  };
  storage.save('payment_intent', failed);
  emit(call, 'payment_intent.payment_failed', failed);
  return failed;
}
