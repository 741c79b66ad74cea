import { t } from '@lingui/core/macro';
import { Group, Text, Tooltip } from '@mantine/core';
import { useLiveStatus } from '../../lib/live.ts';

/** Small and never in the way: whether changes arrive by themselves right now. */
export function LiveDot() {
  const { connected, everConnected } = useLiveStatus();
  const label = connected ? t`En vivo` : everConnected ? t`Reconectando…` : t`Conectando…`;
  const hint = connected
    ? t`Los cambios aparecen solos, sin recargar.`
    : t`Sin conexión en vivo. Al volver se actualiza todo.`;
  return (
    <Tooltip label={hint}>
      <Group
        gap={6}
        wrap="nowrap"
        role="status"
        data-testid="live-status"
        data-state={connected ? 'connected' : 'reconnecting'}
      >
        <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
          {connected ? (
            <circle cx="5" cy="5" r="5" fill="var(--cq-good)" />
          ) : (
            <circle cx="5" cy="5" r="4" fill="none" stroke="var(--cq-wait)" strokeWidth="2" />
          )}
        </svg>
        <Text fz="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {label}
        </Text>
      </Group>
    </Tooltip>
  );
}
