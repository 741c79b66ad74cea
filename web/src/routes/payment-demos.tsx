import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { recipientsQuery } from '../data/recipients.ts';
import { useSession } from '../data/session.ts';
import { Checkout } from '../features/payment/checkout.tsx';
import { DemoLinks, demoPages } from '../features/payment-demos/demo-pages.tsx';
import { Page } from '../ui/page.tsx';
import NotFound from './not-found.tsx';

/** The pages that each show one integration style, by their address. */
export default function PaymentDemosPage() {
  const { pathname } = useLocation();
  const page = demoPages.find(({ path }) => path === pathname);
  const session = useSession();
  const asks = page?.choosesRecipient === true && session.data != null;
  const recipients = useQuery({ ...recipientsQuery, enabled: asks });
  if (!page) return <NotFound />;
  return (
    <Page title={page.title} lead={page.style} size={1080}>
      <Checkout key={pathname} plan={page.plan} {...(asks && recipients.data && { recipients: recipients.data })} />
      <DemoLinks here={page.path} />
    </Page>
  );
}
