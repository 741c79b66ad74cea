/** Stripe's errors. The SDK recognises a failure by the body's `error` key alone, so every failure has it. */
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
  /** Whether the same idempotency key gets this error again, as for anything that failed while executing. */
  readonly replayed: boolean;
  /** Whether the request's writes are committed: a declined charge is stored although the request fails. */
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

/** The request is invalid: nothing was executed, and its idempotency key may be used again. */
export function invalidRequest(message: string, details: ErrorDetails = {}): StripeError {
  return new StripeError(400, 'invalid_request_error', message, details);
}

/** The object is not in a state that allows this. */
export function wrongState(message: string, code: string, details: ErrorDetails = {}): StripeError {
  return new StripeError(400, 'invalid_request_error', message, { code, ...details }, { replayed: true });
}

/** The object named in the path does not exist. */
export function missingObject(kind: string, id: string, param = 'id'): StripeError {
  const message = `No such ${kind.replaceAll('_', ' ')}: '${id}'`;
  return new StripeError(404, 'invalid_request_error', message, { code: 'resource_missing', param });
}

/** An object named by a parameter does not exist. */
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
