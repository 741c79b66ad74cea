/** The unmodified Stripe packages, in a real browser, against the sandbox: from an empty card form to a held payment. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../infra/testing/browser.ts';
import { cards, checkoutOfFile, eventually } from './checkout.ts';

const shop = checkoutOfFile(launchBrowser);

describe('paying', () => {
  it('holds an accepted card, mounts once under StrictMode, and the browser has nothing to complain of', async () => {
    const intent = await shop.open();
    expect(await shop.page.getByTestId('card-number').count()).toBe(1);
    await shop.typeCard(cards.accepted);
    await eventually(() => shop.page.getByTestId('checkout').getAttribute('data-complete')).toBe('true');
    await shop.pay();
    const { paymentIntent, error } = await shop.outcome();
    expect(error).toBeUndefined();
    expect(paymentIntent).toMatchObject({ id: intent.id, status: 'requires_capture' });
    expect(paymentIntent?.metadata).toBeUndefined();
    expect(await shop.statusOf(intent)).toBe('requires_capture');
    expect(shop.complaints).toEqual([]);
  });

  it('takes another card on the same intent after a decline', async () => {
    const intent = await shop.open();
    await shop.typeCard(cards.withoutFunds);
    await shop.pay();
    const { error } = await shop.outcome();
    expect(error).toMatchObject({
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Tu tarjeta no tiene fondos suficientes. Prueba con otra tarjeta.',
      payment_intent: { id: intent.id, status: 'requires_payment_method' },
    });
    await shop.typeCard(cards.accepted);
    await shop.pay();
    await eventually(async () => (await shop.outcome()).paymentIntent?.status).toBe('requires_capture');
    // The browser itself reports the 402 as a failed resource; nobody else may say anything.
    expect(shop.complaints.filter((text) => !text.includes('402'))).toEqual([]);
  });

  it('goes to the return address when asked to', async () => {
    const intent = await shop.open({ redirect: 'always' });
    await shop.typeCard(cards.accepted);
    await shop.pay();
    await shop.page.waitForURL(/vuelta/);
    const { searchParams } = new URL(shop.page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      payment_intent: intent.id,
      payment_intent_client_secret: intent.client_secret,
      redirect_status: 'succeeded',
    });
  });

  it('sends the digits to the confirmation only, and tells the page nothing of them', async () => {
    const intent = await shop.open();
    await shop.page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      for (const type of ['keydown', 'keyup', 'input', 'beforeinput', 'change', 'paste']) {
        document.addEventListener(type, (event) => heard.push(`${type} ${(event as KeyboardEvent).key ?? ''}`));
      }
    });
    await shop.page.getByTestId('card-number').pressSequentially(cards.accepted);
    await shop.page.getByTestId('card-expiry').fill('1240');
    await shop.page.getByTestId('card-cvc').fill('123');
    await shop.pay();
    await shop.outcome();
    expect(await shop.page.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual([]);
    const delivering = shop.requests.filter((request) =>
      `${request.url()}${request.postData() ?? ''}`.includes(cards.accepted),
    );
    expect(delivering.map((request) => request.url())).toEqual([
      `${shop.origin}/v1/payment_intents/${intent.id}/confirm`,
    ]);
    expect(new URLSearchParams(delivering[0]?.postData() ?? '').get('payment_method_data[card][exp_year]')).toBe(
      '2040',
    );
  });

  it('says that there is no connection, and works again when there is', async () => {
    await shop.open();
    await shop.typeCard(cards.accepted);
    await shop.page.route('**/confirm', (route) => route.abort());
    await shop.pay();
    expect((await shop.outcome()).error).toMatchObject({
      type: 'api_connection_error',
      message: 'No hay conexión con el servicio de pagos. Comprueba tu conexión y vuelve a intentarlo.',
    });
    await shop.page.unroute('**/confirm');
    await shop.pay();
    await eventually(async () => (await shop.outcome()).paymentIntent?.status).toBe('requires_capture');
  });

  it('does not load a form for an intent that takes no card any more', async () => {
    const intent = await shop.newIntent();
    await shop.stripe.paymentIntents.cancel(intent.id);
    await shop.page.goto(shop.address(intent));
    await shop.page.locator('[data-ready="error: payment_intent_unexpected_state"]').waitFor();
    expect(await shop.page.getByRole('alert').textContent()).toContain('No se pudo cargar');
  });
});

describe('the form', () => {
  it('says what is wrong at each field, in Spanish, and puts the keyboard at the first', async () => {
    await shop.open();
    await shop.page.getByTestId('card-number').fill('4242 4242 4242 4241');
    await shop.page.getByTestId('card-expiry').fill('01/20');
    await shop.pay();
    expect((await shop.outcome()).error).toMatchObject({ type: 'validation_error', code: 'invalid_number' });
    const said = (field: string) => shop.page.getByTestId(`card-${field}-error`).textContent();
    expect(await said('number')).toBe('El número de tu tarjeta no es válido.');
    expect(await said('expiry')).toBe('El año de vencimiento de tu tarjeta ya pasó.');
    expect(await said('cvc')).toBe('El código de seguridad de tu tarjeta está incompleto.');
    for (const name of ['Número de tarjeta', 'Vencimiento', 'Código CVC']) {
      expect(await shop.page.getByRole('textbox', { name }).getAttribute('aria-invalid')).toBe('true');
    }
    expect(await shop.focused()).toBe('card-number');
    await shop.page.getByTestId('card-number').fill(cards.accepted);
    expect(await shop.page.getByTestId('card-number').getAttribute('aria-invalid')).toBe('false');
    expect(await shop.page.getByTestId('card-number').inputValue()).toBe('4242 4242 4242 4242');
    expect(shop.requests.filter((request) => request.url().endsWith('/confirm'))).toEqual([]);
  });

  it('can be filled in by the browser, and follows corrections in the middle of the number', async () => {
    await shop.open();
    const number = shop.page.getByTestId('card-number');
    expect(await number.getAttribute('autocomplete')).toBe('cc-number');
    expect(await shop.page.getByTestId('card-expiry').getAttribute('autocomplete')).toBe('cc-exp');
    expect(await shop.page.getByTestId('card-cvc').getAttribute('autocomplete')).toBe('cc-csc');
    await number.fill('4242 4242 4942');
    await number.evaluate((input: HTMLInputElement) => input.setSelectionRange(12, 12));
    await shop.page.keyboard.press('Backspace');
    await shop.page.keyboard.type('2');
    expect(await number.inputValue()).toBe('4242 4242 4242');
    expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(12);
  });

  it('takes its looks from the appearance, and survives no styles of the page', async () => {
    await shop.open({ night: '' });
    const style = await shop.page.getByTestId('card-number').evaluate((input) => {
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

  it('does not move what is being clicked: a sentence waits for the end of the click', async () => {
    await shop.open();
    await shop.page.getByTestId('card-number').fill('4242');
    // At its upper edge: a button that moves down a little is missed.
    await shop.page.getByRole('button', { name: 'Pagar' }).click({ position: { x: 20, y: 3 } });
    expect((await shop.outcome()).error?.code).toBe('incomplete_number');
  });

  it('has no accessibility faults, empty, wrong, and at night', async () => {
    await shop.open();
    expect((await new AxeBuilder({ page: shop.page }).analyze()).violations).toEqual([]);
    await shop.pay();
    await shop.outcome();
    expect((await new AxeBuilder({ page: shop.page }).analyze()).violations).toEqual([]);
    await shop.open({ night: '' });
    await shop.pay();
    await shop.outcome();
    expect((await new AxeBuilder({ page: shop.page }).analyze()).violations).toEqual([]);
  });
});
