import { expect, test } from 'vitest';
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
/** A page of every integration style that differs from the others, with the card that pays there in the end. */
const styles = [
  ['/stripe-pago', goodCard],
  ['/stripe-simple', goodCard],
  ['/stripe-direct', goodCard],
  ['/stripe-redirect', challengeCard],
  ['/simple-stripe', challengeCard],
] as const;
/** Pages that only look different from those; the demo page and the English one have tests of their own below. */
const otherPages = [
  '/stripe-integration',
  '/stripe',
  '/new-stripe',
  '/stripe-basic',
  '/payment-demo',
  '/fixed-stripe',
] as const;

test('a payment page of every style pays 100 dollars after a declined card and shows what the server recorded', async () => {
  // A browser logs every 402 of Stripe's as an error of its own.
  const { page } = await sender({ expectedErrors: [/status of 402/], viewport: viewports.phone });
  let calls: string[] = [];
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  for (const [path, card] of styles) {
    calls = [];
    await open(page, path);
    // What is paid out is shown before paying: 96.50 at today's 11.55, not at any fixed rate.
    await page.getByText('Bs 1.114,57').waitFor();
    covers('constant default amount 100', 'constant fee 3.5 %', 'constant received = (amount - fee) x rate');
    await continueToCard(page);
    await expectAccessible(page, `${path}, card`, 'main');
    await payInBrowser(page, emptyCard);
    await expectText(page, 'message payment: processing error');
    expect(await page.getByTestId('pay-error').textContent()).toMatch(/fondos.*No se cobró nada/);
    const declined = await newestTransfer(page);
    expect(declined.state).toBe('awaiting_payment');

    await payInBrowser(page, card);
    if (card === challengeCard) await page.getByTestId('3ds-complete').click();
    if (path === '/stripe-redirect') {
      await page.waitForURL((url) => url.pathname === '/payment-success');
      await page.locator('[data-testid=return][data-outcome=succeeded]').waitFor();
      expect(page.url()).not.toContain('secret');
      covers('route /payment-success');
    } else {
      await page.getByTestId('pay-success').waitFor();
      covers('rule payment return address');
    }
    await expectText(page, 'message payment: succeeded');
    const transfer = await paidWithoutRecipient(page);
    expect(transfer.id).toBe(declined.id);
    expect(await page.getByTestId('pay-reference').textContent()).toBe(referenceOf(transfer.id));
    await page.getByTestId('pay-choose-recipient').waitFor();
    await expectAccessible(page, `${path}, success`, 'main');
    expect(calls.filter((call) => call === 'POST /api/new-account/create-payment-intent')).toHaveLength(1);
    expect(calls.includes('POST /api/new-account/confirm-transaction')).toBe(path !== '/stripe-direct');
    covers(`route ${path}`, 'call POST /api/new-account/create-payment-intent');
    if (path === '/stripe-redirect') continue;
    await page.getByTestId('pay-again').click();
    await page.getByTestId('pay-continue').waitFor();
    covers('rule payment steps');
  }
}, 180_000);

test('every payment page shows a sender what 100 dollars arrive as', async () => {
  const { page } = await sender();
  for (const path of otherPages) {
    await open(page, path);
    await page.getByText(path === '/fixed-stripe' ? 'BOB 1,114.57' : 'Bs 1.114,57').waitFor();
    await page.locator('[data-testid=pay-continue]:not([aria-disabled])').waitFor();
    covers(`route ${path}`);
  }
});

test('a visitor who pays signs in first and comes back to the same page and amount', async () => {
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
  expect(await newestTransfer(page)).toMatchObject({ amount: '55.50', currency: 'EUR' });
});

test('an amount that cannot be paid disables the pay button, which says why when pressed', async () => {
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

test('fixed rates are labelled as a demonstration beside the amount that is paid out', async () => {
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

test('/fixed-stripe pays an amount that was edited while the card form was open', async () => {
  const { page } = await sender();
  await open(page, '/fixed-stripe');
  await continueToCard(page);
  await page.getByText('Edit Amount').click();
  await page.getByTestId('pay-amount').fill('20');
  await continueToCard(page);
  await payInBrowser(page, goodCard);
  await page.getByText('Make Another Payment').waitFor();
  const transfer = await paidWithoutRecipient(page);
  expect(transfer).toMatchObject({ amount: '20.00' });
  expect(await page.getByTestId('pay-reference').textContent()).toBe(transfer.paymentIntentId);
});

test('a transfer paid without a recipient can be approved once its sender has chosen one', async () => {
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

test('/payment-demo pays for a recipient that was chosen before paying', async () => {
  const { page } = await sender();
  const opened = page.waitForRequest((request) => request.url().endsWith('/api/create-payment-intent'));
  await open(page, '/dashboard');
  await addRecipient(page);
  await open(page, '/payment-demo');
  await page.getByTestId('pay-recipient').selectOption({ index: 1 });
  await continueToCard(page);
  await payInBrowser(page, goodCard);
  await page.getByTestId('pay-success').getByText('Rosa Mamani').waitFor();
  expect(await page.getByTestId('pay-choose-recipient').count()).toBe(0);
  expect((await opened).method()).toBe('POST');
  covers('call POST /api/create-payment-intent');
});
