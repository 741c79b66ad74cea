import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../infra/testing/browser.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { balances, query, total } from './ledger.ts';
import {
  addRecipient,
  adminRow,
  approveByKeys,
  bankQuestion,
  cardForm,
  enterAsAdmin,
  fillSending,
  payInBrowser,
  senderRow,
  signUpInBrowser,
  typeEmailedCode,
} from './pages.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

const browser = useBrowser();
const app = useApp();

/** A sender who signs up and adds a recipient, and an admin, each in a browser context of their own with a live connection. */
async function senderAndAdmin(expectedErrors: RegExp[]): Promise<{ sender: Page; admin: Page; email: string }> {
  const [sender, admin] = await Promise.all([browser.newPage({ expectedErrors }), browser.newPage()]);
  const [email] = await Promise.all([signUpInBrowser(sender, app.url()), enterAsAdmin(admin, app.url())]);
  await addRecipient(sender);
  await Promise.all([live(sender), live(admin)]);
  return { sender, admin, email };
}

const live = (page: Page) =>
  page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });

/** Marks a page; the returned function tells whether it has not been reloaded since. */
async function markPage(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { unloaded: false }));
  return () => page.evaluate(() => 'unloaded' in window);
}

async function paidSucceeds(sender: Page): Promise<void> {
  const success = sender.getByTestId('pay-success');
  await success.waitFor();
  await expectText(sender, 'message payment: received');
  await success.getByText(/^El destinatario recibirá los fondos en Bolivia hacia el /).waitFor();
  covers('message payment: delivery', 'constant delivery estimate');
}

test('a new sender adds a recipient and pays 100 EUR with a second card after a declined one, an admin approves by keyboard, both see every step live without a reload, and the receipt prints', async () => {
  const before = await app.sandbox.payouts();
  // A browser logs every 402 of Stripe's as an error.
  const { sender, admin, email } = await senderAndAdmin([/status of 402/]);
  const adminStayed = await markPage(admin);
  const opened = sender.waitForRequest((request) => request.url().includes('/create-payment-intent'));
  await fillSending(sender);
  await typeEmailedCode(sender, app, email);
  await cardForm(sender).getByTestId('card-number').waitFor();
  expect((await opened).postDataJSON()).toMatchObject({ currency: 'eur' });
  await expectText(sender, 'message payment: title');
  covers(
    'route /dashboard',
    'constant currencies USD and EUR',
    'call POST /api/auth/register',
    'call POST /api/new-account/create-payment-intent',
  );
  const answered = (path: string) => sender.waitForResponse((one) => one.url().includes(path) && one.ok());
  const recorded = Promise.all([answered('/payment-status/'), answered('/confirm-transaction')]);
  await payInBrowser(sender, '4000000000009995');
  await sender.getByTestId('pay-error').filter({ hasText: 'fondos' }).waitFor();
  // On the same payment.
  await payInBrowser(sender, '4000002760003184');
  await bankQuestion(sender).getByTestId('3ds-complete').click();
  await recorded;
  covers(
    'call GET /api/new-account/payment-status/{paymentIntentId}',
    'call POST /api/new-account/confirm-transaction',
  );
  await paidSucceeds(sender);
  await adminRow(admin, email, 'pending').waitFor();
  expect(await adminStayed()).toBe(true);

  await sender.getByTestId('pay-done').click();
  await senderRow(sender, 'pending').waitFor();
  await sender.getByTestId('rate-EUR').waitFor();
  await sender.getByTestId('summary-total').filter({ hasText: '$' }).waitFor();
  covers('call GET /api/dashboard', 'call GET /api/transactions', 'call GET /api/recipients', 'call GET /api/rate');
  await live(sender);
  const senderStayed = await markPage(sender);
  expect(await senderRow(sender, 'pending').textContent()).toContain('1.291,17');

  const transferId = await newestTransferOf(email);
  await approveByKeys(admin, transferId);
  await senderRow(sender, 'completed').waitFor();
  expect(await senderRow(sender, 'completed').textContent()).toContain('Completado');
  covers('message transfer: completed');
  await adminRow(admin, email, 'completed').waitFor();
  covers('rule admin approves', 'call POST /api/admin/transactions/{id}/approve');
  expect(await senderStayed()).toBe(true);
  expect(await adminStayed()).toBe(true);

  const books = await balances(app.databaseUrl);
  for (const accounts of Object.values(books)) expect(total(accounts)).toBe(0n);
  const known = new Set(before.map(({ externalId }) => externalId));
  const paidOut = (await app.sandbox.payouts()).filter(({ externalId }) => !known.has(externalId));
  expect(paidOut).toMatchObject([{ amount: '1291.17', status: 'paid' }]);

  const subjects = async () => {
    const all = (await app.sandbox.mails(email)).map(({ subject }) => subject.replaceAll('\u00a0', ' '));
    return all.filter((subject) => !/^\d{6} es tu código/.test(subject));
  };
  const steps = [
    'Aprobamos tu envío de 100,00 EUR',
    'Depositamos Bs 1.291,17 a tu familia',
    'Recibimos tu envío de 100,00 EUR',
  ];
  await until('an e-mail of each step arrives', async () => (await subjects()).length >= steps.length);
  expect((await subjects()).sort()).toEqual(steps);
  await expectReceiptOnPaper(sender, transferId);
}, 120_000);

async function newestTransferOf(email: string): Promise<string> {
  const sql = `select transfer.id from transfer join app_user on app_user.id = user_id
    where email = $1 order by transfer.created_at desc limit 1`;
  const [transfer] = await query<{ id: string }>(app.databaseUrl, sql, [email]);
  return transfer?.id ?? '';
}

/** Asserts that the receipt of a completed transfer prints in both languages, one after the other, on two sheets. */
async function expectReceiptOnPaper(sender: Page, id: string): Promise<void> {
  await sender.goto(`${app.url()}/recibo/${id}`);
  await sender.locator('[data-testid=receipt][data-state=completed]').waitFor();
  await sender.getByText(/Depositado en Bolivia el/).waitFor();
  expect(await sender.getByTestId('receipt').textContent()).toMatch(/BO\d{10}/);
  await sender.emulateMedia({ media: 'print' });
  for (const hidden of ['receipt-print', 'live-status'])
    expect(await sender.getByTestId(hidden).isVisible()).toBe(false);
  expect(await sender.locator('footer').isVisible()).toBe(false);
  for (const sheet of ['receipt', 'receipt-other']) expect(await sender.getByTestId(sheet).isVisible()).toBe(true);
  expect(await sender.getByTestId('receipt-other').textContent()).toContain('Deposited in Bolivia');
  const paper = (await sender.pdf({ format: 'A4' })).toString('latin1');
  expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
}
