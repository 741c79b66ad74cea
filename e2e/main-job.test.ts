import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../infra/testing/browser.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { balances, total } from './ledger.ts';
import {
  addRecipient,
  adminRow,
  decideInBrowser,
  enterAsAdmin,
  enterAsSender,
  payInBrowser,
  senderRow,
  signUpInBrowser,
  startSending,
} from './pages.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

const browser = useBrowser();
const app = useApp();

/** A sender with a recipient and an admin, each in a browser of their own, both live. */
async function twoPeople(
  options: { expectedErrors?: RegExp[]; senderUrl?: string; byForm?: true } = {},
): Promise<{ sender: Page; admin: Page; email: string }> {
  const { senderUrl = app.url(), byForm, ...pageOptions } = options;
  const [sender, admin] = await Promise.all([browser.newPage(pageOptions), browser.newPage()]);
  const [email] = await Promise.all([
    (byForm ? signUpInBrowser : enterAsSender)(sender, senderUrl),
    enterAsAdmin(admin, app.url()),
  ]);
  await addRecipient(sender);
  await Promise.all([live(sender), live(admin)]);
  return { sender, admin, email };
}

const live = (page: Page) =>
  page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });

/** Whether a page was loaded only once since the mark was set: nothing turned up by reloading. */
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

test('the main job: sign up, add a recipient, pay 100 EUR; the admin sees it and approves; the sender sees Completado, nobody reloads', async () => {
  const before = await app.sandbox.payouts();
  const { sender, admin, email } = await twoPeople({ byForm: true });
  const adminStayed = await markPage(admin);
  const opened = sender.waitForRequest((request) => request.url().includes('/create-payment-intent'));
  await startSending(sender);
  expect((await opened).postDataJSON()).toMatchObject({ currency: 'eur' });
  await expectText(sender, 'message payment: title');
  covers('route /dashboard', 'constant currencies USD and EUR', 'call POST /api/new-account/create-payment-intent');
  const answered = (path: string) => sender.waitForResponse((one) => one.url().includes(path) && one.ok());
  const told = Promise.all([answered('/payment-status/'), answered('/confirm-transaction')]);
  await payInBrowser(sender, '4242424242424242');
  await told;
  covers(
    'call GET /api/new-account/payment-status/{paymentIntentId}',
    'call POST /api/new-account/confirm-transaction',
  );
  await paidSucceeds(sender);
  await adminRow(admin, email, 'pending').waitFor();
  expect(await adminStayed()).toBe(true);

  await sender.getByTestId('pay-done').click();
  await senderRow(sender, 'pending').waitFor();
  await live(sender);
  const senderStayed = await markPage(sender);
  expect(await senderRow(sender, 'pending').textContent()).toContain('1.291,17');

  await decideInBrowser(admin, email, 'approve');
  await senderRow(sender, 'completed').waitFor();
  expect(await senderRow(sender, 'completed').textContent()).toContain('Completado');
  covers('message transfer: completed');
  await adminRow(admin, email, 'completed').waitFor();
  expect(await senderStayed()).toBe(true);
  expect(await adminStayed()).toBe(true);

  const books = await balances(app.databaseUrl);
  for (const accounts of Object.values(books)) expect(total(accounts)).toBe(0n);
  const known = new Set(before.map(({ externalId }) => externalId));
  const paidOut = (await app.sandbox.payouts()).filter(({ externalId }) => !known.has(externalId));
  expect(paidOut).toMatchObject([{ amount: '1291.17', status: 'paid' }]);
});

test('with 3-D Secure', async () => {
  const { sender, admin, email } = await twoPeople();
  await startSending(sender);
  await payInBrowser(sender, '4000002760003184');
  await sender.getByTestId('3ds-complete').click();
  await paidSucceeds(sender);
  await decideInBrowser(admin, email, 'approve');
  await sender.getByTestId('pay-done').click();
  await senderRow(sender, 'completed').waitFor();
});

test('declined, a second try with another card on the same payment', async () => {
  // A browser logs every 402 of Stripe's as an error of its own.
  const { sender } = await twoPeople({ expectedErrors: [/status of 402/] });
  await startSending(sender);
  await payInBrowser(sender, '4000000000009995');
  await sender.getByTestId('pay-error').waitFor();
  expect(await sender.getByTestId('pay-error').textContent()).toMatch(/fondos/);
  await payInBrowser(sender, '4242424242424242');
  await paidSucceeds(sender);
});

test('rejected: the sender sees it live, the hold is released and nothing is charged', async () => {
  const { sender, admin, email } = await twoPeople();
  await startSending(sender);
  await payInBrowser(sender, '4242424242424242');
  await paidSucceeds(sender);
  await sender.getByTestId('pay-done').click();
  await senderRow(sender, 'pending').waitFor();
  await decideInBrowser(admin, email, 'reject');
  await senderRow(sender, 'rejected').getByText('Rechazado').waitFor();
  covers('message transfer: rejected');
  const [intent] = await app.sandbox.intents();
  await until('the hold is gone', async () => (await app.sandbox.intents())[0]?.status === 'canceled');
  expect(intent?.amountReceived).toBe(0);
});

test('the browser is closed right after paying: the admin sees it all the same', async () => {
  const { sender, admin, email } = await twoPeople({ expectedErrors: [/ERR_FAILED/] });
  // Our own server never hears from this browser again; Stripe does.
  await startSending(sender);
  await sender.route(`${app.url()}/api/new-account/**`, (route) => route.abort());
  const confirmed = sender.waitForResponse((response) => response.url().includes('/confirm') && response.ok());
  await payInBrowser(sender, '4242424242424242');
  await confirmed;
  await sender.close();
  await adminRow(admin, email, 'pending').waitFor();
});

test.each([
  ['every webhook is lost', { mode: 'drop' }],
  ['every webhook comes three times in random order', { duplicate: 2, shuffle: true }],
  ['every webhook comes twice at the same instant', { simultaneous: 2 }],
] as const)('%s: the sender sees one transfer arrive', async (_name, mode) => {
  await app.sandbox.deliver(mode);
  onTestFinished(() => app.sandbox.deliver({}));
  const { sender, admin, email } = await twoPeople();
  await startSending(sender);
  await payInBrowser(sender, '4242424242424242');
  await paidSucceeds(sender);
  await sender.getByTestId('pay-done').click();
  await senderRow(sender, 'pending').waitFor();
  const payouts = (await app.sandbox.payouts()).length;
  await decideInBrowser(admin, email, 'approve');
  await senderRow(sender, 'completed').waitFor();
  expect(await sender.getByTestId('transfer-row').count()).toBe(1);
  expect((await app.sandbox.payouts()).length).toBe(payouts + 1);
});

test('two admins decide at once: one decision holds, the other admin reads whose it was', async () => {
  // A browser logs the 409 of the slower one as an error of its own.
  const expectedErrors = [/status of 409/];
  const { sender, admin, email } = await twoPeople();
  const [one, other] = await Promise.all([browser.newPage({ expectedErrors }), browser.newPage({ expectedErrors })]);
  await Promise.all([enterAsAdmin(one, app.url()), enterAsAdmin(other, app.url())]);
  await startSending(sender);
  await payInBrowser(sender, '4242424242424242');
  await paidSucceeds(sender);
  await adminRow(one, email, 'pending').getByTestId('admin-approve').click();
  await adminRow(other, email, 'pending').getByTestId('admin-reject').click();
  const confirms = [one, other].map((page) => page.getByTestId('admin-confirm'));
  for (const confirm of confirms) await confirm.waitFor();
  await Promise.all(confirms.map((confirm) => confirm.dispatchEvent('click')));
  const outcomes = [one, other].map((page) => page.getByTestId('admin-decision-outcome'));
  await until('one of them is told', async () => (await Promise.all(outcomes.map((told) => told.count()))).includes(1));
  const decided = await until('the decision is carried out', async () => {
    const status = await adminRow(admin, email).getAttribute('data-status');
    return status === 'completed' || status === 'rejected' ? status : null;
  });
  const slower = outcomes[decided === 'completed' ? 1 : 0];
  expect(await slower?.textContent()).toMatch(decided === 'completed' ? /aprob/ : /rechaz/);
  await sender.getByTestId('pay-done').click();
  await senderRow(sender, decided).waitFor();
});

test('the connection is lost and comes back: what happened meanwhile is there without a reload', async () => {
  const proxy = await startTcpProxy(app.url());
  onTestFinished(() => proxy.close());
  const { sender, admin, email } = await twoPeople({
    senderUrl: proxy.url,
    expectedErrors: [/ERR_(EMPTY_RESPONSE|CONNECTION_\w+|SOCKET_NOT_CONNECTED)/, /WebSocket connection/],
  });
  await startSending(sender);
  await payInBrowser(sender, '4242424242424242');
  await paidSucceeds(sender);
  await sender.getByTestId('pay-done').click();
  await senderRow(sender, 'pending').waitFor();
  await live(sender);
  const stayed = await markPage(sender);
  proxy.disconnect();
  await sender.locator('[data-testid=live-status][data-state=reconnecting]').waitFor({ state: 'attached' });
  await decideInBrowser(admin, email, 'approve');
  await adminRow(admin, email, 'completed').waitFor();
  proxy.reconnect();
  await senderRow(sender, 'completed').waitFor({ timeout: 30_000 });
  expect(await stayed()).toBe(true);
}, 120_000);
