import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type Cause, causeNames } from '#core/reconciliation/cause';
import { closingRefusalNames } from '#core/reconciliation/closing';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { openAsAdmin } from '../../../testing/admin-panel.tsx';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { installFakeLive } from '../../../testing/fake-live.ts';
import { expectKeyboardDialog } from '../../../testing/keyboard-dialog.ts';
import { sampleDay, sampleException, sampleReconciliation } from '../../../testing/sample-books.ts';
import { ReconciliationTab } from './reconciliation-tab.tsx';

const api = installFakeApi();
const live = installFakeLive();

const someone = { requested_by: 'Marta Flores', requested_by_id: crypto.randomUUID() };
const request = {
  id: crypto.randomUUID(),
  reason: 'Todo cuadra',
  requested_at: '2026-11-21T15:00:00.000Z',
  ...someone,
};

test('reconciliation names the cause of every difference and why days stay open, at any width', async () => {
  const exceptions = causeNames.map((cause: Cause) =>
    sampleException({ cause, request: cause === 'bank_fee' ? request : null }),
  );
  const days = [
    sampleDay({ refusals: [...closingRefusalNames] }),
    sampleDay({
      day: '2026-11-19',
      closed_at: '2026-11-21T14:00:00.000Z',
      proposed_by: 'Marta Flores',
      confirmed_by: 'Luis Rojas',
    }),
  ];
  const { screen } = await openAsAdmin(api, <ReconciliationTab />, {
    reconciliation: () => sampleReconciliation(days),
    bookExceptions: () => ({ items: exceptions, nextCursor: null }),
  });
  const rows = screen.getByTestId('books-exception');
  for (const width of [390, 1280]) {
    await page.viewport(width, 900);
    await expect.poll(() => rows.elements().length).toBe(causeNames.length);
    await expect
      .element(rows.nth(causeNames.indexOf('payout_doubled')))
      .toMatchTextContent(/El banco pagó dos veces.*En los librosNada.*En la fuente: Banco.*1\.291,17.*20\/11\/2026/);
    await expect
      .element(rows.nth(causeNames.indexOf('fee_changed')))
      .toMatchTextContent(/^(?!.*(En los libros|Diferencia)).*Según la lista de precios/);
    await expect
      .element(rows.nth(causeNames.indexOf('bank_balance_gap')))
      .toMatchTextContent(/El extracto anterior terminó con.*Este empieza con/);
    const titles = rows.elements().map((row) => row.querySelector('p')?.textContent);
    expect(new Set(titles).size).toBe(causeNames.length);
    await expect
      .element(screen.getByTestId('books-day').first())
      .toMatchTextContent(/En camino.*1\.291,17.*Ganancia 11,00 EUR.*Falta el extracto del banco\./);
    await expect
      .element(screen.getByTestId('books-day').last())
      .toMatchTextContent(/Cerrado.*Lo propuso Marta Flores y lo confirmó Luis Rojas/);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await expectAccessible();
  }
});

test('a difference is explained with a note, or accepted by a second person, and the list follows what others do', async () => {
  let items = [sampleException()];
  const { screen } = await openAsAdmin(api, <ReconciliationTab />, {
    reconciliation: () => sampleReconciliation(),
    bookExceptions: () => ({ items, nextCursor: null }),
    explainException: () => ({ failure: 'exception_decided', status: 409 }),
    acceptException: () => ({ exception: sampleException() }),
    askAgain: () => ({ exception: sampleException() }),
    decideBookRequest: () => ({ decided: true }),
  });
  await expectKeyboardDialog('features/admin/reconciliation/exception-list.tsx', screen.getByTestId('books-explain'));
  await screen.getByTestId('books-confirm').click();
  await expect.element(screen.getByText('Escribe la explicación')).toBeVisible();
  await expect.element(screen.getByTestId('books-note-text')).toHaveFocus();
  expect(api.calls.map(({ name }) => name)).not.toContain('explainException');
  await screen.getByTestId('books-note-text').fill('El banco la corrige mañana');
  await screen.getByTestId('books-confirm').click();
  await expect
    .element(screen.getByRole('dialog'))
    .toMatchTextContent(/Mensaje de exception_decided|ya no está abierta/);
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByTestId('books-dialog')).not.toBeInTheDocument();
  await screen.getByTestId('books-accept').click();
  await expect.element(screen.getByRole('dialog')).toMatchTextContent(/Los libros anotan .*1\.291,17/);
  await screen.getByTestId('books-note-text').fill('El banco no la devuelve');
  await screen.getByTestId('books-confirm').click();
  await expect
    .poll(() => api.calls.find(({ name }) => name === 'acceptException')?.body)
    .toEqual({ note: 'El banco no la devuelve' });
  await screen.getByTestId('books-ask').click();
  await expect.poll(() => api.calls.some(({ name }) => name === 'askAgain')).toBe(true);
  items = [sampleException({ request, can_accept: true })];
  live.push('admin:books-changed', { at: '2026-11-21T15:00:00.000Z' });
  await expect.element(screen.getByTestId('books-request')).toMatchTextContent(/Lo pidió Marta Flores/);
  await screen.getByTestId('books-approve').click();
  await expect.poll(() => api.calls.find(({ name }) => name === 'decideBookRequest')?.body).toEqual({ approve: true });
});

test('a day is proposed for closing, a statement that cannot be read is refused with its line, and lists are exported', async () => {
  const { screen } = await openAsAdmin(api, <ReconciliationTab />, {
    reconciliation: () => sampleReconciliation(),
    bookExceptions: () => ({ items: [], nextCursor: null }),
    closeDay: () => ({ failure: 'day_not_closable', status: 409, refusals: ['exceptions_open'] }),
    runReconciliation: () => ({ asked: true }),
    importStatement: () => ({ failure: 'statement_unreadable', status: 422, line: 3, reason: 'not an amount' }),
  });
  await expect.element(screen.getByText('Los libros cuadran con Stripe y con el banco')).toBeVisible();
  await screen.getByTestId('books-close').click();
  await expect.poll(() => api.calls.find(({ name }) => name === 'closeDay')?.params).toEqual({ day: '2026-11-20' });
  await expect.element(screen.getByTestId('books-day').getByRole('alert')).toBeVisible();
  await screen.getByTestId('books-run').click();
  await expect.element(screen.getByText('Comparando')).toBeVisible();
  const file = new File(['record\r\n'], 'extracto.csv', { type: 'text/csv' });
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, file);
  await expect.element(screen.getByTestId('books-import-refused')).toBeVisible();
  expect(api.calls.find(({ name }) => name === 'importStatement')?.body).toEqual({ data: btoa('record\r\n') });
  await screen.getByTestId('export-from').fill('2026-11-01');
  await screen.getByTestId('export-to').fill('2026-11-20');
  await expect
    .element(screen.getByTestId('export-postings'))
    .toHaveAttribute('href', '/api/admin/exports/postings/2026-11-01/2026-11-20');
  await screen.getByTestId('export-to').fill('2026-10-20');
  await expect.element(screen.getByTestId('export-postings')).not.toHaveAttribute('href');
  await expectAccessible();
});

test('differences are narrowed to one cause, which stands in the address, and none of it offers all of them again', async () => {
  const { screen, router } = await openAsAdmin(api, <ReconciliationTab />, {
    address: '/?tab=reconciliation&cause=bank_balance_gap',
    reconciliation: () => sampleReconciliation(),
    bookExceptions: ({ query }) => ({
      items: query.cause === 'payout_doubled' ? [] : [sampleException({ cause: query.cause as Cause })],
      nextCursor: null,
    }),
  });
  await expect.element(screen.getByTestId('books-exception')).toHaveAttribute('data-cause', 'bank_balance_gap');
  await expect.element(screen.getByTestId('books-cause')).toHaveValue('bank_balance_gap');
  await screen.getByTestId('books-cause').selectOptions('payout_doubled');
  await expect.element(screen.getByText('Ninguna diferencia es así')).toBeVisible();
  expect(router.state.location.search).toBe('?tab=reconciliation&cause=payout_doubled');
  await expectAccessible();
  api.answer({ bookExceptions: () => ({ items: [sampleException()], nextCursor: null }) });
  await screen.getByTestId('books-cause-clear').click();
  await expect.element(screen.getByTestId('books-exception')).toBeVisible();
  expect(router.state.location.search).toBe('?tab=reconciliation');
  const asked = api.calls.filter(({ name }) => name === 'bookExceptions').map(({ query }) => query.cause);
  expect(asked).toEqual(['bank_balance_gap', 'payout_doubled', undefined]);
});

test('what families are owed is listed although the books are even, and they are not called so', async () => {
  await page.viewport(390, 844);
  const id = '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01';
  const owed = [
    { transfer_id: id, amount: '100.00', since: '2026-11-21T13:00:00.000Z' },
    { transfer_id: crypto.randomUUID(), amount: '50.50', since: null },
  ];
  const { screen } = await openAsAdmin(api, <ReconciliationTab />, {
    reconciliation: () => ({ ...sampleReconciliation(), open_exceptions: 0, owed_to_families: owed }),
    bookExceptions: () => ({ items: [], nextCursor: null }),
  });
  const part = screen.getByTestId('books-owed');
  await expect.element(part).toMatchTextContent(/El banco devolvió Bs 150,50 de pagos ya hechos.*no es nuestro/);
  await expect.element(part).toMatchTextContent(/Bs 100,00.*Sin caso abierto.*Bs 50,50/);
  await expect.element(screen.getByText('Ninguna diferencia abierta. Falta lo que se debe a familias.')).toBeVisible();
  expect(screen.getByTestId('books-owed-transfer').first().getByRole('link').element().getAttribute('href')).toBe(
    `/admin?transfer=${id}`,
  );
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await expectAccessible();
});
