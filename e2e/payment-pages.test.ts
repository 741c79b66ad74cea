import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PageOptions, useBrowser, viewports } from '../infra/testing/browser.ts';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { reached, sees } from './conformance/reached.ts';
import { type House, openHouse } from './house.ts';
import { expectNoObstacles } from './obstacles.ts';
import { addRecipient, adminRow, decideInBrowser, payInBrowser, senderRow, signInAsAdmin } from './pages.ts';
import { until } from './until.ts';

const browser = useBrowser();
let database: TestDatabase;
let house: House;

beforeAll(async () => {
  database = await createTestDatabase();
  house = await openHouse({ database });
});

afterAll(async () => {
  await house?.stack.close();
  await database?.drop();
});

const goodCard = '4242424242424242';
const emptyCard = '4000000000009995';
const challengeCard = '4000002760003184';

/** A signed-in person's page, and their e-mail. The account is new, so the first payment asks for the date of birth. */
async function sender(options: PageOptions = {}): Promise<{ page: Page; email: string }> {
  const page = await browser.newPage(options);
  const email = `pagos-${randomUUID()}@example.com`;
  const data = { name: 'Carmen Rojas', email, password: 'una-clave-larga', acceptedTerms: true };
  const answer = await page.request.post(`${house.url()}/api/auth/register`, { data });
  const { token } = await answer.json();
  await page.addInitScript((id) => localStorage.setItem('auth_token', id), token);
  return { page, email };
}

const open = (page: Page, path: string) => page.goto(`${house.url()}${path}`);

/** From the amount to the card form. */
async function continueToCard(page: Page): Promise<void> {
  await page.locator('[data-testid=pay-continue]:not([aria-disabled])').waitFor();
  const birthDate = page.getByTestId('pay-birth-date');
  if (await birthDate.isVisible()) await birthDate.fill('1990-05-17');
  await page.getByTestId('pay-continue').click();
  await page.getByTestId('card-number').waitFor();
}

/** The person's newest transfer as the server tells it. */
async function newestTransfer(page: Page) {
  const answer = await page.request.get(`${house.url()}/api/transactions?limit=1`);
  return (await answer.json()).items[0];
}

const referenceOf = (id: string) =>
  `TR${BigInt(`0x${id.replaceAll('-', '').slice(0, 12)}`)
    .toString()
    .padStart(15, '0')}`;

/** The server holds the money for a transfer that nobody was chosen for yet. */
async function paidWithoutRecipient(page: Page) {
  const transfer = await until('the transfer is in review', async () => {
    const newest = await newestTransfer(page);
    return newest?.state === 'in_review' ? newest : null;
  });
  expect(transfer.recipientId).toBeNull();
  const intent = (await house.sandbox.intents()).find(({ id }) => id === transfer.paymentIntentId);
  expect(intent?.status).toBe('requires_capture');
  return transfer;
}

const demos = [
  '/payment-demo',
  '/stripe-basic',
  '/stripe-simple',
  '/stripe-direct',
  '/stripe-redirect',
  '/simple-stripe',
] as const;
const payingPages = [
  '/stripe-pago',
  '/stripe-integration',
  '/stripe',
  '/new-stripe',
  '/fixed-stripe',
  ...demos,
] as const;

describe.each(payingPages)('%s', (path) => {
  test('pays 100 dollars, and shows success only of what the server knows', async () => {
    house.stack.showLogOnFailure();
    const { page } = await sender();
    const calls: string[] = [];
    page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await open(page, path);
    // What is paid out stands there before paying: 96.50 at today's 11.55, not at any fixed rate.
    await page.getByText(path === '/fixed-stripe' ? 'BOB 1,114.57' : 'Bs 1.114,57').waitFor();
    reached('constant default amount 100', 'constant fee 3.5 %', 'constant received = (amount - fee) x rate');
    await continueToCard(page);
    // What is around it is looked at with the first step of every page, among all routes.
    await expectNoObstacles(page, `${path}, card`, 'main');
    await payInBrowser(page, goodCard);
    if (path === '/stripe-redirect') {
      await page.waitForURL((url) => url.pathname === '/payment-success');
      await page.locator('[data-testid=return][data-outcome=succeeded]').waitFor();
      expect(page.url()).not.toContain('secret');
    } else {
      await page.getByTestId('pay-success').waitFor();
    }
    const transfer = await paidWithoutRecipient(page);
    const name = path === '/fixed-stripe' ? transfer.paymentIntentId : referenceOf(transfer.id);
    expect(await page.getByTestId('pay-reference').textContent()).toBe(name);
    await page.getByTestId('pay-choose-recipient').waitFor();
    await expectNoObstacles(page, `${path}, success`, 'main');
    const opening =
      path === '/payment-demo' ? 'POST /api/create-payment-intent' : 'POST /api/new-account/create-payment-intent';
    expect(calls.filter((call) => call === opening)).toHaveLength(1);
    const told = calls.includes('POST /api/new-account/confirm-transaction');
    expect(told).toBe(path !== '/stripe-direct');
    reached(`route ${path}`, `call ${opening}`);
    if (path === '/stripe-redirect') return reached('route /payment-success');
    reached('rule payment return address');
    await page.getByTestId('pay-again').click();
    await page.getByTestId('pay-continue').waitFor();
    reached('rule payment steps');
  });
});

test.each(['/stripe-pago', '/stripe-simple', '/stripe-direct', '/simple-stripe', '/stripe-redirect'])(
  '%s: a declined card says why, another one pays the same payment',
  async (path) => {
    house.stack.showLogOnFailure();
    // A browser logs every 402 of Stripe's as an error of its own.
    const { page } = await sender({ expectedErrors: [/status of 402/], viewport: viewports.phone });
    await open(page, path);
    await continueToCard(page);
    await payInBrowser(page, emptyCard);
    await sees(page, 'sentence payment: processing error');
    expect(await page.getByTestId('pay-error').textContent()).toMatch(/fondos.*No se cobró nada/);
    const before = await newestTransfer(page);
    expect(before.state).toBe('awaiting_payment');
    await payInBrowser(page, goodCard);
    await page.getByText('¡Pago exitoso!').waitFor();
    expect((await paidWithoutRecipient(page)).id).toBe(before.id);
    reached('sentence payment: succeeded');
  },
);

test.each(['/simple-stripe', '/stripe-redirect'])('%s: the bank asks first', async (path) => {
  house.stack.showLogOnFailure();
  const { page } = await sender();
  await open(page, path);
  await continueToCard(page);
  await payInBrowser(page, challengeCard);
  await page.getByTestId('3ds-complete').click();
  await page.getByText('¡Pago exitoso!').waitFor();
  await paidWithoutRecipient(page);
});

test('a visitor signs in on the way and comes back to the same page and amount', async () => {
  const { email } = await sender();
  const page = await browser.newPage();
  await open(page, '/stripe-pago');
  await page.getByTestId('pay-amount').fill('55,5');
  await page.getByTestId('pay-currency').getByText('EUR').click();
  await page.getByTestId('pay-sign-in-note').waitFor();
  await page.locator('[data-testid=pay-continue]:not([aria-disabled])').click();
  await page.getByTestId('login-email').fill(email);
  await page.getByTestId('login-password').fill('una-clave-larga');
  await page.getByTestId('login-submit').click();
  await page.waitForURL((url) => url.pathname === '/stripe-pago');
  expect(await page.getByTestId('pay-amount').inputValue()).toBe('55,5');
  await continueToCard(page);
  await payInBrowser(page, goodCard);
  await page.getByTestId('pay-success').waitFor();
  expect(await paidWithoutRecipient(page)).toMatchObject({ amount: '55.50', currency: 'EUR' });
});

test('an amount that cannot be paid keeps the button off, and pressed all the same it says why', async () => {
  const { page } = await sender();
  await open(page, '/stripe-pago');
  await page.getByTestId('pay-amount').fill('9,99');
  const button = page.getByTestId('pay-continue');
  await page.locator('[data-testid=pay-continue][aria-disabled=true]').waitFor();
  await button.click({ force: true });
  await sees(page, 'sentence payment: minimum');
  reached('constant minimum payment 10', 'rule payment intent from 10');
  await open(page, '/fixed-stripe');
  await page.getByTestId('pay-amount').fill('abc');
  await button.click({ force: true });
  await sees(page, 'sentence fixed page: invalid amount');
  await page.getByTestId('pay-amount').fill('5');
  await page.getByText('The minimum amount is 10 USD.').first().waitFor();
  await page.getByTestId('pay-amount').fill('3000,01');
  await page.getByText('The maximum amount per transfer is $3,000.00.').first().waitFor();
  expect(await newestTransfer(page)).toBeUndefined();
  reached('constant fixed page above 0', 'constant maximum 3,000');
});

test('fixed rates are labelled as a demonstration beside what is really paid out', async () => {
  const page = await browser.newPage();
  const shows = async (path: string, ...texts: string[]) => {
    await open(page, path);
    for (const text of texts) await page.getByTestId('pay-demonstration').getByText(text).waitFor();
  };
  await shows('/fixed-stripe', 'Demonstration', '1 USD = 15.00 BOB', 'BOB 1,447.50');
  reached('constant fixed rate 15');
  await shows('/stripe-simple', 'Demostración', '1 USD = 6,96 Bs', 'Bs 696,00');
  await shows('/simple-stripe', 'Demostración', '1 USD = 6,96 Bs', 'Bs 696,00');
  await shows('/payment-demo', 'Demostración', '1 USD = 6,96 Bs', 'Bs 671,64');
  reached('constant fixed rate 6.96');
});

test('the amount can be edited while the card form is open', async () => {
  const { page } = await sender();
  await open(page, '/fixed-stripe');
  await continueToCard(page);
  await page.getByText('Edit Amount').click();
  await page.getByTestId('pay-amount').fill('20');
  await continueToCard(page);
  await payInBrowser(page, goodCard);
  await page.getByText('Make Another Payment').waitFor();
  expect(await paidWithoutRecipient(page)).toMatchObject({ amount: '20.00' });
});

/** Plays the server's answer to a call, at once or a few times. */
const answer = (page: Page, path: string, status: number, body: object, times?: number) =>
  page.route(`**${path}`, (route) => route.fulfill({ status, json: body }), times ? { times } : {});
const failure = (code: string) => ({ code, message: 'No se pudo.' });

describe('when the provider or the server is not done', () => {
  const pay = async (page: Page, path: string) => {
    await open(page, path);
    await continueToCard(page);
    await payInBrowser(page, goodCard);
  };

  test.each([
    ['processing', '/fixed-stripe', 'sentence payment page: polling'],
    ['requires_action', '/stripe-pago', 'sentence payment: processing'],
  ] as const)('%s: it says so and asks again every two seconds', async (status, path, sentence) => {
    const { page } = await sender();
    const asked: number[] = [];
    page.on('request', (request) => request.url().includes('/payment-status/') && asked.push(performance.now()));
    await answer(page, '/api/new-account/payment-status/*', 200, { status, providerStatus: status }, 2);
    await pay(page, path);
    await sees(page, sentence);
    await page.getByTestId('pay-success').waitFor();
    expect(asked).toHaveLength(3);
    for (const [index, at] of asked.entries()) if (index) expect(at - (asked[index - 1] ?? 0)).toBeGreaterThan(1800);
    reached('constant polling 2 s');
  });

  test('any other status: it names it and offers to try again', async () => {
    const { page } = await sender();
    const status = 'requires_payment_method';
    await answer(page, '/api/new-account/payment-status/*', 200, { status, providerStatus: status }, 1);
    await pay(page, '/fixed-stripe');
    await page.getByText(`Payment ${status}: Please try again`).waitFor();
    await sees(page, 'sentence payment page: other status');
    await sees(page, 'sentence payment page: failed');
  });

  test.each([
    ['/fixed-stripe', '/api/new-account/payment-status/*', 'sentence payment page: status failed'],
    ['/fixed-stripe', '/api/new-account/confirm-transaction', 'sentence payment page: confirm failed'],
    ['/stripe-pago', '/api/new-account/confirm-transaction', 'sentence payment: not recorded'],
  ] as const)('%s: %s fails', async (path, call, sentence) => {
    const { page } = await sender({ expectedErrors: [/status of 409/] });
    await answer(page, call, 409, failure('payment_not_completed'));
    await pay(page, path);
    await sees(page, sentence);
    // The webhook recorded it all the same.
    await paidWithoutRecipient(page);
  });

  test('the payment cannot be prepared: an error card whose button reloads the page', async () => {
    const { page } = await sender({ expectedErrors: [/status of 502/] });
    const failed = failure('payment_not_started');
    await answer(page, '/api/new-account/create-payment-intent', 502, failed, 2);
    await open(page, '/stripe-pago?amount=40&currency=EUR');
    await page.getByTestId('pay-birth-date').fill('1990-05-17');
    await page.getByTestId('pay-continue').click();
    await sees(page, 'sentence payment: not initialized');
    await sees(page, 'sentence payment: not started');
    await sees(page, 'sentence payment: card error');
    const reloaded = page.waitForEvent('load');
    await page.getByTestId('pay-retry').click();
    await reloaded;
    expect(await page.getByTestId('pay-amount').inputValue()).toBe('40');
    await open(page, '/fixed-stripe');
    await page.getByTestId('pay-birth-date').fill('1990-05-17');
    await page.getByTestId('pay-continue').click();
    await sees(page, 'sentence payment page: intent failed');
    await sees(page, 'sentence payment page: not initialized');
  });

  test('the provider itself fails in a way nobody foresaw', async () => {
    const { page } = await sender({ expectedErrors: [/status of 500/] });
    const confirm = '/v1/payment_intents/*/confirm';
    await answer(page, confirm, 500, { error: { type: 'api_error', message: 'boom' } });
    await pay(page, '/fixed-stripe');
    await sees(page, 'sentence payment page: unexpected');
    await pay(page, '/stripe-pago');
    await sees(page, 'sentence payment: unexpected');
  });

  test('the provider’s script does not come, or breaks while paying', async () => {
    const { page } = await sender({ expectedErrors: [/stripe\.js|ERR_FAILED/] });
    await page.route('**/stripe.js', (route) => route.abort(), { times: 1 });
    await open(page, '/stripe-pago');
    await page.getByTestId('pay-birth-date').fill('1990-05-17');
    await page.getByTestId('pay-continue').click();
    await sees(page, 'sentence payment: service not initialized');
    await page.route('**/stripe.js', async (route) => {
      const response = await route.fetch();
      const breaks = `
;{const real = window.Stripe; const broken = (...given) => ({...real(...given),
        confirmPayment() { throw new Error('broken'); }}); window.Stripe = Object.assign(broken, {version: real.version});}`;
      await route.fulfill({ response, body: `${await response.text()}${breaks}` });
    });
    await pay(page, '/stripe-pago');
    await sees(page, 'sentence payment: unexpected, try again');
  });

  test('the rate moves between the quote and a payment that is not told it: the new one is accepted first', async () => {
    const { page } = await sender();
    // The page is shown an older quote than the one the server freezes.
    await page.route('**/api/quote', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), rate: '11.70', bs: '1129.05' } });
    });
    await open(page, '/stripe');
    await page.getByText('Bs 1.129,05').waitFor();
    await page.getByTestId('pay-birth-date').fill('1990-05-17');
    await page.getByTestId('pay-continue').click();
    await page.getByTestId('pay-rate-changed').getByText('Bs 1.114,57').waitFor();
    await page.getByTestId('pay-accept-rate').click();
    await page.getByTestId('card-number').waitFor();
    await page.getByText('Bs 1.114,57').first().waitFor();
  });
});

describe('/payment-success', () => {
  test.each([
    ['processing', 'processing', 'sentence payment: processing'],
    ['requires_action', 'processing', 'sentence payment: processing'],
    ['requires_payment_method', 'failed', 'sentence payment: try again'],
    ['canceled', 'wrong', 'sentence payment: went wrong'],
  ] as const)('%s, whatever the address claims', async (status, outcome, sentence) => {
    const { page } = await sender();
    await answer(page, '/api/new-account/payment-status/*', 200, { status, providerStatus: status });
    await open(page, '/payment-success?payment_intent=pi_1&redirect_status=succeeded&from=%2Fstripe-redirect');
    await page.locator(`[data-testid=return][data-outcome=${outcome}]`).waitFor();
    await sees(page, sentence);
    await expectNoObstacles(page);
    const again = page.getByTestId('return-again');
    if (outcome === 'failed') expect(await again.getAttribute('href')).toBe('/stripe-redirect');
    else expect(await again.count()).toBe(0);
  });

  test('a payment that is still processing becomes a success by itself', async () => {
    const { page } = await sender();
    await open(page, '/stripe-pago');
    await continueToCard(page);
    await payInBrowser(page, goodCard);
    await page.getByTestId('pay-success').waitFor();
    const { paymentIntentId } = await newestTransfer(page);
    const status = 'processing';
    let seen = false;
    await page.route('**/api/new-account/payment-status/*', (route) =>
      seen ? route.fallback() : route.fulfill({ json: { status, providerStatus: status } }),
    );
    await open(page, `/payment-success?payment_intent_client_secret=${paymentIntentId}_secret_x`);
    await page.getByText('Tu pago está siendo procesado.').waitFor();
    seen = true;
    await page.locator('[data-testid=return][data-outcome=succeeded]').waitFor();
    await page.getByTestId('pay-reference').waitFor();
    expect(page.url()).not.toContain('secret');

    // Nobody else learns anything of it.
    const { page: stranger } = await sender({ expectedErrors: [/status of 404/] });
    await open(stranger, `/payment-success?payment_intent=${paymentIntentId}&redirect_status=succeeded`);
    await stranger.locator('[data-testid=return][data-outcome=wrong]').waitFor();
    expect(await stranger.getByTestId('pay-reference').count()).toBe(0);
  });

  test('without a session it asks to sign in and comes back; without a payment it says so', async () => {
    const page = await browser.newPage();
    await open(page, '/payment-success?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x');
    await page.waitForURL((url) => url.pathname === '/login');
    expect(decodeURIComponent(page.url())).toContain('next=/payment-success?payment_intent=pi_1');
    expect(page.url()).not.toContain('secret');
    const { page: own } = await sender();
    await open(own, '/payment-success');
    await sees(own, 'sentence payment: went wrong');
  });
});

test('/stripe-demo pretends, says so, and calls nobody', async () => {
  const page = await browser.newPage();
  await open(page, '/stripe-demo');
  await page.getByText('Esto es un simulador').waitFor();
  for (const number of ['4242 4242 4242 4242', '4000 0000 0000 0002']) await page.getByText(number).first().waitFor();
  await expectNoObstacles(page);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));
  const type = (field: string, text: string) => page.getByTestId(`demo-${field}`).pressSequentially(text);
  await type('number', '5555555555554444');
  await page.getByTestId('demo-submit').click();
  await page.getByText('aquí nunca va una tarjeta real').waitFor();
  await page.getByTestId('demo-number').fill('');
  await type('number', '40000000000000029');
  await type('expiry', '12345');
  await type('cvc', '1234');
  const value = (field: string) => page.getByTestId(`demo-${field}`).inputValue();
  expect([await value('number'), await value('expiry'), await value('cvc')]).toEqual([
    '4000 0000 0000 0002',
    '12/34',
    '123',
  ]);
  expect(await page.getByTestId('demo-cvc').getAttribute('type')).toBe('password');
  await page.getByTestId('demo-submit').click();
  await page.getByTestId('demo-declined').waitFor();
  await page.getByTestId('demo-number').fill('');
  await type('number', '4242424242424242');
  const before = performance.now();
  await page.getByTestId('demo-submit').click();
  await sees(page, 'sentence demo card: busy');
  await page.getByTestId('demo-success').waitFor();
  expect(performance.now() - before).toBeGreaterThan(1900);
  expect(await page.getByTestId('demo-reference').textContent()).toMatch(/^REF\d{9}$/);
  expect(calls).toEqual([]);
  await expectNoObstacles(page);
  await page.getByTestId('demo-again').click();
  expect(await value('number')).toBe('');
  reached('route /stripe-demo', 'rule demo card', 'constant demo processing 2 s', 'constant demo card numbers');
});

describe('/test-login', () => {
  test('signs the test user up, later in, and goes to /stripe', async () => {
    // A browser logs the 401 of the first try as an error of its own.
    const page = await browser.newPage({ expectedErrors: [/status of 401/] });
    for (const _time of ['up', 'in']) {
      await open(page, '/test-login');
      await page.getByTestId('test-login').click();
      await page.waitForURL((url) => url.pathname === '/stripe');
      expect(await page.evaluate(() => localStorage.getItem('auth_token'))).not.toBeNull();
      await page.evaluate(() => localStorage.clear());
    }
    reached('route /test-login', 'call POST /api/auth/login', 'call POST /api/auth/register');
  });

  test('says when neither worked', async () => {
    const page = await browser.newPage({ expectedErrors: [/status of 503/] });
    await answer(page, '/api/auth/login', 503, failure('unavailable'));
    await open(page, '/test-login');
    await page.getByTestId('test-login').waitFor();
    await expectNoObstacles(page);
    await page.getByTestId('test-login').click();
    await sees(page, 'sentence test login: failed');
  });

  test.each(['/test-login', '/stripe-demo'])('%s does not exist where real keys are configured', async (path) => {
    const page = await browser.newPage();
    const config = { publishableKey: 'pk_test_real', scriptUrl: null, testMode: true };
    await answer(page, '/api/payments/config', 200, config);
    await open(page, path);
    await sees(page, 'route any other path');
    expect(await page.getByTestId('test-login').count()).toBe(0);
  });
});

test('a transfer paid without a recipient: the panel asks for one, the admin waits, then approves', async () => {
  house.stack.showLogOnFailure();
  const { page, email } = await sender();
  const admin = await browser.newPage({ expectedErrors: [/status of 422/] });
  await signInAsAdmin(admin, house.url());
  await open(page, '/stripe-pago');
  await continueToCard(page);
  await payInBrowser(page, goodCard);
  await page.getByTestId('pay-success').waitFor();
  await adminRow(admin, email, 'pending').waitFor();
  expect(await adminRow(admin, email, 'pending').textContent()).toContain('Sin destinatario');
  await page.getByTestId('pay-choose-recipient').getByRole('link').click();
  await page.getByTestId('waiting').waitFor();
  await expectNoObstacles(page);
  await addRecipient(page);
  await page.getByTestId('waiting-choose').click();
  await page.getByTestId('waiting-row').getByText('Elige un destinatario').last().waitFor();
  await page.getByTestId('waiting-recipient').selectOption({ index: 1 });
  await page.getByTestId('waiting-choose').click();
  await page.getByTestId('waiting').waitFor({ state: 'detached' });
  await adminRow(admin, email, 'pending').getByText('Rosa Mamani').waitFor();
  await decideInBrowser(admin, email, 'approve');
  await senderRow(page, 'completed').waitFor();
});

test('/payment-demo pays for a recipient chosen before', async () => {
  const { page } = await sender();
  await open(page, '/dashboard');
  await addRecipient(page);
  await open(page, '/payment-demo');
  await page.getByTestId('pay-recipient').selectOption({ index: 1 });
  await continueToCard(page);
  await payInBrowser(page, goodCard);
  await page.getByTestId('pay-success').getByText('Rosa Mamani').waitFor();
  expect(await page.getByTestId('pay-choose-recipient').count()).toBe(0);
});
