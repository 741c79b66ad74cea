import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { type PageOptions, useBrowser, viewports } from '../infra/testing/browser.ts';
import { expectAccessible } from './accessibility.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { query } from './ledger.ts';
import { adminRow, cardForm, enterAsAdmin, senderRow } from './pages.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

// Axe checks many states in two colour schemes.
vi.setConfig({ testTimeout: 180_000 });

const browser = useBrowser();
const app = useApp();

const sender = (options: PageOptions = {}) => senderAtPanel(app, browser.newPage, options);
const approve = (id: string) => app.admin.call(endpoints.approve, { params: { id } });
const intentOf = async (paymentIntentId: string | null) =>
  (await app.sandbox.intents()).find(({ id }) => id === paymentIntentId);
const detail = (page: Page, state: string) => page.locator(`[data-testid=transfer-detail][data-state=${state}]`);

/** Stops the worker, so that nothing is captured or paid out; the returned function starts it again. */
async function withoutWorker(): Promise<() => Promise<void>> {
  let away = true;
  await app.stack.stop('worker');
  const back = async () => {
    if (away) await app.stack.start('worker');
    away = false;
  };
  onTestFinished(back);
  return back;
}

async function cancelInBrowser(page: Page): Promise<void> {
  await page.getByTestId('transfer-cancel').click();
  await page.getByTestId('cancel-confirm').click();
}

describe('cancelling', () => {
  test('a sender cancels a transfer in review, reads what becomes of the money, and the authorization is voided', async () => {
    const { page, ...person } = await sender({ viewport: viewports.phone });
    const recipientId = await person.addRecipient();
    const { id, paymentIntentId } = await person.pay(recipientId);
    await person.open();
    const admin = await browser.newPage();
    await enterAsAdmin(admin, app.url());
    await adminRow(admin, person.email, 'pending').filter({ hasText: 'Pendiente' }).waitFor();
    covers('message transfer: pending');
    await senderRow(page, 'pending').filter({ hasText: 'EN PROCESO' }).click();
    expect(new URL(page.url()).searchParams.get('envio')).toBe(id);
    expect(await page.getByTestId('cancel-countdown').count()).toBe(0);
    await page.getByTestId('transfer-cancel').click();
    const dialog = page.getByTestId('cancel-dialog');
    await dialog.getByText(/100,00 EUR están reservados.*no cobrados/).waitFor();
    await page.getByTestId('cancel-keep').click();
    await detail(page, 'in_review').waitFor();
    await cancelInBrowser(page);
    await detail(page, 'cancelled').waitFor();
    await page.getByText('Cancelado por ti: no se cobró nada').first().waitFor();
    expect(await page.getByTestId('transfer-cancel').count()).toBe(0);
    await until('the authorization is voided', async () => (await intentOf(paymentIntentId))?.status === 'canceled');
    await page.keyboard.press('Escape');
    await senderRow(page, 'cancelled').waitFor();
    expect(page.url()).not.toContain('envio');

    await senderRow(page, 'cancelled').click();
    await page.getByTestId('transfer-repeat').click();
    await page.getByTestId('transfer-detail').waitFor({ state: 'detached' });
    expect(await page.getByTestId('send-recipient').inputValue()).toBe(recipientId);
    expect(await page.getByTestId('send-amount').inputValue()).toMatch(/^100/);
    await page.getByTestId('send-submit').click();
    await cardForm(page).getByTestId('card-number').waitFor();
  });

  test('what becomes of approved transfers that are cancelled, too old or without authorization while the worker is down', async () => {
    const { page, ...person } = await sender({ ownContext: true });
    const recipientId = await person.addRecipient();
    const cancelled = await person.pay(recipientId);
    const old = await person.pay(recipientId);
    const failed = await person.pay(recipientId);
    const captured = await person.pay(recipientId);
    const workerBack = await withoutWorker();
    for (const { id } of [cancelled, old, failed, captured]) await approve(id);
    await app.sandbox.expireHold(failed.paymentIntentId ?? '');
    // As by a worker that died before it could record it.
    const capture = await fetch(`${app.stack.sandboxUrl}/v1/payment_intents/${captured.paymentIntentId}/capture`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_sandbox' },
    });
    expect(capture.status).toBe(200);

    await person.open(cancelled.id);
    await detail(page, 'approved').waitFor();
    await page
      .getByTestId('cancel-countdown')
      .filter({ hasText: /quedan (30:00|29:\d\d)/ })
      .waitFor();
    await expectAccessible(page);
    await cancelInBrowser(page);
    await page.getByText('Pediste cancelar: lo estamos deshaciendo').waitFor();

    // More than 30 minutes after the payment nothing is offered.
    const paidBefore = (interval: string) =>
      query(app.databaseUrl, 'update transfer set paid_at = now() - $2::interval where id = $1', [old.id, interval]);
    await paidBefore('29 minutes');
    await page.clock.install();
    await person.open(old.id);
    await page
      .getByTestId('cancel-countdown')
      .filter({ hasText: /quedan 0:\d\d/ })
      .waitFor();
    await page.clock.fastForward('01:00');
    await page.getByTestId('cancel-offer').waitFor({ state: 'detached' });
    await paidBefore('30 minutes');
    const refused = await page.request.post(`${app.url()}/api/transactions/${old.id}/cancel`, { data: {} });
    expect((await refused.json()).code).toBe('cancel_too_late');

    await person.open(captured.id);
    await cancelInBrowser(page);
    await page.getByText('Pediste cancelar: lo estamos deshaciendo').waitFor();
    await workerBack();
    await detail(page, 'refunded').waitFor();
    await page.getByText('Cancelado por ti: tu dinero vuelve a tu tarjeta').waitFor();
    expect(await intentOf(captured.paymentIntentId)).toMatchObject({ amountReceived: 10_000, amountRefunded: 10_000 });
    expect((await app.sandbox.payouts()).filter(({ externalId }) => externalId === captured.id)).toEqual([]);
    await page.getByTestId('transfer-receipt').click();
    await page.getByTestId('receipt-standing').filter({ hasText: 'Devuelto completo a tu tarjeta' }).waitFor();

    await person.reaches(cancelled.id, 'cancelled');
    await person.reaches(failed.id, 'failed');
    expect(await intentOf(cancelled.paymentIntentId)).toMatchObject({ status: 'canceled', amountReceived: 0 });
    await person.open(cancelled.id);
    await detail(page, 'cancelled').waitFor();
    await page.keyboard.press('Escape');
    await senderRow(page, 'failed').waitFor();
    await expectText(page, 'message transfer: failed');
  });
});

test('a receipt contains what the law requires in both languages, follows its transfer and prints on two sheets', async () => {
  const { page, ...person } = await sender({ viewport: viewports.phone, expectedErrors: [/status of 400/] });
  const { id } = await person.pay(await person.addRecipient());
  await page.goto(`${app.url()}/recibo/nada`);
  await page.getByRole('heading', { name: 'No encontramos este recibo' }).waitFor();
  await page.goto(`${app.url()}/recibo/${id}`);
  const receipt = page.getByTestId('receipt');
  await receipt.waitFor();
  const text = async () =>
    (await receipt.locator('p, h1, h2, dt, dd').allTextContents()).join(' ').replace(/\s+/g, ' ');
  const spanish = await text();
  for (const item of [
    /Carmen Rojas/,
    /Rosa Mamani.*CI 4567890/,
    /Banco Unión Cuenta terminada en 5678/,
    /Monto que se transfiere 96,50 EUR/,
    /Comisión de Chasqui 3,50 EUR/,
    /Impuestos \(exento por pago con tarjeta\) 0,00 EUR/,
    /Total pagado 100,00 EUR/,
    /Tasa de cambio 1 EUR = 13,38 Bs/,
    /Total para el destinatario Bs 1\.291,17/,
    /Disponible en Bolivia hacia el/,
    /30 minutos/,
    /180 días/,
    /ayuda@example\.com/,
    /CFPB.*855-411-2372/,
  ]) {
    expect(spanish).toMatch(item);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewports.phone.width);
  await expectAccessible(page);
  await page.getByTestId('receipt-language').getByText('English').click();
  await page.locator('[data-testid=receipt][lang=en]').waitFor();
  const english = await text();
  for (const item of [
    /Rosa Mamani ID card 4567890/,
    /Banco Unión Account ending in 5678/,
    /Transfer Amount EUR 96\.50/,
    /Transfer Fees \(Chasqui\) EUR 3\.50/,
    /Transfer Taxes \(exempt: paid by card\) EUR 0\.00/,
    /Total EUR 100\.00/,
    /Exchange Rate 1 EUR = 13\.38 BOB/,
    /Other Fees and Taxes BOB 0\.00/,
    /Total to Recipient BOB 1,291\.17/,
    /Date Available in Bolivia by about \w+day, /,
    /full refund within 30 minutes of payment/,
    /dispute errors.*180 days/,
    /localhost:\d+\/en\/ayuda.*ayuda@example\.com/,
    /Consumer Financial Protection Bureau: 855-411-2372/,
  ]) {
    expect(english).toMatch(item);
  }
  await expectAccessible(page);
  await page.reload();
  await page.locator('[data-testid=receipt][lang=en]').waitFor();
  await page.getByTestId('receipt-language').getByText('Español').click();
  await approve(id);
  await page.locator('[data-testid=receipt][data-state=completed]').waitFor();
  await page.getByText(/Depositado en Bolivia el/).waitFor();
  expect(await receipt.textContent()).toMatch(/BO\d{10}/);
  await page.emulateMedia({ media: 'print' });
  for (const hidden of ['receipt-print', 'live-status']) expect(await page.getByTestId(hidden).isVisible()).toBe(false);
  expect(await page.locator('footer').isVisible()).toBe(false);
  // On paper both languages, one after the other.
  for (const sheet of ['receipt', 'receipt-other']) expect(await page.getByTestId(sheet).isVisible()).toBe(true);
  expect(await page.getByTestId('receipt-other').textContent()).toContain('Deposited in Bolivia');
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
});
