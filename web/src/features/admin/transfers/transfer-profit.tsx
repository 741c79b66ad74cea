import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ProfitView } from '#core/contracts/http/reconciliation';
import { transferProfitQuery } from '../../../data/reconciliation.ts';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { Money } from '../../../ui/figures.tsx';
import { Section } from '../admin-drawer.tsx';

/** What a transfer earned so far by the books, each currency by itself. Nothing for one that was never charged. */
export function TransferProfit({ id }: { id: string }) {
  const { data = [] } = useQuery(transferProfitQuery(id));
  if (data.length === 0) return null;
  return (
    <Section title={t`Ganancia según los libros`}>
      <Stack gap="sm" data-testid="transfer-profit">
        {data.map((profit) => (
          <Profit key={profit.currency} profit={profit} />
        ))}
        {data.every(({ processor }) => processor === '0.00') && (
          <Text fz="sm" c="dimmed">
            <Trans>El margen y la comisión de Stripe se anotan cuando se comparan los libros.</Trans>
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function Profit({ profit: { currency, fee, margin, processor, loss, total } }: { profit: ProfitView }) {
  const lines = [
    [t`Comisión`, fee],
    [t`Margen del cambio`, margin],
    [t`Comisión de Stripe`, processor],
    [t`Pérdidas`, loss],
  ] as const;
  return (
    <DataList values="beside" labelWidth={160}>
      {lines.map(([label, amount]) => (
        <DataItem key={label} label={label}>
          <Money amount={amount} currency={currency} />
        </DataItem>
      ))}
      <DataItem label={t`Ganancia`}>
        <Money amount={total} currency={currency} fw={700} {...(total.startsWith('-') && { c: 'var(--cq-bad)' })} />
      </DataItem>
    </DataList>
  );
}
