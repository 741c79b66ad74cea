import { Checkout } from '../features/payment/checkout.tsx';
import { fixedPlan } from '../features/payment/plans.ts';
import { Page } from '../ui/page.tsx';

/** The English page about a fixed rate. */
export function Component() {
  return (
    <div lang="en">
      <Page title="Send Money to Bolivia" lead="Pay by card in dollars; bolivianos arrive." size={1080}>
        <Checkout plan={fixedPlan} />
      </Page>
    </div>
  );
}
