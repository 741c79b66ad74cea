import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { withoutIds } from '#platform/telemetry/provider-call';
import { routeOf } from './request-metrics.ts';

test.each([
  ['/api/transactions/0a1b/cancel', '/api/transactions/:id/cancel', '/api/transactions/{id}/cancel'],
  ['/api/rate?currency=EUR', undefined, '/api/rate'],
  ['/api/stripe/webhook', undefined, '/api/stripe/webhook'],
  ['/api/rosa@example.com', undefined, 'unknown'],
  ['/ops/queues/payouts/4711', undefined, '/ops'],
  ['/seguimiento/secret', undefined, 'web'],
  ['/seguimiento/secret', '/{*path}', 'web'],
])('a request of %s that Express took to %s is counted as %s', (url, path, expected) => {
  const request = { url, ...(path && { route: { path } }) } as unknown as IncomingMessage;
  expect(routeOf(request)).toBe(expected);
});

test.each([
  ['/v1/payment_intents/pi_3Qx7aZ2eZvKYlo2C/capture', '/v1/payment_intents/{id}/capture'],
  ['/v1/charges?payment_intent=pi_1', '/v1/charges'],
  ['/v1/crypto/onramp_sessions/cos_1Nv', '/v1/crypto/onramp_sessions/{id}'],
])('a call of %s is counted as %s', (path, expected) => {
  expect(withoutIds(path)).toBe(expected);
});
