import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Card, Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import {
  IconCalendarMonth,
  IconClock,
  IconRefresh,
  IconSun,
  IconTrendingDown,
  IconTrendingUp,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { AdminStats } from '#core/contracts/http/admin';
import { refreshPanel, statsQuery } from '../../data/admin-panel.ts';
import { adminCall } from '../../lib/admin-http.ts';
import { formatAmount } from '../../lib/format/money.ts';
import { formatCount, percentText } from '../../lib/format/numbers.ts';
import { type CallOutput, errorMessage } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { toastDone, toastError } from '../../lib/toast.ts';
import { QueryView } from '../../ui/query-view.tsx';
import classes from './admin.module.css';

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

/** The four figures on top of the panel. */
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

/** Has the server read every open transfer again from Stripe, and this page everything from the server. */
export function RefreshButton() {
  const queryClient = useQueryClient();
  const refresh = useSingleMutation({
    mutationFn: async () => {
      const answer = await adminCall('refresh');
      await refreshPanel(queryClient);
      return answer;
    },
    onSuccess: (answer) => toastDone(t`Datos actualizados`, refreshedText(answer)),
    onError: (error) => toastError(t`No se pudieron actualizar los datos`, errorMessage(error)),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={18} aria-hidden />}
      loading={refresh.isPending}
      onClick={() => refresh.mutate()}
      data-testid="admin-refresh"
    >
      <Trans>Actualizar datos</Trans>
    </Button>
  );
}

/** What the answer's own Spanish message says, in the reader's language. */
function refreshedText({ count, sourcesAsked }: CallOutput<'refresh'>): string {
  const transfers =
    count === 0
      ? t`No hay transferencias abiertas.`
      : plural(count, { one: 'Se revisa # transferencia abierta.', other: 'Se revisan # transferencias abiertas.' });
  const sources = sourcesAsked
    ? t`Se consultan las fuentes de tasas.`
    : t`Las fuentes de tasas se consultaron hace menos de un minuto.`;
  return `${transfers} ${sources}`;
}
