import { expect, test } from 'vitest';
import type { TransferView } from '#core/contracts/http/transfers';
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
