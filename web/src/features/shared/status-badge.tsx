import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  IconArrowBackUp,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconClockOff,
  IconCreditCard,
  IconExclamationCircle,
} from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { TransferStatus } from '#core/transfers/states';
import { type Tone, ToneBadge } from '../../ui/tone-badge.tsx';

const variants = {
  awaiting_payment: { tone: 'quiet', Icon: IconCreditCard },
  pending: { tone: 'wait', Icon: IconClock },
  completed: { tone: 'good', Icon: IconCircleCheck },
  rejected: { tone: 'bad', Icon: IconCircleX },
  cancelled: { tone: 'quiet', Icon: IconBan },
  failed: { tone: 'bad', Icon: IconExclamationCircle },
  expired: { tone: 'quiet', Icon: IconClockOff },
  refunded: { tone: 'quiet', Icon: IconArrowBackUp },
} as const satisfies Record<TransferStatus, { tone: Tone; Icon: typeof IconClock }>;

const labels = {
  awaiting_payment: msg`Por pagar`,
  pending: msg`EN PROCESO`,
  completed: msg`Completado`,
  rejected: msg`Rechazado`,
  cancelled: msg`Cancelado`,
  failed: msg`Fallido`,
  expired: msg`Vencido`,
  refunded: msg`Reembolsado`,
} as const satisfies Record<TransferStatus, unknown>;

/** The label of a status as its sender reads it. */
export const statusLabel = (status: TransferStatus): string => i18n._(labels[status]);

/** A transfer's status: colour, icon and label. It pulses once when the status changes before the person's eyes. */
export function StatusBadge({
  status,
  label,
  tone = variants[status].tone,
  size = 'lg',
}: {
  status: TransferStatus;
  label?: string;
  /** Where a label of its own says something else than the status does. */
  tone?: Tone;
  size?: 'md' | 'lg';
}) {
  const { Icon } = variants[status];
  const before = useRef(status);
  const [changed, setChanged] = useState(false);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    setChanged(true);
  }, [status]);
  return (
    <ToneBadge
      key={status}
      tone={tone}
      Icon={Icon}
      size={size}
      data-status={status}
      {...(changed && { className: 'cq-pulse' })}
    >
      {label ?? statusLabel(status)}
    </ToneBadge>
  );
}
