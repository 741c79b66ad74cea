import { plural, t } from '@lingui/core/macro';
import { Card, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DashboardView } from '#core/contracts/http/transfers';
import { summaryQuery } from '../../data/transfers.ts';
import { formatAmount } from '../../lib/format/money.ts';
import { Money } from '../../ui/figures.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import classes from './dashboard.module.css';

/** The sender's three figures. */
export function SummaryCards() {
  return (
    <QueryView query={useQuery(summaryQuery)} loading={<Figures data={null} />}>
      {(data) => <Figures data={data} />}
    </QueryView>
  );
}

function Figures({ data }: { data: DashboardView | null }) {
  const limit = data && formatAmount(data.monthLimit, 'USD');
  return (
    <SimpleGrid cols={{ base: 2, sm: 3 }} spacing={{ base: 'sm', sm: 'lg' }}>
      <Figure
        label={t`Disponible para enviar`}
        caption={limit ? t`de tu límite de ${limit} en 30 días` : undefined}
        testid="summary-balance"
        first
      >
        {data && <Money amount={data.balance} currency="USD" />}
      </Figure>
      <Figure label={t`Total enviado`} caption={data ? countOf(data.transferCount) : undefined} testid="summary-total">
        {data && <Money amount={data.totalSent} currency="USD" />}
      </Figure>
      <Figure label={t`Destinatarios`} caption={data ? t`en tu lista` : undefined} testid="summary-recipients">
        {data?.recipientCount}
      </Figure>
    </SimpleGrid>
  );
}

const countOf = (transfers: number) => plural(transfers, { one: 'en # envío', other: 'en # envíos' });

function Figure(props: {
  label: string;
  caption: string | undefined;
  testid: string;
  first?: boolean;
  children: ReactNode;
}) {
  return (
    <Card padding="md" className={props.first ? classes.first : undefined} aria-busy={props.children === undefined}>
      <Text c="dimmed">{props.label}</Text>
      <Text component="div" className={`${classes.figure} cq-big cq-num`} data-testid={props.testid}>
        {props.children ?? <Skeleton height={26} my={4} width="70%" />}
      </Text>
      <Text c="dimmed" fz="sm" mih="1.4em">
        {props.caption}
      </Text>
    </Card>
  );
}
