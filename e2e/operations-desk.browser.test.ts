import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { CaseReason } from '#core/operations/desk-case';
import { referenceOf } from '#core/transfers/reference';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { enterAsAdmin } from './pages.ts';
import { problemsOf } from './soak/invariants.ts';
import { readRecords, type TransferRecord } from './soak/records.ts';
import { adminAccount, secondAdminAccount, useApp } from './test-app.ts';
import { until } from './until.ts';

const browser = useBrowser();
const app = useApp();

const approve = (id: string) => app.admin.call(endpoints.approve, { params: { id } });
const detail = (page: Page, state: string) => page.locator(`[data-testid=transfer-detail][data-state=${state}]`);
const rowOf = (desk: Page, id: string, reason: CaseReason) =>
  desk.locator(`[data-testid=desk-case][data-reason=${reason}]`).filter({ hasText: referenceOf(id) });

/** The operations desk in the browser of an admin. */
async function openDesk(account = adminAccount): Promise<Page> {
  const desk = await browser.newPage();
  await enterAsAdmin(desk, app.url(), account);
  await desk.getByTestId('admin-tab-operations').click();
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

test('a sender corrects the account that the bank refused, and again when the bank returns the payment days later', async () => {
  const { page, email, ...person } = await senderAtPanel(app, browser.newPage, { viewport: viewports.phone });
  const wrong = await person.addRecipient();
  await person.addRecipient({ name: 'Pedro Mamani', bankAccount: '20000000999' });
  await person.addRecipient({ name: 'Luis Ticona', bankAccount: '30000000777' });
  const { id } = await person.pay(wrong);
  await person.open(id);
  await detail(page, 'in_review').waitFor();
  await app.sandbox.bank({
    rejectNext: 1,
    rejection: { code: 'account_not_found', message: 'La cuenta de destino no existe.' },
  });
  await approve(id);
  // Nobody reloads: the refusal, the correction and the payment arrive by themselves.
  await detail(page, 'payout_failed').getByText('Motivo del banco: La cuenta de destino no existe.').waitFor();
  const correctTo = async (name: RegExp) => {
    await page.getByTestId('account-correct').click();
    await page.getByRole('radio', { name }).check();
    await page.getByTestId('correct-account-confirm').click();
    await detail(page, 'completed').waitFor();
  };
  await correctTo(/Pedro Mamani/);
  await detail(page, 'completed').getByText('Cuenta corregida: el banco paga otra vez').first().waitFor();

  const { externalId } = (await app.sandbox.payouts()).find(({ externalId: one, status }) => {
    return one.startsWith(id) && status === 'paid';
  }) ?? { externalId: '' };
  await app.sandbox.returnPayout(externalId);
  await page.getByTestId('payout-failed').getByText('El banco devolvió el depósito').waitFor();
  await until('the sender is asked by e-mail, too', async () => {
    const mails = await app.sandbox.mails(email);
    return mails.some(({ text }) => text.includes('El banco devolvió el pago de Bs 1.291,17'));
  });
  await correctTo(/Luis Ticona/);
  expect(await person.reaches(id, 'completed')).toMatchObject({ recipient: 'Luis Ticona', reason: null });
  const record = await recordOf(id);
  expect(problemsOf(record)).toEqual([]);
  expect(record.cases).toMatchObject([
    { reason: 'payout_rejected', open: false },
    { reason: 'payout_returned', open: false },
  ]);
  expect(record.payouts.map(({ status, returnedAmount }) => [status, returnedAmount])).toEqual([
    ['rejected', '0.00'],
    ['paid', '1291.17'],
    ['paid', '0.00'],
  ]);
});

test('a refund that the card gives back stays a debt on every screen until two admins prove that it was paid by hand', async () => {
  const { page, ...person } = await senderAtPanel(app, browser.newPage);
  const desk = await openDesk();
  // Its refunds succeed and fail a moment later.
  const { id } = await person.pay(await person.addRecipient(), '4000000000005126');
  await person.open(id);
  await app.sandbox.fault({ kind: 'error', method: 'POST', path: '^/bank/v1/payouts', status: 422 });
  await approve(id);
  await desk.getByTestId('desk-count').waitFor();
  await openCase(desk, id, 'operation_refused');
  await desk.getByTestId('desk-assign').click();
  await desk.getByText('Lo tienes tú').waitFor();
  await desk.getByTestId('desk-action-give_up_and_refund').click();
  await desk.getByTestId('desk-reason').fill('El banco no acepta los datos.');
  await desk.getByTestId('desk-confirm').click();
  await desk.getByTestId('desk-resolved').waitFor();
  await desk.getByTestId('desk-decided').getByText('El banco no acepta los datos.').waitFor();
  await rowOf(desk, id, 'operation_refused').waitFor({ state: 'detached' });
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
  await colleague.getByRole('button', { name: 'Sí, aprobar' }).click();
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
  expect(record.payouts).toEqual([]);
});

test('an admin answers two disputes of a payment; one is won, one is lost, and books, Stripe and bank agree', async () => {
  const { page, ...person } = await senderAtPanel(app, browser.newPage);
  const desk = await openDesk();
  // Its holder disputes one half and then the other, a moment after the charge.
  const { id } = await person.pay(await person.addRecipient(), '4000000404000079');
  await person.open(id);
  await approve(id);
  await rowOf(desk, id, 'dispute_opened').getByText('Si se espera: sin pruebas hasta el').waitFor();
  await detail(page, 'completed').waitFor();
  await openCase(desk, id, 'dispute_opened');
  const disputes = desk.getByTestId('desk-dispute');
  await expect.poll(() => disputes.count()).toBe(2);
  const evidence = desk.waitForEvent('download');
  await disputes.first().getByTestId('desk-dispute-evidence').click();
  expect((await evidence).suggestedFilename()).toMatch(/^d[pu]_\w+\.pdf$/);
  // Stripe's test mode decides by the text of the answer.
  for (const [text, outcome] of [
    ['winning_evidence', 'Se ganó: el monto volvió.'],
    ['losing_evidence', 'Se perdió: el monto queda con quien tiene la tarjeta.'],
  ] as const) {
    const open = disputes.filter({ has: desk.getByTestId('desk-dispute-text') }).first();
    const answered = await open.getAttribute('data-dispute-id');
    await open.getByTestId('desk-dispute-text').fill(text);
    await open.getByTestId('desk-dispute-send').click();
    await desk.locator(`[data-dispute-id=${answered}]`).getByText(outcome).waitFor();
  }
  await desk.getByTestId('desk-resolved').waitFor();
  await closeDrawer(desk);
  await openCase(desk, id, 'dispute_lost');
  await desk.getByTestId('desk-action-resolve').click();
  await desk.getByTestId('desk-reason').fill('Revisado: la pérdida es nuestra.');
  await desk.getByTestId('desk-confirm').click();
  await desk.getByTestId('desk-resolved').waitFor();
  await closeDrawer(desk);
  await detail(page, 'completed').waitFor();
  const record = await recordOf(id);
  expect(problemsOf(record)).toEqual([]);
  expect(record.disputes.map(({ status }) => status).sort()).toEqual(['lost', 'won']);
  expect(record.books.get('loss EUR')).toBe(-5_000n);
  expect(record.books.has('disputed EUR')).toBe(false);
});
