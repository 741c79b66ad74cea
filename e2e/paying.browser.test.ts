import { expect, test } from 'vitest';
import { referenceOf } from '#core/transfers/reference';
import { viewports } from '../infra/testing/browser.ts';
import type { RowId } from '../infra/testing/conformance/specification.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { bankQuestion, cardForm, payInBrowser, senderRow, startSending } from './pages.ts';
import { goodCard, usePaymentFixture } from './payment-fixture.ts';

// Paying through the whole product. Each state of a payment, and what every page says in it, is shown by component tests
// (web/src/features/payment, web/src/routes).
const { browser, app, sender, open, continueToCard, paidWithoutRecipient } = usePaymentFixture();

const challengeCard = '4000002760003184';

test('a payment page and one that leaves for the return address pay 100 dollars and show what the server recorded', async () => {
  const { page } = await sender({ viewport: viewports.phone });
  let calls: string[] = [];
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const payOn = async (path: string, card: string) => {
    calls = [];
    await open(page, path);
    await continueToCard(page);
    await payInBrowser(page, card);
  };
  const expectRecorded = async (opened: RowId) => {
    await expectText(page, 'message payment: succeeded');
    const transfer = await paidWithoutRecipient(page);
    expect(await page.getByTestId('pay-reference').textContent()).toBe(referenceOf(transfer.id));
    expect(calls.filter((call) => call.endsWith('create-payment-intent')).map((call) => `call ${call}`)).toEqual([
      opened,
    ]);
    covers(opened);
    return transfer.id;
  };

  await payOn('/payment-demo', goodCard);
  await page.getByTestId('pay-success').waitFor();
  const first = await expectRecorded('call POST /api/create-payment-intent');

  await payOn('/stripe-redirect', challengeCard);
  await bankQuestion(page).getByTestId('3ds-complete').click();
  await page.locator('[data-testid=return][data-outcome=succeeded]').waitFor();
  expect(new URL(page.url()).pathname).toBe('/payment-success');
  expect(page.url()).not.toContain('secret');
  expect(await expectRecorded('call POST /api/new-account/create-payment-intent')).not.toBe(first);
});

test('a payment that was closed unpaid, gone on with and reloaded while its answer was lost is one transfer in the end', async () => {
  const expectedErrors = [/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/, /WebSocket/];
  const { page, ...sender } = await senderAtPanel(app, browser.newPage, { expectedErrors });
  await sender.addRecipient();
  await sender.open();
  await startSending(page, '88');
  await page.getByTestId('pay-dialog').getByRole('button', { name: 'Cerrar' }).click();
  await senderRow(page, 'awaiting_payment').getByTestId('transfer-pay').click();
  await page.getByTestId('pay-dialog').getByText('88,00').first().waitFor();
  await cardForm(page).getByTestId('card-number').waitFor();
  // The card is held, but neither Stripe's answer nor ours comes through.
  await page.route('**/v1/payment_intents/*/confirm', async (route) => {
    await route.fetch();
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });
  await payInBrowser(page, goodCard);
  await page.getByTestId('pay-checking').getByText('No pagues otra vez').waitFor();
  expect(await page.getByText('No se cobró nada').count()).toBe(0);
  await page.context().setOffline(false);
  await page.reload();
  await page.waitForURL('**/payment-success?*');
  await expectText(page, 'message payment: succeeded');
  await page.getByRole('link', { name: 'Ir al panel' }).click();
  await senderRow(page, 'pending').waitFor();
  expect(await page.getByTestId('transfer-row').count()).toBe(1);
});
