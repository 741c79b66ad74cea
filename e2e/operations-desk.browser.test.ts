import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { CaseReason } from '#core/operations/desk-case';
import { referenceOf } from '#core/transfers/reference';
import { useBrowser } from '../infra/testing/browser.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { enterAsAdmin } from './pages.ts';
import { readRecords, type TransferRecord } from './soak/records.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

const browser = useBrowser();
const app = useApp();

const approve = (id: string) => app.admin.call(endpoints.approve, { params: { id } });
const detail = (page: Page, state: string) => page.locator(`[data-testid=transfer-detail][data-state=${state}]`);
const rowOf = (desk: Page, id: string, reason: CaseReason) =>
  desk.locator(`[data-testid=desk-case][data-reason=${reason}]`).filter({ hasText: referenceOf(id) });

/** The operations desk in the browser of an admin. */
async function openDesk(): Promise<Page> {
  const desk = await browser.newPage();
  await enterAsAdmin(desk, app.url());
  await desk.getByTestId('admin-tab-operations').click();
  return desk;
}

/** Opens a case from the list, once it is there. */
async function openCase(desk: Page, id: string, reason: CaseReason): Promise<void> {
  await rowOf(desk, id, reason).getByTestId('desk-open').click();
  await desk.getByTestId('desk-details').waitFor();
}

/** The id of a transfer's open case, once the desk has it. */
const openCaseOf = (id: string, reason: CaseReason) =>
  until(`the desk has a case ${reason}`, async () => {
    const { items } = await app.admin.call(endpoints.deskCases, { query: { reason, limit: 100 } });
    return items.find(({ transaction }) => transaction.id === id)?.id;
  });

/** The records of product, Stripe and bank about a transfer at rest. */
async function recordOf(id: string): Promise<TransferRecord> {
  const [record] = (await readRecords(app)).filter((one) => one.id === id);
  if (!record) throw new Error('no such transfer');
  return record;
}

const proof = { name: 'comprobante.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 devuelto') };

test('a refund returned by the card stays a debt on every screen until two admins prove a manual payment', async () => {
  const { page, ...person } = await senderAtPanel(app, browser.newPage);
  // Its refunds succeed and fail a moment later.
  const { id } = await person.pay(await person.addRecipient(), '4000000000005126');
  await app.sandbox.bank({ rejectNext: 1, rejection: { code: 'format_42', message: 'Datos no admitidos.' } });
  await approve(id);
  const params = { id: await openCaseOf(id, 'payout_unexplained') };
  const body = { action: 'give_up_and_refund', reason: 'El banco no acepta los datos.' } as const;
  await app.admin.call(endpoints.actOnCase, { params, body });
  const refundFailed = await openCaseOf(id, 'refund_failed');
  const desk = await openDesk();
  await person.open(id);

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
  // Money of this transfer was moved by hand before, so a second person must approve.
  await desk.getByTestId('desk-request').getByText('otra persona de administración').waitFor();
  await person.reaches(id, 'refunding');

  // Her two presses, and the proof she reads: settlement.component.test.tsx and api/operations/desk.test.ts.
  const { case: waiting } = await app.secondAdmin.call(endpoints.deskCase, { params: { id: refundFailed } });
  const decision = { params: { id: waiting.request?.id ?? '' }, body: { approve: true } } as const;
  await app.secondAdmin.call(endpoints.decideDeskRequest, decision);
  // The first admin and the sender see it without a reload.
  await desk.getByTestId('desk-resolved').waitFor();
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
