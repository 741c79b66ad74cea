import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { openPayment, payWithCard, signUp } from './api-client.ts';
import { busySweeps, useApp } from './test-app.ts';
import { until } from './until.ts';

// Three seconds instead of half an hour.
const app = useApp({ env: { ...busySweeps, QUOTE_MINUTES: '0.05' } });

test('an unpaid quote expires, its payment intent cannot be paid any more, and one paid in time does not expire', async () => {
  const sender = await signUp(app.url);
  const unpaid = await openPayment(sender);
  const paid = await openPayment(sender);
  await payWithCard(app.stack.sandboxUrl, paid);
  const see = (id: string) => sender.call(endpoints.getTransfer, { params: { id } });
  await until('the unpaid one expires', async () => (await see(unpaid.transferId)).state === 'expired');
  expect((await see(paid.transferId)).state).toBe('in_review');
  expect((await payWithCard(app.stack.sandboxUrl, unpaid)).body).toMatchObject({
    error: { code: 'payment_intent_unexpected_state' },
  });
  const intents = await app.sandbox.intents();
  expect(intents.find((intent) => intent.id === unpaid.paymentIntentId)).toMatchObject({ status: 'canceled' });
});
