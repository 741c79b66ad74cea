import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { referenceOf } from '#core/transfers/reference';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { expectAccessibleAtAnyWidth } from './accessibility.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { enterAsAdmin } from './pages.ts';
import { useApp } from './test-app.ts';

// Axe checks both widths, each in a colour scheme of its own.
vi.setConfig({ testTimeout: 120_000 });

const browser = useBrowser();
const app = useApp();

const approve = (id: string) => app.admin.call(endpoints.approve, { params: { id } });
const detail = (page: Page, state: string) => page.locator(`[data-testid=transfer-detail][data-state=${state}]`);

test('a sender corrects the account that the bank refused, and the bank pays the other one', async () => {
  const { page, ...person } = await senderAtPanel(app, browser.newPage, { viewport: viewports.phone });
  const wrong = await person.addRecipient();
  await person.addRecipient({ name: 'Pedro Mamani', bankAccount: '20000000999' });
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
  await expectAccessibleAtAnyWidth(page, 'a refused payout');
  await page.getByTestId('account-correct').click();
  await page.getByRole('radio', { name: /Pedro Mamani/ }).check();
  await page.getByTestId('correct-account-confirm').click();
  await detail(page, 'completed').getByText('Cuenta corregida: el banco paga otra vez').first().waitFor();
  expect(await person.reaches(id, 'completed')).toMatchObject({ recipient: 'Pedro Mamani', reason: null });
});

test('an admin returns the money of a payout whose request the bank calls wrong, and the sender sees it', async () => {
  const { page, ...person } = await senderAtPanel(app, browser.newPage);
  const { id } = await person.pay(await person.addRecipient());
  await person.open(id);
  const admin = await browser.newPage();
  await enterAsAdmin(admin, app.url());
  await admin.getByTestId('admin-tab-operations').click();
  await app.sandbox.fault({ kind: 'error', method: 'POST', path: '^/bank/v1/payouts', status: 422 });
  await approve(id);
  const row = admin.getByTestId('desk-case').filter({ hasText: referenceOf(id) });
  await row.filter({ hasText: 'El proveedor rechazó la solicitud' }).waitFor();
  await admin.getByTestId('desk-count').waitFor();
  await row.getByTestId('desk-open').click();
  await admin.getByTestId('desk-assign').click();
  await admin.getByText('Lo tienes tú').waitFor();
  await admin.getByTestId('desk-action-give_up_and_refund').click();
  await admin.getByTestId('desk-reason').fill('El banco no acepta los datos.');
  await admin.getByTestId('desk-confirm').click();
  await admin.getByTestId('desk-resolved').waitFor();
  await admin.getByTestId('desk-decided').getByText('El banco no acepta los datos.').waitFor();
  await row.waitFor({ state: 'detached' });
  await detail(page, 'refunded').getByText('Devuelto completo a tu tarjeta').first().waitFor();
});
