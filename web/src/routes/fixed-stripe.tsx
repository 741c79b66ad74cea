import type { MetaFunction } from 'react-router';
import { Checkout } from '../features/payment/checkout.tsx';
import { fixedPlan } from '../features/payment-demos/demo-pages.tsx';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle('Send Money to Bolivia') }];

/** The English page about a fixed rate. */
export default function FixedStripePage() {
  return (
    <div lang="en">
      <Page title="Send Money to Bolivia" lead="Pay by card in dollars; bolivianos arrive." size={1080}>
        <Checkout plan={fixedPlan} />
      </Page>
    </div>
  );
}
