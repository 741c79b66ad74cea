/** Fields of responses to a publishable key; Stripe omits the others too. */

const PUBLIC_FIELDS = [
  'id',
  'object',
  'allowed_payment_method_types',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'excluded_payment_method_types',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
];

interface Redactable {
  object?: unknown;
  [field: string]: unknown;
}

/** Removes the charge id of the last error too: charges need the secret key. */
function redactIntent(intent: Redactable): Redactable {
  const kept = Object.fromEntries(
    PUBLIC_FIELDS.filter((field) => field in intent).map((field) => [field, intent[field]]),
  );
  const failure = kept.last_payment_error as Redactable | null | undefined;
  if (failure) {
    const { charge: _, ...rest } = failure;
    kept.last_payment_error = rest;
  }
  return kept;
}

/** Removes the merchant's metadata, and wallets other than the one used. */
function redactOnramp({ metadata: _, redirect_url: __, ...session }: Redactable): Redactable {
  const { wallet_addresses: ___, ...details } = session.transaction_details as Redactable;
  return { ...session, transaction_details: details };
}

/** The response body for a publishable key, errors included. */
export function redacted<T extends object>(body: T): T {
  const answer = body as Redactable;
  if (answer.object === 'payment_intent') return redactIntent(answer) as T;
  if (answer.object === 'crypto.onramp_session') return redactOnramp(answer) as T;
  const error = answer.error as Redactable | undefined;
  if (!error) return body;
  const { charge: _, ...rest } = error;
  const intent = rest.payment_intent as Redactable | undefined;
  return { ...body, error: { ...rest, ...(intent ? { payment_intent: redactIntent(intent) } : {}) } };
}
