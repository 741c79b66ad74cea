/** The unmodified Stripe packages, in a real browser, against the sandbox: from an empty card form to a held payment. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { launchBrowser } from '../../../infra/testing/browser.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { type PageServer, servePage } from './page-server.ts';

const ACCEPTED = '4242424242424242';
const WITHOUT_FUNDS = '4000000000009995';
const WITH_CHALLENGE = '4000002760003184';
const CHALLENGE_THEN_DECLINED = '4000008400001629';

let sandbox: Sandbox;
let origin: string;
let pages: PageServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let stripe: Stripe;
/** Everything the browser said that a careful page never says. */
let complaints: string[];
let requests: Request[];

beforeAll(async () => {
  sandbox = await startSandbox();
  origin = `http://localhost:${sandbox.port}`;
  pages = await servePage(origin);
  browser = await launchBrowser();
  stripe = new Stripe('sk_test_sandbox', {
    host: '127.0.0.1',
    port: sandbox.port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  });
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await pages?.close();
  await sandbox?.close();
});

beforeEach(async () => {
  complaints = [];
  requests = [];
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'es-BO' });
  context.setDefaultTimeout(5000);
  page = await context.newPage();
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => requests.push(request));
  onTestFailed(() => console.error(complaints));
});

afterEach(async () => {
  const asked = requests.map((request) => new URL(request.url())).filter(({ protocol }) => protocol !== 'data:');
  expect(asked.filter((url) => url.origin !== origin && url.origin !== pages.url)).toEqual([]);
  await context.close();
});

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 5000 });

async function newIntent(): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({
    amount: 10_050,
    currency: 'eur',
    capture_method: 'manual',
    allowed_payment_method_types: ['card'],
  });
}

function address(intent: { client_secret: string | null }, more: Record<string, string> = {}): string {
  return `${pages.url}/?${new URLSearchParams({ sandbox: origin, client_secret: intent.client_secret ?? '', ...more })}`;
}

async function openCheckout(more: Record<string, string> = {}): Promise<Stripe.PaymentIntent> {
  const intent = await newIntent();
  await page.goto(address(intent, more));
  await page.locator('[data-ready="lista"]').waitFor();
  return intent;
}

async function typeCard(number: string): Promise<void> {
  await page.getByTestId('card-number').fill(number);
  await page.getByTestId('card-expiry').fill('12/40');
  await page.getByTestId('card-cvc').fill('123');
}

const pay = () => page.getByRole('button', { name: 'Pagar' }).click();

interface Outcome {
  paymentIntent?: { id: string; status: string; metadata?: unknown };
  error?: { type: string; code: string; decline_code?: string; message: string; payment_intent?: { status: string } };
}

/** The page's next outcome; `after` is how many it has shown already. */
async function outcome(): Promise<Outcome> {
  const output = page.getByTestId('outcome');
  await output.filter({ hasText: '{' }).waitFor();
  return JSON.parse((await output.textContent()) ?? '');
}

async function statusOf(intent: { id: string }): Promise<string> {
  return (await stripe.paymentIntents.retrieve(intent.id)).status;
}

/** The data-testid of what has the keyboard, looking into shadow roots; else its text. */
function focused(): Promise<string | null> {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.getAttribute('data-testid') ?? element?.textContent ?? null;
  });
}

describe('paying', () => {
  it('holds an accepted card, mounts once under StrictMode, and the browser has nothing to complain of', async () => {
    const intent = await openCheckout();
    expect(await page.getByTestId('card-number').count()).toBe(1);
    await typeCard(ACCEPTED);
    await eventually(() => page.getByTestId('checkout').getAttribute('data-complete')).toBe('true');
    await pay();
    const { paymentIntent, error } = await outcome();
    expect(error).toBeUndefined();
    expect(paymentIntent).toMatchObject({ id: intent.id, status: 'requires_capture' });
    expect(paymentIntent?.metadata).toBeUndefined();
    expect(await statusOf(intent)).toBe('requires_capture');
    expect(complaints).toEqual([]);
  });

  it('takes another card on the same intent after a decline', async () => {
    const intent = await openCheckout();
    await typeCard(WITHOUT_FUNDS);
    await pay();
    const { error } = await outcome();
    expect(error).toMatchObject({
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Tu tarjeta no tiene fondos suficientes. Prueba con otra tarjeta.',
      payment_intent: { id: intent.id, status: 'requires_payment_method' },
    });
    await typeCard(ACCEPTED);
    await pay();
    await eventually(async () => (await outcome()).paymentIntent?.status).toBe('requires_capture');
    // The browser itself reports the 402 as a failed resource; nobody else may say anything.
    expect(complaints.filter((text) => !text.includes('402'))).toEqual([]);
  });

  it('goes to the return address when asked to', async () => {
    const intent = await openCheckout({ redirect: 'always' });
    await typeCard(ACCEPTED);
    await pay();
    await page.waitForURL(/vuelta/);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      payment_intent: intent.id,
      payment_intent_client_secret: intent.client_secret,
      redirect_status: 'succeeded',
    });
  });

  it('sends the digits to the confirmation only, and tells the page nothing of them', async () => {
    const intent = await openCheckout();
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      for (const type of ['keydown', 'keyup', 'input', 'beforeinput', 'change', 'paste']) {
        document.addEventListener(type, (event) => heard.push(`${type} ${(event as KeyboardEvent).key ?? ''}`));
      }
    });
    await page.getByTestId('card-number').pressSequentially(ACCEPTED);
    await page.getByTestId('card-expiry').fill('1240');
    await page.getByTestId('card-cvc').fill('123');
    await pay();
    await outcome();
    expect(await page.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual([]);
    const carrying = requests.filter((request) => `${request.url()}${request.postData() ?? ''}`.includes(ACCEPTED));
    expect(carrying.map((request) => request.url())).toEqual([`${origin}/v1/payment_intents/${intent.id}/confirm`]);
    expect(new URLSearchParams(carrying[0]?.postData() ?? '').get('payment_method_data[card][exp_year]')).toBe('2040');
  });

  it('says that there is no connection, and works again when there is', async () => {
    await openCheckout();
    await typeCard(ACCEPTED);
    await page.route('**/confirm', (route) => route.abort());
    await pay();
    expect((await outcome()).error).toMatchObject({
      type: 'api_connection_error',
      message: 'No hay conexión con el servicio de pagos. Comprueba tu conexión y vuelve a intentarlo.',
    });
    await page.unroute('**/confirm');
    await pay();
    await eventually(async () => (await outcome()).paymentIntent?.status).toBe('requires_capture');
  });

  it('does not load a form for an intent that takes no card any more', async () => {
    const intent = await newIntent();
    await stripe.paymentIntents.cancel(intent.id);
    await page.goto(address(intent));
    await page.locator('[data-ready="error: payment_intent_unexpected_state"]').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('No se pudo cargar');
  });
});

describe('the form', () => {
  it('says what is wrong at each field, in Spanish, and puts the keyboard at the first', async () => {
    await openCheckout();
    await page.getByTestId('card-number').fill('4242 4242 4242 4241');
    await page.getByTestId('card-expiry').fill('01/20');
    await pay();
    expect((await outcome()).error).toMatchObject({ type: 'validation_error', code: 'invalid_number' });
    const said = (field: string) => page.getByTestId(`card-${field}-error`).textContent();
    expect(await said('number')).toBe('El número de tu tarjeta no es válido.');
    expect(await said('expiry')).toBe('El año de vencimiento de tu tarjeta ya pasó.');
    expect(await said('cvc')).toBe('El código de seguridad de tu tarjeta está incompleto.');
    for (const name of ['Número de tarjeta', 'Vencimiento', 'Código CVC']) {
      expect(await page.getByRole('textbox', { name }).getAttribute('aria-invalid')).toBe('true');
    }
    expect(await focused()).toBe('card-number');
    await page.getByTestId('card-number').fill(ACCEPTED);
    expect(await page.getByTestId('card-number').getAttribute('aria-invalid')).toBe('false');
    expect(await page.getByTestId('card-number').inputValue()).toBe('4242 4242 4242 4242');
    expect(requests.filter((request) => request.url().endsWith('/confirm'))).toEqual([]);
  });

  it('can be filled in by the browser, and follows corrections in the middle of the number', async () => {
    await openCheckout();
    const number = page.getByTestId('card-number');
    expect(await number.getAttribute('autocomplete')).toBe('cc-number');
    expect(await page.getByTestId('card-expiry').getAttribute('autocomplete')).toBe('cc-exp');
    expect(await page.getByTestId('card-cvc').getAttribute('autocomplete')).toBe('cc-csc');
    await number.fill('4242 4242 4942');
    await number.evaluate((input: HTMLInputElement) => input.setSelectionRange(12, 12));
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2');
    expect(await number.inputValue()).toBe('4242 4242 4242');
    expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(12);
  });

  it('takes its looks from the appearance, and survives no styles of the page', async () => {
    await openCheckout({ night: '' });
    const style = await page.getByTestId('card-number').evaluate((input) => {
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
    await openCheckout();
    await page.getByTestId('card-number').fill('4242');
    await pay();
    expect((await outcome()).error?.code).toBe('incomplete_number');
  });

  it('has no accessibility faults, empty, wrong, and at night', async () => {
    await openCheckout();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await pay();
    await outcome();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await openCheckout({ night: '' });
    await pay();
    await outcome();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
});

describe('3-D Secure', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Tu banco pide confirmar este pago' });

  async function openChallenge(card = WITH_CHALLENGE): Promise<Stripe.PaymentIntent> {
    const intent = await openCheckout();
    await typeCard(card);
    await pay();
    await dialog().waitFor();
    return intent;
  }

  it('completes, showing the amount', async () => {
    const intent = await openChallenge();
    expect(await page.getByTestId('3ds-amount').textContent()).toBe('100,50 EUR');
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.getByTestId('3ds-complete').click();
    expect((await outcome()).paymentIntent).toMatchObject({ id: intent.id, status: 'requires_capture' });
    expect(await dialog().count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it.each(['3ds-fail', '3ds-cancel'])(
    '%s leaves the intent waiting for another card, which then works',
    async (button) => {
      const intent = await openChallenge();
      await page.getByTestId(button).click();
      expect((await outcome()).error).toMatchObject({
        code: 'payment_intent_authentication_failure',
        message: 'No pudimos autenticar tu forma de pago. Elige otra forma de pago y vuelve a intentarlo.',
        payment_intent: { id: intent.id, status: 'requires_payment_method' },
      });
      await typeCard(ACCEPTED);
      await pay();
      await eventually(async () => (await outcome()).paymentIntent?.status).toBe('requires_capture');
    },
  );

  it('tells of a card that is declined after its challenge', async () => {
    await openChallenge(CHALLENGE_THEN_DECLINED);
    await page.getByTestId('3ds-complete').click();
    expect((await outcome()).error).toMatchObject({ type: 'card_error', code: 'card_declined' });
  });

  it('needs only a keyboard, from the first digit to the answer, and gives the focus back', async () => {
    const intent = await openCheckout();
    await page.getByTestId('card-number').focus();
    await page.keyboard.type(WITH_CHALLENGE);
    await page.keyboard.press('Tab');
    await page.keyboard.type('1240');
    await page.keyboard.press('Tab');
    await page.keyboard.type('123');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Pagar');
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    expect(await focused()).toBe('3ds-complete');
    for (const next of ['3ds-fail', '3ds-cancel']) {
      await page.keyboard.press('Tab');
      expect(await focused()).toBe(next);
    }
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    expect((await outcome()).error?.code).toBe('payment_intent_authentication_failure');
    await eventually(focused).toBe('Pagar');
    // Enter inside the form sends it, as it would in any form.
    await page.getByTestId('card-cvc').focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    await page.keyboard.press('Enter');
    await eventually(async () => (await outcome()).paymentIntent?.status).toBe('requires_capture');
    expect(await statusOf(intent)).toBe('requires_capture');
  });

  it('reads Escape as Cancelar, and the page behind does not hear it', async () => {
    await openChallenge();
    await page.keyboard.press('Escape');
    expect((await outcome()).error?.code).toBe('payment_intent_authentication_failure');
    expect(await page.evaluate(() => document.body.dataset.escapes)).toBeUndefined();
  });

  it('stays open when the answer gets lost, and can be answered again', async () => {
    await openChallenge();
    await page.route('**/challenge', (route) => route.abort());
    await page.getByTestId('3ds-complete').click();
    await page.getByText('No hay conexión con el servicio de pagos.').waitFor();
    await page.unroute('**/challenge');
    await page.getByTestId('3ds-complete').click();
    expect((await outcome()).paymentIntent?.status).toBe('requires_capture');
  });

  it('goes by the intent when the challenge was answered elsewhere meanwhile', async () => {
    const intent = await openChallenge();
    await fetch(`${sandbox.url}/sandbox/stripe/payment_intents/${intent.id}/challenge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome: 'complete' }),
    });
    await page.getByTestId('3ds-fail').click();
    expect((await outcome()).paymentIntent?.status).toBe('requires_capture');
  });

  it('goes on after a reload in its middle', async () => {
    const intent = await openChallenge();
    await page.goto(address(intent, { resume: '' }));
    await dialog().waitFor();
    await page.getByTestId('3ds-complete').click();
    expect((await outcome()).paymentIntent).toMatchObject({ id: intent.id, status: 'requires_capture' });
  });

  it('has a page of its own for payments confirmed on the server', async () => {
    const intent = await newIntent();
    const confirmed = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_authenticationRequired',
      return_url: `${pages.url}/vuelta`,
    });
    await page.goto(confirmed.next_action?.redirect_to_url?.url ?? '');
    await page.getByText('100,50').waitFor();
    await page.getByRole('button', { name: 'Autorizar el pago' }).click();
    await page.waitForURL(/vuelta.*redirect_status=succeeded/);
    expect(await statusOf(intent)).toBe('requires_capture');
  });
});
