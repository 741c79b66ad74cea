import { expect, test } from 'vitest';
import { queryClient } from '../../data/query-client.ts';
import { paymentKeys } from '../../data/query-keys.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { Returned } from './returned.tsx';

const api = installFakeApi();

test('the success of a payment stays on screen, and is recorded once, when every refetch after it fails', async () => {
  api.answer({
    paymentStatus: () => ({ status: 'succeeded', providerStatus: 'requires_capture' }),
    confirmTransaction: () => ({ success: true, message: '', transaction: paidTransfer }),
    getTransfer: () => paidTransfer,
  });
  const { screen } = await renderApp([{ path: '/', element: <Returned paymentIntentId="pi_1" from={null} /> }]);
  await expect.element(screen.getByText('¡Pago exitoso!')).toBeVisible();
  await expect.element(screen.getByTestId('pay-reference')).toBeVisible();
  const down = () => ({ failure: 'unavailable' }) as const;
  api.answer({ paymentStatus: down, confirmTransaction: down, getTransfer: down });
  // As after every reconnect of the live connection (live.ts).
  await queryClient.invalidateQueries();
  expect(queryClient.getQueryState(paymentKeys.status('pi_1'))?.status).toBe('error');
  await expect.element(screen.getByText('¡Pago exitoso!')).toBeVisible();
  await expect.element(screen.getByTestId('pay-reference')).toBeVisible();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  expect(api.calls.filter(({ name }) => name === 'confirmTransaction')).toHaveLength(1);
});
