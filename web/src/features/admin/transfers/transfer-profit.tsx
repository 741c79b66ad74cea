import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TransferProfitView } from '#core/contracts/http/reconciliation';
import { transferProfitQuery } from '../../../data/reconciliation.ts';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { Money } from '../../../ui/figures.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { Section } from '../admin-drawer.tsx';

/** What a charged transfer earned so far, each currency by itself. */
export function TransferProfit({ id }: { id: string }) {
  return (
    <Section title={t`Ganancia`}>
      <QueryView query={useQuery(transferProfitQuery(id))} loading={<LoadingRows rows={1} height={56} />}>
        {(profits) => (
          <Stack gap="sm" data-testid="transfer-profit">
            {profits.length === 0 && (
              <Text c="dimmed">
                <Trans>Todavía no hay nada anotado.</Trans>
              </Text>
            )}
            {profits.map((profit) => (
              <Profit key={profit.currency} profit={profit} />
            ))}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

function Profit({ profit }: { profit: TransferProfitView }) {
  const { currency, fee, margin, processor, loss, total, estimated } = profit;
  const lines = [
    [t`Comisión`, fee],
    [estimated.includes('margin') ? t`Margen del cambio (estimado)` : t`Margen del cambio`, margin],
    [estimated.includes('processor') ? t`Comisión de Stripe (estimada)` : t`Comisión de Stripe`, processor],
    [t`Pérdidas`, loss],
  ] as const;
  const loses = total.startsWith('-');
  return (
    <>
      <DataList values="beside" labelWidth={160}>
        {lines.map(([label, amount]) => (
          <DataItem key={label} label={label}>
            <Money amount={amount} currency={currency} />
          </DataItem>
        ))}
        <DataItem label={t`Ganancia`}>
          <Money amount={total} currency={currency} fw={700} {...(loses && { c: 'var(--cq-bad)' })} />
        </DataItem>
      </DataList>
      {loses && (
        <Text c="var(--cq-bad)" fw={600}>
          <Trans>
            Con este envío perdemos <Money amount={total.slice(1)} currency={currency} />.
          </Trans>
        </Text>
      )}
      {estimated.length > 0 && (
        <Text fz="sm" c="dimmed">
          <Trans>Lo estimado se reemplaza por lo real cuando se comparan los libros.</Trans>
        </Text>
      )}
    </>
  );
}
