import { Stripe } from 'stripe';

/** An answer with an error status that is not an error of Stripe's: something before Stripe sent it. */
export class ForeignAnswerError extends Error {
  override readonly name = 'ForeignAnswerError';
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status} without an error of Stripe's`);
    this.status = status;
  }
}

const isStripeError = (error: unknown) => error instanceof Stripe.errors.StripeError;

/** The HTTP status of an answer, also of one that the SDK took for unreadable. */
function statusOf(error: Stripe.errors.StripeError): number | undefined {
  const { exception } = error.raw as { exception?: unknown };
  return error.statusCode ?? (exception instanceof ForeignAnswerError ? exception.status : undefined);
}

/** Whether Stripe has the object, or the idempotency key, in use by another request just now. */
export function isBusy(error: unknown): boolean {
  return (
    isStripeError(error) &&
    (error.statusCode === 409 || error.code === 'idempotency_key_in_use' || error.code === 'lock_timeout')
  );
}

/** Whether there is no such address at Stripe, or something before it answers: a missing object has a code. */
export function isWrongAddress(error: unknown): boolean {
  return isStripeError(error) && statusOf(error) === 404 && !error.code;
}

/** Whether Stripe refused this very request, or the use of its key: repeating it is of no use. */
export function isRefusal(error: unknown): boolean {
  const isRefused =
    error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeIdempotencyError;
  return isRefused && !isBusy(error) && !isWrongAddress(error);
}

/** Wrong keys and limits are of the whole account: every request fares like this one. */
const statusesOfAll: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429]);

/** Whether Stripe, or the way to it, is not to be used now; false for an error that is about one request. */
export function isSilence(error: unknown): boolean {
  if (!isStripeError(error) || isBusy(error)) return false;
  const status = statusOf(error);
  if (status === undefined)
    return error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError;
  return status >= 500 || statusesOfAll.has(status) || isWrongAddress(error);
}
