import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { reminderAddress } from '#core/contracts/page-addresses';
import { viewports } from '../infra/testing/browser.ts';
import { emailedCode, sampleRecipient } from './api-client.ts';
import { CountedSteps, statedSteps } from './counted-steps.ts';
import { query } from './ledger.ts';
import { cardForm, senderRow } from './pages.ts';
import { goodCard, usePaymentFixture } from './payment-fixture.ts';
import { until } from './until.ts';

// A measurement: what docs/steps-to-send.md says is counted on the whole product.
const { app, sender, open } = usePaymentFixture();

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
