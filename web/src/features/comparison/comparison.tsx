import { Card, Stack, Text, Title } from '@mantine/core';
import { IconTrendingUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { ComparisonView } from '#core/contracts/http/comparison';
import { formatAmount } from '#core/money/format';
import type { SendCurrency } from '#core/money/money';
import { isComparable, useComparison } from '../../data/comparison.ts';
import { claimText } from '../../lib/claim.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, LoadingRows } from '../../ui/states.tsx';
import { useIsDesktop } from '../../ui/use-is-desktop.ts';
import { AmountQuestion } from './amount-question.tsx';
import classes from './comparison.module.css';
import { comparisonFailed } from './comparison-messages.ts';
import { ComparisonRows } from './comparison-rows.tsx';

const defaultAmount = '100';
/** Ours and five competitors. */
const rowCount = 6;

/** Ask with an amount and a currency; see what arrives with each service for the same total paid. */
export function Comparison() {
  const [amount, setAmount] = useState(defaultAmount);
  const [currency, setCurrency] = useState<SendCurrency>('USD');
  const query = useComparison(amount, currency);
  const wide = useIsDesktop();
  const asked = isComparable(amount);
  return (
    <Card component="section" aria-labelledby="comparison-title">
      <Stack>
        <Title order={2} id="comparison-title">
          Cuánto llega con cada servicio
        </Title>
        <AmountQuestion
          label="Monto que pagas en total"
          amount={amount}
          onAmount={setAmount}
          currency={currency}
          onCurrency={setCurrency}
          testid="comparison"
        />
        <QueryView
          query={query}
          loading={
            asked ? (
              <LoadingRows rows={rowCount} height={wide ? 56 : 132} />
            ) : (
              <EmptyState icon={<IconTrendingUp size={32} stroke={1.5} aria-hidden />}>
                Escribe un monto para comparar
              </EmptyState>
            )
          }
          failureMessage={() => comparisonFailed}
          showsRefetchFailure
        >
          {(view) => (
            <div className={query.isPlaceholderData ? classes.settling : undefined} aria-busy={query.isPlaceholderData}>
              <Ranking view={view} />
            </div>
          )}
        </QueryView>
      </Stack>
    </Card>
  );
}

function Ranking({ view }: { view: ComparisonView }) {
  return (
    <Stack gap="sm">
      <Claim view={view} />
      <Text c="dimmed" aria-live="polite">
        Ordenado por los bolivianos que llegan si pagas {formatAmount(view.amount, view.currency)} en total, comisión
        incluida.
      </Text>
      <ComparisonRows view={view} />
    </Stack>
  );
}

/** The claim that we are better; nothing while it cannot be proved. */
export function Claim({ view }: { view: ComparisonView }) {
  const claim = claimText(view);
  if (!claim) return null;
  return (
    <div className={classes.claim} data-testid="comparison-claim">
      <IconTrendingUp size={22} stroke={1.8} aria-hidden />
      <span>{claim}</span>
    </div>
  );
}
