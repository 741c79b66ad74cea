import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WorkItem } from '#core/contracts/http/queues';
import { queueJobAddress } from '#core/contracts/page-addresses';
import { transferWorkQuery } from '../../../data/queues.ts';
import { formatLaPazMoment } from '../../../lib/format/dates.ts';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { type Tone, ToneBadge } from '../../../ui/tone-badge.tsx';
import { Section } from '../admin-drawer.tsx';
import { operationStatuses, operationTitle } from '../desk/case-messages.ts';
import { useMay } from '../permitted.tsx';
import { jobLabels, jobStateLabels } from './queue-labels.ts';
import { tookText } from './took.ts';

/** The operations and jobs of a transfer in the order they were added: how each stands, and why it failed. */
export function TransferWork({ id }: { id: string }) {
  return (
    <Section title={t`Operaciones y trabajos`}>
      <QueryView query={useQuery(transferWorkQuery(id))} loading={<LoadingRows rows={3} height={56} />}>
        {({ items, queues_readable: areQueuesReadable }) => (
          <Stack gap="sm">
            {!areQueuesReadable && (
              <Alert color="yellow" data-testid="queues-unreadable">
                <Trans>Las colas no responden: se ven las operaciones, sin sus trabajos.</Trans>
              </Alert>
            )}
            <ol className="cq-list" style={{ gap: 12 }} data-testid="transfer-work">
              {items.map((item) => (
                <Item key={`${item.type} ${item.id}`} item={item} />
              ))}
            </ol>
            <Text fz="sm" c="dimmed">
              <Trans>Los trabajos terminados se ven durante un día; los que fallaron, treinta días.</Trans>
            </Text>
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

function Item({ item }: { item: WorkItem }) {
  const { attempts, error } = item;
  const { label, tone } = stateOf(item);
  const tried = attempts > 0 && plural(attempts, { one: '# intento', other: '# intentos' });
  const times = [formatLaPazMoment(item.began_at ?? item.added_at), tried, tookText(item)].filter(Boolean).join(' · ');
  return (
    <li data-testid={`work-${item.type}`} style={item.type === 'job' ? { paddingInlineStart: 16 } : undefined}>
      <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
        <div>
          <Text fw={item.type === 'operation' ? 600 : undefined}>
            <Title item={item} />
          </Text>
          <Text fz="sm" c="dimmed">
            {times}
          </Text>
        </div>
        <ToneBadge tone={tone} size="md">
          {label}
        </ToneBadge>
      </Group>
      {error && (
        <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {error}
        </Text>
      )}
    </li>
  );
}

function Title({ item }: { item: WorkItem }) {
  const may = useMay();
  if (item.type === 'operation') return operationTitle({ kind: item.kind, sequence: item.sequence });
  const label = i18n._(jobLabels[item.name]);
  if (!may('queueBoard')) return label;
  return (
    <Anchor href={queueJobAddress(item.queue, item.id)} target="_blank" rel="noreferrer" underline="always" inherit>
      {label}
      <span className="cq-hidden">
        {' '}
        <Trans>(otra pestaña)</Trans>
      </span>
    </Anchor>
  );
}

function stateOf(item: WorkItem): { label: string; tone: Tone } {
  const { label, tone } = item.type === 'operation' ? operationStatuses[item.status] : jobStateLabels[item.state];
  return { label: i18n._(label), tone };
}
