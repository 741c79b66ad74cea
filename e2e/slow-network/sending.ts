import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { emailedCode, sampleRecipient } from '../api-client.ts';
import { cardNumber, type Part, painted, pay, withBolivianos } from './waits.ts';

/** From a first visit to a payment, a second one, and what keeps a person from sending twice or typing twice. */
export const sendingPart: Part = {
  title: '1. From the first visit to paid',
  take: async (product, journey) => {
    const page = await journey.phone(product);
    const field = (testid: string) => page.getByTestId(testid);
    const open = (path: string) => () => page.goto(product.url() + path, { waitUntil: 'commit' });
    const hydrated = () => page.locator('html[data-hydrated]').waitFor();

    await journey.wait('The front page, first visit: its first paint', open('/'), () => painted(page));
    const arrives = page.getByTestId('first-answer').or(withBolivianos(field('calculator-bs')));
    await journey.wait(
      '… and, from there on, what arrives for 100',
      () => field('first-answer').scrollIntoViewIfNeeded(),
      withBolivianos(arrives),
    );
    await journey.wait('… and the calculator for any other amount', hydrated, withBolivianos(field('calculator-bs')));
    await journey.wait('The form to sign up, after the front page', open('/login?signup=true'), hydrated);
    await field('signup-name').fill('Carmen Rojas');
    const email = `carmen-${randomUUID()}@example.com`;
    await field('signup-email').fill(email);
    await field('signup-password').fill('una-clave-larga');
    await field('signup-confirm').fill('una-clave-larga');
    await field('signup-terms').check();
    const breakdown = withBolivianos(field('breakdown-bs'));
    await journey.wait('Signed up: the panel says what arrives', () => field('signup-submit').click(), breakdown);
    await journey.wait('The form of a recipient', () => field('send-add').click(), field('recipient-form'));
    await fillRecipient(page);
    const saved = () => field('recipient-form').waitFor({ state: 'hidden' });
    await journey.wait('The recipient is saved', () => field('recipient-submit').click(), saved);
    await field('send-amount').fill('120');
    await field('send-birth-date').fill('1990-05-17');
    const send = page.locator('[data-testid=send-submit]:enabled');
    await send.waitFor();
    const codeForm = 'The form for the e-mailed code, after “Enviar dinero ahora”';
    await journey.wait(codeForm, () => send.click(), field('email-code'));
    const code = await emailedCode(product, email);
    const typed = () => field('email-code').fill(code);
    await journey.wait('The card’s form, once the code is typed', typed, cardNumber(page));
    await journey.wait('Paid', () => pay(page), field('pay-success'));
    await field('pay-done').click();

    await journey.wait('The panel, opened again: it says what arrives', open('/dashboard'), breakdown);
    await field('send-amount').fill('135');
    await field('send-amount').blur();
    const drafted = () => page.locator('[data-testid=send-amount][value="135"]').waitFor();
    await journey.wait('Reloaded: the draft is there', () => page.reload({ waitUntil: 'commit' }), drafted);
    await field('send-add').click();
    await fillRecipient(page, 'Rosa M. de Mamani');
    const known = field('recipient-known');
    await journey.wait('The same account once more: the warning', () => field('recipient-submit').click(), known);
    await field('recipient-use-known').click();
    const rows = field('transfer-row');
    await journey.wait('The list of transfers', () => field('tab-transfers').click(), rows);
    const repeat = () => field('transfer-repeat-now').first().click();
    await journey.wait('The same again: the card’s form', repeat, cardNumber(page));
    await journey.wait('The same again: paid', () => pay(page), field('pay-success'));
  },
};

async function fillRecipient(page: Page, name = sampleRecipient.name): Promise<void> {
  const input = { ...sampleRecipient, name };
  for (const field of ['name', 'ci', 'phone', 'bankAccount', 'address', 'city'] as const)
    await page.getByTestId(`recipient-${field}`).fill(input[field]);
  await page.getByTestId('recipient-bankName').selectOption(input.bankName);
}
