import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';

/** Stripe's webhook, the one endpoint outside the contract. */
export const stripeWebhookPath = '/api/stripe/webhook';

const routes = [
  ...Object.values<Endpoint>(endpoints).map(({ method, path }) => ({
    method: method as string,
    pattern: patternOf(path),
  })),
  { method: 'POST', pattern: patternOf(stripeWebhookPath) },
];

/** What a path with parameters in braces looks like when it is called. */
export function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`);
}

/** The methods that a path answers to; none for a path we do not know. */
export function allowedMethods(path: string): string[] {
  return routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}
