import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconEye, IconX } from '@tabler/icons-react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { useSession } from '../../../data/session.ts';
import type { Decision } from './decision.ts';
import { awaitsDecision, decisionBlockedBecause } from './transfer-labels.ts';

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
  return (
    <Group gap={6} wrap="nowrap">
      <DecisionButton transfer={transfer} decision="approve" handlers={handlers} large={large} />
      <DecisionButton transfer={transfer} decision="reject" handlers={handlers} large={large} />
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

const decisionButtons = {
  approve: { label: 'Aprobar', Icon: IconCheck, look: {} },
  reject: { label: 'Rechazar', Icon: IconX, look: { variant: 'default', c: 'var(--cq-bad)' } },
} as const;

/** Opens the question for one decision. A button that this admin may not use stays reachable and says why. */
function DecisionButton({
  transfer,
  decision,
  handlers,
  large,
}: {
  transfer: AdminTransferView;
  decision: Decision;
  handlers: RowHandlers;
  large: boolean;
}) {
  const adminId = useSession().data?.user.id;
  const blocked = decisionBlockedBecause(transfer, decision, adminId);
  const { label, Icon, look } = decisionButtons[decision];
  const shape = large ? { flex: 1 } : { flex: 'none', px: 11 };
  return (
    <Tooltip label={blocked} disabled={blocked === null} events={{ hover: true, focus: true, touch: true }}>
      <Button
        size={large ? 'md' : 'xs'}
        {...shape}
        {...look}
        leftSection={large && <Icon size={18} aria-hidden />}
        onClick={() => blocked === null && handlers.decide(transfer.id, decision)}
        data-disabled={blocked === null ? undefined : true}
        aria-disabled={blocked === null ? undefined : true}
        aria-label={`${label} la transferencia de ${transfer.user}${blocked === null ? '' : ` (${lowerFirst(blocked)})`}`}
        data-testid={`admin-${decision}`}
      >
        {label}
      </Button>
    </Tooltip>
  );
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
