import { Container } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sentenceOf } from '../lib/http.ts';
import { paymentConfigQuery } from '../lib/payment-config.ts';
import { LoadError } from '../ui/states.tsx';
import { PageLoading } from './layout.tsx';
import { NotFound } from './not-found.tsx';

/** Pages of the sandbox alone: with keys of a real Stripe account they are as unknown as any wrong address. */
export function SandboxOnly({ children }: { children: ReactNode }) {
  const config = useQuery(paymentConfigQuery);
  if (config.isPending) return <PageLoading />;
  if (config.isError)
    return (
      <Container size={560} py="xl">
        <LoadError sentence={sentenceOf(config.error)} retry={config.refetch} />
      </Container>
    );
  return config.data.mode === 'sandbox' ? children : <NotFound />;
}
