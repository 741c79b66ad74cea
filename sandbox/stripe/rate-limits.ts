/** Stripe's limit of requests per second. Every path counts as one endpoint, whatever its id. https://docs.stripe.com/rate-limits */
import { StripeError } from '../server/errors.ts';

const windowMs = 1000;

export function rateLimited(): StripeError {
  const message =
    'Request rate limit exceeded. Learn more about rate limits here: https://docs.stripe.com/rate-limits.';
  return new StripeError(429, 'invalid_request_error', message, { code: 'rate_limit' });
}

/** Requests of the last second, by endpoint. In real time: advancing the sandbox clock does not raise the limit. */
export class RateLimits {
  readonly #taken = new Map<string, number[]>();

  /** Counts a request. @throws StripeError 429 when an endpoint got `perSecond` within the last second; null: any number. */
  take(endpoint: string, perSecond: number | null): void {
    if (perSecond === null) return;
    const now = performance.now();
    const recent = (this.#taken.get(endpoint) ?? []).filter((at) => at > now - windowMs);
    this.#taken.set(endpoint, recent);
    if (recent.length >= perSecond) throw rateLimited();
    recent.push(now);
  }
}
