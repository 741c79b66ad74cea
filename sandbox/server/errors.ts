/** Stripe's errors. The SDK tells failure from success by the `error` key of the body alone, so every failure has it. */
import type Stripe from 'stripe';

export type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

export interface ErrorDetails {
  code?: string;
  param?: string;
  decline_code?: string;
  advice_code?: string;
  network_decline_code?: string;
  charge?: string;
  payment_intent?: Stripe.PaymentIntent;
  payment_method?: Stripe.PaymentMethod;
}

export class StripeError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly details: ErrorDetails;
  /** Whether the same idempotency key gets this same answer again, as for anything that failed while executing. */
  readonly replayed: boolean;
  /** Whether what the request wrote before failing stays: a declined charge is history, not nothing. */
  readonly keepsChanges: boolean;

  constructor(
    status: number,
    type: ErrorType,
    message: string,
    details: ErrorDetails = {},
    outcome: { replayed?: boolean; keepsChanges?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.details = details;
    this.replayed = outcome.replayed ?? false;
    this.keepsChanges = outcome.keepsChanges ?? false;
  }

  body(): { error: Record<string, unknown> } {
    const { code } = this.details;
    const doc = code ? { doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}` } : {};
    return { error: { ...this.details, ...doc, message: this.message, type: this.type } };
  }
}

/** The request itself is wrong: nothing was executed, and the same key may be used again with it put right. */
export function invalidRequest(message: string, details: ErrorDetails = {}): StripeError {
  return new StripeError(400, 'invalid_request_error', message, details);
}

/** The object is not in a state that allows this. */
export function wrongState(message: string, code: string, details: ErrorDetails = {}): StripeError {
  return new StripeError(400, 'invalid_request_error', message, { code, ...details }, { replayed: true });
}

/** The object the address names does not exist. */
export function missingObject(kind: string, id: string, param = 'id'): StripeError {
  const message = `No such ${kind.replaceAll('_', ' ')}: '${id}'`;
  return new StripeError(404, 'invalid_request_error', message, { code: 'resource_missing', param });
}

/** An object a parameter names does not exist. */
export function missingReference(kind: string, id: string, param: string): StripeError {
  return invalidRequest(`No such ${kind.replaceAll('_', ' ')}: '${id}'`, { code: 'resource_missing', param });
}

export function internalError(): StripeError {
  return new StripeError(
    500,
    'api_error',
    'An unknown error occurred in the sandbox; its log has the details.',
    {},
    { replayed: true },
  );
}
