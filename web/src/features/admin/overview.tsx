import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Card, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import {
  IconCalendarMonth,
  IconClock,
  IconSun,
  IconTrendingDown,
  IconTrendingUp,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { AdminStats } from '#core/contracts/http/admin';
import type { RateManagementView } from '#core/contracts/http/admin-rates';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { rateDeskQuery, statsQuery } from '../../data/admin-panel.ts';
import { formatAmount } from '../../lib/format/money.ts';
import { formatCount, percentText } from '../../lib/format/numbers.ts';
import { ExchangeRate } from '../../ui/figures.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ToneBadge } from '../../ui/tone-badge.tsx';
import classes from './admin.module.css';
import { LossBadge } from './rates/market.tsx';

interface Stat {
  readonly name: string;
  readonly title: MessageDescriptor;
  readonly Icon: typeof IconClock;
  readonly value: (stats: AdminStats) => string;
  readonly caption: (stats: AdminStats) => ReactNode;
}

/** The list below, narrowed to what waits. */
const pendingAddress = { search: '?status=pending', hash: '#lists' };

const cards: readonly Stat[] = [
  {
    name: 'daily',
    title: msg`Volumen diario`,
    Icon: IconSun,
    value: (stats) => formatAmount(stats.dailyVolume, 'USD'),
    caption: (stats) => <TrendCaption trend={trendOf(stats.dailyTrend, 'day')} />,
  },
  {
    name: 'monthly',
    title: msg`Volumen mensual`,
    Icon: IconCalendarMonth,
    value: (stats) => formatAmount(stats.monthlyVolume, 'USD'),
    caption: (stats) => <TrendCaption trend={trendOf(stats.monthlyTrend, 'month')} />,
  },
  {
    name: 'pending',
    title: msg`Transacciones pendientes`,
    Icon: IconClock,
    value: (stats) => formatCount(stats.pendingTransactions),
    caption: (stats) => (
      <>
        {decidedText(stats)}
        {stats.pendingTransactions > 0 && (
          <>
            <br />
            <Anchor component={Link} to={pendingAddress} inherit underline="always">
              <Trans>Ver pendientes</Trans>
            </Anchor>
          </>
        )}
      </>
    ),
  },
  {
    name: 'users',
    title: msg`Usuarios`,
    Icon: IconUsers,
    value: (stats) => formatCount(stats.totalUsers),
    caption: activeText,
  },
];

function decidedText({ completedTransactions, rejectedTransactions }: AdminStats): string {
  const completed = formatCount(completedTransactions);
  const rejected = formatCount(rejectedTransactions);
  return t`${completed} completadas, ${rejected} rechazadas`;
}

function activeText({ activeUsers }: AdminStats): string {
  const count = formatCount(activeUsers);
  return plural(activeUsers, {
    one: `${count} activo: con envíos en los últimos 30 días`,
    other: `${count} activos: con envíos en los últimos 30 días`,
  });
}

/** The day's figures, and what the rates earn. */
export function Overview() {
  return (
    <Stack gap="md">
      <StatCards />
      <RateLines />
    </Stack>
  );
}

/** The four figures of the panel. */
export function StatCards() {
  return (
    <QueryView query={useQuery(statsQuery)} loading={<Figures stats={null} />}>
      {(stats) => <Figures stats={stats} />}
    </QueryView>
  );
}

function Figures({ stats }: { stats: AdminStats | null }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'sm', md: 'md' }} aria-busy={!stats}>
      {cards.map(({ name, title, Icon, value, caption }) => (
        <Card
          key={name}
          padding="md"
          component="section"
          aria-label={i18n._(title)}
          data-testid={`admin-stats-${name}`}
        >
          <Group gap={6} wrap="nowrap" align="flex-start" c="dimmed">
            <Icon size={18} stroke={1.8} aria-hidden className={classes.statIcon} />
            <Text fz="sm">{i18n._(title)}</Text>
          </Group>
          <div className={`${classes.figure} cq-big cq-num`}>
            {stats ? value(stats) : <Skeleton height="1em" my="0.125em" width="70%" />}
          </div>
          <Text component="div" fz="sm" c="dimmed" mih="1.5em">
            {stats ? caption(stats) : <Skeleton height={12} mt={6} width="85%" />}
          </Text>
        </Card>
      ))}
    </SimpleGrid>
  );
}

/** The rates in force in a line each: what they earn, what waits, and the way to change them. */
function RateLines() {
  return (
    <QueryView
      query={useQuery(rateDeskQuery)}
      loading={<RateLinesOf>{(currency) => <Skeleton key={currency} height={52} />}</RateLinesOf>}
    >
      {({ currencies }) => (
        <RateLinesOf>
          {(currency) => <RateLine key={currency} currency={currency} shown={currencies[currency]} />}
        </RateLinesOf>
      )}
    </QueryView>
  );
}

function RateLinesOf({ children }: { children: (currency: SendCurrency) => ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={{ base: 'sm', md: 'md' }}>
      {sendCurrencies.map(children)}
    </SimpleGrid>
  );
}

function RateLine({
  currency,
  shown: { inForce, reference, openChange },
}: {
  currency: SendCurrency;
  shown: RateManagementView['currencies'][SendCurrency];
}) {
  return (
    <Card
      padding="sm"
      component="section"
      aria-label={t`Tasa de ${currency}`}
      data-testid={`admin-rate-line-${currency}`}
    >
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Text fw={600}>
            {inForce ? <ExchangeRate rate={inForce.rate} currency={currency} /> : t`Sin tasa de ${currency}`}
          </Text>
          <LossBadge inForce={inForce} reference={reference} />
          {openChange && (
            <ToneBadge tone="wait" Icon={IconClock}>
              <Trans>Hay un cambio abierto</Trans>
            </ToneBadge>
          )}
        </Group>
        <Anchor component={Link} to="?tab=rates" underline="always" aria-label={t`Cambiar la tasa de ${currency}`}>
          <Trans>Cambiar</Trans>
        </Anchor>
      </Group>
    </Card>
  );
}

function TrendCaption({ trend }: { trend: Trend | null }) {
  if (!trend) return null;
  const Icon = trend.direction === 'down' ? IconTrendingDown : IconTrendingUp;
  const color = { up: 'var(--cq-good)', down: 'var(--cq-bad)', flat: 'inherit' }[trend.direction];
  return (
    <Group gap={4} wrap="nowrap" c={color}>
      {trend.direction !== 'flat' && <Icon size={16} aria-hidden style={{ flex: 'none' }} />}
      <span>{trend.text}</span>
    </Group>
  );
}

interface Trend {
  /** "+12,5 % vs ayer": the specification's caption with a percentage as everywhere. */
  readonly text: string;
  readonly direction: 'up' | 'down' | 'flat';
}

/** Caption of a computed change in percent ("12.5", "-3.0") since the day or month before; null where there was nothing to compare with. */
export function trendOf(percent: string | null, since: 'day' | 'month'): Trend | null {
  if (percent === null) return null;
  const change = percentText(percent, 'signed');
  const text = since === 'day' ? t`${change} vs ayer` : t`${change} vs mes anterior`;
  return { text, direction: Number(percent) > 0 ? 'up' : Number(percent) < 0 ? 'down' : 'flat' };
}
