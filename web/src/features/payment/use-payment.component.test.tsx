import { expect, test, vi } from 'vitest';
import { toastError } from '../../lib/toast.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp, senderSession } from '../../testing/render-app.tsx';
import { sampleQuote } from '../../testing/sample-quote.ts';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { spanish } from './payment-messages.ts';
import { usePayment } from './use-payment.ts';

// The provider's script is not what is tested here.
vi.mock('./stripe.ts', () => ({ loadCardProvider: async () => ({}) }));
vi.mock('../../lib/toast.ts', () => ({ toastError: vi.fn() }));
const api = installFakeApi();

const offer = { recipient: null, quote: sampleQuote, birthDate: null };

function Payment() {
  const payment = usePayment(offer);
  return (
    <button type="button" onClick={payment.ranOut}>
      {payment.step.name}
    </button>
  );
}

test('a payment whose quote ran out is opened anew, and the sender is told why the card is asked for again', async () => {
  let opened = 0;
  api.answer({
    me: () => senderSession,
    paymentConfig: () => ({ publishableKey: 'pk_test_sandbox', scriptUrl: null, mode: 'sandbox' }),
    createPaymentIntent: () => {
      opened++;
      const quote = { ...sampleQuote, expiresAt: '2026-11-20T14:30:00.000Z' };
      return { paymentIntentId: `pi_${opened}`, transferId: paidTransfer.id, clientSecret: 'secret', quote };
    },
  });
  const { screen } = await renderApp([{ path: '/', element: <Payment /> }]);
  const form = screen.getByRole('button', { name: 'form', exact: true });
  await form.click();
  await vi.waitFor(() => expect(opened).toBe(2));
  await expect.element(form).toBeVisible();
  expect(vi.mocked(toastError).mock.calls).toEqual([[...spanish.renewed]]);
});
