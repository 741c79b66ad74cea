import { expect, test } from 'vitest';
import { referenceOf } from '#core/transfers/reference';
import { viewports } from '../infra/testing/browser.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { bankQuestion, cardForm, payInBrowser, senderRow, startSending } from './pages.ts';
import { goodCard, usePaymentFixture } from './payment-fixture.ts';

// Paying through the whole product. Each state of a payment, and what every page says in it, is shown by component tests
// (web/src/features/payment, web/src/routes).
const { browser, app, sender, open, continueToCard, paidWithoutRecipient } = usePaymentFixture();

const challengeCard = '4000002760003184';

test.each([
  ['/payment-demo', goodCard],
  ['/stripe-redirect', challengeCard],
] as const)('%s pays 100 dollars and shows what the server recorded', async (path, card) => {
  const { page } = await sender({ viewport: viewports.phone });
  const calls: string[] = [];
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await open(page, path);
  await continueToCard(page);
  await payInBrowser(page, card);
  if (path === '/stripe-redirect') {
    await bankQuestion(page).getByTestId('3ds-complete').click();
    await page.locator('[data-testid=return][data-outcome=succeeded]').waitFor();
    expect(new URL(page.url()).pathname).toBe('/payment-success');
    expect(page.url()).not.toContain('secret');
  } else {
    await page.getByTestId('pay-success').waitFor();
  }
  await expectText(page, 'message payment: succeeded');
  const transfer = await paidWithoutRecipient(page);
  expect(await page.getByTestId('pay-reference').textContent()).toBe(referenceOf(transfer.id));
  const opened =
    path === '/payment-demo'
      ? 'call POST /api/create-payment-intent'
      : 'call POST /api/new-account/create-payment-intent';
  expect(calls.filter((call) => call.endsWith('create-payment-intent')).map((call) => `call ${call}`)).toEqual([
    opened,
  ]);
  covers(opened);
});

test('a payment that was closed unpaid, gone on with and reloaded while its answer was lost is one transfer in the end', async () => {
  const expectedErrors = [/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/, /WebSocket/];
  const { page, ...sender } = await senderAtPanel(app, browser.newPage, { expectedErrors });
  await sender.addRecipient();
  await sender.open();
  // Asked for a second time, it is the one that was left.
  for (const _time of ['first', 'second']) {
    await startSending(page, '88');
    await cardForm(page).getByTestId('card-number').waitFor();
    await page.getByTestId('pay-dialog').getByRole('button', { name: 'Cerrar' }).click();
  }
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
