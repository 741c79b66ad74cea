import { expect, test } from 'vitest';
import { queryClient } from '../data/query-client.ts';
import { paymentKeys } from '../data/query-keys.ts';
import { storeSession, tabStore } from '../lib/storage.ts';
import { expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { covers, expectText } from '../testing/conformance.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { renderApp, senderSession } from '../testing/render-app.tsx';
import { paidTransfer } from '../testing/sample-transfer.ts';
import PaymentSuccessPage from './payment-success.tsx';

const api = installFakeApi();

/** Comes back from the provider to the page, signed in unless said otherwise. */
async function comeBack(search: string, { visitor = false } = {}) {
  if (!visitor) storeSession(senderSession);
  api.answer({ me: () => senderSession });
  return renderApp(
    [
      { path: '/payment-success', element: <PaymentSuccessPage /> },
      { path: '/login', element: 'Iniciar sesión' },
    ],
    `/payment-success?${search}`,
  );
}

test.each([
  ['processing', 'processing', 'message payment: processing'],
  ['requires_action', 'processing', 'message payment: processing'],
  ['requires_payment_method', 'failed', 'message payment: try again'],
  ['canceled', 'wrong', 'message payment: went wrong'],
] as const)(
  'the return page shows a payment that is %s as %s, whatever the address claims',
  async (status, outcome, row) => {
    api.answer({ paymentStatus: () => ({ status, providerStatus: status }) });
    const { screen } = await comeBack('payment_intent=pi_1&redirect_status=succeeded&from=%2Fstripe-redirect');
    await expect.element(screen.getByTestId('return')).toHaveAttribute('data-outcome', outcome);
    await expectText(row);
    await expectAccessibleAtAnyWidth();
    const again = screen.getByTestId('return-again');
    if (outcome === 'failed') await expect.element(again).toHaveAttribute('href', '/stripe-redirect');
    else await expect.element(again).not.toBeInTheDocument();
    covers('route /payment-success');
  },
);

test('a payment that is still processing becomes a success without a reload, and is forgotten by the tab', async () => {
  tabStore.setItem('payment_under_way', 'pi_1');
  api.answer({
    paymentStatus: () => ({ status: 'processing', providerStatus: 'processing' }),
    confirmTransaction: () => ({ success: true, message: '', transaction: paidTransfer }),
    getTransfer: () => paidTransfer,
  });
  const { screen, router } = await comeBack('payment_intent_client_secret=pi_1_secret_x');
  await expectText('message payment: processing');
  expect(router.state.location.search).toBe('?payment_intent=pi_1');
  expect(tabStore.getItem('payment_under_way')).toBeNull();
  api.answer({ paymentStatus: () => ({ status: 'succeeded', providerStatus: 'requires_capture' }) });
  await expectText('message payment: succeeded');
  await expect.element(screen.getByTestId('pay-reference')).toBeVisible();
});

test('the payment of another sender is not shown on the return page', async () => {
  api.answer({ paymentStatus: () => ({ failure: 'not_found', status: 404 }) });
  const { screen } = await comeBack('payment_intent=pi_1&redirect_status=succeeded');
  await expect.element(screen.getByTestId('return')).toHaveAttribute('data-outcome', 'wrong');
  await expect.element(screen.getByText(/No encontramos este pago en tu cuenta/)).toBeVisible();
  await expect.element(screen.getByTestId('pay-reference')).not.toBeInTheDocument();
});

test('the return page without a payment says so', async () => {
  await comeBack('');
  await expectText('message payment: went wrong');
});

test('the return page asks a visitor to sign in first, without the secret in any address', async () => {
  const { screen, router } = await comeBack('payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x', {
    visitor: true,
  });
  await expect.element(screen.getByText('Iniciar sesión')).toBeVisible();
  expect(decodeURIComponent(router.state.location.search)).toBe('?next=/payment-success?payment_intent=pi_1');
});

test('the success of a payment stays on screen, and is recorded once, when every refetch after it fails', async () => {
  api.answer({
    paymentStatus: () => ({ status: 'succeeded', providerStatus: 'requires_capture' }),
    confirmTransaction: () => ({ success: true, message: '', transaction: paidTransfer }),
    getTransfer: () => paidTransfer,
  });
  const { screen } = await comeBack('payment_intent=pi_1');
  await expect.element(screen.getByTestId('pay-reference')).toBeVisible();
  const down = () => ({ failure: 'unavailable' }) as const;
  api.answer({ me: down, paymentStatus: down, confirmTransaction: down, getTransfer: down });
  // As after every reconnect of the live connection (live.ts).
  await queryClient.invalidateQueries();
  expect(queryClient.getQueryState(paymentKeys.status('pi_1'))?.status).toBe('error');
  await expectText('message payment: succeeded');
  await expect.element(screen.getByTestId('pay-reference')).toBeVisible();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  expect(api.calls.filter(({ name }) => name === 'confirmTransaction')).toHaveLength(1);
});
