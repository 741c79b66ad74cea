import { t } from '@lingui/core/macro';
import type { MetaFunction } from 'react-router';
import { Checkout } from '../features/payment/checkout.tsx';
import { remittancePlan } from '../features/payment/checkout-payment.tsx';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Envía dinero a Bolivia`) }];

/** The remittance page: amount and card side by side. */
export default function StripePagoPage() {
  return (
    <Page
      title={t`Envía dinero a Bolivia`}
      lead={t`Paga con tarjeta en dólares o euros; llegan bolivianos.`}
      size={1080}
    >
      <Checkout plan={remittancePlan} />
    </Page>
  );
}
