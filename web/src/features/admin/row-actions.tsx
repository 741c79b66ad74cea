import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconEye, IconX } from '@tabler/icons-react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { Decision } from './decision.ts';
import { awaitsDecision } from './transfer-words.ts';

export interface RowHandlers {
  readonly decide: (id: string, decision: Decision) => void;
  readonly open: (id: string) => void;
}

/** What can be done with a transfer: decide while it waits, look at it always. */
export function RowActions({
  transfer,
  handlers,
  large = false,
  withDetails = true,
}: {
  transfer: AdminTransferView;
  handlers: RowHandlers;
  /** Thumb-sized, over the whole width. */
  large?: boolean;
  withDetails?: boolean;
}) {
  const size = large ? 'md' : 'xs';
  const who = `la transferencia de ${transfer.user}`;
  if (!awaitsDecision(transfer)) {
    if (!withDetails) return null;
    return (
      <Button
        variant="default"
        size={size}
        fullWidth={large}
        onClick={() => handlers.open(transfer.id)}
        aria-label={`Ver detalles de ${who}`}
        data-testid="admin-detail"
      >
        Ver detalles
      </Button>
    );
  }
  // Without a recipient nobody could be paid: the sender has to choose one first.
  const shape = large ? { flex: 1 } : { flex: 'none', px: 11 };
  const payable = transfer.recipient !== '';
  return (
    <Group gap={6} wrap="nowrap">
      <Tooltip
        label="Falta el destinatario: lo elige quien envía"
        disabled={payable}
        events={{ hover: true, focus: true, touch: true }}
      >
        <Button
          size={size}
          {...shape}
          leftSection={large && <IconCheck size={18} aria-hidden />}
          onClick={() => payable && handlers.decide(transfer.id, 'approve')}
          data-disabled={payable ? undefined : true}
          aria-disabled={payable ? undefined : true}
          aria-label={`Aprobar ${who}${payable ? '' : ' (falta el destinatario)'}`}
          data-testid="admin-approve"
        >
          Aprobar
        </Button>
      </Tooltip>
      <Button
        size={size}
        {...shape}
        variant="default"
        c="var(--cq-bad)"
        leftSection={large && <IconX size={18} aria-hidden />}
        onClick={() => handlers.decide(transfer.id, 'reject')}
        aria-label={`Rechazar ${who}`}
        data-testid="admin-reject"
      >
        Rechazar
      </Button>
      {withDetails && (
        <Tooltip label="Ver detalles">
          <ActionIcon
            variant="default"
            size={large ? 42 : 30}
            flex="none"
            onClick={() => handlers.open(transfer.id)}
            aria-label={`Ver detalles de ${who}`}
            data-testid="admin-detail"
          >
            <IconEye size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}
