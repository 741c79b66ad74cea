import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { failureResponses as failures } from '../api/http/failure-responses.ts';
import { type PageOptions, useBrowser, viewports } from '../infra/testing/browser.ts';
import { expectAccessible, expectAccessibleAtAnyWidth } from './accessibility.ts';
import { sampleRecipient } from './api-client.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { expectKeyboardReachesAll } from './keyboard.ts';
import { cardForm, fillSending, payInBrowser, senderRow, startSending } from './pages.ts';
import { useApp } from './test-app.ts';

const browser = useBrowser();
const app = useApp();

const sender = (options: PageOptions = {}) => senderAtPanel(app, browser.newPage, options);
const goodCard = '4242424242424242';

/** Mocks a failure of the next such call. */
async function fail(page: Page, path: string, method: string, code: keyof typeof failures): Promise<void> {
  const { status, message } = failures[code];
  let left = 1;
  await page.route(`${app.url()}${path}`, (route) => {
    if (route.request().method() !== method || left === 0) return route.fallback();
    left -= 1;
    return route.fulfill({ status, json: { code, message } });
  });
}

test('the dashboard of a new sender is empty and shows no samples', async () => {
  const { page, open } = await sender();
  await open();
  await page.getByTestId('comparison-widget').getByTestId('comparison-row').first().waitFor();
  await page.getByTestId('rate-USD').waitFor();
  covers(
    'call GET /api/dashboard',
    'call GET /api/transactions',
    'call GET /api/recipients',
    'call GET /api/rate',
    'call GET /api/exchange-rates',
  );
  await expectText(page, 'message recipients: empty');
  await expectText(page, 'message transfers: empty');
  expect(await page.getByTestId('transfer-row').count()).toBe(0);
  covers('route /dashboard', 'rule sample transactions');
  expect(await page.getByTestId('send-amount').inputValue()).toBe('100');
  covers('constant default amount 100');
  await expectKeyboardReachesAll(page);
  await expectAccessibleAtAnyWidth(page);
});

describe('recipients', () => {
  test('a new recipient is refused with the message of each field, and a failure keeps what was typed', async () => {
    const { page, open } = await sender({ expectedErrors: [/status of 503/] });
    await open();
    await page.getByTestId('recipient-add').first().click();
    await page.getByText('Añadir nuevo destinatario').waitFor();
    const fields = ['name', 'email', 'phone', 'ci', 'bankAccount', 'address', 'city', 'relationship'] as const;
    const field = (name: string) => page.getByTestId(`recipient-${name}`);
    for (const name of fields) expect(await field(name).inputValue()).toBe('');
    await page.getByTestId('recipient-submit').click();
    for (const row of ['name', 'phone', 'ci', 'bank', 'account', 'address', 'city'] as const) {
      await expectText(page, `message recipient: ${row}`);
    }
    await field('email').fill('rosa@');
    await page.getByTestId('recipient-submit').click();
    await expectText(page, 'message recipient: email');
    await field('email').fill('');
    for (const name of fields)
      if (name !== 'email' && name !== 'relationship') await field(name).fill(sampleRecipient[name]);
    // One character short of each least length is refused, the least itself is taken.
    const least = { name: 'Al', phone: '71234567', ci: '12345', bankAccount: '12345', address: 'Calle', city: 'Uy' };
    for (const [name, value] of Object.entries(least)) {
      await field(name).fill(value.slice(0, -1));
      await field(name).blur();
      await page.locator(`[data-testid=recipient-${name}][aria-invalid=true]`).waitFor();
      await field(name).fill(value);
      await field(name).blur();
      await page.locator(`[data-testid=recipient-${name}]:not([aria-invalid=true])`).waitFor();
    }
    covers('constant recipient minimum lengths');
    await field('bankName').selectOption(sampleRecipient.bankName);
    await fail(page, '/api/recipients', 'POST', 'unavailable');
    await page.getByTestId('recipient-submit').click();
    await expectText(page, 'message recipient: add failed');
    expect(await field('name').inputValue()).toBe('Al');
    await page.getByTestId('recipient-submit').click();
    const row = page.getByTestId('recipient-row');
    await row.filter({ hasText: 'Familiar' }).waitFor();
    covers('rule relationship', 'rule recipient optional fields');
  });

  test('a recipient is edited on a tab of the dialog, and cancelling restores it', async () => {
    const { page, ...person } = await sender({ expectedErrors: [/status of 503/] });
    const id = await person.addRecipient();
    await person.open();
    await page.getByRole('button', { name: 'Ver detalles de Rosa Mamani' }).click();
    const tab = (name: string) => page.getByRole('tab', { name });
    await tab('Detalles').waitFor();
    for (const action of ['Cerrar', 'Enviar Dinero']) {
      await page.getByRole('dialog').getByText(action, { exact: true }).waitFor();
    }
    expect(await tab('Editar').isDisabled()).toBe(true);
    await page.getByTestId('recipient-edit').click();
    expect(await tab('Editar').getAttribute('aria-selected')).toBe('true');
    await page.getByTestId('recipient-name').fill('Otra');
    await page.getByTestId('recipient-form').getByRole('button', { name: 'Cancelar' }).click();
    expect(await tab('Detalles').getAttribute('aria-selected')).toBe('true');
    expect(await tab('Editar').isDisabled()).toBe(true);
    await page.getByTestId('recipient-edit').click();
    expect(await page.getByTestId('recipient-name').inputValue()).toBe('Rosa Mamani');
    covers('rule recipient dialog');
    await page.getByTestId('recipient-name').fill('Rosa Quispe');
    await fail(page, `/api/recipients/${id}`, 'PUT', 'unavailable');
    await page.getByTestId('recipient-submit').click();
    await expectText(page, 'message recipient: edit failed');
    await page.getByTestId('recipient-submit').click();
    await page.getByRole('heading', { name: 'Rosa Quispe' }).waitFor();
    await page.getByTestId('recipient-send').click();
    expect(await page.getByTestId('send-recipient').inputValue()).toBe(id);
  });
});

describe('transactions', () => {
  test('transactions are found by name and status, in a table on large screens and cards on small ones', async () => {
    const { page, ...person } = await sender();
    await person.pay(await person.addRecipient());
    await person.pay(await person.addRecipient({ name: 'Juan Condori' }));
    await person.open();
    const rows = page.getByTestId('transfer-row');
    await rows.nth(1).waitFor();
    expect(await page.locator('tr[data-testid=transfer-row]').count()).toBe(2);
    await page.getByTestId('transfer-search').fill('CONDO');
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.textContent()).toContain('Juan Condori');
    await page.getByTestId('transfer-search').fill('nadie');
    await expectText(page, 'message transfers: none found');
    covers('rule search of transactions');
    await page.getByTestId('transfer-search').fill('');
    await page.getByTestId('transfer-status').selectOption('completed');
    await page.getByText('No se encontraron transacciones').waitFor();
    await page.getByTestId('transfer-status').selectOption('');
    await rows.nth(1).waitFor();
    await page.setViewportSize(viewports.phone);
    await page.locator('button[data-testid=transfer-row]').nth(1).waitFor();
    await expectAccessible(page);
  });
});

describe('paying', () => {
  test('amount and age are limited, and the fee is 3.5 %', async () => {
    const { page, ...person } = await sender();
    await person.addRecipient();
    await person.open();
    await page.getByTestId('breakdown-fee').filter({ hasText: '$ 3,50' }).waitFor();
    covers('constant fee 3.5 %');
    await page.getByTestId('send-recipient').selectOption({ index: 1 });
    const amount = page.getByTestId('send-amount');
    await amount.fill('9.99');
    await page.getByText(failures.amount_too_small.message).waitFor();
    expect(await page.getByTestId('send-submit').isDisabled()).toBe(true);
    covers('constant minimum payment 10');
    await amount.fill('3000.01');
    await page.getByText('El monto máximo por envío es de $ 3.000,00.').waitFor();
    expect(await page.getByTestId('send-submit').isDisabled()).toBe(true);
    covers('constant maximum 3,000');
    await amount.fill('10');
    const born = new Date();
    born.setFullYear(born.getFullYear() - 18, born.getMonth(), born.getDate() + 2);
    await page.getByTestId('send-birth-date').fill(born.toISOString().slice(0, 10));
    await page.getByTestId('breakdown-fee').filter({ hasText: '$ 0,35' }).waitFor();
    await page.getByTestId('send-submit').click();
    await page.getByText(failures.under_age.message).waitFor();
    expect(await page.getByTestId('pay-dialog').count()).toBe(0);
    covers('constant minimum age 18');
  });

  test('a payment that could not be prepared is tried again and paid; one that was not recorded asks not to pay again', async () => {
    const { page, ...person } = await sender({ expectedErrors: [/status of 502/, /status of 409/] });
    await person.addRecipient();
    await person.open();
    await fail(page, '/api/new-account/create-payment-intent', 'POST', 'payment_not_started');
    await fillSending(page);
    await expectText(page, 'message payment: title');
    await expectText(page, 'message payment: not started');
    await expectText(page, 'message payment: form missing');
    await expectText(page, 'message payment: card error');
    await page.getByTestId('pay-retry').click();
    await cardForm(page).getByTestId('card-number').waitFor();
    await payInBrowser(page, goodCard);
    await expectText(page, 'message payment: received');
    await page.getByText(/El destinatario recibirá los fondos en Bolivia hacia el/).waitFor();
    covers('message payment: delivery', 'constant delivery estimate');
    await page.getByTestId('pay-done').click();
    await senderRow(page, 'pending').waitFor();

    // A second payment, whose card is held but which is not recorded.
    await startSending(page);
    await fail(page, '/api/new-account/confirm-transaction', 'POST', 'payment_not_completed');
    await payInBrowser(page, goodCard);
    await expectText(page, 'message payment: not recorded');
    await page.getByRole('button', { name: 'Volver al panel' }).click();
    await page.locator('[data-testid=transfer-row][data-status=pending]').nth(1).waitFor();
  });
});

test('a sender sees live that a transfer was rejected, and why', async () => {
  const { page, ...person } = await sender();
  const { id } = await person.pay(await person.addRecipient());
  await person.open(id);
  await app.admin.call(endpoints.reject, { params: { id }, body: { reason: 'Faltan datos' } });
  await expectText(page, 'message transfer: rejected');
  await page.getByText('Faltan datos').waitFor();
  expect(await page.getByTestId('transfer-cancel').count()).toBe(0);
  await expectAccessible(page);
});
