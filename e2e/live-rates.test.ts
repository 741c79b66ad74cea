import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { formatBolivianos } from '#core/money/format';
import { formatMinor } from '#core/money/money';
import { convert, formatRate, parseRate, type Rate } from '#core/rates/rate';
import { useBrowser } from '../infra/testing/browser.ts';
import { plain } from '../web/src/testing/plain.ts';
import { covers } from './conformance/coverage.ts';
import { balances, query, total } from './ledger.ts';
import { cardForm, enterAsAdmin, enterWithRecipient, payInBrowser, startSending } from './pages.ts';
import { adminAccount, changeRate, secondAdminAccount, useApp } from './test-app.ts';
import { until } from './until.ts';

/** Everybody here sends 100 USD: 3.50 of fee, the rest is exchanged. */
const amount = '100';
const netMinor = 9650n;
const arrives = (rate: string) => formatMinor(convert(netMinor, parseRate(rate) as Rate, 'down'));

const browser = useBrowser();
const app = useApp();
/** In force before each test, and what an admin may set alone from there: a step of a percent, below the market. */
let before: string;
let better: string;

beforeAll(async () => {
  const reference = await until('the market is known', async () => {
    const { currencies } = await app.admin.call(endpoints.rateManagement);
    return currencies.USD.reference?.rate;
  });
  const cent = 10_000n;
  const percentOf = (percent: bigint) => {
    const exact = ((parseRate(reference) as Rate) * percent) / 100n;
    return formatRate((exact - (exact % cent)) as Rate);
  };
  [before, better] = [percentOf(97n), percentOf(98n)];
});

beforeEach(() => changeRate(app, 'USD', before));
afterAll(() => changeRate(app, 'USD', '11.55'));

const live = (page: Page) =>
  page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });

async function openCalculator(page: Page): Promise<void> {
  // The front page does not show whether it is connected, so its socket is observed.
  const connected = new Promise<void>((resolve) => {
    page.on('websocket', (socket) => {
      // Socket.IO's packet that a connection was accepted.
      socket.on('framereceived', ({ payload }) => String(payload).startsWith('40') && resolve());
    });
  });
  await page.goto(`${app.url()}/#calculator`);
  await page.getByTestId('calculator-currency').getByText('USD').click();
  await page.getByTestId('calculator-amount').fill(amount);
  await Promise.all([connected, calculatorShows(page, before)]);
}

/** Marks a page; the returned function tells whether it has not been reloaded since. */
async function markPage(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { unloaded: false }));
  return () => page.evaluate(() => 'unloaded' in window);
}

/** A page of a sender with a recipient, with the card form open. */
async function openPayment() {
  const page = await browser.newPage();
  const email = await enterWithRecipient(page, app);
  await startSending(page, amount, 'USD');
  await live(page);
  return { page, email };
}

const withText = (page: Page, selector: string, text: string) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor();

const calculatorShows = (page: Page, rate: string) =>
  Promise.all([
    page.locator(`[data-testid=calculator-rate][data-rate="${rate}"]`).waitFor(),
    withText(page, '[data-testid=calculator-bs]', formatBolivianos(arrives(rate))),
  ]);

const betterIsOffered = (page: Page, rate: string) =>
  page.locator(`[data-testid=pay-better-rate][data-rate="${rate}"][data-bs="${arrives(rate)}"]`).waitFor();

const inDialog = (page: Page, testid: string) => page.getByTestId('pay-dialog').getByTestId(testid).textContent();

test('a better rate reaches the calculator and an open payment at once, and its sender pays at the rate they choose', async () => {
  const [admin, visitor] = await Promise.all([browser.newPage(), browser.newPage()]);
  await Promise.all([enterAsAdmin(admin, app.url()), openCalculator(visitor)]);
  const { page, email } = await openPayment();
  expect(await inDialog(page, 'pay-rate-notice')).toMatch(/^Te guardamos esta tasa hasta las \d\d:\d\d\.$/);
  const pages = [admin, visitor, page];
  const stayed = await Promise.all(pages.map(markPage));

  await admin.getByTestId('admin-tab-rates').click();
  await admin.getByTestId('admin-rate-input-USD').fill(better.replace('.', ','));
  await admin.getByTestId('admin-rate-save-USD').click();
  await Promise.all([calculatorShows(visitor, better), betterIsOffered(page, better)]);
  await admin.locator(`[data-testid=admin-rate-current-USD][data-rate="${better}"]`).waitFor();
  covers('call POST /api/admin/exchange-rate', 'call GET /api/admin/exchange-rate/history');
  expect(await visitor.getByTestId('pay-better-rate').count()).toBe(0);

  // Without any action the accepted terms continue to apply unchanged.
  expect(await inDialog(page, 'pay-rate-notice')).toMatch(/tu tasa aceptada se mantiene hasta las \d\d:\d\d/);
  expect(plain(await inDialog(page, 'pay-arrives'))).toBe(formatBolivianos(arrives(before)));
  await page.getByTestId('pay-use-better').click();
  await page
    .getByTestId('pay-dialog')
    .getByTestId('pay-arrives')
    .getByText(formatBolivianos(arrives(better)))
    .waitFor();
  await cardForm(page).getByTestId('card-number').waitFor();
  await payInBrowser(page, '4242424242424242');
  await page
    .getByTestId('pay-success')
    .getByText(formatBolivianos(arrives(better)))
    .waitFor();
  await expectPaidOut(email);
  expect(await Promise.all(stayed.map((ask) => ask()))).toEqual(pages.map(() => true));
});

/** Asserts that the payment at the better rate is approved, charged and paid out as shown, and that the one it replaced took no money. */
async function expectPaidOut(email: string): Promise<void> {
  const transfers = () =>
    query<{ id: string; state: string; rate: string; bolivianos_minor: string; payment_intent_id: string }>(
      app.databaseUrl,
      `select transfer.id, state, rate, bolivianos_minor, payment_intent_id from transfer join app_user on app_user.id = user_id
         where email = $1 order by transfer.created_at`,
      [email],
    );
  const paid = await until('the payment is in review', async () =>
    (await transfers()).find(({ state }) => state === 'in_review'),
  );
  await app.admin.call(endpoints.approve, { params: { id: paid.id } });
  await until('it is completed', async () => (await transfers()).find(({ state }) => state === 'completed'));
  const minor = arrives(better).replace('.', '');
  const [left, completed] = await transfers();
  expect(completed).toMatchObject({ id: paid.id, rate: String(parseRate(better)), bolivianos_minor: minor });
  expect(left).toMatchObject({ state: 'awaiting_payment', rate: String(parseRate(before)) });
  const payouts = (await app.sandbox.payouts()).filter(({ externalId }) => externalId === paid.id);
  expect(payouts).toMatchObject([{ amount: arrives(better), status: 'paid' }]);
  const intents = await app.sandbox.intents();
  const intentOf = (transfer?: { payment_intent_id: string }) =>
    intents.find(({ id }) => id === transfer?.payment_intent_id);
  expect(intentOf(completed)).toMatchObject({ amount: 10_000, amountReceived: 10_000, amountRefunded: 0 });
  expect(intentOf(left)).toMatchObject({ status: 'requires_payment_method', amountReceived: 0 });
  const booked = await query<{ amount_minor: string }>(
    app.databaseUrl,
    `select distinct amount_minor from ledger_posting where transfer_id = $1 and currency = 'BOB'`,
    [paid.id],
  );
  expect(booked).toEqual([{ amount_minor: minor }]);
  for (const accounts of Object.values(await balances(app.databaseUrl))) expect(total(accounts)).toBe(0n);
}

test('a rate that two admins scheduled is in force from its hour', async () => {
  const { admin, secondAdmin } = app;
  const activateAt = new Date(Date.now() + 1_000).toISOString();
  const body = { currency: 'USD', rate: '14.50', reason: 'Promoción de fin de año', activateAt } as const;
  const { change } = await admin.call(endpoints.setRate, { body });
  const params = { id: change.id };
  const byHerself = admin.call(endpoints.confirmRateChange, { params });
  await expect(byHerself).rejects.toMatchObject({ status: 403, code: 'second_person_needed' });
  const confirmed = await secondAdmin.call(endpoints.confirmRateChange, { params });
  expect(confirmed.change).toMatchObject({ state: 'scheduled', activateAt, decidedBy: secondAdminAccount.name });
  await until('it is in force', async () => {
    const { rate } = await admin.call(endpoints.getRate, { params: { currency: 'usd' } });
    return rate === '14.50';
  });
  const { items } = await admin.call(endpoints.rateHistory, { query: { currency: 'USD', limit: 1 } });
  expect(items[0]).toMatchObject({ rate: '14.50', state: 'activated', setBy: adminAccount.name });
  expect(Date.parse(items[0]?.activatedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(activateAt));
});
