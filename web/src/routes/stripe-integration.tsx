import { t } from '@lingui/core/macro';
import { type MetaFunction, useLocation } from 'react-router';
import { Checkout } from '../features/payment/checkout.tsx';
import { twoStepPlan } from '../features/payment/checkout-payment.tsx';
import { twoStepPlanWithoutRate } from '../features/payment-demos/demo-pages.tsx';
import { paths } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Tu remesa en dos pasos`) }];

/** The two-step remittance page, also under /stripe and /new-stripe, whose payment is not told the rate. */
export default function StripeIntegrationPage() {
  const { pathname } = useLocation();
  const plan = pathname === paths.stripeIntegration ? twoStepPlan : twoStepPlanWithoutRate;
  return (
    <Page title={t`Tu remesa en dos pasos`} lead={t`Primero el monto, después la tarjeta.`} size={608}>
      <Checkout key={pathname} plan={plan} />
    </Page>
  );
}
