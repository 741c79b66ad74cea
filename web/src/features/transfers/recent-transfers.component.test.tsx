import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { QuoteView } from '#core/contracts/http/rates';
import type { TransferView } from '#core/contracts/http/transfers';
import { expectAccessible, expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { covers, expectText } from '../../testing/conformance.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { expectKeyboardDialog, pressTwice } from '../../testing/keyboard-dialog.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { juana } from '../../testing/sample-panel.ts';
import { quoteFor } from '../../testing/sample-rates.ts';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { RecentTransfers } from './recent-transfers.tsx';
import { TransferDetail } from './transfer-detail.tsx';
import { RepeatButton } from './transfer-rows.tsx';

const api = installFakeApi();
beforeEach(() => api.answer({ listRecipients: () => ({ items: [], nextCursor: null }) }));
const live = installFakeLive();

/** The list with the transfer whose details are open at first. */
function List(props: { openId: string }) {
  const [openId, setOpenId] = useState(props.openId);
  return (
    <>
      <RecentTransfers onOpen={setOpenId} onPay={() => undefined} onRepeat={() => undefined} />
      {openId && (
        <TransferDetail
          id={openId}
          onClose={() => setOpenId('')}
          onRepeat={() => undefined}
          onPay={() => undefined}
          recipients={{ data: [], error: null, refetch: () => undefined }}
          recipientEditor={() => null}
        />
      )}
    </>
  );
}

const list = (openId = '') => <List openId={openId} />;

const answerWith = (...items: TransferView[]) => api.answer({ listTransfers: () => ({ items, nextCursor: null }) });

test('a pushed change replaces the row of its transfer, and an older push after it is ignored', async () => {
  answerWith(paidTransfer);
  const { screen } = await renderApp([{ path: '/', element: list() }]);
  const row = screen.getByTestId('transfer-row');
  await expect.element(row).toHaveAttribute('data-status', 'pending');
  live.push('transfer:changed', { ...paidTransfer, version: 4, status: 'completed', state: 'completed' });
  await expect.element(row).toHaveAttribute('data-status', 'completed');
  live.push('transfer:changed', { ...paidTransfer, version: 3 });
  await expect.element(row).toHaveAttribute('data-status', 'completed');
});

test('a push about a transfer that is not loaded puts it on top of the list', async () => {
  answerWith(paidTransfer);
  const { screen } = await renderApp([{ path: '/', element: list() }]);
  await expect.element(screen.getByTestId('transfer-row')).toBeVisible();
  live.push('transfer:changed', {
    ...paidTransfer,
    id: '6d9a2b0e-54a1-4a1c-8f43-000000000001',
    date: '2026-11-20T15:00:00.000Z',
    recipient: 'Pedro Mamani',
  });
  await expect.element(screen.getByTestId('transfer-row').first()).toMatchTextContent(/Pedro Mamani/);
  await expect.element(screen.getByTestId('transfer-row').nth(1)).toMatchTextContent(/Juana Mamani/);
});

test('a push that arrives while the list is on its way is not lost in an answer older than it', async () => {
  const answer = Promise.withResolvers<{ items: TransferView[]; nextCursor: null }>();
  api.answer({ listTransfers: () => answer.promise });
  const { screen } = await renderApp([{ path: '/', element: list() }]);
  await expect.poll(() => api.calls.some(({ name }) => name === 'listTransfers')).toBe(true);
  const pedro = { ...paidTransfer, id: '6d9a2b0e-54a1-4a1c-8f43-000000000003', recipient: 'Pedro Mamani' };
  live.push('transfer:changed', pedro);
  live.push('transfer:changed', { ...paidTransfer, version: 4, status: 'completed', state: 'completed' });
  answer.resolve({ items: [paidTransfer], nextCursor: null });
  const rows = screen.getByTestId('transfer-row');
  await expect.element(rows.nth(1)).toBeVisible();
  await expect.element(rows.filter({ hasText: 'Juana Mamani' })).toHaveAttribute('data-status', 'completed');
  await expect.element(rows.filter({ hasText: 'Pedro Mamani' })).toBeVisible();
});

test('transfers are asked for again when the live connection returns', async () => {
  answerWith();
  const { screen } = await renderApp([{ path: '/', element: list() }]);
  await expectText('message transfers: empty');
  live.connect();
  live.disconnect();
  answerWith(paidTransfer);
  live.connect();
  await expect.element(screen.getByTestId('transfer-row')).toBeVisible();
});

const openDetails = (transfer: TransferView) => {
  answerWith(transfer);
  api.answer({ getTransfer: () => transfer });
  return renderApp([{ path: '/', element: list(transfer.id) }]);
};
const step = (state: TransferView['state'], at: string) => ({ state, at, owner: 'payments' });

test('the details of a completed transfer say what went back to the sender, what the bank returned and what arrived', async () => {
  const { screen } = await openDetails({
    ...paidTransfer,
    ...{ id: '6d9a2b0e-54a1-4a1c-8f43-0000000000a1', status: 'completed', state: 'completed' },
    ...{ returned: '25.00', payoutReturned: '250.00' },
  });
  const details = screen.getByTestId('transfer-detail');
  await expect.element(details).toMatchTextContent(/Llegó a BoliviaBs 1\.041,17/);
  await expect.element(details).toMatchTextContent(/Devuelto a ti25,00 EURDevuelto por el bancoBs 250,00/);
  await expect.element(screen.getByTestId('returned-money')).toMatchTextContent(/Te devolvimos 25,00 EUR a tu tarjeta/);
  await expect.element(screen.getByTestId('payout-returned')).toMatchTextContent(/El banco devolvió Bs 250,00/);
  await expectAccessible();
});

test('the details of money on its way back say so, and mark it as a failure only where the card gave it back', async () => {
  const returning = {
    ...paidTransfer,
    ...{ id: '6d9a2b0e-54a1-4a1c-8f43-0000000000a2', status: 'refunded', state: 'refunding', returned: '25.00' },
    timeline: [step('captured', '2026-11-21T15:00:00.000Z'), step('refunding', '2026-11-21T16:00:00.000Z')],
  } as const satisfies TransferView;
  const { screen } = await openDetails({ ...returning, timeline: [...returning.timeline] });
  const details = screen.getByTestId('transfer-detail');
  await expect
    .element(details)
    .toMatchTextContent(/EN DEVOLUCIÓN.*Te devolvimos 25,00 EUR a tu tarjeta\. Faltan 75,00 EUR/);
  await expectAccessible();
  const gaveBack = [step('refunded', '2026-11-22T15:00:00.000Z'), step('refunding', '2026-11-23T15:00:00.000Z')];
  const refund = { channel: 'card', state: 'failed', byBank: '0.00', reference: null } as const;
  live.push('transfer:changed', { ...returning, version: 9, timeline: [...returning.timeline, ...gaveBack], refund });
  await expect.element(screen.getByTestId('refund-bounced')).toMatchTextContent(/Te debemos 75,00 EUR/);
  await expect.element(details).toMatchTextContent(/TE DEBEMOS DINERO/);
});

test('the details say that a deposit is late, and how a refund was paid that the card did not take', async () => {
  const captured = {
    ...paidTransfer,
    ...{ id: crypto.randomUUID(), state: 'captured', estimatedDelivery: '2026-11-20T04:00:00.000Z' },
  } as const satisfies TransferView;
  const { screen } = await openDetails(captured);
  await expect
    .element(screen.getByTestId('payout-delayed'))
    .toMatchTextContent(/Lo esperábamos para el viernes, 20 de noviembre.*Bs 1\.291,17 o te devolvemos todo/);
  await expectAccessible();
  const refund = { channel: 'bank', state: 'done', byBank: '100.00', reference: 'TRF-77' } as const;
  const back = { ...captured, version: 9, state: 'refunded', status: 'refunded', returned: '100.00', refund } as const;
  live.push('transfer:changed', { ...back, timeline: [step('refunded', '2026-11-22T15:00:00.000Z')] });
  await expect.element(screen.getByTestId('returned-money')).toMatchTextContent(/transferencia bancaria.*TRF-77/);
  await expect.element(screen.getByTestId('payout-delayed')).not.toBeInTheDocument();
});

test('transactions are found by name and status, in a table on large screens and cards on small ones', async () => {
  await page.viewport(1280, 900);
  const juan = { ...paidTransfer, id: '6d9a2b0e-54a1-4a1c-8f43-000000000002', recipient: 'Juan Condori' };
  api.answer({
    listTransfers: ({ query }) => ({
      items: query.status ? [] : [paidTransfer, juan].filter(({ recipient }) => recipient.includes(query.search ?? '')),
      nextCursor: null,
    }),
  });
  await renderApp([{ path: '/', element: list() }]);
  const rows = page.getByTestId('transfer-row');
  await expect.element(rows.nth(1)).toBeVisible();
  expect(document.querySelectorAll('tr[data-testid=transfer-row]')).toHaveLength(2);
  await page.getByTestId('transfer-search').fill('Condo');
  await expect.element(rows.nth(1)).not.toBeInTheDocument();
  await expect.element(rows).toMatchTextContent(/Juan Condori/);
  await page.getByTestId('transfer-search').fill('nadie');
  await expectText('message transfers: none found');
  covers('rule search of transactions');
  await page.getByTestId('transfer-search').fill('');
  await expect.element(rows.nth(1)).toBeVisible();
  await page.getByTestId('transfer-status').selectOptions('completed');
  await expectText('message transfers: none found');
  await page.getByTestId('transfer-status').selectOptions('');
  await expect.element(rows.nth(1)).toBeVisible();
  await expectAccessibleAtAnyWidth();
  await page.viewport(390, 844);
  await expect.poll(() => document.querySelectorAll('div[data-testid=transfer-row]').length).toBe(2);
});

test('an open transfer says live that it was rejected, and why', async () => {
  answerWith(paidTransfer);
  api.answer({ getTransfer: () => paidTransfer });
  await renderApp([{ path: '/', element: list(paidTransfer.id) }]);
  await expect.element(page.getByTestId('transfer-cancel')).toBeVisible();
  live.push('transfer:changed', {
    ...paidTransfer,
    version: 3,
    status: 'rejected',
    state: 'rejected',
    reason: 'Faltan datos',
    cancellable: false,
  });
  await expect.element(page.getByTestId('transfer-row')).toMatchTextContent('Rechazado');
  covers('message transfer: rejected');
  await expect.element(page.getByTestId('transfer-detail').getByText('Faltan datos')).toBeVisible();
  await expect.element(page.getByTestId('transfer-cancel')).not.toBeInTheDocument();
  await expectAccessible();
});

test('the statements of each month and year are listed in a dialog that a keyboard opens and closes', async () => {
  answerWith(paidTransfer);
  api.answer({
    statementPeriods: () => ({
      periods: [
        { period: '2026', transfers: 3 },
        { period: '2026-11', transfers: 2 },
      ],
    }),
  });
  const { screen } = await renderApp([{ path: '/', element: list() }]);
  const ready = () =>
    expect.element(screen.getByTestId('statements')).toMatchTextContent(/Año 2026.*3 envíos.*2 envíos/);
  await expectKeyboardDialog('features/transfers/statements.tsx', screen.getByTestId('statements-open'), { ready });
});

test('a transfer is cancelled once, and one that could not be cancelled stays open', async () => {
  answerWith(paidTransfer);
  api.answer({ getTransfer: () => paidTransfer, cancelTransfer: () => 'no connection' });
  await page.viewport(1280, 900);
  await renderApp([{ path: '/', element: list() }]);
  const opener = page.getByRole('button', { name: 'Ver detalles del envío a Juana Mamani' });
  const ready = () => expect.element(page.getByTestId('transfer-cancel')).toBeVisible();
  await expectKeyboardDialog('features/transfers/transfer-detail.tsx', opener, { ready });
  const cancel = page.getByTestId('transfer-cancel');
  await expectKeyboardDialog('features/transfers/cancel-transfer.tsx', cancel, { replaces: true });
  await page.getByTestId('cancel-confirm').click();
  await expect.element(page.getByTestId('cancel-refused')).toMatchTextContent('No hay conexión con Chasqui.');
  await expectAccessibleAtAnyWidth();
  const answer = Promise.withResolvers<TransferView>();
  api.answer({ cancelTransfer: () => answer.promise });
  const before = api.calls.filter(({ name }) => name === 'cancelTransfer').length;
  pressTwice('cancel-confirm');
  await expect.element(page.getByText('Cancelando...')).toBeVisible();
  answer.resolve({ ...paidTransfer, version: 3, status: 'cancelled', state: 'cancelled', cancellable: false });
  await expect.element(page.getByText('Envío cancelado')).toBeVisible();
  expect(api.calls.filter(({ name }) => name === 'cancelTransfer')).toHaveLength(before + 1);
});

test('sending the same again asks for the figures of the moment each time, and waits for them', async () => {
  const rates: string[] = [];
  api.answer({
    listRecipients: () => ({ items: [juana], nextCursor: null }),
    quote: ({ body }) => quoteFor(body, '13.40'),
  });
  const button = (
    <RepeatButton
      transfer={paidTransfer}
      onPay={({ quote }) => rates.push(quote.rate)}
      onRepeat={() => rates.push('the form')}
    />
  );
  const { screen } = await renderApp([{ path: '/', element: button }]);
  const again = screen.getByTestId('transfer-repeat-now');
  await again.click();
  await expect.poll(() => rates).toEqual(['13.40']);
  const moved = Promise.withResolvers<QuoteView>();
  api.answer({ quote: () => moved.promise });
  await again.click();
  await expect.element(again).toBeDisabled();
  const { amount, currency } = paidTransfer;
  moved.resolve(quoteFor({ amount, currency }, '13.50'));
  await expect.poll(() => rates).toEqual(['13.40', '13.50']);
});
