import { expect, onTestFinished, test } from 'vitest';
import { queryClient } from '../data/query-client.ts';
import { paymentKeys } from '../data/query-keys.ts';
import { storeSession, tabStore } from '../lib/storage.ts';
import { expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { covers, expectText } from '../testing/conformance.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { installFakeLive } from '../testing/fake-live.ts';
import { renderApp, senderSession } from '../testing/render-app.tsx';
import { paidTransfer } from '../testing/sample-transfer.ts';
import PaymentSuccessPage from './payment-success.tsx';

const api = installFakeApi();
const live = installFakeLive();

/** Comes back from the provider to the page, signed in unless said otherwise. */
async function comeBack(search: string, { visitor = false } = {}) {
  if (!visitor) storeSession(senderSession);
  api.answer({ me: () => senderSession });
  return renderApp(
    [
      { path: '/payment-success', element: <PaymentSuccessPage /> },
      { path: '/login', element: 'Iniciar sesión' },
      { path: '/dashboard', element: 'El panel' },
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

/** Every verdict that the page shows from now on. */
function watchVerdicts(): string[] {
  const seen: string[] = [];
  const note = () => {
    const outcome = document.querySelector('[data-testid=return]')?.getAttribute('data-outcome');
    if (outcome && outcome !== seen.at(-1)) seen.push(outcome);
  };
  const observer = new MutationObserver(note);
  observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  onTestFinished(() => observer.disconnect());
  return seen;
}

const unpaid = () => ({ status: 'requires_payment_method', providerStatus: 'requires_payment_method' }) as const;
const paid = () => ({ status: 'succeeded', providerStatus: 'requires_capture' }) as const;
const recording = {
  confirmTransaction: () => ({ success: true as const, message: '', transaction: paidTransfer }),
  getTransfer: () => paidTransfer,
};

test('"back" to the return page after the payment was completed in the panel never shows the failure again', async () => {
  api.answer({ paymentStatus: unpaid });
  const { screen, router } = await comeBack('payment_intent=pi_1');
  await expect.element(screen.getByTestId('return')).toHaveAttribute('data-outcome', 'failed');
  await screen.getByRole('link', { name: 'Ir al panel' }).click();
  await expect.element(screen.getByText('El panel')).toBeVisible();
  // The waiting transfer is paid there, and no push says so.
  api.answer({ paymentStatus: paid, ...recording });
  const seen = watchVerdicts();
  await router.navigate(-1);
  await expectText('message payment: succeeded');
  expect(seen).toEqual(['asking', 'succeeded']);
});

test('an open return page follows a payment that is completed elsewhere, when it is looked at again and by push', async () => {
  api.answer({ paymentStatus: unpaid });
  const { screen } = await comeBack('payment_intent=pi_1');
  const verdict = screen.getByTestId('return');
  await expect.element(verdict).toHaveAttribute('data-outcome', 'failed');
  api.answer({ paymentStatus: () => ({ status: 'processing', providerStatus: 'processing' }) });
  window.dispatchEvent(new Event('visibilitychange'));
  await expect.element(verdict).toHaveAttribute('data-outcome', 'processing');
  api.answer({ paymentStatus: unpaid });
  window.dispatchEvent(new Event('visibilitychange'));
  await expect.element(verdict).toHaveAttribute('data-outcome', 'failed');
  api.answer({ paymentStatus: paid, ...recording });
  live.push('transfer:changed', { ...paidTransfer, paymentIntentId: 'pi_1' });
  await expect.element(verdict).toHaveAttribute('data-outcome', 'succeeded');
});

test('a failure that cannot be confirmed any more is not shown as one', async () => {
  api.answer({ paymentStatus: unpaid });
  const { screen } = await comeBack('payment_intent=pi_1');
  await expect.element(screen.getByTestId('return')).toHaveAttribute('data-outcome', 'failed');
  api.answer({ paymentStatus: () => 'no connection' });
  window.dispatchEvent(new Event('visibilitychange'));
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/No se pudo cargar/);
  await expect.element(screen.getByTestId('return-again')).not.toBeInTheDocument();
  await expect
    .element(screen.getByTestId('return-unsure'))
    .toMatchTextContent(/puede estar hecho\. No pagues otra vez/);
});
