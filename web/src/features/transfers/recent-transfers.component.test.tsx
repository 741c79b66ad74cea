import { expect, test } from 'vitest';
import type { TransferView } from '#core/contracts/http/transfers';
import { expectAccessible } from '../../testing/accessibility.ts';
import { expectText } from '../../testing/conformance.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { RecentTransfers } from './recent-transfers.tsx';

const api = installFakeApi();
const live = installFakeLive();

const list = (
  <RecentTransfers
    openId=""
    onOpen={() => undefined}
    onClose={() => undefined}
    onRepeat={() => undefined}
    onPay={() => undefined}
    recipients={{ data: [], error: null, refetch: () => undefined }}
    recipientEditor={() => null}
  />
);

const answerWith = (...items: TransferView[]) => api.answer({ listTransfers: () => ({ items, nextCursor: null }) });

test('a pushed change replaces the row of its transfer, and an older push after it is ignored', async () => {
  answerWith(paidTransfer);
  const { screen } = await renderApp([{ path: '/', element: list }]);
  const row = screen.getByTestId('transfer-row');
  await expect.element(row).toHaveAttribute('data-status', 'pending');
  live.push('transfer:changed', { ...paidTransfer, version: 4, status: 'completed', state: 'completed' });
  await expect.element(row).toHaveAttribute('data-status', 'completed');
  live.push('transfer:changed', { ...paidTransfer, version: 3 });
  await expect.element(row).toHaveAttribute('data-status', 'completed');
});

test('a push about a transfer that is not loaded puts it on top of the list', async () => {
  answerWith(paidTransfer);
  const { screen } = await renderApp([{ path: '/', element: list }]);
  await expect.element(screen.getByTestId('transfer-row')).toBeVisible();
  live.push('transfer:changed', {
    ...paidTransfer,
    id: '6d9a2b0e-54a1-4a1c-8f43-000000000001',
    recipient: 'Pedro Mamani',
  });
  await expect.element(screen.getByTestId('transfer-row').first()).toMatchTextContent(/Pedro Mamani/);
  await expect.element(screen.getByTestId('transfer-row').nth(1)).toMatchTextContent(/Juana Mamani/);
});

test('transfers are asked for again when the live connection returns', async () => {
  answerWith();
  const { screen } = await renderApp([{ path: '/', element: list }]);
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
  return renderApp([{ path: '/', element: <RecentTransfers {...list.props} openId={transfer.id} /> }]);
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
    .toMatchTextContent(/EN DEVOLUCIÓN.*Ya volvieron 25,00 EUR a tu tarjeta\. Faltan 75,00 EUR/);
  await expectAccessible();
  const gaveBack = [step('refunded', '2026-11-22T15:00:00.000Z'), step('refunding', '2026-11-23T15:00:00.000Z')];
  live.push('transfer:changed', { ...returning, version: 9, timeline: [...returning.timeline, ...gaveBack] });
  await expect.element(screen.getByTestId('refund-bounced')).toMatchTextContent(/Te debemos 75,00 EUR/);
  await expect.element(details).toMatchTextContent(/TE DEBEMOS DINERO/);
});
