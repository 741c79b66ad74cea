import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { afterEach, expect, test } from 'vitest';
import { createStripe } from './stripe.ts';
import { isBusy, isRefusal, isSilence } from './stripe-errors.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The error of a call to a Stripe that answers like this; null: it does not answer. */
async function errorOf(answer: { status: number; body: string | object } | null): Promise<unknown> {
  const server = createServer((request, response) => {
    if (!answer) return void request.socket.destroy();
    const { status, body } = answer;
    response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const configuration = { secretKey: 'sk_test_sandbox', requestsPerSecond: null, sellsCrypto: false, apiUrl };
  const stripe = createStripe(configuration, { repetitionsMax: 0 });
  return stripe.paymentIntents.capture('pi_1').then(
    () => null,
    (error: unknown) => error,
  );
}

const ofStripe = (status: number, code?: string, type = 'invalid_request_error') => ({
  status,
  body: { error: { type, message: 'No.', ...(code && { code }) } },
});
const page = (status: number) => ({ status, body: `<!doctype html><title>${status}</title>` });
const json = (status: number) => ({ status, body: { message: 'Not Found' } });

/** Classes of answers: a permanent error of the request, temporarily busy, no answer from Stripe, or none of these. */
test.each([
  ['refused', ofStripe(400, 'parameter_unknown')],
  ['refused', ofStripe(400)],
  ['refused', ofStripe(400, undefined, 'idempotency_error')],
  ['refused', ofStripe(404, 'resource_missing')],
  ['busy', ofStripe(409, 'idempotency_key_in_use', 'idempotency_error')],
  ['busy', ofStripe(429, 'lock_timeout')],
  ['silence', ofStripe(401)],
  ['silence', ofStripe(403)],
  ['silence', ofStripe(404)],
  ['silence', ofStripe(429, 'rate_limit')],
  ['silence', ofStripe(500, undefined, 'api_error')],
  ['silence', ofStripe(503, undefined, 'api_error')],
  ['none', ofStripe(402, 'card_declined', 'card_error')],
  ['none', ofStripe(413)],
  ['none', ofStripe(422)],
  ['none', page(400)],
  ['none', page(413)],
  ['none', page(422)],
  ['silence', page(401)],
  ['silence', page(403)],
  ['silence', page(404)],
  ['silence', page(429)],
  ['silence', page(502)],
  ['silence', page(200)],
  ['none', json(400)],
  ['silence', json(404)],
  ['silence', json(500)],
  ['silence', null],
] as const)('an error is %s: %j', async (expected, answer) => {
  const error = await errorOf(answer);
  expect(error).toBeInstanceOf(Stripe.errors.StripeError);
  const is = { refused: isRefusal(error), busy: isBusy(error), silence: isSilence(error) };
  expect(is).toEqual({ refused: false, busy: false, silence: false, ...(expected !== 'none' && { [expected]: true }) });
});

test('errors from elsewhere say nothing about Stripe', () => {
  for (const error of [new Error('ours'), null, 'thrown', new TypeError('x')])
    expect([isRefusal(error), isBusy(error), isSilence(error)]).toEqual([false, false, false]);
});
