/** Every response and event of the simulator is checked against the SDK's types. */
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiObject, samplesOf, TYPES } from '../testing/contract-samples.ts';
import { exerciseStripe } from '../testing/exercise-stripe.ts';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { stripeFor } from '../testing/start-stripe.ts';
import { typeErrors } from '../testing/type-check.ts';
import { WebhookReceiver } from '../testing/webhook-receiver.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

const responses: ApiObject[] = [];
let receiver: WebhookReceiver;
let client: SandboxClient;

/** A fetch that records every response of the SDK. */
async function listening(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  responses.push((await response.clone().json()) as ApiObject);
  return response;
}

beforeAll(async () => {
  receiver = await new WebhookReceiver().open();
  client = await SandboxClient.start({ webhookUrl: receiver.url });
  const httpClient = Stripe.createFetchHttpClient(listening);
  await exerciseStripe({
    client,
    httpClient,
    stripe: stripeFor(client.sandbox.url, 'sk_test_sandbox', { httpClient }),
  });
}, 30_000);
afterAll(async () => {
  await client.close();
  await receiver.close();
});

describe('the Stripe simulator against the types of the stripe package', () => {
  test('every response and every event has the SDK’s type, and one that has not is reported', {
    timeout: 60_000,
  }, async () => {
    const events = receiver.received.map(({ event }) => event as ApiObject);
    const right = [...responses, ...events].flatMap(samplesOf);
    const kinds = new Set(right.map(({ value }) => (value as ApiObject).object ?? 'error'));
    expect([...kinds].sort()).toEqual([...Object.keys(TYPES), 'error', 'event', 'list'].sort());
    const intent = responses.find(({ object }) => object === 'payment_intent') as ApiObject & { status?: string };
    const { status: _, ...missing } = intent;
    const captured = events.find(({ type }) => type === 'charge.captured');
    const wrong = [
      { type: 'Stripe.PaymentIntent', value: missing },
      { type: 'Stripe.PaymentIntent', value: { ...intent, surprise: 1 } },
      { type: 'Stripe.PaymentIntent', value: { ...intent, status: 'paid' } },
      { type: 'Stripe.PaymentIntent', value: { ...intent, capture_method: 'sometimes' } },
      { type: "Extract<Stripe.Event, { type: 'charge.captured' }>", value: { ...captured, data: { object: intent } } },
    ];
    expect(await typeErrors(right, wrong)).toEqual({ unexpected: [], unreported: [] });
  });
});
