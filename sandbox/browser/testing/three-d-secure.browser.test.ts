/** The bank's challenge in a real browser: every answer, the keyboard, lost connections, reloads. */
import { AxeBuilder } from '@axe-core/playwright';
import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import { launchBrowser } from '../../../infra/testing/browser.ts';
import { cards, checkoutOfFile, eventually } from './checkout.ts';

const shop = checkoutOfFile(launchBrowser);

const dialog = () => shop.page.getByRole('dialog', { name: 'Tu banco pide confirmar este pago' });

async function openChallenge(card = cards.withChallenge): Promise<Stripe.PaymentIntent> {
  const intent = await shop.open();
  await shop.typeCard(card);
  await shop.pay();
  await dialog().waitFor();
  return intent;
}

it('completes, showing the amount', async () => {
  const intent = await openChallenge();
  expect(await shop.page.getByTestId('3ds-amount').textContent()).toBe('100,50 EUR');
  expect((await new AxeBuilder({ page: shop.page }).analyze()).violations).toEqual([]);
  await shop.page.getByTestId('3ds-complete').click();
  expect((await shop.outcome()).paymentIntent).toMatchObject({ id: intent.id, status: 'requires_capture' });
  expect(await dialog().count()).toBe(0);
  expect(shop.complaints).toEqual([]);
});

it.each(['3ds-fail', '3ds-cancel'])(
  '%s leaves the intent waiting for another card, which then works',
  async (button) => {
    const intent = await openChallenge();
    await shop.page.getByTestId(button).click();
    expect((await shop.outcome()).error).toMatchObject({
      code: 'payment_intent_authentication_failure',
      message: 'No pudimos autenticar tu forma de pago. Elige otra forma de pago y vuelve a intentarlo.',
      payment_intent: { id: intent.id, status: 'requires_payment_method' },
    });
    await shop.typeCard(cards.accepted);
    await shop.pay();
    await eventually(async () => (await shop.outcome()).paymentIntent?.status).toBe('requires_capture');
  },
);

it('tells of a card that is declined after its challenge', async () => {
  await openChallenge(cards.declinedAfterChallenge);
  await shop.page.getByTestId('3ds-complete').click();
  expect((await shop.outcome()).error).toMatchObject({ type: 'card_error', code: 'card_declined' });
});

it('needs only a keyboard, from the first digit to the answer, and gives the focus back', async () => {
  const intent = await shop.open();
  await shop.page.getByTestId('card-number').focus();
  await shop.page.keyboard.type(cards.withChallenge);
  await shop.page.keyboard.press('Tab');
  await shop.page.keyboard.type('1240');
  await shop.page.keyboard.press('Tab');
  await shop.page.keyboard.type('123');
  await shop.page.keyboard.press('Tab');
  await shop.page.keyboard.press('Tab');
  expect(await shop.focused()).toBe('Pagar');
  await shop.page.keyboard.press('Enter');
  await dialog().waitFor();
  expect(await shop.focused()).toBe('3ds-complete');
  for (const next of ['3ds-fail', '3ds-cancel']) {
    await shop.page.keyboard.press('Tab');
    expect(await shop.focused()).toBe(next);
  }
  await shop.page.keyboard.press('Shift+Tab');
  await shop.page.keyboard.press('Enter');
  expect((await shop.outcome()).error?.code).toBe('payment_intent_authentication_failure');
  await eventually(() => shop.focused()).toBe('Pagar');
  // Enter inside the form sends it, as it would in any form.
  await shop.page.getByTestId('card-cvc').focus();
  await shop.page.keyboard.press('Enter');
  await dialog().waitFor();
  await shop.page.keyboard.press('Enter');
  await eventually(async () => (await shop.outcome()).paymentIntent?.status).toBe('requires_capture');
  expect(await shop.statusOf(intent)).toBe('requires_capture');
});

it('reads Escape as Cancelar, and the page behind does not hear it', async () => {
  await openChallenge();
  await shop.page.keyboard.press('Escape');
  expect((await shop.outcome()).error?.code).toBe('payment_intent_authentication_failure');
  expect(await shop.page.evaluate(() => document.body.dataset.escapes)).toBeUndefined();
});

it('stays open when the answer gets lost, and can be answered again', async () => {
  await openChallenge();
  await shop.page.route('**/challenge', (route) => route.abort());
  await shop.page.getByTestId('3ds-complete').click();
  await shop.page.getByText('No hay conexión con el servicio de pagos.').waitFor();
  await shop.page.unroute('**/challenge');
  await shop.page.getByTestId('3ds-complete').click();
  expect((await shop.outcome()).paymentIntent?.status).toBe('requires_capture');
});

it('goes by the intent when the challenge was answered elsewhere meanwhile', async () => {
  const intent = await openChallenge();
  await fetch(`${shop.sandbox.url}/sandbox/stripe/payment_intents/${intent.id}/challenge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ outcome: 'complete' }),
  });
  await shop.page.getByTestId('3ds-fail').click();
  expect((await shop.outcome()).paymentIntent?.status).toBe('requires_capture');
});

it('goes on after a reload in its middle', async () => {
  const intent = await openChallenge();
  await shop.page.goto(shop.address(intent, { resume: '' }));
  await dialog().waitFor();
  await shop.page.getByTestId('3ds-complete').click();
  expect((await shop.outcome()).paymentIntent).toMatchObject({ id: intent.id, status: 'requires_capture' });
});

it('has a page of its own for payments confirmed on the server', async () => {
  const intent = await shop.newIntent();
  const confirmed = await shop.stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_authenticationRequired',
    return_url: `${shop.pages.url}/vuelta`,
  });
  await shop.page.goto(confirmed.next_action?.redirect_to_url?.url ?? '');
  await shop.page.getByText('100,50').waitFor();
  await shop.page.getByRole('button', { name: 'Autorizar el pago' }).click();
  await shop.page.waitForURL(/vuelta.*redirect_status=succeeded/);
  expect(await shop.statusOf(intent)).toBe('requires_capture');
});
