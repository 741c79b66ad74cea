import { Checkout } from '../features/payment/checkout.tsx';
import { remittancePlan } from '../features/payment/plans.ts';
import { Page } from '../ui/page.tsx';

/** The remittance page: amount and card side by side. */
export function Component() {
  return (
    <Page title="Envía dinero a Bolivia" lead="Paga con tarjeta en dólares o euros; llegan bolivianos." size={1080}>
      <Checkout plan={remittancePlan} />
    </Page>
  );
}
