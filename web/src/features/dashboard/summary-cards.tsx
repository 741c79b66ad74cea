import { plural, t } from '@lingui/core/macro';
import { Anchor, Card, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { DashboardView } from '#core/contracts/http/transfers';
import { limitsAddress } from '#core/contracts/page-addresses';
import { parseMinor } from '#core/money/money';
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

/** On a phone the limit is one line with its meter, which opens the figures. */
export function LimitsLine() {
  return (
    <QueryView query={useQuery(summaryQuery)} loading={<Skeleton height={56} />}>
      {(data) => <Limits data={data} />}
    </QueryView>
  );
}

function Limits({ data }: { data: DashboardView }) {
  const { left, limit, isOfDay } = tighterLimit(data);
  const amount = formatAmount(left, 'USD');
  return (
    <details className={classes.limits} data-testid="limits">
      <summary>
        <span className={classes.limitsLine}>
          {isOfDay ? t`Puedes enviar ${amount} más hoy` : t`Puedes enviar ${amount} más en 30 días`}
          <IconChevronDown size={20} aria-hidden />
        </span>
        {/* The line has said it. */}
        <span className={classes.meter} aria-hidden>
          <span style={{ width: `${shareOf(left, limit)}%` }} />
        </span>
      </summary>
      <Figures data={data} />
    </details>
  );
}

/** The limit that ends first: that of the day, unless the 30 days leave less. */
export function tighterLimit({ balance, monthLimit, dayLeft, dayLimit }: DashboardView) {
  return (parseMinor(dayLeft) ?? 0n) <= (parseMinor(balance) ?? 0n)
    ? { left: dayLeft, limit: dayLimit, isOfDay: true }
    : { left: balance, limit: monthLimit, isOfDay: false };
}

/** Of amounts as decimal texts, in percent. */
const shareOf = (part: string, whole: string) => (100 * Number(part)) / Math.max(1, Number(whole));

function Figures({ data }: { data: DashboardView | null }) {
  const limit = data && formatAmount(data.monthLimit, 'USD');
  return (
    <SimpleGrid cols={{ base: 2, sm: 3 }} spacing={{ base: 'sm', sm: 'lg' }}>
      <Figure
        label={t`Disponible para enviar`}
        caption={
          limit && (
            <>
              {t`de tu límite de ${limit} en 30 días`}
              {data.tiers.at(-1)?.month !== data.monthLimit && (
                <>
                  <br />
                  <Anchor
                    component={Link}
                    to={limitsAddress}
                    fz="inherit"
                    underline="always"
                    style={{ whiteSpace: 'nowrap' }}
                  >
                    {t`Enviar más`}
                  </Anchor>
                </>
              )}
            </>
          )
        }
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

function Figure(props: { label: string; caption: ReactNode; testid: string; first?: boolean; children: ReactNode }) {
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
