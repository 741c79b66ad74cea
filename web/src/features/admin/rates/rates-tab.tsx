import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Card, Group, Stack, Table, Text, Title } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconClockHour4, IconClockOff, IconHourglassLow, IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { RateChangeView } from '#core/contracts/http/admin-rates';
import { competitors } from '#core/rates/sources';
import { rateChangesQuery } from '../../../data/admin-panel.ts';
import { formatLaPazMoment, laPazTime, zoneName } from '../../../lib/format/dates.ts';
import { ExchangeRate } from '../../../ui/figures.tsx';
import { useIsDesktop } from '../../../ui/hooks.ts';
import { PagedListView } from '../../../ui/paged-list-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { type Tone, ToneBadge } from '../../../ui/tone-badge.tsx';
import { RateSeriesChart, RateSeriesChoices, useRateSeries } from '../../shared/rate-series.tsx';
import classes from '../admin.module.css';
import { changeStateWord } from './change-messages.ts';
import { RateDesk } from './rate-desk.tsx';
import { SourceHealth } from './source-health.tsx';

/** The rates and their next change, and what stands behind them: how they went, who set them, and how the sources are doing. */
export function RatesTab() {
  return (
    <Stack gap="xl">
      <RateDesk />
      <RateChartCard />
      <RateHistory />
      <SourceHealth />
    </Stack>
  );
}

/** Our rate, the market's reference and competitors, day by day. */
function RateChartCard() {
  const series = useRateSeries();
  return (
    <section aria-labelledby="rate-chart-title" data-testid="admin-rate-chart">
      <Group justify="space-between" mb="sm" gap="sm">
        <Title order={2} fz="lg" id="rate-chart-title">
          <Trans>Nuestra tasa y el mercado</Trans>
        </Title>
        <Group gap="sm">
          <RateSeriesChoices series={series} testid="admin-rate-chart" />
        </Group>
      </Group>
      <Card padding="md">
        <RateSeriesChart series={series} competitors={competitors} />
      </Card>
    </section>
  );
}

/** Rates that were asked for, newest first: by whom, why, who agreed, and what became of them. */
function RateHistory() {
  const history = useInfiniteQuery(rateChangesQuery);
  const isWide = useIsDesktop();
  const List = isWide ? ChangeTable : ChangeCards;
  return (
    <section aria-labelledby="rate-history-title" data-testid="admin-rate-history">
      <Title order={2} id="rate-history-title" fz="lg" mb="sm">
        <Trans>Historial</Trans>
      </Title>
      <PagedListView
        query={history}
        loading={<LoadingRows rows={5} height={isWide ? 40 : 96} />}
        empty={
          <Text c="dimmed">
            <Trans>No hay historial disponible</Trans>
          </Text>
        }
        moreTestid="admin-rate-history-more"
        moreGap="md"
      >
        {(changes) => <List changes={changes} />}
      </PagedListView>
    </section>
  );
}

function ChangeTable({ changes }: { changes: readonly RateChangeView[] }) {
  const zone = zoneName();
  return (
    <Card padding={0}>
      <Table layout="fixed" highlightOnHover verticalSpacing={9} horizontalSpacing="sm" fz="sm">
        <Table.Thead className={classes.head}>
          <Table.Tr>
            <Table.Th w={188}>
              <Trans>Fecha ({zone})</Trans>
            </Table.Th>
            <Table.Th w={150}>
              <Trans>Tasa</Trans>
            </Table.Th>
            <Table.Th w={150}>
              <Trans>Fijada por</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Motivo</Trans>
            </Table.Th>
            <Table.Th w={150}>
              <Trans>Segunda persona</Trans>
            </Table.Th>
            <Table.Th w={190}>
              <Trans>Estado</Trans>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.id} data-testid="admin-rate-history-row" data-state={change.state}>
              <Table.Td className="cq-num" c="dimmed">
                {formatLaPazMoment(change.date)}
              </Table.Td>
              <Table.Td fw={600}>
                <ExchangeRate rate={change.rate} currency={change.currency} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{change.setBy}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{change.reason ?? <None />}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{secondPerson(change) ?? <None />}</Table.Td>
              <Table.Td>
                <StateBadge state={change.state} />
                <StateDetail change={change} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function ChangeCards({ changes }: { changes: readonly RateChangeView[] }) {
  return (
    <Stack gap="sm">
      {changes.map((change) => (
        <Card key={change.id} padding="md" data-testid="admin-rate-history-row" data-state={change.state}>
          <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
            <Text fw={600}>
              <ExchangeRate rate={change.rate} currency={change.currency} />
            </Text>
            <StateBadge state={change.state} />
          </Group>
          <Text fz="sm" c="dimmed">
            {laPazTime(change.date)}
          </Text>
          <Text mt={4}>{change.setBy}</Text>
          {change.reason && <Text style={{ overflowWrap: 'anywhere' }}>{change.reason}</Text>}
          <SecondPerson name={secondPerson(change)} />
          <StateDetail change={change} />
        </Card>
      ))}
    </Stack>
  );
}

function SecondPerson({ name }: { name: string | null }) {
  return (
    name && (
      <Text fz="sm">
        <Trans>Segunda persona: {name}</Trans>
      </Text>
    )
  );
}

const None = () => (
  <Text span fz="sm" c="dimmed" aria-label={t`Ninguno`}>
    –
  </Text>
);

/** The second admin, who confirmed; one who declined is named with the state. */
const secondPerson = ({ state, decidedBy }: RateChangeView) =>
  state === 'activated' || state === 'scheduled' ? decidedBy : null;

const variants = {
  awaiting_confirmation: { tone: 'wait', Icon: IconHourglassLow },
  scheduled: { tone: 'wait', Icon: IconClockHour4 },
  activated: { tone: 'good', Icon: IconCheck },
  declined: { tone: 'bad', Icon: IconX },
  cancelled: { tone: 'quiet', Icon: IconArrowBackUp },
  expired: { tone: 'quiet', Icon: IconClockOff },
} as const satisfies Record<RateChangeView['state'], { tone: Tone; Icon: typeof IconX }>;

function StateBadge({ state }: { state: RateChangeView['state'] }) {
  const { tone, Icon } = variants[state];
  return (
    <ToneBadge tone={tone} Icon={Icon}>
      {changeStateWord(state)}
    </ToneBadge>
  );
}

/** When it came or comes into force if not at once, and who put it aside. */
function StateDetail({ change }: { change: RateChangeView }) {
  const detail = detailText(change);
  if (!detail) return null;
  return (
    <Text fz="xs" c="dimmed" mt={2}>
      {detail}
    </Text>
  );
}

function detailText({ state, activateAt, decidedBy }: RateChangeView): string | null {
  if ((state === 'declined' || state === 'cancelled') && decidedBy) return t`por ${decidedBy}`;
  if (!activateAt || state === 'expired') return null;
  const from = formatLaPazMoment(activateAt);
  return t`desde el ${from}`;
}
