import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { CaseReason } from '#core/operations/desk-case';
import { shiftDay } from '#core/reconciliation/days';
import { laPazDay } from '#core/time/time';
import { referenceOf } from '#core/transfers/reference';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { balances, total } from './ledger.ts';
import { enterAsAdmin } from './pages.ts';
import { readRecords, type TransferRecord } from './soak/records.ts';
import { adminAccount, secondAdminAccount, useApp } from './test-app.ts';

const browser = useBrowser();
const app = useApp();

const approve = (id: string) => app.admin.call(endpoints.approve, { params: { id } });
const detail = (page: Page, state: string) => page.locator(`[data-testid=transfer-detail][data-state=${state}]`);
const rowOf = (desk: Page, id: string, reason: CaseReason) =>
  desk.locator(`[data-testid=desk-case][data-reason=${reason}]`).filter({ hasText: referenceOf(id) });

/** The operations desk, or another tab, in the browser of an admin. */
async function openDesk(account = adminAccount, tab = 'operations'): Promise<Page> {
  const desk = await browser.newPage();
  await enterAsAdmin(desk, app.url(), account);
  await desk.getByTestId(`admin-tab-${tab}`).click();
  return desk;
}

/** Opens a case from the list, once it is there. */
async function openCase(desk: Page, id: string, reason: CaseReason): Promise<void> {
  await rowOf(desk, id, reason).getByTestId('desk-open').click();
  await desk.getByTestId('desk-details').waitFor();
}

async function closeDrawer(desk: Page): Promise<void> {
  await desk.keyboard.press('Escape');
  await desk.getByTestId('desk-details').waitFor({ state: 'detached' });
}

/** What product, Stripe and bank say of a transfer, once nothing about it moves any more. */
async function recordOf(id: string): Promise<TransferRecord> {
  const [record] = (await readRecords(app)).filter((one) => one.id === id);
  if (!record) throw new Error('no such transfer');
  return record;
}

const proof = { name: 'comprobante.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 devuelto') };

test('a refund that the card gives back stays a debt on every screen until two admins prove that it was paid by hand', async () => {
  const { page, ...person } = await senderAtPanel(app, browser.newPage);
  const desk = await openDesk();
  // Its refunds succeed and fail a moment later.
  const { id } = await person.pay(await person.addRecipient(), '4000000000005126');
  await person.open(id);
  await app.sandbox.bank({ rejectNext: 1, rejection: { code: 'format_42', message: 'Datos no admitidos.' } });
  await approve(id);
  await desk.getByTestId('desk-count').waitFor();
  await openCase(desk, id, 'payout_unexplained');
  await desk.getByTestId('desk-assign').click();
  await desk.getByText('Lo tienes tú').waitFor();
  await desk.getByTestId('desk-action-give_up_and_refund').click();
  await desk.getByTestId('desk-reason').fill('El banco no acepta los datos.');
  await desk.getByTestId('desk-confirm').click();
  await desk.getByTestId('desk-resolved').waitFor();
  await desk.getByTestId('desk-decided').getByText('El banco no acepta los datos.').waitFor();
  await rowOf(desk, id, 'payout_unexplained').waitFor({ state: 'detached' });
  await closeDrawer(desk);

  await detail(page, 'refunding').getByTestId('refund-bounced').getByText('Te debemos 100,00 EUR.').waitFor();
  expect((await recordOf(id)).books).toEqual(
    new Map([
      ['card_processor EUR', -10_000n],
      ['refund_due EUR', 10_000n],
    ]),
  );
  await openCase(desk, id, 'refund_failed');
  await desk.getByTestId('desk-action-refund_by_hand').click();
  await desk.getByTestId('desk-reason').fill('La tarjeta no acepta la devolución.');
  await desk.getByTestId('desk-confirm').click();
  await desk.getByTestId('desk-report').click();
  await desk.getByTestId('desk-bank_reference').fill('ES-2026-441');
  await desk.getByTestId('desk-amount').fill('100');
  const chooser = desk.waitForEvent('filechooser');
  await desk.getByTestId('desk-proof').click();
  await (await chooser).setFiles(proof);
  await desk.getByTestId('desk-reason').fill('Transferencia a su cuenta.');
  await desk.getByTestId('desk-confirm').click();
  // Money of this transfer was moved by hand before: nothing happens before somebody else agrees.
  await desk.getByTestId('desk-request').getByText('otra persona de administración').waitFor();
  await person.reaches(id, 'refunding');

  const colleague = await openDesk(secondAdminAccount);
  await openCase(colleague, id, 'refund_failed');
  await colleague.getByTestId('desk-request-amount').getByText('100,00 EUR').waitFor();
  await colleague.getByTestId('desk-request').getByText('ES-2026-441').waitFor();
  const download = colleague.waitForEvent('download');
  await colleague.getByTestId('desk-proof-link').click();
  expect((await download).suggestedFilename()).toBe(proof.name);
  await colleague.getByTestId('desk-approve').click();
  await colleague.getByRole('button', { name: 'Sí, salió del banco' }).click();
  await colleague.getByTestId('desk-resolved').waitFor();
  // The first admin and the sender see it without a reload.
  await desk.getByTestId('desk-resolved').waitFor();
  await closeDrawer(desk);
  await detail(page, 'refunded').waitFor();
  const record = await recordOf(id);
  expect(record.books).toEqual(
    new Map([
      ['bank EUR', 10_000n],
      ['card_processor EUR', -10_000n],
    ]),
  );
  expect(record.intent).toMatchObject({ amountReceived: 10_000, amountRefunded: 0 });
  expect(record.payouts).toMatchObject([{ status: 'rejected' }]);
});

test('a sender reports a problem of a paid transfer, an admin returns a part of it, and both see the report close', async () => {
  const { page, ...person } = await senderAtPanel(app, browser.newPage, { viewport: viewports.phone });
  const { id } = await person.pay(await person.addRecipient());
  await approve(id);
  await person.reaches(id, 'completed');
  await person.open(id);
  await page.getByTestId('report-problem').click();
  await page.getByTestId('report-reason-wrong_amount').check();
  await page.getByTestId('report-description').fill('Mi mamá recibió 30 Bs menos.');
  await page.getByTestId('report-wants-refund').check();
  await page.getByTestId('report-send').click();
  const report = (state: string) => page.locator(`[data-testid=own-complaint][data-state=${state}]`);
  await report('investigating').waitFor();

  const desk = await browser.newPage();
  await enterAsAdmin(desk, app.url());
  await desk.getByTestId('admin-tab-complaints').click();
  const row = desk.getByTestId('complaint').filter({ hasText: referenceOf(id) });
  await row.getByTestId('complaint-open').click();
  await desk.getByTestId('complaint-details').getByText('Mi mamá recibió 30 Bs menos.', { exact: true }).waitFor();
  await desk.getByTestId('complaint-conclude').click();
  await desk.getByTestId('complaint-finding-error').check();
  await desk.getByTestId('complaint-remedy-refund').check();
  await desk.getByTestId('complaint-amount').fill('2,5');
  await desk.getByTestId('complaint-explanation').fill('El banco descontó 30 Bs. Te los devolvemos.');
  await desk.getByTestId('complaint-confirm').click();
  await desk.locator('[data-testid=complaint-details][data-state=closed]').waitFor();

  // The sender sees it without a reload, with the letters.
  const result = report('closed').getByTestId('complaint-result');
  await result.filter({ hasText: 'El banco descontó 30 Bs. Te los devolvemos.' }).waitFor();
  await report('closed')
    .getByText(/devolvimos 2,50\sEUR a tu tarjeta/)
    .waitFor();
  await report('closed').getByTestId('complaint-letters').locator('summary').click();
  expect(await page.getByTestId('complaint-letter').allInnerTexts()).toEqual([
    expect.stringContaining('Recibimos tu reporte'),
    expect.stringContaining('hubo un error y lo corregimos'),
    expect.stringContaining('Corregimos el error que reportaste'),
  ]);
  const { books, intent, state } = await recordOf(id);
  expect(state).toBe('completed');
  expect(intent).toMatchObject({ amountReceived: 10_000, amountRefunded: 250 });
  expect(books.get('loss EUR')).toBe(-250n);
  expect(books.get('card_processor EUR')).toBe(-9_750n);
  for (const accounts of Object.values(await balances(app.databaseUrl))) expect(total(accounts)).toBe(0n);
});

/** The bank's statement of a day on which it took 25 Bs for the account; the simulated bank's own statements go on from its balance. */
function statementWithFee(day: string): Buffer {
  const titles = 'record,statement,account,currency,date,line,amount,end_to_end_id,bank_reference,code,description';
  const line = (record: string, rest: string) => `${record},CHQ-${day},10000000591001,BOB,${day},${rest}`;
  const entry = line('entry', '1,-25.00,,BO2201,fee,COMISION MENSUAL');
  return Buffer.from(
    [titles, line('opening', ',10000025.00,,,,'), entry, line('closing', ',10000000.00,,,,')].join('\n'),
  );
}

test('an admin explains what a statement has more than the books, a second one agrees to close the day, and both see it closed', async () => {
  // The day before yesterday: nothing of it can be under way, whatever the time is.
  const day = shiftDay(laPazDay(new Date()), -2);
  const books = await openDesk(adminAccount, 'reconciliation');
  const chooser = books.waitForEvent('filechooser');
  await books.getByTestId('books-import').click();
  await (await chooser).setFiles({ name: 'extracto.csv', mimeType: 'text/csv', buffer: statementWithFee(day) });
  await books.getByText('1 líneas, 1 nuevas').waitFor();
  await books.getByTestId('books-run').click();
  const fee = books.locator('[data-testid=books-exception][data-cause=bank_fee]');
  const card = (page: Page) => page.locator(`[data-testid=books-day][data-day="${day}"]`);
  await card(books).getByTestId('books-refusals').getByText('diferencias').waitFor();
  expect(await card(books).getByTestId('books-close').count()).toBe(0);
  await fee.getByTestId('books-explain').click();
  await books.getByTestId('books-note-text').fill('El banco cobra la cuenta una vez al mes.');
  await books.getByTestId('books-confirm').click();
  await fee.waitFor({ state: 'detached' });
  await books.getByTestId('books-run').click();
  await card(books).getByTestId('books-close').click();
  await card(books).getByText('Lo tiene que decidir otra persona.').waitFor();

  const colleague = await openDesk(secondAdminAccount, 'reconciliation');
  await card(colleague).getByTestId('books-approve').click();
  const closed = `Lo propuso ${adminAccount.name} y lo confirmó ${secondAdminAccount.name}.`;
  for (const page of [colleague, books]) await card(page).getByText(closed).waitFor();
});
