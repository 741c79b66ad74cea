import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { withoutIds } from '#platform/telemetry/provider-call';
import { parentOf, routeOf } from './request-metrics.ts';

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

test('the trace that a request claims is believed of a proxy of ours alone', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const from = (remoteAddress: string) =>
    ({ headers: { traceparent }, socket: { remoteAddress } }) as unknown as IncomingMessage;
  const trusts = (address: string) => address === '10.0.0.5';
  expect(parentOf(from('10.0.0.5'), trusts)).toBe(traceparent);
  expect(parentOf(from('203.0.113.9'), trusts)).toBeNull();
});
