import { useQuery } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { paymentConfigQuery } from '../data/payments.ts';
import { PageLoading } from '../ui/page.tsx';
import { PageQueryView } from '../ui/query-view.tsx';
import NotFound from './not-found.tsx';

/** Around the pages of the sandbox alone: with keys of a real Stripe account they are as unknown as any wrong address. */
export default function SandboxOnly() {
  return (
    <PageQueryView query={useQuery(paymentConfigQuery)} loading={<PageLoading />}>
      {({ mode }) => (mode === 'sandbox' ? <Outlet /> : <NotFound />)}
    </PageQueryView>
  );
}
