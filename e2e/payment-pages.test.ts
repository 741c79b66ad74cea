import { describe, expect, test } from 'vitest';
import { viewports } from '../infra/testing/browser.ts';
import { expectAccessible } from './accessibility.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { addRecipient, adminRow, decideInBrowser, enterAsAdmin, payInBrowser, senderRow } from './pages.ts';
import { goodCard, usePaymentFixture } from './payment-fixture.ts';

const { browser, app, sender, open, continueToCard, newestTransfer, paidWithoutRecipient } = usePaymentFixture();

const emptyCard = '4000000000009995';
const challengeCard = '4000002760003184';

const referenceOf = (id: string) =>
  `TR${BigInt(`0x${id.replaceAll('-', '').slice(0, 12)}`)
    .toString()
    .padStart(15, '0')}`;
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
    const { page } = await sender();
    const calls: string[] = [];
    page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await open(page, path);
    // What is paid out stands there before paying: 96.50 at today's 11.55, not at any fixed rate.
    await page.getByText(path === '/fixed-stripe' ? 'BOB 1,114.57' : 'Bs 1.114,57').waitFor();
    covers('constant default amount 100', 'constant fee 3.5 %', 'constant received = (amount - fee) x rate');
    await continueToCard(page);
    // What is around it is looked at with the first step of every page, among all routes.
    await expectAccessible(page, `${path}, card`, 'main');
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
    await expectAccessible(page, `${path}, success`, 'main');
    const opening =
      path === '/payment-demo' ? 'POST /api/create-payment-intent' : 'POST /api/new-account/create-payment-intent';
    expect(calls.filter((call) => call === opening)).toHaveLength(1);
    const told = calls.includes('POST /api/new-account/confirm-transaction');
    expect(told).toBe(path !== '/stripe-direct');
    covers(`route ${path}`, `call ${opening}`);
    if (path === '/stripe-redirect') return covers('route /payment-success');
    covers('rule payment return address');
    await page.getByTestId('pay-again').click();
    await page.getByTestId('pay-continue').waitFor();
    covers('rule payment steps');
  });
});

test.each(['/stripe-pago', '/stripe-simple', '/stripe-direct', '/simple-stripe', '/stripe-redirect'])(
  '%s: a declined card says why, another one pays the same payment',
  async (path) => {
    // A browser logs every 402 of Stripe's as an error of its own.
    const { page } = await sender({ expectedErrors: [/status of 402/], viewport: viewports.phone });
    await open(page, path);
    await continueToCard(page);
    await payInBrowser(page, emptyCard);
    await expectText(page, 'message payment: processing error');
    expect(await page.getByTestId('pay-error').textContent()).toMatch(/fondos.*No se cobró nada/);
    const before = await newestTransfer(page);
    expect(before.state).toBe('awaiting_payment');
    await payInBrowser(page, goodCard);
    await page.getByText('¡Pago exitoso!').waitFor();
    expect((await paidWithoutRecipient(page)).id).toBe(before.id);
    covers('message payment: succeeded');
  },
);

test.each(['/simple-stripe', '/stripe-redirect'])('%s: the bank asks first', async (path) => {
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
  await expectText(page, 'message payment: minimum');
  covers('constant minimum payment 10', 'rule payment intent from 10');
  await open(page, '/fixed-stripe');
  await page.getByTestId('pay-amount').fill('abc');
  await button.click({ force: true });
  await expectText(page, 'message fixed page: invalid amount');
  await page.getByTestId('pay-amount').fill('5');
  await page.getByText('The minimum amount is 10 USD.').first().waitFor();
  await page.getByTestId('pay-amount').fill('3000,01');
  await page.getByText('The maximum amount per transfer is $3,000.00.').first().waitFor();
  expect(await newestTransfer(page)).toBeUndefined();
  covers('constant fixed page above 0', 'constant maximum 3,000');
});

test('fixed rates are labelled as a demonstration beside what is really paid out', async () => {
  const page = await browser.newPage();
  const shows = async (path: string, ...texts: string[]) => {
    await open(page, path);
    for (const text of texts) await page.getByTestId('pay-demonstration').getByText(text).waitFor();
  };
  await shows('/fixed-stripe', 'Demonstration', '1 USD = 15.00 BOB', 'BOB 1,447.50');
  covers('constant fixed rate 15');
  await shows('/stripe-simple', 'Demostración', '1 USD = 6,96 Bs', 'Bs 696,00');
  await shows('/simple-stripe', 'Demostración', '1 USD = 6,96 Bs', 'Bs 696,00');
  await shows('/payment-demo', 'Demostración', '1 USD = 6,96 Bs', 'Bs 671,64');
  covers('constant fixed rate 6.96');
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
test('a transfer paid without a recipient: the panel asks for one, the admin waits, then approves', async () => {
  const { page, email } = await sender();
  const admin = await browser.newPage({ expectedErrors: [/status of 422/] });
  await enterAsAdmin(admin, app.url());
  await open(page, '/stripe-pago');
  await continueToCard(page);
  await payInBrowser(page, goodCard);
  await page.getByTestId('pay-success').waitFor();
  await adminRow(admin, email, 'pending').waitFor();
  expect(await adminRow(admin, email, 'pending').textContent()).toContain('Sin destinatario');
  await page.getByTestId('pay-choose-recipient').getByRole('link').click();
  await page.getByTestId('waiting').waitFor();
  await expectAccessible(page);
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
