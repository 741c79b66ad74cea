/** What the specification says of the sender's panel: recipients, transactions, and a payment that cannot be opened. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { type PageOptions, useBrowser } from '../../infra/testing/browser.ts';
import { openPayment, payWithCard, sampleRecipient, signIn } from '../api-client.ts';
import { addRecipient, enterAsSender, senderRow } from '../pages.ts';
import { useApp } from '../test-app.ts';
import { until } from '../until.ts';
import { covers, expectText } from './coverage.ts';
import type { RowId } from './specification.ts';

const password = 'una-clave-larga';
const browser = useBrowser();
const app = useApp();

/** The panel of somebody who signed up a moment ago. */
async function openPanel(options: PageOptions = {}): Promise<{ page: Page; email: string }> {
  const page = await browser.newPage(options);
  const email = await enterAsSender(page, app.url());
  return { page, email };
}

const field = (page: Page, name: string) => page.getByTestId(`recipient-${name}`);

/** A field's row, what is one character too short for it, and what is just long enough. */
const shortest = [
  ['name', 'message recipient: name', 'A', 'Al'],
  ['phone', 'message recipient: phone', '7123456', '71234567'],
  ['ci', 'message recipient: ci', '1234', '12345'],
  ['bankAccount', 'message recipient: account', '1234', '12345'],
  ['address', 'message recipient: address', 'Av 1', 'Av 12'],
  ['city', 'message recipient: city', 'L', 'LP'],
] as const satisfies [string, RowId, string, string][];

test('nothing yet: lists say that they are empty, and show no samples', async () => {
  const { page } = await openPanel();
  await expectText(page, 'message recipients: empty');
  await expectText(page, 'message transfers: empty');
  expect(await page.getByTestId('transfer-row').count()).toBe(0);
  covers('route /dashboard', 'rule sample transactions');
  await page.getByTestId('comparison-widget').getByTestId('comparison-row').first().waitFor();
  await page.getByTestId('rate-USD').waitFor();
  await page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });
  covers(
    'call GET /api/dashboard',
    'call GET /api/transactions',
    'call GET /api/recipients',
    'call GET /api/rate',
    'call GET /api/exchange-rates',
  );
});

test('a recipient: what each field asks for, what may stay empty, and what happens when nobody answers', async () => {
  const { page } = await openPanel({ expectedErrors: [/status of 500/] });
  await page.getByTestId('recipient-add').first().click();
  await page.getByText('Añadir nuevo destinatario').waitFor();
  const all = [...shortest.map(([name]) => name), 'bankName', 'email', 'relationship'];
  for (const name of all) expect([name, await field(page, name).inputValue()]).toEqual([name, '']);

  for (const [name, , tooShort] of shortest) await field(page, name).fill(tooShort);
  await field(page, 'email').fill('rosa@');
  await page.getByTestId('recipient-submit').click();
  for (const [, message] of shortest) await expectText(page, message);
  await expectText(page, 'message recipient: email');
  await expectText(page, 'message recipient: bank');

  for (const [name, , , enough] of shortest) await field(page, name).fill(enough);
  await field(page, 'email').fill('');
  await field(page, 'bankName').selectOption(sampleRecipient.bankName);
  const path = `**${endpoints.createRecipient.path}`;
  await page.route(path, (route) => route.fulfill({ status: 500, json: { code: 'internal', message: 'No se pudo.' } }));
  await page.getByTestId('recipient-submit').click();
  await expectText(page, 'message recipient: add failed');
  await page.unroute(path);
  await page.getByTestId('recipient-submit').click();
  const row = page.getByTestId('recipient-row');
  await row.getByText('Familiar', { exact: true }).waitFor();
  covers('rule relationship', 'rule recipient optional fields', 'constant recipient minimum lengths');
});

test('the details of a recipient: editing opens a tab of its own, cancelling it changes nothing', async () => {
  const { page } = await openPanel({ expectedErrors: [/status of 500/] });
  await addRecipient(page);
  const row = page.getByTestId('recipient-row');
  await row.getByRole('button').click();
  const dialog = page.getByRole('dialog');
  const editTab = dialog.getByRole('tab', { name: 'Editar' });
  expect(await editTab.isDisabled()).toBe(true);
  for (const action of ['Cerrar', 'Enviar Dinero']) await dialog.getByText(action, { exact: true }).waitFor();
  await page.getByTestId('recipient-edit').click();
  await field(page, 'city').fill('Oruro');
  await dialog.getByText('Cancelar').click();
  await dialog.getByText('La Paz').waitFor();
  expect(await editTab.isDisabled()).toBe(true);
  await page.getByTestId('recipient-edit').click();
  expect(await field(page, 'city').inputValue()).toBe('La Paz');
  covers('rule recipient dialog');

  await field(page, 'city').fill('Sucre');
  const changing = (url: URL) => url.pathname.startsWith('/api/recipients/');
  await page.route(changing, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'No se pudo.' } }),
  );
  await page.getByTestId('recipient-submit').click();
  await expectText(page, 'message recipient: edit failed');
  await page.unroute(changing);
  await page.getByTestId('recipient-submit').click();
  await dialog.getByText('Sucre').waitFor();
});

test('transactions are searched; one that could not be charged stands there as such', async () => {
  const { page, email } = await openPanel();
  const sender = await signIn(app.url, email, password);
  const payment = await openPayment(sender);
  await payWithCard(app.stack.sandboxUrl, payment);
  await senderRow(page, 'pending').getByText('EN PROCESO').waitFor();
  const { id = '' } = (await sender.call(endpoints.listTransfers)).items[0] ?? {};
  // Stripe is out of order (the SDK asks three times) until the hold has ended behind the approval's back.
  await app.sandbox.fault({ kind: 'error', path: '/capture$', times: 3 });
  onTestFinished(() => app.sandbox.clearFaults());
  await app.admin.call(endpoints.approve, { params: { id } });
  await app.sandbox.expireHold(payment.paymentIntentId);
  await senderRow(page, 'failed').getByText('Fallido').waitFor();
  covers('message transfer: failed');
  await page.getByTestId('transfer-search').fill('nadie con este nombre');
  await expectText(page, 'message transfers: none found');
  await page.getByTestId('transfer-search').fill('ROSA mamani');
  await senderRow(page, 'failed').waitFor();
  covers('rule search of transactions');
});

test('a payment that cannot be opened says so and is tried again', async () => {
  const { page } = await openPanel({ expectedErrors: [/status of 502/] });
  await addRecipient(page);
  const path = `**${endpoints.createPaymentIntent.path}`;
  await page.route(path, (route) =>
    route.fulfill({ status: 502, json: { code: 'payment_not_started', message: 'No se pudo.' } }),
  );
  // Whoever was just added is chosen already.
  const submit = page.getByTestId('send-submit');
  await page.getByTestId('send-birth-date').fill('1990-05-17');
  await page.getByTestId('send-amount').fill('9,99');
  await until('too little cannot be sent', () => submit.isDisabled());
  await page.getByTestId('send-amount').fill('100');
  await until('enough can be sent', () => submit.isEnabled());
  await submit.click();
  await expectText(page, 'message payment: form missing');
  await expectText(page, 'message payment: not started');
  await page.unroute(path);
  await page.getByTestId('pay-retry').click();
  await page.getByTestId('card-number').waitFor();
});
