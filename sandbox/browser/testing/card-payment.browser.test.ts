/** Card payments with the unmodified Stripe packages in a real browser, up to the authorization. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../infra/testing/browser.ts';
import { cards, checkoutOfFile, eventually } from './checkout.ts';

const checkout = checkoutOfFile(launchBrowser);

describe('paying with the simulated card form', () => {
  it('the simulated card form authorizes an accepted card, mounts once under StrictMode and logs nothing', async () => {
    const intent = await checkout.open();
    expect(await checkout.form.getByTestId('card-number').count()).toBe(1);
    await checkout.typeCard(cards.accepted);
    await eventually(() => checkout.page.getByTestId('checkout').getAttribute('data-complete')).toBe('true');
    await checkout.pay();
    const { paymentIntent, error } = await checkout.outcome();
    expect(error).toBeUndefined();
    expect(paymentIntent).toMatchObject({ id: intent.id, status: 'requires_capture' });
    expect(paymentIntent?.metadata).toBeUndefined();
    expect(await checkout.statusOf(intent)).toBe('requires_capture');
    expect(checkout.browserMessages).toEqual([]);
  });

  it('the simulated card form accepts another card for the same payment intent after a decline', async () => {
    const intent = await checkout.open();
    await checkout.typeCard(cards.withoutFunds);
    await checkout.pay();
    const { error } = await checkout.outcome();
    expect(error).toMatchObject({
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Tu tarjeta no tiene fondos suficientes. Prueba con otra tarjeta.',
      payment_intent: { id: intent.id, status: 'requires_payment_method' },
    });
    await checkout.typeCard(cards.accepted);
    await checkout.pay();
    await eventually(async () => (await checkout.outcome()).paymentIntent?.status).toBe('requires_capture');
    // The browser itself logs the 402 as a failed resource; nothing else may be logged.
    expect(checkout.browserMessages.filter((text) => !text.includes('402'))).toEqual([]);
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

  it('the simulated card form sends card digits in the confirmation only and exposes none to the page', async () => {
    const intent = await checkout.open();
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
    await checkout.pay();
    await checkout.outcome();
    expect(await checkout.page.evaluate(() => (window as unknown as { events: string[] }).events)).toEqual([]);
    const delivering = checkout.requests.filter((request) =>
      `${request.url()}${request.postData() ?? ''}`.includes(cards.accepted),
    );
    expect(delivering.map((request) => request.url())).toEqual([
      `${checkout.origin}/v1/payment_intents/${intent.id}/confirm`,
    ]);
    expect(new URLSearchParams(delivering[0]?.postData() ?? '').get('payment_method_data[card][exp_year]')).toBe(
      '2040',
    );
  });

  it('the simulated card form shows a connection error while offline and pays once online again', async () => {
    await checkout.open();
    await checkout.typeCard(cards.accepted);
    await checkout.page.route('**/confirm', (route) => route.abort());
    await checkout.pay();
    expect((await checkout.outcome()).error).toMatchObject({
      type: 'api_connection_error',
      message: 'No hay conexión con el servicio de pagos. Comprueba tu conexión y vuelve a intentarlo.',
    });
    await checkout.page.unroute('**/confirm');
    await checkout.pay();
    await eventually(async () => (await checkout.outcome()).paymentIntent?.status).toBe('requires_capture');
  });

  it('the simulated card form reports loaderror for a payment intent that accepts no card any more', async () => {
    const intent = await checkout.newIntent();
    await checkout.stripe.paymentIntents.cancel(intent.id);
    await checkout.page.goto(checkout.address(intent));
    await checkout.page.locator('[data-ready="error: payment_intent_unexpected_state"]').waitFor();
    expect(await checkout.form.getByRole('alert').textContent()).toContain('No se pudo cargar');
  });
});

describe('the simulated card form', () => {
  it('the simulated card form shows a Spanish message at each invalid field and focuses the first', async () => {
    await checkout.open();
    await checkout.form.getByTestId('card-number').fill('4242 4242 4242 4241');
    await checkout.form.getByTestId('card-expiry').fill('01/20');
    await checkout.pay();
    expect((await checkout.outcome()).error).toMatchObject({ type: 'validation_error', code: 'invalid_number' });
    const fieldError = (field: string) => checkout.form.getByTestId(`card-${field}-error`).textContent();
    expect(await fieldError('number')).toBe('El número de tu tarjeta no es válido.');
    expect(await fieldError('expiry')).toBe('El año de vencimiento de tu tarjeta ya pasó.');
    expect(await fieldError('cvc')).toBe('El código de seguridad de tu tarjeta está incompleto.');
    for (const name of ['Número de tarjeta', 'Vencimiento', 'Código CVC']) {
      expect(await checkout.form.getByRole('textbox', { name }).getAttribute('aria-invalid')).toBe('true');
    }
    expect(await checkout.focused()).toBe('card-number');
    await checkout.form.getByTestId('card-number').fill(cards.accepted);
    expect(await checkout.form.getByTestId('card-number').getAttribute('aria-invalid')).toBe('false');
    expect(await checkout.form.getByTestId('card-number').inputValue()).toBe('4242 4242 4242 4242');
    expect(checkout.requests.filter((request) => request.url().endsWith('/confirm'))).toEqual([]);
  });

  it('the simulated card form accepts autofill and keeps the caret when the middle of the number is corrected', async () => {
    await checkout.open();
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
  });

  it('the simulated card form takes its styles from the appearance option and ignores those of the page', async () => {
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
  });

  it('the simulated card form shows a validation message only after the click that caused it has ended', async () => {
    await checkout.open();
    await checkout.form.getByTestId('card-number').fill('4242');
    // Click its upper edge: a button that moves down would be missed.
    await checkout.page.getByRole('button', { name: 'Pagar' }).click({ position: { x: 20, y: 3 } });
    expect((await checkout.outcome()).error?.code).toBe('incomplete_number');
  });

  it('the simulated card form has no accessibility violations when empty, invalid or with the night theme', async () => {
    await checkout.open();
    expect((await new AxeBuilder({ page: checkout.page }).analyze()).violations).toEqual([]);
    await checkout.pay();
    await checkout.outcome();
    expect((await new AxeBuilder({ page: checkout.page }).analyze()).violations).toEqual([]);
    await checkout.open({ night: '' });
    await checkout.pay();
    await checkout.outcome();
    // What stands behind a frame axe takes for white.
    const builder = new AxeBuilder({ page: checkout.page }).disableRules('color-contrast');
    expect((await builder.analyze()).violations).toEqual([]);
  });

  it('the card form is a frame of the sandbox’s origin in the language and font of its page', async () => {
    const intent = await checkout.open({ locale: 'en' });
    const frame = checkout.page.frames().find((one) => one.url().startsWith(`${checkout.origin}/elements-frame.html`));
    expect(await frame?.evaluate(() => [document.documentElement.lang, window.origin])).toEqual([
      'en',
      checkout.origin,
    ]);
    expect(await frame?.evaluate(() => [...document.fonts].map(({ family }) => family))).toEqual(['Figtree']);
    await eventually(() => frame?.evaluate(() => document.fonts.check('16px Figtree'))).toBe(true);
    await checkout.form.getByLabel('Card number').fill(cards.withoutFunds);
    await checkout.form.getByLabel('Expiration date').fill('12/40');
    await checkout.form.getByLabel('Security code').fill('123');
    await checkout.pay();
    expect((await checkout.outcome()).error?.message).toBe('Your card has insufficient funds. Try another card.');
    // A message from the page itself is not taken for one of the frame's, nor the other way round.
    await checkout.page.evaluate(() => window.postMessage({ type: 'height', height: 9999 }, '*'));
    await checkout.typeCard(cards.accepted);
    await checkout.pay();
    await eventually(() => checkout.statusOf(intent)).toBe('requires_capture');
    expect((await checkout.page.locator('iframe').first().boundingBox())?.height).toBeLessThan(500);
  });

  it.each([
    ['amount', { amount: '10051', capture: 'manual' }],
    ['capture_method', { amount: '10050', capture: 'automatic' }],
  ])('a card form made before its payment refuses another %s than it was made for', async (name, made) => {
    const intent = await checkout.open(made);
    await checkout.typeCard(cards.accepted);
    await checkout.pay();
    const { error } = await checkout.outcome();
    expect(error).toMatchObject({ type: 'IntegrationError', message: expect.stringContaining(`The ${name} of`) });
    expect(await checkout.statusOf(intent)).toBe('requires_payment_method');
  });

  it('a card form made before its payment pays what it was made for', async () => {
    const intent = await checkout.open({ amount: '10050', capture: 'manual' });
    await checkout.typeCard(cards.accepted);
    await checkout.pay();
    await eventually(() => checkout.statusOf(intent)).toBe('requires_capture');
  });
});
