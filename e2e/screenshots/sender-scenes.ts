import type { Page } from 'playwright-core';
import { failures } from '#core/failures';
import { payInBrowser, senderRow } from '../pages.ts';
import { openPanel } from './rooms.ts';
import { holdAnswers, pageOf, type Scene } from './scene.ts';

/** From the panel's form to the card's. */
async function openCardForm(page: Page, amount: string): Promise<void> {
  await page.getByTestId('send-recipient').selectOption({ index: 1 });
  await page.getByTestId('send-currency').getByText('EUR').click();
  await page.getByTestId('send-amount').fill(amount);
  await page.locator('[data-testid=send-submit]:enabled').waitFor();
  await page.getByTestId('send-submit').click();
  await page.getByTestId('card-number').waitFor();
}

async function openTransfer(page: Page, status: string): Promise<void> {
  await senderRow(page, status)
    .getByRole('button', { name: /Ver detalles/ })
    .click();
  await page.getByTestId('transfer-detail').waitFor();
}

/** The sender's panel and its dialogs. */
export const senderScenes: readonly Scene[] = [
  {
    name: 'dashboard-empty',
    play: async (stage) => {
      const page = await openPanel(stage, stage.demo.newcomer);
      await stage.camera.shoot(page, 'dashboard-empty');
      await page.context().close();
    },
  },
  {
    name: 'dashboard-loading',
    play: async (stage) => {
      const page = await pageOf(stage, stage.demo.sender);
      const letGo = await holdAnswers(page);
      await page.goto(`${stage.demo.url}/dashboard`);
      await page.getByTestId('send-recipient').waitFor();
      await stage.camera.shoot(page, 'dashboard-loading');
      await letGo();
      await page.context().close();
    },
  },
  {
    name: 'dashboard-filled',
    play: async (stage) => {
      const page = await openPanel(stage);
      await page.getByTestId('send-recipient').selectOption({ index: 1 });
      await stage.camera.shoot(page, 'dashboard-filled');
      await page.getByTestId('nav-avatar').click();
      await page.getByTestId('nav-logout').waitFor();
      await stage.camera.shoot(page, 'avatar-menu', { asSeen: true, only: 1280 });
      await page.keyboard.press('Escape');
      await page.getByTestId('transfer-search').fill('nadie');
      await page.getByText('No se encontraron transacciones').waitFor();
      await stage.camera.shoot(page, 'dashboard-no-hits', { asSeen: true, at: page.getByTestId('transfer-search') });
      await page.context().close();
    },
  },
  {
    name: 'recipient',
    play: async (stage) => {
      const page = await openPanel(stage);
      await page.getByTestId('recipient-add').first().click();
      await page.getByTestId('recipient-form').waitFor();
      await stage.camera.shoot(page, 'recipient-add', { asSeen: true });
      await page.getByTestId('recipient-submit').click();
      await page.locator('[data-testid=recipient-name][aria-invalid=true]').waitFor();
      await stage.camera.shoot(page, 'recipient-add-problems', {
        asSeen: true,
        at: page.getByTestId('recipient-submit'),
      });
      await page.keyboard.press('Escape');
      await page.getByTestId('recipient-form').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: /Ver detalles de Rosa/ }).click();
      await page.getByTestId('recipient-edit').waitFor();
      await stage.camera.shoot(page, 'recipient-detail', { asSeen: true });
      await page.getByTestId('recipient-edit').click();
      await page.getByTestId('recipient-form').waitFor();
      await stage.camera.shoot(page, 'recipient-edit', { asSeen: true });
      await page.context().close();
    },
  },
  {
    name: 'payment-dialog',
    play: async (stage) => {
      const page = await openPanel(stage);
      await openCardForm(page, '45');
      await stage.camera.shoot(page, 'payment-dialog-form', { asSeen: true });
      await stage.camera.shoot(page, 'payment-dialog-form-end', { asSeen: true, at: page.getByTestId('pay-submit') });
      await payInBrowser(page, '4000000000009995');
      await page.getByTestId('pay-error').waitFor();
      await stage.camera.shoot(page, 'payment-dialog-declined', { asSeen: true, at: page.getByTestId('pay-submit') });
      await payInBrowser(page, '4242424242424242');
      await page.getByText('Pago Recibido con Éxito').waitFor();
      await stage.camera.shoot(page, 'payment-dialog-success', { asSeen: true });
      await page.context().close();
    },
  },
  {
    name: 'payment-dialog-not-started',
    play: async (stage) => {
      const page = await openPanel(stage);
      const { status, message } = failures.payment_not_started;
      await page.route('**/api/new-account/create-payment-intent', (route) =>
        route.fulfill({ status, json: { code: 'payment_not_started', message } }),
      );
      await page.getByTestId('send-recipient').selectOption({ index: 1 });
      await page.getByTestId('send-submit').click();
      await page.getByTestId('pay-retry').waitFor();
      await stage.camera.shoot(page, 'payment-dialog-not-started', { asSeen: true });
      await page.context().close();
    },
  },
  {
    name: 'transfer',
    play: async (stage) => {
      const page = await openPanel(stage);
      const end = page.getByTestId('transfer-receipt');
      for (const status of ['pending', 'completed', 'rejected', 'cancelled']) {
        await openTransfer(page, status);
        await stage.camera.shoot(page, `transfer-${status}`, { asSeen: true });
        await stage.camera.shoot(page, `transfer-${status}-end`, { asSeen: true, at: end });
        if (status === 'pending') {
          await page.getByTestId('transfer-cancel').click();
          await page.getByTestId('cancel-keep').waitFor();
          await stage.camera.shoot(page, 'transfer-cancel-question', { asSeen: true });
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
    play: async (stage) => {
      const page = await openPanel(stage);
      for (const status of ['completed', 'pending', 'rejected']) {
        await page.goto(`${stage.demo.url}/dashboard`);
        await openTransfer(page, status);
        await page.getByTestId('transfer-receipt').click();
        await page.getByTestId('receipt-standing').waitFor();
        await stage.camera.shoot(page, `receipt-${status}`);
      }
      await page.context().close();
    },
  },
];
