import { Badge } from '@mantine/core';
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
import { type TransferStatus, transferStatuses } from '#core/transfer-states';

type Tone = 'good' | 'wait' | 'bad' | 'quiet';

const looks = {
  awaiting_payment: { tone: 'quiet', Icon: IconCreditCard },
  pending: { tone: 'wait', Icon: IconClock },
  completed: { tone: 'good', Icon: IconCircleCheck },
  rejected: { tone: 'bad', Icon: IconCircleX },
  cancelled: { tone: 'quiet', Icon: IconBan },
  failed: { tone: 'bad', Icon: IconExclamationCircle },
  expired: { tone: 'quiet', Icon: IconClockOff },
  refunded: { tone: 'quiet', Icon: IconArrowBackUp },
} as const satisfies Record<TransferStatus, { tone: Tone; Icon: typeof IconClock }>;

/** The word of a status as its sender reads it. */
export const statusWord = (status: TransferStatus) => (status === 'pending' ? 'EN PROCESO' : transferStatuses[status]);

/** A transfer's status: colour, icon and word. It pulses once when the status changes before the person's eyes. */
export function StatusBadge({
  status,
  word,
  size = 'lg',
}: {
  status: TransferStatus;
  word?: string;
  size?: 'md' | 'lg';
}) {
  const { tone, Icon } = looks[status];
  const before = useRef(status);
  const [changed, setChanged] = useState(false);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    setChanged(true);
  }, [status]);
  return (
    <Badge
      key={status}
      className={changed ? 'cq-pulse' : undefined}
      size={size}
      radius="sm"
      tt="none"
      fw={600}
      leftSection={<Icon size={16} stroke={2} aria-hidden />}
      styles={{
        root: { background: `var(--cq-${tone}-soft)`, color: `var(--cq-${tone})`, overflow: 'visible' },
        label: { overflow: 'visible' },
      }}
      data-status={status}
    >
      {word ?? statusWord(status)}
    </Badge>
  );
}
