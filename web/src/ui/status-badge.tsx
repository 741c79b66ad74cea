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
import { type TransferStatus, transferStatuses } from '#core/transfers/states';
import { type Tone, ToneBadge } from './tone-badge.tsx';

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
    <ToneBadge
      key={status}
      tone={tone}
      Icon={Icon}
      size={size}
      data-status={status}
      {...(changed && { className: 'cq-pulse' })}
    >
      {word ?? statusWord(status)}
    </ToneBadge>
  );
}
