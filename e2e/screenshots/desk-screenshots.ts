import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { endpoints } from '#core/contracts/http/endpoints';
import { adminTransferAddress, transferAddress } from '#core/contracts/page-addresses';
import { referenceOf } from '#core/transfers/reference';
import { until } from '../until.ts';
import { type Account, addRecipient, type Demo, identify, reaches, send, signUpAs } from './demo-data.ts';
import { createDeskData, type DeskData } from './desk-data.ts';
import { openAdmin, openPanel } from './pages.ts';
import { pageOf, type Screenshot, type ScreenshotContext } from './screenshot.ts';
import { visit } from './screenshot-writer.ts';

interface Troubled {
  readonly sender: Account;
  readonly transfers: DeskData;
}

/** Created by the first picture that needs it. */
const created = new WeakMap<Demo, Promise<Troubled>>();

function troubledOf(demo: Demo): Promise<Troubled> {
  const known = created.get(demo) ?? create(demo);
  created.set(demo, known);
  return known;
}

async function create(demo: Demo): Promise<Troubled> {
  const sender = await signUpAs(demo, 'Yolanda Huanca Poma', 'yolanda.huanca@example.com');
  await identify(sender, 'Yolanda Huanca Poma');
  return { sender, transfers: await createDeskData(demo, sender) };
}

/** The cases to capture: each reason, a waiting request, and several disputes. */
const shown = [
  'payout_rejected',
  'payout_returned',
  'payout_returned_in_part',
  'operation_refused',
  'names_not_cleared',
  'refund_failed',
  'refund_outside',
  'dispute_opened',
  'dispute_inquiry',
  'dispute_lost',
  'waiting',
  'several',
] as const satisfies readonly (keyof DeskData)[];

const deskOf = (context: ScreenshotContext, account?: Account) => openAdmin(context, '/admin?tab=operations', account);

async function openCase(page: Page, transferId: string): Promise<void> {
  const row = page.getByTestId('desk-case').filter({ hasText: referenceOf(transferId) });
  await row.getByTestId('desk-open').click();
  await page.getByTestId('desk-details').waitFor();
}

async function closeCase(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByTestId('desk-details').waitFor({ state: 'detached' });
}

/** The operations desk, its cases and dialogs, and the affected senders' pages. */
export const deskScreenshots: readonly Screenshot[] = [
  {
    name: 'desk-list',
    take: async (context) => {
      await troubledOf(context.demo);
      const page = await deskOf(context);
      await page.getByTestId('desk-case').first().waitFor();
      await context.writer.capture(page, 'desk-list');
      await page.getByTestId('desk-filter-age').selectOption('72');
      await page.getByTestId('desk-filter-clear').waitFor();
      await context.writer.capture(page, 'desk-no-hits', { viewportOnly: true, at: page.getByTestId('desk-status') });
      await page.context().close();
    },
  },
  {
    name: 'desk-case',
    take: async (context) => {
      const { transfers } = await troubledOf(context.demo);
      const page = await deskOf(context, context.demo.secondAdmin);
      for (const name of shown) {
        await openCase(page, transfers[name] ?? '');
        await context.writer.capture(page, `desk-case-${name}`, { viewportOnly: true });
        const operations = page.getByTestId('desk-operations');
        await context.writer.capture(page, `desk-case-${name}-more`, { viewportOnly: true, at: operations });
        await closeCase(page);
      }
      await page.context().close();
    },
  },
  {
    name: 'desk-dialog',
    take: async (context) => {
      const { transfers } = await troubledOf(context.demo);
      const page = await deskOf(context);
      for (const [name, action] of [
        ['operation_refused', 'retry'],
        ['operation_refused', 'give_up_and_refund'],
        ['operation_refused', 'pay_by_hand'],
        ['refund_failed', 'refund_by_hand'],
        ['dispute_lost', 'resolve'],
      ] as const) {
        await openCase(page, transfers[name] ?? '');
        await page.getByTestId(`desk-action-${action}`).click();
        await page.getByTestId('desk-confirm').waitFor();
        await context.writer.capture(page, `desk-dialog-${action}`, { viewportOnly: true });
        if (action !== 'retry') {
          await page.getByTestId('desk-confirm').click();
          await context.writer.capture(page, `desk-dialog-${action}-missing`, { viewportOnly: true });
        }
        await page.keyboard.press('Escape');
        await page.getByTestId('desk-confirm').waitFor({ state: 'detached' });
        await closeCase(page);
      }
      await page.context().close();
    },
  },
  {
    name: 'desk-sender',
    take: async (context) => {
      const { sender, transfers } = await troubledOf(context.demo);
      const page = await pageOf(context, sender);
      for (const name of [
        'payout_rejected',
        'payout_returned',
        'refund_failed',
        'refund_outside',
        'dispute_lost',
      ] as const) {
        await visit(page, `${context.demo.url}/dashboard?envio=${transfers[name]}`);
        await page.getByTestId('transfer-detail').waitFor();
        await context.writer.capture(page, `desk-sender-${name}`, { viewportOnly: true });
      }
      await visit(page, `${context.demo.url}/dashboard`);
      await context.writer.capture(page, 'desk-sender');
      await page.context().close();
    },
  },
  {
    name: 'complaint',
    take: async (context) => {
      const { demo, writer } = context;
      const sender = await signUpAs(demo, 'Gladys Terán Rojas', 'gladys.teran@example.com');
      const recipientId = await addRecipient(sender, { name: 'Emma Rojas Vda. de Terán' });
      const id = await send(demo, sender, { recipientId, amount: '320.00', currency: 'usd' });
      await demo.admin.client.call(endpoints.approve, { params: { id } });
      const panel = await openPanel(context, sender);
      await panel.goto(`${demo.url}${transferAddress(id)}`);
      await panel.locator('[data-testid=transfer-detail][data-state=completed]').waitFor();
      await panel.getByTestId('report-problem').click();
      await panel.getByTestId('report-rules').waitFor();
      await writer.capture(panel, 'complaint-form', { viewportOnly: true });
      await panel.getByTestId('report-send').click();
      await writer.capture(panel, 'complaint-form-missing', {
        viewportOnly: true,
        at: panel.getByTestId('report-send'),
      });
      await panel.getByTestId('report-reason-wrong_amount').check();
      await panel.getByTestId('report-description').fill('Mi mamá recibió 30 bolivianos menos de lo prometido.');
      await panel.getByTestId('report-wants-refund').check();
      const statement = { name: 'extracto.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
      await panel.locator('input[type=file]').setInputFiles(statement);
      await panel.getByTestId('report-send').click();
      await panel.getByTestId('file').waitFor();
      await panel.getByTestId('own-complaint').waitFor();
      await panel.getByTestId('complaint-letters').locator('summary').click();
      await writer.capture(panel, 'complaint-sender', { viewportOnly: true, at: panel.getByTestId('own-complaint') });
      const desk = await openAdmin(context, '/admin?tab=complaints');
      await desk.getByTestId('complaint').first().waitFor();
      await writer.capture(desk, 'complaint-list');
      // Other pictures' reports are in the list too.
      const reported = desk.getByTestId('complaint').filter({ hasText: referenceOf(id) });
      await reported.getByTestId('complaint-open').click();
      await desk.getByTestId('complaint-details').waitFor();
      await writer.capture(desk, 'complaint-desk', { viewportOnly: true });
      await desk.getByTestId('complaint-conclude').click();
      await desk.getByTestId('complaint-finding-error').check();
      await desk.getByTestId('complaint-remedy-pay_again').check();
      await desk.getByTestId('complaint-account').first().waitFor();
      await writer.capture(desk, 'complaint-pay-again', {
        viewportOnly: true,
        at: desk.getByTestId('complaint-payout-amount'),
      });
      await desk.getByTestId('complaint-remedy-refund').check();
      await desk.getByTestId('complaint-amount').fill('2.5');
      await desk.getByTestId('complaint-explanation').fill('El banco descontó 30 bolivianos. Te los devolvemos.');
      await writer.capture(desk, 'complaint-result', { viewportOnly: true });
      await desk.getByTestId('complaint-confirm').click();
      await desk.locator('[data-testid=complaint-details][data-state=closed]').waitFor();
      await writer.capture(desk, 'complaint-closed', { viewportOnly: true });
      await panel.getByTestId('report-problem').click();
      await panel.getByTestId('report-reason-late').check();
      await panel.getByTestId('report-description').fill('Llegó un día después de lo prometido.');
      await panel.getByTestId('report-wants-explanation').check();
      await panel.getByTestId('report-send').click();
      await panel.getByTestId('complaint-withdraw').click();
      const confirmation = panel.getByTestId('complaint-withdraw-ask');
      await writer.capture(panel, 'complaint-withdraw', { viewportOnly: true, at: confirmation });
      await panel.getByTestId('complaint-withdraw-confirm').click();
      await panel.locator('[data-testid=own-complaint][data-state=withdrawn]').waitFor();
      await panel.goto(`${demo.url}/cuenta#problemas`);
      await panel.getByTestId('own-complaint').first().waitFor();
      await writer.capture(panel, 'complaint-account', {
        viewportOnly: true,
        at: panel.getByTestId('own-complaint').first(),
      });
      await panel.context().close();
      await desk.context().close();
    },
  },
  {
    name: 'complaint-screening',
    take: async (context) => {
      const { demo, writer } = context;
      const { admin, secondAdmin } = demo;
      const sender = await signUpAs(demo, 'Silvia Poma Choque', 'silvia.poma@example.com');
      const recipientId = await addRecipient(sender, { name: 'Mario Poma Choque' });
      const id = await send(demo, sender, { recipientId, amount: '75.00', currency: 'eur' });
      await until('the transfer is approved', () => admin.client.call(endpoints.approve, { params: { id } }));
      await reaches(sender.client, id, 'completed');
      const report = { reason: 'not_received', wants: 'delivery', description: 'Nadie recibió nada.' } as const;
      const complaint = await sender.client.call(endpoints.reportComplaint, { params: { id }, body: report });
      const listed = await addRecipient(sender, { name: 'Lidia Aranibar Quiroz', bankAccount: '4000112233' });
      const result = {
        finding: 'error',
        remedy: 'pay_again',
        payout: '100.00',
        explanation: 'Pagamos otra vez.',
      } as const;
      const body = { ...result, recipient_id: listed };
      await admin.client.call(endpoints.concludeComplaint, { params: { id: complaint.id }, body });
      const desk = await openAdmin(context, `/admin?tab=complaints&complaint=${complaint.id}`, secondAdmin);
      await desk.getByTestId('screening-hit').waitFor();
      await desk.getByTestId('complaint-approve').click();
      await desk.getByTestId('complaint-refused').waitFor();
      await writer.capture(desk, 'complaint-screening-refused', { viewportOnly: true });
      const screening = desk.getByTestId('payout-screening');
      await writer.capture(desk, 'complaint-screening', { viewportOnly: true, at: screening });
      await desk.context().close();
    },
  },
  {
    name: 'review-question',
    take: async (context) => {
      const { demo, writer } = context;
      const sender = await signUpAs(demo, 'Nancy Choque Mamani', 'nancy.choque@example.com');
      const recipientId = await addRecipient(sender, { name: 'Lidia Aranibar Quiroz' });
      const id = await send(demo, sender, { recipientId, amount: '640.00', currency: 'usd' });
      const body = { id: randomUUID(), code: 'relation', note: '¿Vive en La Paz o en El Alto?' } as const;
      await demo.admin.client.call(endpoints.askSender, { params: { id }, body });
      const panel = await openPanel(context, sender);
      await panel.goto(`${demo.url}${transferAddress(id)}`);
      await panel.getByTestId('answer-send').waitFor();
      await writer.capture(panel, 'review-question-sender', { viewportOnly: true });
      await panel.getByTestId('answer-text').fill('Es mi tía. Vive en El Alto, en Villa Adela.');
      await panel.getByTestId('answer-send').click();
      await panel.getByTestId('answer-send').waitFor({ state: 'detached' });
      await writer.capture(panel, 'review-question-answered', { viewportOnly: true });
      await panel.context().close();
      const page = await openAdmin(context, adminTransferAddress(id));
      await page.getByTestId('ask-open').click();
      await page.getByTestId('ask-code').selectOption('funds_origin');
      await writer.capture(page, 'review-question-admin', { viewportOnly: true, at: page.getByTestId('ask-send') });
      await page.getByTestId('ask-send').click();
      await page.getByTestId('ask-open').waitFor();
      await page.keyboard.press('Escape');
      await page.getByTestId('admin-timeline').waitFor({ state: 'detached' });
      await writer.capture(page, 'review-question-queue', {
        viewportOnly: true,
        at: page.getByTestId('review-queue'),
      });
      await page.context().close();
    },
  },
  {
    name: 'news-toast',
    take: async (context) => {
      const { demo, writer } = context;
      const sender = await signUpAs(demo, 'Teresa Flores Rojas', 'teresa.flores@example.com');
      const recipientId = await addRecipient(sender, { name: 'Juana Mamani Ticona' });
      const id = await send(demo, sender, { recipientId, amount: '100.00', currency: 'eur' });
      const panel = await openPanel(context, sender);
      await until('the transfer is approved', () => demo.admin.client.call(endpoints.approve, { params: { id } }));
      const toast = panel.locator('[data-testid=news-toast][data-kind=deposited]');
      // It stays while it has the focus.
      await toast.getByRole('button').focus();
      await writer.capture(panel, 'news-toast', { viewportOnly: true });
      await panel.context().close();
    },
  },
];
