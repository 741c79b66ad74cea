import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import type { QueuePauseView } from '#core/contracts/http/queues';
import { queues } from '#core/contracts/jobs';
import { queueAddress } from '#core/contracts/page-addresses';
import { useOptionalQuery } from '../../../data/optional-query.ts';
import { queuePausesQuery } from '../../../data/queues.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { useMay } from '../permitted.tsx';
import { queueLabels } from './queue-labels.ts';

/** Says on every screen of the panel which queues are paused, by whom and since when; nothing while none is. */
export function QueueNotice() {
  const pauses = useOptionalQuery(queuePausesQuery);
  if (!pauses || pauses.length === 0) return null;
  return (
    <Stack gap="sm">
      {pauses.map((pause) => (
        <Paused key={pause.queue} pause={pause} />
      ))}
    </Stack>
  );
}

function Paused({ pause: { queue, paused_at, paused_by } }: { pause: QueuePauseView }) {
  const may = useMay();
  const [what, since] = [i18n._(queueLabels[queue]), laPazTime(paused_at)];
  return (
    <Alert
      color={queues[queue].money ? 'red' : 'yellow'}
      icon={<IconPlayerPause aria-hidden />}
      title={t`Cola en pausa: ${what}`}
      role="alert"
      data-testid="queue-pause-notice"
      data-queue={queue}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Trans>
          {paused_by} la pausó, {since}. Sus trabajos esperan hasta que alguien la reanude.
        </Trans>
      </Text>
      {may('pauseQueue') && (
        <Anchor href={queueAddress(queue)} target="_blank" rel="noreferrer" underline="always" inherit fw={600}>
          <Trans>Abrir la cola</Trans>
          <span className="cq-hidden">
            {' '}
            <Trans>(otra pestaña)</Trans>
          </span>
        </Anchor>
      )}
    </Alert>
  );
}
