/** 3-D Secure challenges in a real browser: every answer, the keyboard, lost connections, reloads. */
import { AxeBuilder } from '@axe-core/playwright';
import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import { launchBrowser } from '../../../infra/testing/browser.ts';
import { cards, checkoutOfFile, eventually } from './checkout.ts';

const checkout = checkoutOfFile(launchBrowser);

const dialog = () => checkout.challenge.getByRole('dialog', { name: 'Tu banco pide confirmar este pago' });

async function openChallenge(card = cards.withChallenge): Promise<Stripe.PaymentIntent> {
  const intent = await checkout.open();
  await checkout.typeCard(card);
  await checkout.pay();
  await dialog().waitFor();
  return intent;
}

it('the 3-D Secure dialog shows the amount and completes the payment', async () => {
  const intent = await openChallenge();
  expect(await checkout.challenge.getByTestId('3ds-amount').textContent()).toBe('100,50 EUR');
  expect((await new AxeBuilder({ page: checkout.page }).analyze()).violations).toEqual([]);
  await checkout.challenge.getByTestId('3ds-complete').click();
  expect((await checkout.outcome()).paymentIntent).toMatchObject({ id: intent.id, status: 'requires_capture' });
  expect(await dialog().count()).toBe(0);
  expect(checkout.browserMessages).toEqual([]);
});

it.each(['3ds-fail', '3ds-cancel'])(
  'answering the 3-D Secure dialog with %s leaves the intent open for another card',
  async (button) => {
    const intent = await openChallenge();
    await checkout.challenge.getByTestId(button).click();
    expect((await checkout.outcome()).error).toMatchObject({
      code: 'payment_intent_authentication_failure',
      message: 'No pudimos autenticar tu forma de pago. Elige otra forma de pago y vuelve a intentarlo.',
      payment_intent: { id: intent.id, status: 'requires_payment_method' },
    });
    await checkout.typeCard(cards.accepted);
    await checkout.pay();
    await eventually(async () => (await checkout.outcome()).paymentIntent?.status).toBe('requires_capture');
  },
);

it('a card declined after its 3-D Secure challenge is reported as declined', async () => {
  await openChallenge(cards.declinedAfterChallenge);
  await checkout.challenge.getByTestId('3ds-complete').click();
  expect((await checkout.outcome()).error).toMatchObject({ type: 'card_error', code: 'card_declined' });
});

it('a 3-D Secure payment works with the keyboard alone and restores the focus', async () => {
  const intent = await checkout.open();
  await checkout.form.getByTestId('card-number').focus();
  await checkout.page.keyboard.type(cards.withChallenge);
  await checkout.page.keyboard.press('Tab');
  await checkout.page.keyboard.type('1240');
  await checkout.page.keyboard.press('Tab');
  await checkout.page.keyboard.type('123');
  await checkout.page.keyboard.press('Tab');
  await checkout.page.keyboard.press('Tab');
  await eventually(() => checkout.focused()).toBe('Pagar');
  await checkout.page.keyboard.press('Enter');
  await dialog().waitFor();
  await eventually(() => checkout.focused()).toBe('3ds-complete');
  for (const next of ['3ds-fail', '3ds-cancel']) {
    await checkout.page.keyboard.press('Tab');
    expect(await checkout.focused()).toBe(next);
  }
  await checkout.page.keyboard.press('Shift+Tab');
  await checkout.page.keyboard.press('Enter');
  expect((await checkout.outcome()).error?.code).toBe('payment_intent_authentication_failure');
  await eventually(() => checkout.focused()).toBe('Pagar');
  // Enter submits the form.
  await checkout.form.getByTestId('card-cvc').focus();
  await checkout.page.keyboard.press('Enter');
  await dialog().waitFor();
  await checkout.page.keyboard.press('Enter');
  await eventually(async () => (await checkout.outcome()).paymentIntent?.status).toBe('requires_capture');
  expect(await checkout.statusOf(intent)).toBe('requires_capture');
});

it('Escape cancels the 3-D Secure dialog and does not reach the page', async () => {
  await openChallenge();
  await checkout.page.keyboard.press('Escape');
  expect((await checkout.outcome()).error?.code).toBe('payment_intent_authentication_failure');
  expect(await checkout.page.evaluate(() => document.body.dataset.escapes)).toBeUndefined();
});

it('the 3-D Secure dialog stays open when its answer is lost and can be answered again', async () => {
  await openChallenge();
  await checkout.page.route('**/challenge', (route) => route.abort());
  await checkout.challenge.getByTestId('3ds-complete').click();
  await checkout.challenge.getByText('No hay conexión con el servicio de pagos.').waitFor();
  await checkout.page.unroute('**/challenge');
  await checkout.challenge.getByTestId('3ds-complete').click();
  expect((await checkout.outcome()).paymentIntent?.status).toBe('requires_capture');
});

it('the 3-D Secure dialog follows the intent when the challenge was answered elsewhere', async () => {
  const intent = await openChallenge();
  await fetch(`${checkout.sandbox.url}/sandbox/stripe/payment_intents/${intent.id}/challenge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ outcome: 'complete' }),
  });
  await checkout.challenge.getByTestId('3ds-fail').click();
  expect((await checkout.outcome()).paymentIntent?.status).toBe('requires_capture');
});

it('a 3-D Secure challenge continues after a reload of the page', async () => {
  const intent = await openChallenge();
  await checkout.page.goto(checkout.address(intent, { resume: '' }));
  await dialog().waitFor();
  await checkout.challenge.getByTestId('3ds-complete').click();
  expect((await checkout.outcome()).paymentIntent).toMatchObject({ id: intent.id, status: 'requires_capture' });
});

it('a payment confirmed on the server is challenged on the redirect page', async () => {
  const intent = await checkout.newIntent();
  const confirmed = await checkout.stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_authenticationRequired',
    return_url: `${checkout.pages.url}/vuelta`,
  });
  await checkout.page.goto(confirmed.next_action?.redirect_to_url?.url ?? '');
  await checkout.page.getByText('100,50').waitFor();
  await checkout.page.getByRole('button', { name: 'Autorizar el pago' }).click();
  await checkout.page.waitForURL(/vuelta.*redirect_status=succeeded/);
  expect(await checkout.statusOf(intent)).toBe('requires_capture');
});
