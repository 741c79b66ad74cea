import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { paymentConfigQuery } from '../lib/payment-config.ts';
import { PageQueryView } from '../ui/page-query-view.tsx';
import { PageLoading } from './layout.tsx';
import { NotFound } from './not-found.tsx';

/** Pages of the sandbox alone: with keys of a real Stripe account they are as unknown as any wrong address. */
export function SandboxOnly({ children }: { children: ReactNode }) {
  return (
    <PageQueryView query={useQuery(paymentConfigQuery)} loading={<PageLoading />}>
      {({ mode }) => (mode === 'sandbox' ? children : <NotFound />)}
    </PageQueryView>
  );
}
