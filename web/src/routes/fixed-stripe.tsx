import { lazy } from 'react';
import { type ClientLoaderFunctionArgs, type MetaFunction, redirectDocument } from 'react-router';
import { Checkout } from '../features/payment/checkout.tsx';
import { fixedPlan } from '../features/payment-demos/demo-pages.tsx';
import { language, loadEnglish, showLanguage } from '../lib/language.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import { Page } from '../ui/page.tsx';

const Proofs = lazy(() => import('../features/account/proofs.tsx'));

export const meta: MetaFunction = () => [{ title: tabTitle('Send Money to Bolivia') }];

/**
 * Its document is English whatever language its reader chose (web/page-list.ts), which stays as it is. From a page in Spanish it is
 * loaded anew; the development server has no English document for it.
 */
export async function clientLoader({ request }: ClientLoaderFunctionArgs): Promise<null> {
  if (language() === 'en') showLanguage('en', await loadEnglish('all'));
  else if (import.meta.env.PROD) throw redirectDocument(request.url);
  return null;
}

/** The English page about a fixed rate. */
export default function FixedStripePage() {
  return (
    <Page title="Send Money to Bolivia" lead="Pay by card in dollars; bolivianos arrive." size={1080}>
      <Checkout plan={fixedPlan} />
      <LazyPart missing={null}>
        <Proofs />
      </LazyPart>
    </Page>
  );
}

export { PageError as ErrorBoundary } from '../ui/page.tsx';
