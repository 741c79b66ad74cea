/**
 * Card payments and 3-D Secure challenges with the unmodified Stripe packages in a real browser, up to the authorization. A test fails
 * when the browser logs anything else than `checkoutOfFile` expects.
 */
import { AxeBuilder } from '@axe-core/playwright';
import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import { cards, checkoutOfFile, eventually } from './checkout.ts';

const checkout = checkoutOfFile();

const violations = async () => (await new AxeBuilder({ page: checkout.page }).analyze()).violations;

it('the simulated card form shows a connection error while offline and a decline, and pays the same payment with another card', async () => {
  const intent = await checkout.open();
  await checkout.typeCard(cards.withoutFunds);
  await checkout.page.route('**/confirm', (route) => route.abort());
  await checkout.pay();
  expect((await checkout.outcome()).error).toMatchObject({
    type: 'api_connection_error',
    message: 'No hay conexión con el servicio de pagos. Comprueba tu conexión y vuelve a intentarlo.',
  });
  await checkout.page.unroute('**/confirm');
  await checkout.pay();
  await eventually(async () => (await checkout.outcome()).error).toMatchObject({
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Tu tarjeta no tiene fondos suficientes. Prueba con otra tarjeta.',
    payment_intent: { id: intent.id, status: 'requires_payment_method' },
  });
  await checkout.typeCard(cards.accepted);
  await checkout.pay();
  await eventually(async () => (await checkout.outcome()).paymentIntent?.status).toBe('requires_capture');
});

it('the simulated card form navigates to the return_url with redirect "always"', async () => {
  const intent = await checkout.open({ redirect: 'always' });
  await checkout.typeCard(cards.accepted);
  await checkout.pay();
  await checkout.page.waitForURL(/vuelta/);
  const { searchParams } = new URL(checkout.page.url());
  expect(Object.fromEntries(searchParams)).toEqual({
    payment_intent: intent.id,
    payment_intent_client_secret: intent.client_secret,
    redirect_status: 'succeeded',
  });
});

it('the simulated card form reports loaderror for a payment intent that accepts no card any more', async () => {
  const intent = await checkout.newIntent();
  await checkout.stripe.paymentIntents.cancel(intent.id);
  await checkout.page.goto(checkout.address(intent));
  await checkout.page.locator('[data-ready="error: payment_intent_unexpected_state"]').waitFor();
  expect(await checkout.form.getByRole('alert').textContent()).toContain('No se pudo cargar');
});

it('the simulated card form takes autofill, keeps the caret, and shows a Spanish message at each invalid field, without accessibility violations', async () => {
  await checkout.open();
  expect(await violations()).toEqual([]);
  const number = checkout.form.getByTestId('card-number');
  expect(await number.getAttribute('autocomplete')).toBe('cc-number');
  expect(await checkout.form.getByTestId('card-expiry').getAttribute('autocomplete')).toBe('cc-exp');
  expect(await checkout.form.getByTestId('card-cvc').getAttribute('autocomplete')).toBe('cc-csc');
  await number.fill('4242 4242 4942');
  await number.evaluate((input: HTMLInputElement) => input.setSelectionRange(12, 12));
  await checkout.page.keyboard.press('Backspace');
  await checkout.page.keyboard.type('2');
  expect(await number.inputValue()).toBe('4242 4242 4242');
  expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(12);

  // Its upper edge: the button would move down and be missed if the message came before the click has ended.
  await checkout.page.getByRole('button', { name: 'Pagar' }).click({ position: { x: 20, y: 3 } });
  expect((await checkout.outcome()).error?.code).toBe('incomplete_number');
  await number.fill('4242 4242 4242 4241');
  await checkout.form.getByTestId('card-expiry').fill('01/20');
  await checkout.pay();
  const invalid = { type: 'validation_error', code: 'invalid_number' };
  await eventually(async () => (await checkout.outcome()).error).toMatchObject(invalid);
  const fieldError = (field: string) => checkout.form.getByTestId(`card-${field}-error`).textContent();
  expect(await fieldError('number')).toBe('El número de tu tarjeta no es válido.');
  expect(await fieldError('expiry')).toBe('El año de vencimiento de tu tarjeta ya pasó.');
  expect(await fieldError('cvc')).toBe('El código de seguridad de tu tarjeta está incompleto.');
  for (const name of ['Número de tarjeta', 'Vencimiento', 'Código CVC']) {
    expect(await checkout.form.getByRole('textbox', { name }).getAttribute('aria-invalid')).toBe('true');
  }
  expect(await checkout.focused()).toBe('card-number');
  expect(await violations()).toEqual([]);
  await number.fill(cards.accepted);
  expect(await number.getAttribute('aria-invalid')).toBe('false');
  expect(await number.inputValue()).toBe('4242 4242 4242 4242');
  expect(checkout.requests.filter((request) => request.url().endsWith('/confirm'))).toEqual([]);
});

it('the simulated card form takes its styles from the appearance option, ignores those of the page, and stays accessible by night', async () => {
  await checkout.open({ night: '' });
  const style = await checkout.form.getByTestId('card-number').evaluate((input) => {
    const { borderRadius, letterSpacing, backgroundColor, color } = getComputedStyle(input);
    return { borderRadius, letterSpacing, backgroundColor, color };
  });
  expect(style).toEqual({
    borderRadius: '8px',
    letterSpacing: '0.32px',
    backgroundColor: 'rgb(27, 34, 51)',
    color: 'rgb(243, 244, 248)',
  });
  // A frame of another colour scheme than its document is painted white.
  await checkout.page.evaluate(() => {
    document.head.append(Object.assign(document.createElement('meta'), { name: 'color-scheme', content: 'dark' }));
  });
  const picture = [...(await checkout.page.locator('iframe').first().screenshot())];
  const corner = await checkout.page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas?.drawImage(image, 0, 0);
    return [...(canvas?.getImageData(image.width - 1, image.height - 1, 1, 1).data ?? [])];
  }, picture);
  expect(corner).toEqual([22, 32, 51, 255]);
  await checkout.pay();
  await checkout.outcome();
  // axe assumes a white background behind a frame.
  const builder = new AxeBuilder({ page: checkout.page }).disableRules('color-contrast');
  expect((await builder.analyze()).violations).toEqual([]);
});

it('the card form is a frame of the sandbox’s origin in the language and font of its page', async () => {
  const intent = await checkout.open({ locale: 'en' });
  const frame = checkout.page.frames().find((one) => one.url().startsWith(`${checkout.origin}/elements-frame.html`));
  expect(await frame?.evaluate(() => [document.documentElement.lang, window.origin])).toEqual(['en', checkout.origin]);
  expect(await frame?.evaluate(() => [...document.fonts].map(({ family }) => family))).toEqual(['Figtree']);
  await eventually(() => frame?.evaluate(() => document.fonts.check('16px Figtree'))).toBe(true);
  await checkout.form.getByLabel('Card number').fill(cards.withoutFunds);
  await checkout.form.getByLabel('Expiration date').fill('12/40');
  await checkout.form.getByLabel('Security code').fill('123');
  await checkout.pay();
  expect((await checkout.outcome()).error?.message).toBe('Your card has insufficient funds. Try another card.');
  // Without width, as in a part of the page that is not shown, the form asks for no other height.
  await checkout.page.evaluate(async () => {
    const element = document.querySelector('iframe') as HTMLIFrameElement;
    const heights: number[] = [];
    Object.assign(window, { heights });
    window.addEventListener('message', ({ data }) => data.type === 'height' && heights.push(data.height));
    element.style.width = '0';
  });
  await eventually(() => frame?.evaluate(() => document.documentElement.clientWidth)).toBe(0);
  await checkout.page
    .locator('iframe')
    .first()
    .evaluate((element) => (element.style.width = '100%'));
  await eventually(() => frame?.evaluate(() => document.documentElement.clientWidth)).toBeGreaterThan(0);
  const heights = await checkout.page.evaluate(() => (window as unknown as { heights: number[] }).heights);
  expect(Math.max(0, ...heights)).toBeLessThan(500);
  // A message from the page itself is not taken for one of the frame's, nor the other way round.
  await checkout.page.evaluate(() => window.postMessage({ type: 'height', height: 9999 }, '*'));
  await checkout.typeCard(cards.accepted);
  await checkout.pay();
  await eventually(() => checkout.statusOf(intent)).toBe('requires_capture');
  expect((await checkout.page.locator('iframe').first().boundingBox())?.height).toBeLessThan(500);
});

it('a card form created before its payment requires the same amount and capture_method', async () => {
  for (const [name, made] of [
    [null, { amount: '10050', capture: 'manual' }],
    ['amount', { amount: '10051', capture: 'manual' }],
    ['capture_method', { amount: '10050', capture: 'automatic' }],
  ] as const) {
    const intent = await checkout.open(made);
    await checkout.typeCard(cards.accepted);
    await checkout.pay();
    const { error } = await checkout.outcome();
    if (name === null) expect(error).toBeUndefined();
    else expect(error).toMatchObject({ type: 'IntegrationError', message: expect.stringContaining(`The ${name} of`) });
    expect(await checkout.statusOf(intent)).toBe(name === null ? 'requires_capture' : 'requires_payment_method');
  }
});

const dialog = () => checkout.challenge.getByRole('dialog', { name: 'Tu banco pide confirmar este pago' });

async function challenge(card = cards.withChallenge): Promise<void> {
  await checkout.typeCard(card);
  await checkout.pay();
  await dialog().waitFor();
  await eventually(() => checkout.focused()).toBe('3ds-complete');
}

async function openChallenge(): Promise<Stripe.PaymentIntent> {
  const intent = await checkout.open();
  await challenge();
  return intent;
}

it('the 3-D Secure dialog shows the amount, stays open when its answer is lost, and completes the payment', async () => {
  const intent = await openChallenge();
  expect(await checkout.challenge.getByTestId('3ds-amount').textContent()).toBe('100,50 EUR');
  expect(await violations()).toEqual([]);
  await checkout.page.route('**/challenge', (route) => route.abort());
  await checkout.challenge.getByTestId('3ds-complete').click();
  await checkout.challenge.getByText('No hay conexión con el servicio de pagos.').waitFor();
  await checkout.page.unroute('**/challenge');
  await checkout.challenge.getByTestId('3ds-complete').click();
  expect((await checkout.outcome()).paymentIntent).toMatchObject({ id: intent.id, status: 'requires_capture' });
  expect(await dialog().count()).toBe(0);
});

it('a failed, cancelled or declined 3-D Secure challenge leaves the payment open for another card, and Escape reaches the page never', async () => {
  const intent = await checkout.open();
  const answers = {
    fail: () => checkout.challenge.getByTestId('3ds-fail').click(),
    cancel: () => checkout.challenge.getByTestId('3ds-cancel').click(),
    escape: () => checkout.page.keyboard.press('Escape'),
  };
  for (const answer of Object.values(answers)) {
    await challenge();
    expect(await checkout.statusOf(intent)).toBe('requires_action');
    await answer();
    await dialog().waitFor({ state: 'detached' });
    await eventually(async () => (await checkout.outcome()).error).toMatchObject({
      code: 'payment_intent_authentication_failure',
      message: 'No pudimos autenticar tu forma de pago. Elige otra forma de pago y vuelve a intentarlo.',
      payment_intent: { id: intent.id, status: 'requires_payment_method' },
    });
    expect(await checkout.statusOf(intent)).toBe('requires_payment_method');
    await checkout.page.locator('button:not([aria-disabled=true])', { hasText: 'Pagar' }).waitFor();
  }
  expect(await checkout.page.evaluate(() => document.body.dataset.escapes)).toBeUndefined();
  await challenge(cards.declinedAfterChallenge);
  await checkout.challenge.getByTestId('3ds-complete').click();
  const declined = { type: 'card_error', code: 'card_declined' };
  await eventually(async () => (await checkout.outcome()).error).toMatchObject(declined);
  await checkout.typeCard(cards.accepted);
  await checkout.pay();
  await eventually(async () => (await checkout.outcome()).paymentIntent?.status).toBe('requires_capture');
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
