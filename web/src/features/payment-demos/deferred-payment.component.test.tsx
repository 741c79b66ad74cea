import { expect, test } from 'vitest';
import { paths } from '../../lib/paths.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeStripe } from '../../testing/fake-stripe.ts';
import { answerPayments, continueToCard, openCheckout, pressPay } from '../../testing/payments.tsx';
import { Checkout } from '../payment/checkout.tsx';
import type { CheckoutPlan } from '../payment/checkout-plan.ts';
import { demoPages } from './demo-pages.tsx';

const api = installFakeApi();
const stripe = installFakeStripe();
const { plan } = demoPages.find(({ path }) => path === paths.stripeSimple) as { plan: CheckoutPlan };

test('a card that is entered before its payment is opened is submitted once, and once more for another attempt', async () => {
  answerPayments(api);
  let submitted = 0;
  const submit = async () => {
    submitted += 1;
    return {};
  };
  const declined = { type: 'card_error', code: 'card_declined', payment_intent: { status: 'requires_payment_method' } };
  stripe.answer({ submit, confirm: async () => ({ error: declined as object }) });
  const { screen } = await openCheckout(<Checkout plan={plan} />);
  await continueToCard();
  await pressPay();
  await expect.element(screen.getByTestId('pay-error')).toBeVisible();
  expect(submitted).toBe(1);
  stripe.answer({ confirm: async () => ({}) });
  await pressPay();
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
  expect(submitted).toBe(2);
});
