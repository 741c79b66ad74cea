import crypto from 'node:crypto';
import type { Page } from 'playwright-core';
import { failureResponses as failures } from '../../api/http/failure-responses.ts';
import { endpoints } from '../../core/contracts/http/endpoints.ts';
import { viewports } from '../../infra/testing/browser.ts';
import { controlSandbox } from '../../sandbox/testing/control-client.ts';
import { sampleRecipient } from '../api-client.ts';
import { cardForm, payInBrowser, senderRow } from '../pages.ts';
import { openPanel } from './pages.ts';
import { holdAnswers, pageOf, type Screenshot } from './screenshot.ts';
import { visit } from './screenshot-writer.ts';

/** From the panel's form to the card's. */
async function openCardForm(page: Page, amount: string): Promise<void> {
  await page.getByTestId('send-recipient').selectOption({ index: 1 });
  await page.getByTestId('send-currency').getByText('EUR').click();
  await page.getByTestId('send-amount').fill(amount);
  await page.locator('[data-testid=send-submit]:enabled').waitFor();
  await page.getByTestId('send-submit').click();
  await cardForm(page).getByTestId('card-number').waitFor();
}

async function openTransfer(page: Page, status: string): Promise<void> {
  await senderRow(page, status)
    .getByRole('button', { name: /Ver detalles|See details/ })
    .click();
  await page.getByTestId('transfer-detail').waitFor();
}

/** The sender's panel and its dialogs. */
export const senderScreenshots: readonly Screenshot[] = [
  {
    name: 'dashboard-empty',
    take: async (context) => {
      const page = await openPanel(context, context.demo.newcomer);
      await context.writer.capture(page, 'dashboard-empty');
      await page.context().close();
    },
  },
  {
    name: 'dashboard-loading',
    take: async (context) => {
      const page = await pageOf(context, context.demo.sender);
      const letGo = await holdAnswers(page);
      await page.goto(`${context.demo.url}/dashboard`);
      await page.getByTestId('send-recipient').waitFor();
      await context.writer.capture(page, 'dashboard-loading');
      await letGo();
      await page.context().close();
    },
  },
  {
    name: 'dashboard-filled',
    take: async (context) => {
      const page = await openPanel(context);
      await page.getByTestId('send-recipient').selectOption({ index: 1 });
      await context.writer.capture(page, 'dashboard-filled');
      await context.writer.capture(page, 'dashboard-first-screen', { viewportOnly: true });
      await page.getByTestId('nav-avatar').click();
      await page.getByTestId('nav-logout').waitFor();
      await context.writer.capture(page, 'avatar-menu', { viewportOnly: true, only: 1280 });
      await page.setViewportSize(viewports.phone);
      for (const path of ['envios', 'destinatarios', 'tasas']) {
        await visit(page, `${context.demo.url}/dashboard/${path}`);
        await context.writer.capture(page, `dashboard-${path}`, { only: 390 });
        await page.setViewportSize(viewports.phone);
      }
      await page.setViewportSize(viewports.desktop);
      await visit(page, `${context.demo.url}/dashboard/tasas`);
      await page
        .getByTestId('rate-history-days')
        .getByText(/1 año|1 year/)
        .click();
      await page.locator('[data-testid=rate-chart][data-days="365"]').waitFor();
      await context.writer.capture(page, 'rate-year', { viewportOnly: true, at: page.getByTestId('rate-history') });
      await visit(page, `${context.demo.url}/dashboard/envios`);
      await page.getByTestId('transfer-search').fill('nadie');
      await page.getByText(/No se encontraron transacciones|No transactions found/).waitFor();
      await context.writer.capture(page, 'dashboard-no-hits', {
        viewportOnly: true,
        at: page.getByTestId('transfer-search'),
      });
      await page.context().close();
    },
  },
  {
    name: 'news',
    take: async (context) => {
      const page = await openPanel(context);
      await page.getByTestId('news-bell').click();
      await page.getByTestId('news-item').first().waitFor();
      await context.writer.capture(page, 'news', { viewportOnly: true });
      await page.context().close();
    },
  },
  {
    name: 'repeats',
    take: async (context) => {
      const page = await openPanel(context, context.demo.sender, {}, '/dashboard/envios');
      await page.getByTestId('repeat').first().waitFor();
      await context.writer.capture(page, 'repeats', { viewportOnly: true, at: page.getByTestId('repeats') });
      await page.getByTestId('repeat-add').click();
      await page.getByTestId('repeat-form').waitFor();
      await context.writer.capture(page, 'repeat-dialog', { viewportOnly: true });
      await page.context().close();
    },
  },
  {
    name: 'recipient',
    take: async (context) => {
      const page = await openPanel(context, context.demo.sender, {}, '/dashboard/destinatarios');
      await page.getByTestId('recipient-add').first().click();
      await page.getByTestId('recipient-form').waitFor();
      await context.writer.capture(page, 'recipient-add', { viewportOnly: true });
      await page.getByTestId('recipient-submit').click();
      await page.locator('[data-testid=recipient-name][aria-invalid=true]').waitFor();
      await context.writer.capture(page, 'recipient-add-problems', {
        viewportOnly: true,
        at: page.getByTestId('recipient-submit'),
      });
      await page.keyboard.press('Escape');
      await page.getByTestId('recipient-form').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: /(Ver detalles de|See details of) Rosa/ }).click();
      await page.getByTestId('recipient-edit').waitFor();
      await context.writer.capture(page, 'recipient-detail', { viewportOnly: true });
      await page.getByTestId('recipient-remove').click();
      await page.getByTestId('recipient-remove-confirm').waitFor();
      await context.writer.capture(page, 'recipient-remove', { viewportOnly: true });
      await page.keyboard.press('Escape');
      await page.getByTestId('recipient-remove-confirm').waitFor({ state: 'detached' });
      await page.getByTestId('recipient-edit').click();
      await page.getByTestId('recipient-form').waitFor();
      await context.writer.capture(page, 'recipient-edit', { viewportOnly: true });
      await page.context().close();
    },
  },
  {
    name: 'payment-dialog',
    take: async (context) => {
      const page = await openPanel(context);
      await openCardForm(page, '45');
      await context.writer.capture(page, 'payment-dialog-form', { viewportOnly: true });
      await context.writer.capture(page, 'payment-dialog-form-end', {
        viewportOnly: true,
        at: page.getByTestId('pay-submit'),
      });
      await payInBrowser(page, '4000000000009995');
      await page.getByTestId('pay-error').waitFor();
      await context.writer.capture(page, 'payment-dialog-declined', {
        viewportOnly: true,
        at: page.getByTestId('pay-submit'),
      });
      await payInBrowser(page, '4242424242424242');
      await page.getByTestId('pay-success').waitFor();
      await context.writer.capture(page, 'payment-dialog-success', { viewportOnly: true });
      await page.context().close();
    },
  },
  {
    name: 'name-check',
    take: async (context) => {
      const { sender, stripeUrl } = context.demo;
      const sandbox = controlSandbox(stripeUrl);
      const page = await openPanel(context);
      const check = page.getByTestId('name-check');
      for (const names of ['match', 'close_match', 'no_match', 'not_supported'] as const) {
        await sandbox.bank({ names });
        const body = {
          ...sampleRecipient,
          name: 'Juana Mamani Choque',
          bankAccount: crypto.randomInt(1e10).toString(),
        };
        const { id } = await sender.client.call(endpoints.createRecipient, { body: { ...body, saveAnyway: true } });
        await page.reload();
        await page.getByTestId('send-recipient').selectOption(id);
        await check
          .getByText(
            /El banco (confirma|no puede)|nombre no coincide|a otro nombre|The bank c|does not match|another name/,
          )
          .waitFor();
        const name = `name-check-${names.replace('_', '-')}`;
        await context.writer.capture(page, name, { viewportOnly: true, at: check });
      }
      await sandbox.bank({});
      await page.context().close();
    },
  },
  {
    name: 'payment-dialog-not-started',
    take: async (context) => {
      const page = await openPanel(context);
      const { status, message } = failures.payment_not_started;
      await page.route('**/api/new-account/create-payment-intent', (route) =>
        route.fulfill({ status, json: { code: 'payment_not_started', message } }),
      );
      await page.getByTestId('send-recipient').selectOption({ index: 1 });
      await page.getByTestId('send-submit').click();
      await page.getByTestId('pay-retry').waitFor();
      await context.writer.capture(page, 'payment-dialog-not-started', { viewportOnly: true });
      await page.context().close();
    },
  },
  {
    name: 'transfer',
    take: async (context) => {
      const page = await openPanel(context);
      const end = page.getByTestId('transfer-receipt');
      for (const status of ['pending', 'completed', 'rejected', 'cancelled']) {
        await openTransfer(page, status);
        await context.writer.capture(page, `transfer-${status}`, { viewportOnly: true });
        await context.writer.capture(page, `transfer-${status}-end`, { viewportOnly: true, at: end });
        if (status === 'pending') {
          await page.getByTestId('transfer-cancel').click();
          await page.getByTestId('cancel-keep').waitFor();
          await context.writer.capture(page, 'transfer-cancel-question', { viewportOnly: true });
          await page.getByTestId('cancel-keep').click();
          await page.getByTestId('transfer-detail').waitFor();
        }
        await page.keyboard.press('Escape');
        await page.getByTestId('transfer-detail').waitFor({ state: 'detached' });
      }
      await page.context().close();
    },
  },
  {
    name: 'receipt',
    take: async (context) => {
      const page = await openPanel(context);
      for (const status of ['completed', 'pending', 'rejected']) {
        await page.goto(`${context.demo.url}/dashboard`);
        await openTransfer(page, status);
        await page.getByTestId('transfer-receipt').click();
        await page.getByTestId('receipt').waitFor();
        await context.writer.capture(page, `receipt-${status}`);
        await page.emulateMedia({ media: 'print' });
        await context.writer.capture(page, `receipt-${status}-print`, { only: 1280 });
        await page.emulateMedia({ media: 'screen' });
      }
      await page.context().close();
    },
  },
  {
    name: 'papers',
    take: async (context) => {
      const page = await openPanel(context, context.demo.sender, {}, '/dashboard/envios');
      await page.getByTestId('statements-open').click();
      await page.getByTestId('statements').waitFor();
      await context.writer.capture(page, 'statements', { viewportOnly: true });
      await page.keyboard.press('Escape');
      await openTransfer(page, 'completed');
      const href = await page.getByTestId('transfer-receipt-pdf').getAttribute('href');
      const file = await (await page.request.get(`${context.demo.url}${href}`)).body();
      await page.goto(`${context.demo.url}/verificar`);
      const receipt = { name: 'recibo.pdf', mimeType: 'application/pdf', buffer: file };
      await page.locator('input[type=file]').setInputFiles(receipt);
      await page.getByTestId('paper-file-true').waitFor();
      await context.writer.capture(page, 'check-paper');
      await page.context().close();
    },
  },
  {
    name: 'tracking',
    take: async (context) => {
      const page = await openPanel(context);
      for (const status of ['completed', 'pending']) {
        await page.goto(`${context.demo.url}/dashboard`);
        await openTransfer(page, status);
        await page.getByTestId('share-transfer').click();
        const copy = page.getByTestId('share-copy');
        await copy.waitFor();
        await context.writer.capture(page, `transfer-share-${status}`, { viewportOnly: true, at: copy });
        const address = await copy.getAttribute('data-url');
        const family = await context.writer.page();
        await visit(family, address ?? '');
        await family.getByTestId('tracking').waitFor();
        await context.writer.capture(family, `tracking-${status}`);
        await family.context().close();
      }
      await page.context().close();
    },
  },
];
