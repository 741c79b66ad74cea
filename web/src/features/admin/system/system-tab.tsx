import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconExclamationCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OperatingFigures } from '#core/contracts/http/monitoring';
import { queues } from '#core/contracts/jobs';
import { formatMinor } from '#core/money/money';
import type { TransferState } from '#core/transfers/states';
import { figuresQuery } from '../../../data/admin-panel.ts';
import { ageText, durationText, formatLaPazTime, zoneName } from '../../../lib/format/dates.ts';
import { formatAmount, formatBolivianos } from '../../../lib/format/money.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { queueLabels } from '../queues/queue-labels.ts';

/** How a figure stands, by the limits of infra/monitoring/alerts.yml. */
type State = 'good' | 'wait' | 'bad';
type DueKind = OperatingFigures['due'][number]['kind'];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const states: Readonly<Record<State, { readonly Icon: typeof IconCheck; readonly word: MessageDescriptor }>> = {
  good: { Icon: IconCheck, word: msg`Bien` },
  wait: { Icon: IconAlertTriangle, word: msg`Atención` },
  bad: { Icon: IconExclamationCircle, word: msg`Urgente` },
};

/** What waits, and after how long (ms) that is too long; who is told so late that nobody's money waits only asks for attention. */
const dueKinds: Readonly<
  Record<DueKind, { readonly label: MessageDescriptor; readonly afterMs: number; readonly late: State }>
> = {
  outbox: { label: msg`Avisos a colas y navegadores`, afterMs: minuteMs, late: 'bad' },
  stripe_operations: { label: msg`Operaciones con tarjetas`, afterMs: 2 * minuteMs, late: 'bad' },
  bank_operations: { label: msg`Pagos por el banco`, afterMs: 2 * minuteMs, late: 'bad' },
  stripe_events: { label: msg`Eventos de Stripe`, afterMs: 2 * minuteMs, late: 'wait' },
  emails: { label: msg`Correos`, afterMs: 15 * minuteMs, late: 'wait' },
  notifications: { label: msg`Notificaciones a dispositivos`, afterMs: 15 * minuteMs, late: 'wait' },
  partner_events: { label: msg`Eventos para socios`, afterMs: 15 * minuteMs, late: 'wait' },
};

/** States of transfers that have not ended, and after how long (ms) without a change something is wrong. */
const openStates: Partial<
  Readonly<Record<TransferState, { readonly label: MessageDescriptor; readonly afterMs: number }>>
> = {
  awaiting_payment: { label: msg`Por pagar su remitente`, afterMs: 2 * hourMs },
  in_review: { label: msg`Por decidir`, afterMs: Number.POSITIVE_INFINITY },
  approved: { label: msg`Por cobrar`, afterMs: 2 * hourMs },
  captured: { label: msg`Por pagar a la familia`, afterMs: 25 * hourMs },
  payout_failed: { label: msg`Con el pago rechazado`, afterMs: Number.POSITIVE_INFINITY },
  refunding: { label: msg`Por devolver`, afterMs: 25 * hourMs },
};

const accounts: Readonly<Record<OperatingFigures['ledger'][number]['account'], MessageDescriptor>> = {
  payout_due: msg`Por pagar a familias`,
  refund_due: msg`Por devolver a remitentes`,
};

/** Whether money moves as it should, at this moment: the figures that monitoring is told. */
export function SystemTab() {
  return (
    <QueryView query={useQuery(figuresQuery)} showsRefetchFailure loading={<LoadingRows rows={6} height={72} />}>
      {(figures) => <Figures figures={figures} />}
    </QueryView>
  );
}

function Figures({ figures }: { figures: OperatingFigures }) {
  const [at, zone] = [formatLaPazTime(figures.at), zoneName()];
  return (
    <Stack gap="md" data-testid="system-figures">
      <Group justify="space-between" gap="xs">
        <Title order={2} fz="h3">
          <Trans>Estado del sistema</Trans>
        </Title>
        <Text size="sm" c="dimmed" data-testid="system-at">
          <Trans>
            A las {at} ({zone}); se actualiza cada diez segundos
          </Trans>
        </Text>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        <DuePart figures={figures} />
        <TransfersPart figures={figures} />
        <HoldsPart figures={figures} />
        <RatesPart figures={figures} />
        <LedgerPart figures={figures} />
        <ReconciliationPart figures={figures} />
        <PeoplePart figures={figures} />
      </SimpleGrid>
    </Stack>
  );
}

interface Line {
  readonly name: string;
  readonly label: ReactNode;
  readonly value: ReactNode;
  readonly state: State;
}

/** Figures of one subject, each with what it says and how it stands. */
function Part({ title, name, lines }: { title: ReactNode; name: string; lines: readonly Line[] }) {
  return (
    <Card padding="md" data-testid={`system-${name}`}>
      <Title order={3} fz="h4" mb="sm">
        {title}
      </Title>
      <ul className="cq-list" style={{ gap: 12 }}>
        {lines.map(({ name, label, value, state }) => (
          <Group key={name} component="li" justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
            <div>
              <Text size="sm" c="dimmed">
                {label}
              </Text>
              <Text className="cq-num" fw={600}>
                {value}
              </Text>
            </div>
            <ToneBadge tone={state} Icon={states[state].Icon} size="md" data-status={state}>
              {i18n._(states[state].word)}
            </ToneBadge>
          </Group>
        ))}
      </ul>
    </Card>
  );
}

function DuePart({ figures: { due, pausedProviders, pausedQueues, at } }: { figures: OperatingFigures }) {
  const now = Date.parse(at);
  const lines = due.map(({ kind, rows, since }): Line => {
    const { label, afterMs, late } = dueKinds[kind];
    const age = since === null ? 0 : now - Date.parse(since);
    const count = formatCount(rows);
    const oldest = since === null ? '' : ageText(since, now);
    const value = rows === 0 ? t`Nada espera` : t`${count}, lo más antiguo ${oldest}`;
    return { name: kind, label: i18n._(label), value, state: age > afterMs ? late : 'good' };
  });
  const names: Readonly<Record<string, string>> = { stripe: 'Stripe', bank: t`el banco` };
  const silent = pausedProviders.map((provider): Line => {
    const label = names[provider] ?? provider;
    return { name: `paused-${provider}`, label, value: t`No responde: nada se le envía por ahora`, state: 'bad' };
  });
  const paused = pausedQueues.map((queue): Line => {
    const what = i18n._(queueLabels[queue]);
    const value = t`En pausa: sus trabajos esperan`;
    return { name: `queue-${queue}`, label: t`Cola: ${what}`, value, state: queues[queue].money ? 'bad' : 'wait' };
  });
  return <Part name="due" title={<Trans>Por hacer</Trans>} lines={[...silent, ...paused, ...lines]} />;
}

function TransfersPart({ figures: { oldestTransfers, at } }: { figures: OperatingFigures }) {
  const now = Date.parse(at);
  const lines = oldestTransfers.map(({ state, since }): Line => {
    const { label, afterMs } = openStates[state] ?? { label: msg`Otros`, afterMs: Number.POSITIVE_INFINITY };
    const isOld = since !== null && now - Date.parse(since) > afterMs;
    const value = since === null ? t`Ninguno` : ageText(since, now);
    return { name: state, label: i18n._(label), value, state: isOld ? 'wait' : 'good' };
  });
  return <Part name="transfers" title={<Trans>El envío más antiguo sin cambios</Trans>} lines={lines} />;
}

function HoldsPart({ figures: { holds, at } }: { figures: OperatingFigures }) {
  const left = holds.next === null ? null : Date.parse(holds.next) - Date.parse(at);
  const lines: Line[] = [
    { name: 'waiting', label: <Trans>Esperan una decisión</Trans>, value: formatCount(holds.waiting), state: 'good' },
    {
      ...{ name: 'day', label: <Trans>Vencen en un día</Trans>, value: formatCount(holds.withinDay) },
      state: holds.withinDay > 0 ? 'wait' : 'good',
    },
    {
      ...{ name: 'next', label: <Trans>Próximo vencimiento</Trans> },
      value: left === null ? t`Ninguno` : durationText(left) || t`Vencido`,
      state: left !== null && left < 4 * hourMs ? 'bad' : 'good',
    },
  ];
  return <Part name="holds" title={<Trans>Tarjetas retenidas</Trans>} lines={lines} />;
}

function RatesPart({ figures: { rates, at } }: { figures: OperatingFigures }) {
  const now = Date.parse(at);
  const lines = rates.map(({ currency, updatedAt, paused }): Line => {
    const age = ageText(updatedAt, now);
    const old = now - Date.parse(updatedAt) > 6 * hourMs;
    return {
      ...{ name: currency, label: currency, value: paused ? t`En pausa: la última noticia, ${age}` : age },
      state: paused ? 'bad' : old ? 'wait' : 'good',
    };
  });
  const none: Line = { name: 'none', label: <Trans>Tasas</Trans>, value: t`Todavía no hay ninguna`, state: 'wait' };
  return (
    <Part name="rates" title={<Trans>Última noticia de las tasas</Trans>} lines={lines.length > 0 ? lines : [none]} />
  );
}

function LedgerPart({ figures: { ledger, owedToFamilies, at } }: { figures: OperatingFigures }) {
  const { transfers, minor, since } = owedToFamilies;
  const now = Date.parse(at);
  const lines = ledger.map(({ account, currency, booksMinor, expectedMinor }): Line => {
    const shown = (minor: bigint) =>
      currency === 'BOB' ? formatBolivianos(formatMinor(minor)) : formatAmount(formatMinor(minor), currency);
    const [books, difference] = [shown(BigInt(booksMinor)), BigInt(booksMinor) - BigInt(expectedMinor)];
    const differs = shown(difference);
    return {
      ...{ name: `${account}-${currency}`, label: `${i18n._(accounts[account])} (${currency})` },
      value: difference === 0n ? books : t`${books}: difiere en ${differs} de los envíos`,
      state: difference === 0n ? 'good' : 'bad',
    };
  });
  const [amount, age] = [formatBolivianos(formatMinor(BigInt(minor))), since === null ? '' : ageText(since, now)];
  const rest: Line = {
    ...{ name: 'rest', label: <Trans>Devuelto por el banco y debido a familias</Trans> },
    value:
      transfers === 0
        ? t`Nada`
        : plural(transfers, {
            one: `${amount} de # envío, ${age}`,
            other: `${amount} de # envíos, lo más antiguo ${age}`,
          }),
    state: transfers === 0 ? 'good' : since !== null && now - Date.parse(since) > 24 * hourMs ? 'bad' : 'wait',
  };
  return <Part name="ledger" title={<Trans>Libro mayor</Trans>} lines={[...lines, rest]} />;
}

function ReconciliationPart({ figures: { reconciliation, at } }: { figures: OperatingFigures }) {
  const now = Date.parse(at);
  const { stripe, bank, comparedAt } = reconciliation;
  const open = (count: number): State => (count > 0 ? 'wait' : 'good');
  const old = comparedAt !== null && now - Date.parse(comparedAt) > 26 * hourMs;
  const lines: Line[] = [
    { name: 'stripe', label: <Trans>Diferencias con Stripe</Trans>, value: formatCount(stripe), state: open(stripe) },
    { name: 'bank', label: <Trans>Diferencias con el banco</Trans>, value: formatCount(bank), state: open(bank) },
    {
      ...{ name: 'compared', label: <Trans>Última comparación</Trans> },
      value: comparedAt === null ? t`Todavía ninguna` : ageText(comparedAt, now),
      state: old ? 'wait' : 'good',
    },
  ];
  return <Part name="reconciliation" title={<Trans>Conciliación</Trans>} lines={lines} />;
}

function PeoplePart({ figures: { cases, overdueComplaints, at } }: { figures: OperatingFigures }) {
  const now = Date.parse(at);
  const waits = cases.since !== null && now - Date.parse(cases.since) > 4 * hourMs;
  const oldest = cases.since === null ? '' : ageText(cases.since, now);
  const count = formatCount(cases.open);
  const open = plural(cases.open, { one: `${count} abierto`, other: `${count} abiertos` });
  const lines: Line[] = [
    {
      ...{ name: 'cases', label: <Trans>Casos de operaciones</Trans> },
      value: cases.open === 0 ? t`Ninguno` : t`${open}, el primero ${oldest}`,
      state: waits ? 'wait' : 'good',
    },
    {
      ...{ name: 'complaints', label: <Trans>Reclamos con el plazo vencido</Trans> },
      value: formatCount(overdueComplaints),
      state: overdueComplaints > 0 ? 'bad' : 'good',
    },
  ];
  return <Part name="people" title={<Trans>Casos y reclamos</Trans>} lines={lines} />;
}
