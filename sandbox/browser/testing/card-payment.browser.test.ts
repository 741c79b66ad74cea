/**
 * One card payment with the unmodified Stripe packages in a real browser, up to the authorization. Other cards, 3-D Secure challenges and the
 * form itself: card-payment.soak.ts.
 */
import { expect, it } from 'vitest';
import { cards, checkoutOfFile, eventually } from './checkout.ts';

const checkout = checkoutOfFile();

it('the simulated card form mounts once under StrictMode, authorizes a card, and sends its digits in the confirmation only', async () => {
  const intent = await checkout.open();
  expect(await checkout.form.getByTestId('card-number').count()).toBe(1);
  await checkout.page.evaluate(() => {
    const events: string[] = [];
    Object.assign(window, { events });
    for (const type of ['keydown', 'keyup', 'input', 'beforeinput', 'change', 'paste']) {
      document.addEventListener(type, (event) => events.push(`${type} ${(event as KeyboardEvent).key ?? ''}`));
    }
  });
  await checkout.form.getByTestId('card-number').pressSequentially(cards.accepted);
  await checkout.form.getByTestId('card-expiry').fill('1240');
  await checkout.form.getByTestId('card-cvc').fill('123');
  await eventually(() => checkout.page.getByTestId('checkout').getAttribute('data-complete')).toBe('true');
  await checkout.pay();
  const { paymentIntent, error } = await checkout.outcome();
  expect(error).toBeUndefined();
  expect(paymentIntent).toMatchObject({ id: intent.id, status: 'requires_capture' });
  expect(paymentIntent?.metadata).toBeUndefined();
  expect(await checkout.statusOf(intent)).toBe('requires_capture');
  // The page receives nothing of the input.
  expect(await checkout.page.evaluate(() => (window as unknown as { events: string[] }).events)).toEqual([]);
  const delivering = checkout.requests.filter((request) =>
    `${request.url()}${request.postData() ?? ''}`.includes(cards.accepted),
  );
  expect(delivering.map((request) => request.url())).toEqual([
    `${checkout.origin}/v1/payment_intents/${intent.id}/confirm`,
  ]);
  const sent = new URLSearchParams(delivering[0]?.postData() ?? '');
  expect(sent.get('payment_method_data[card][exp_year]')).toBe('2040');
});
