import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, Group, Stack, Table, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconPlayerPause,
  IconRefresh,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { UpdateRatesView } from '#core/contracts/http/comparison';
import type { SourceFailureView, SourceHealthView } from '#core/contracts/http/rate-source-health';
import { rateSourceNames } from '#core/rates/sources';
import { rateSourcesQuery } from '../../../data/admin-panel.ts';
import { ageText, formatLaPazMoment, laPazTime, zoneName } from '../../../lib/format/dates.ts';
import { call, errorMessage } from '../../../lib/http.ts';
import { useSingleMutation } from '../../../lib/single-mutation.ts';
import { useIsDesktop, useNow } from '../../../ui/hooks.ts';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { sourceName } from '../../shared/source-names.ts';
import classes from '../admin.module.css';
import { durationText } from './change-messages.ts';

/** Where figures come from, and how each place has been answering over the last week. */
export function SourceHealth() {
  const sources = useQuery(rateSourcesQuery);
  const lastRunAt = sources.data?.lastRunAt;
  const lastRun = lastRunAt && laPazTime(lastRunAt);
  const isWide = useIsDesktop();
  const now = useNow();
  const List = isWide ? SourceTable : SourceCards;
  return (
    <section aria-labelledby="rate-sources-title" data-testid="admin-rate-sources">
      <Group justify="space-between" mb="sm" gap="sm">
        <div>
          <Title order={2} id="rate-sources-title" fz="lg">
            <Trans>Fuentes</Trans>
          </Title>
          <Text fz="sm" c="dimmed">
            {lastRun && <Trans>Última consulta: {lastRun}.</Trans>}{' '}
            <Trans>Turnos y fallos de los últimos siete días.</Trans>
          </Text>
        </div>
        <AskNow />
      </Group>
      <QueryView query={sources} loading={<LoadingRows rows={6} height={isWide ? 44 : 110} />}>
        {(data) => <List sources={data.sources} now={now} />}
      </QueryView>
    </section>
  );
}

/** Has every source asked now; what each answered is then in the table. */
function AskNow() {
  const queryClient = useQueryClient();
  const ask = useSingleMutation({
    mutationFn: () => call('updateRates', { body: {} }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: rateSourcesQuery.queryKey }),
  });
  return (
    <Group gap="sm">
      <Text
        fz="sm"
        c={ask.error ? 'var(--cq-bad)' : 'dimmed'}
        role="status"
        className={ask.isSuccess || ask.error ? undefined : 'cq-hidden'}
        data-testid="admin-rate-ask-result"
      >
        {ask.isSuccess && updateMessage(ask.data)}
        {ask.error && errorMessage(ask.error)}
      </Text>
      <Button
        variant="default"
        leftSection={<IconRefresh size={18} aria-hidden />}
        loading={ask.isPending}
        onClick={() => ask.mutate()}
        data-testid="admin-rate-ask"
      >
        <Trans>Consultar ahora</Trans>
      </Button>
    </Group>
  );
}

/** What came of each source: how many answered, and of the others by name why not. */
function updateMessage({ updated, failed }: UpdateRatesView): string {
  if (failed.some(({ reason }) => reason === 'no_answer_yet')) {
    return t`Todavía sin respuesta: la tabla se actualiza sola.`;
  }
  const others = failed
    .map(({ source, reason, ...failure }) => {
      return `${sourceName(rateSourceNames[source])} (${sourceFailureText({ code: reason, ...failure })})`;
    })
    .join(', ');
  if (updated === 0) return others ? t`Ninguna fuente respondió: ${others}.` : t`Ninguna fuente respondió.`;
  const answered = plural(updated, { one: '# fuente respondió', other: '# fuentes respondieron' });
  const { length: silent } = failed;
  return silent === 0 ? `${answered}.` : t`${answered}, ${silent} no: ${others}.`;
}

interface ListProps {
  readonly sources: readonly SourceHealthView[];
  readonly now: number;
}

function SourceTable({ sources, now }: ListProps) {
  const zone = zoneName();
  return (
    <Card padding={0}>
      <Table layout="fixed" highlightOnHover verticalSpacing={9} horizontalSpacing="sm" fz="sm">
        <Table.Thead className={classes.head}>
          <Table.Tr>
            <Table.Th>
              <Trans>Fuente</Trans>
            </Table.Th>
            <Table.Th w={150}>
              <Trans>Estado</Trans>
            </Table.Th>
            <Table.Th w={200}>
              <Trans>Último dato ({zone})</Trans>
            </Table.Th>
            <Table.Th w={90} ta="right">
              <Trans>Demora</Trans>
            </Table.Th>
            <Table.Th w={110} ta="right">
              <Trans>Fallos</Trans>
            </Table.Th>
            <Table.Th w="30%">
              <Trans>Último fallo</Trans>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sources.map((source) => (
            <Table.Tr
              key={source.source}
              data-testid="admin-rate-source"
              data-source={source.source}
              data-status={source.status}
            >
              <Table.Td fw={500}>{sourceName(source.name)}</Table.Td>
              <Table.Td>
                <Status status={source.status} />
              </Table.Td>
              <Table.Td className="cq-num">
                {source.lastSuccessAt ? formatLaPazMoment(source.lastSuccessAt) : t`Nunca`}
                {source.lastSuccessAt && (
                  <Text fz="xs" c="dimmed">
                    {ageText(source.lastSuccessAt, now)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right" className="cq-num">
                {source.latencyMs === null ? '–' : durationText(source.latencyMs)}
              </Table.Td>
              <Table.Td ta="right" className="cq-num">
                {failuresText(source)}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {source.lastFailure ? sourceFailureText(source.lastFailure) : '–'}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function SourceCards({ sources, now }: ListProps) {
  return (
    <Stack gap="sm">
      {sources.map((source) => (
        <Card
          key={source.source}
          padding="md"
          data-testid="admin-rate-source"
          data-source={source.source}
          data-status={source.status}
        >
          <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
            <Text fw={600}>{sourceName(source.name)}</Text>
            <Status status={source.status} />
          </Group>
          {source.lastFailure && (
            <Text style={{ overflowWrap: 'anywhere' }}>{sourceFailureText(source.lastFailure)}</Text>
          )}
          <Text fz="sm" c="dimmed">
            {lastText(source, now)}
          </Text>
          {source.attempts > 0 && (
            <Text fz="sm" c="dimmed">
              {figuresText(source)}
            </Text>
          )}
        </Card>
      ))}
    </Stack>
  );
}

function lastText({ lastSuccessAt }: SourceHealthView, now: number): string {
  if (!lastSuccessAt) return t`Ningún dato en los últimos siete días`;
  const at = formatLaPazMoment(lastSuccessAt);
  const age = ageText(lastSuccessAt, now);
  return t`Último dato: ${at} (${age})`;
}

function figuresText(source: SourceHealthView): string {
  const failures = failuresText(source);
  if (source.latencyMs === null) return t`Fallos: ${failures}`;
  const latency = durationText(source.latencyMs);
  return t`Fallos: ${failures} · Demora: ${latency}`;
}

const failuresText = ({ attempts, failures }: SourceHealthView) =>
  attempts === 0 ? '–' : t`${failures} de ${attempts}`;

const variants = {
  working: { label: msg`Funciona`, color: 'var(--cq-good)', Icon: IconCircleCheck },
  failing: { label: msg`Falla`, color: 'var(--cq-bad)', Icon: IconAlertTriangle },
  circuit_open: { label: msg`En pausa`, color: 'var(--cq-wait)', Icon: IconPlayerPause },
  never_asked: { label: msg`Sin consultar`, color: 'var(--mantine-color-dimmed)', Icon: IconCircleDashed },
} as const satisfies Record<
  SourceHealthView['status'],
  { label: MessageDescriptor; color: string; Icon: typeof IconRefresh }
>;

function Status({ status }: { status: SourceHealthView['status'] }) {
  const { label, color, Icon } = variants[status];
  return (
    <Group gap={6} wrap="nowrap" c={color} style={{ flex: 'none' }}>
      <Icon size={18} aria-hidden style={{ flex: 'none' }} />
      <Text span fz="sm" fw={600}>
        {i18n._(label)}
      </Text>
    </Group>
  );
}

/** Why a source gave nothing, without a full stop; the api's own Spanish sentence for codes of a later build. */
function sourceFailureText({ code, status = 0, field = '', sentence }: SourceFailureView): string {
  switch (code) {
    case 'unreachable':
      return t`No responde`;
    case 'timeout':
      return t`Tardó demasiado en responder`;
    case 'forbidden':
      return t`Rechaza la consulta`;
    case 'too_many_requests':
      return t`Pide esperar: demasiadas consultas`;
    case 'circuit_open':
      return t`En pausa tras varios fallos`;
    case 'bad_status':
      return t`Respondió con un error (${status})`;
    case 'too_large':
      return t`Respondió con demasiados datos`;
    case 'unexpected_error':
      return t`No pudimos leer su respuesta por un error nuestro`;
    case 'changed_shape':
      return field === 'body'
        ? t`Cambió su formato: la respuesta no se puede leer`
        : t`Cambió su formato: falta el campo ${field} o es otro`;
    case 'absurd_value':
      return t`Dio un valor imposible en el campo ${field}`;
    default:
      return sentence;
  }
}
