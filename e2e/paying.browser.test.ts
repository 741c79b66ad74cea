import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { reminderAddress } from '#core/contracts/page-addresses';
import { referenceOf } from '#core/transfers/reference';
import { viewports } from '../infra/testing/browser.ts';
import { emailedCode, sampleRecipient } from './api-client.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { CountedSteps, statedSteps } from './counted-steps.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { query } from './ledger.ts';
import {
  addRecipient,
  adminRow,
  bankQuestion,
  cardForm,
  chooseSending,
  decideInBrowser,
  enterAsAdmin,
  payInBrowser,
  senderRow,
  startSending,
} from './pages.ts';
import { goodCard, usePaymentFixture } from './payment-fixture.ts';
import { until } from './until.ts';

// Paying through the whole product. Each state of a payment, and what every page says in it, is shown by component tests
// (web/src/features/payment, web/src/routes).
const { browser, app, sender, open, continueToCard, newestTransfer, paidWithoutRecipient } = usePaymentFixture();

const challengeCard = '4000002760003184';

/** A page of every way to ask a card, with the card that pays there; the next test pays on /stripe-pago. */
const pages = [
  ['/payment-demo', goodCard],
  ['/stripe-simple', goodCard],
  ['/stripe-direct', goodCard],
  ['/stripe-redirect', challengeCard],
  ['/simple-stripe', challengeCard],
] as const;

test('a page of every way to ask a card pays 100 dollars and shows what the server recorded', async () => {
  const { page } = await sender({ viewport: viewports.phone });
  let calls: string[] = [];
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  for (const [path, card] of pages) {
    calls = [];
    await open(page, path);
    await continueToCard(page);
    await payInBrowser(page, card);
    if (card === challengeCard) await bankQuestion(page).getByTestId('3ds-complete').click();
    if (path === '/stripe-redirect') {
      await page.locator('[data-testid=return][data-outcome=succeeded]').waitFor();
      expect(new URL(page.url()).pathname).toBe('/payment-success');
      expect(page.url()).not.toContain('secret');
    } else {
      await page.getByTestId('pay-success').waitFor();
    }
    await expectText(page, 'message payment: succeeded');
    const transfer = await paidWithoutRecipient(page);
    expect(await page.getByTestId('pay-reference').textContent()).toBe(referenceOf(transfer.id));
    const opened = path === '/payment-demo' ? '/api/create-payment-intent' : '/api/new-account/create-payment-intent';
    expect(calls.filter((call) => call.endsWith('create-payment-intent'))).toEqual([`POST ${opened}`]);
    expect(calls.includes('POST /api/new-account/confirm-transaction')).toBe(path !== '/stripe-direct');
  }
  covers('call POST /api/create-payment-intent', 'call POST /api/new-account/create-payment-intent');
}, 180_000);

test('a transfer paid without a recipient can be approved once its sender has chosen one', async () => {
  const { page, email } = await sender();
  const admin = await browser.newPage({ expectedErrors: [/status of 422/] });
  await enterAsAdmin(admin, app.url());
  await open(page, '/stripe-pago');
  await continueToCard(page);
  await payInBrowser(page, goodCard);
  await expectText(page, 'message payment: succeeded');
  await page.getByTestId('pay-success').waitFor();
  await adminRow(admin, email, 'pending').waitFor();
  expect(await adminRow(admin, email, 'pending').textContent()).toContain('Sin destinatario');
  await page.getByTestId('pay-choose-recipient').getByRole('link').click();
  await addRecipient(page);
  await page.getByTestId('under-way-row').filter({ hasText: 'Elige quién recibe' }).click();
  await page.getByTestId('recipient-choose').click();
  await page.getByTestId('choose-account-choice').check();
  await page.getByTestId('choose-account-confirm').click();
  await page.getByTestId('recipient-missing').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Cerrar', exact: true }).click();
  await adminRow(admin, email, 'pending').getByText('Rosa Mamani').waitFor();
  await decideInBrowser(admin, email, 'approve');
  await senderRow(page, 'completed').waitFor();
});

test('a first transfer, a repeated one and a reminder take the taps, fields and screens that the table says', async () => {
  const { page, email } = await sender({ viewport: viewports.phone, unproven: true });
  const table = await readFile('docs/steps-to-send.md', 'utf8');
  const field = (testid: string) => page.getByTestId(testid);
  const pay = async (way: CountedSteps) => {
    const card = cardForm(page);
    await way.see(card.getByTestId('card-number'));
    await way.fill(card.getByTestId('card-number'), goodCard);
    await way.fill(card.getByTestId('card-expiry'), '1234');
    await way.fill(card.getByTestId('card-cvc'), '123');
    await way.tap(field('pay-submit'));
    await way.see(field('pay-success'));
  };

  await open(page, '/dashboard');
  const first = new CountedSteps();
  await first.see(field('send-add'));
  await first.tap(field('send-add'));
  await first.see(field('recipient-form'));
  for (const name of ['name', 'ci', 'phone', 'bankAccount', 'address', 'city'] as const)
    await first.fill(field(`recipient-${name}`), sampleRecipient[name]);
  await first.choose(field('recipient-bankName'), sampleRecipient.bankName);
  await first.tap(field('recipient-submit'));
  await field('recipient-form').waitFor({ state: 'hidden' });
  await first.fill(field('send-amount'), '120');
  await first.fill(field('send-birth-date'), '1990-05-17');
  await first.tap(page.locator('[data-testid=send-submit]:enabled'));
  await first.see(field('email-code'));
  await first.fill(field('email-code'), await emailedCode(app, email));
  await pay(first);
  expect(first.steps).toEqual(statedSteps(table, 'Chasqui, first transfer'));

  await field('repeat-offer').click();
  await field('repeat-save').click();
  await field('repeat-form').waitFor({ state: 'hidden' });
  // Its day comes: the worker looks while the next transfer is made.
  const day = `update repeat_plan set next_day = current_date - 1, next_at = now() - interval '1 hour'`;
  await query(app.databaseUrl, day);
  await field('pay-done').click();
  const again = new CountedSteps();
  await again.tap(field('tab-transfers'));
  await again.see(senderRow(page, 'pending'));
  await again.tap(senderRow(page, 'pending').getByTestId('transfer-repeat-now'));
  await pay(again);
  expect(again.steps).toEqual(statedSteps(table, 'Chasqui, the same again'));
  await field('pay-done').click();
  const link = await until('the reminder’s e-mail is written', async () => {
    const sql = `select data ->> 'reminderId' as id from mail where kind = 'repeat_reminder'`;
    const [reminder] = await query<{ id: string }>(app.databaseUrl, sql);
    return reminder && reminderAddress(reminder.id);
  });
  const reminded = new CountedSteps();
  await reminded.follow(page, `${app.url()}${link}`);
  await pay(reminded);
  expect(reminded.steps).toEqual(statedSteps(table, 'Chasqui, from the reminder'));
  await field('pay-done').click();
  await open(page, '/dashboard/envios');
  await page.locator('[data-testid=transfer-row][data-status=pending]').nth(2).waitFor();
  // Paid once: the reminder is closed.
  expect(await field('repeat-review').count()).toBe(0);
  await open(page, link);
  await page.locator('[data-testid=reminder-closed][data-state=paid]').waitFor();
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

test('who reaches the limit of their tier while paying is told before, verifies identity and document, and pays what the form has kept', async () => {
  const { page } = await sender({ viewport: viewports.phone, expectedErrors: [/status of 422/] });
  await page.request.post(`${app.url()}${endpoints.createRecipient.path}`, { data: sampleRecipient });
  await open(page, '/dashboard');
  await chooseSending(page, '2500', 'USD');
  const above = page.getByTestId('send-above-limit');
  await above.getByText(/Puedes enviar hasta .{1,3}1\.000,00 por envío.*documento.*3\.000,00 por envío/).waitFor();
  await page.getByTestId('send-submit').click();
  await page.getByTestId('pay-refused').waitFor();
  await page.getByTestId('pay-verify').click();

  await page.getByTestId('identity-country').selectOption('BO');
  // The sandbox lets an admin decide about pictures of a number that ends so.
  await page.getByTestId('identity-number').fill('CD 48213333');
  await page.getByTestId('identity-legalName').fill('Carmen Rojas');
  await page.getByTestId('identity-birthDate').fill('1990-05-17');
  await page.getByTestId('identity-send').click();
  await page.getByTestId('verify-document').waitFor();
  const file = { name: 'pasaporte.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') };
  await page.getByTestId('verify-document').locator('input[type=file]').first().setInputFiles(file);
  await page.getByTestId('document-send').click();
  await page.getByTestId('verify-document').getByText('Lo estamos revisando').waitFor();
  const { items } = await app.admin.call(endpoints.identityChecks);
  const params = { id: items[0]?.id ?? '' };
  await app.admin.call(endpoints.decideIdentity, { params, body: { reason: null, note: 'Coincide con la foto' } });
  await page.reload();
  await page.getByTestId('tier').getByText('Nivel 3 de 3').waitFor();
  await page.getByTestId('back-to-payment').click();
  expect(await page.getByTestId('send-amount').inputValue()).toBe('2500');
  await page.locator('[data-testid=send-submit]:not([disabled])').click();
  await payInBrowser(page, goodCard);
  await page.getByTestId('pay-success').waitFor();
  expect(await newestTransfer(page)).toMatchObject({ amount: '2500.00', recipient: sampleRecipient.name });
});
