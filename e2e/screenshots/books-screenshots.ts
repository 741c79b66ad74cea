import { endpoints } from '#core/contracts/http/endpoints';
import type { BookExceptionView } from '#core/contracts/http/reconciliation';
import type { Cause } from '#core/reconciliation/cause';
import { shiftDay } from '#core/reconciliation/days';
import { laPazDay } from '#core/time/time';
import { requestJson } from '../../sandbox/testing/control-client.ts';
import { until } from '../until.ts';
import { addRecipient, type Demo, identify, reaches, send, signUpAs } from './demo-data.ts';
import { openAdmin } from './pages.ts';
import type { Screenshot } from './screenshot.ts';

/** What Stripe lists otherwise than it happened, for a transfer each. */
const differences = [
  { kind: 'fee', by: 45 },
  { kind: 'amount', by: -300 },
  { kind: 'amount', by: -1 },
  { kind: 'currency', currency: 'usd' },
] as const;

/** What is found of these, of a movement of no transfer, and of the statement below. */
const found: readonly Cause[] = [
  ...(['fee_changed', 'charge_amount_differs', 'stripe_rounding', 'stripe_currency_differs'] as const),
  ...(['stripe_unknown', 'bank_fee', 'bank_debit_unknown', 'bank_credit_unknown', 'bank_balance_gap'] as const),
];

/** A statement of yesterday that begins with another balance than the one before ended with. */
function statement(): string {
  const day = shiftDay(laPazDay(new Date()), -1);
  const row = (...cells: string[]) => cells.join(',');
  const line = (record: string, ...rest: string[]) => row(record, 'CHQ-2', '10000000591001', 'BOB', day, ...rest);
  return [
    row(
      'record',
      'statement',
      'account',
      'currency',
      'date',
      'line',
      'amount',
      'end_to_end_id',
      'bank_reference',
      'code',
      'description',
    ),
    line('opening', '', '5000.00', '', '', '', ''),
    line('entry', '1', '-25.00', '', 'BO2201', 'fee', 'COMISION MENSUAL'),
    line('entry', '2', '-800.00', '', 'BO2202', '', 'TRANSFERENCIA'),
    line('entry', '3', '950.00', '', 'BO2203', '', 'DEPOSITO'),
    line('closing', '', '5125.00', '', '', '', ''),
  ].join('\n');
}

/** Has both sources differ from the books; one difference is explained afterwards, another waits for a second person. */
async function createDifferences(demo: Demo): Promise<void> {
  const { client: admin } = demo.admin;
  const differ = (body: object) => requestJson(demo.stripeUrl, 'POST', '/sandbox/stripe/differences', body);
  const sender = await signUpAs(demo, 'Yolanda Huanca Poma', 'yolanda.libros@example.com');
  await identify(sender, 'Yolanda Huanca Poma');
  const recipientId = await addRecipient(sender, { name: 'Rosa Mamani Condori' });
  for (const difference of differences) {
    const id = await send(demo, sender, { recipientId, amount: '240.00', currency: 'eur' });
    await until('the transfer is approved', () => admin.call(endpoints.approve, { params: { id } }));
    await reaches(sender.client, id, 'completed');
    const { paymentIntentId } = await sender.client.call(endpoints.getTransfer, { params: { id } });
    await differ({ ...difference, payment_intent: paymentIntentId });
  }
  await differ({ kind: 'extra', amount: 4_200, currency: 'usd' });
  const data = Buffer.from(statement()).toString('base64');
  await admin.call(endpoints.importStatement, { body: { data } });
  const open = await until('the differences are found', async () => {
    await admin.call(endpoints.runReconciliation);
    const { items } = await admin.call(endpoints.bookExceptions, { query: { status: 'open', limit: 100 } });
    return found.every((cause) => items.some((one) => one.cause === cause)) && items;
  });
  const about = (wanted: Cause) => ({ id: (open.find(({ cause }) => cause === wanted) as BookExceptionView).id });
  const explained = { note: 'Tarjeta de otro continente: Stripe cobra 45 céntimos más por ella.' };
  await admin.call(endpoints.explainException, { params: about('fee_changed'), body: explained });
  const accepted = { note: 'El banco cobra la cuenta una vez al mes; el contrato lo dice.' };
  await admin.call(endpoints.acceptException, { params: about('bank_fee'), body: accepted });
}

/** Books that differ from what Stripe and the bank say. */
export const booksScreenshots: readonly Screenshot[] = [
  {
    name: 'books',
    take: async (context) => {
      await createDifferences(context.demo);
      const page = await openAdmin(context, '/admin?tab=reconciliation', context.demo.secondAdmin);
      await page.getByTestId('books-exception').first().waitFor();
      await context.writer.capture(page, 'books-open');
      for (const action of ['explain', 'accept']) {
        await page.locator('[data-cause=stripe_unknown]').getByTestId(`books-${action}`).click();
        await page.getByTestId('books-note-text').waitFor();
        if (action === 'accept') {
          await page.getByTestId('books-confirm').click();
          await page.locator('[data-testid=books-note-text][aria-invalid=true]').waitFor();
        }
        await context.writer.capture(page, `books-${action}`, { viewportOnly: true });
        await page.keyboard.press('Escape');
        await page.getByTestId('books-note-text').waitFor({ state: 'detached' });
      }
      await page
        .getByTestId('books-status')
        .getByText(/Resueltas|Resolved|Settled|Decided/)
        .click();
      await page.getByTestId('books-note').first().waitFor();
      await context.writer.capture(page, 'books-decided', {
        viewportOnly: true,
        at: page.getByTestId('books-note').first(),
      });
      await page.context().close();
    },
  },
];
