import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconBan } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import { formatTime } from '../../lib/format/dates.ts';
import { canCancel, countdownText } from './transfer-labels.ts';

/** 'Cancelar envío' for as long as it is possible, with what is left of the 30 minutes where they run. */
export function CancelOffer({ transfer, onCancel }: { transfer: TransferView; onCancel: () => void }) {
  const now = useSeconds(transfer.cancellable && transfer.cancellableUntil !== null);
  // Where the bank did not pay, the money back is one of two ways out (transfer-notices.tsx).
  if (!canCancel(transfer, now) || transfer.state === 'payout_failed') return null;
  const until = transfer.cancellableUntil;
  const [time, left] = until ? [formatTime(until), countdownText(Date.parse(until) - now)] : [];
  return (
    <Group gap="sm" data-testid="cancel-offer">
      <Button
        variant="default"
        leftSection={<IconBan size={18} aria-hidden />}
        onClick={onCancel}
        data-testid="transfer-cancel"
      >
        <Trans>Cancelar envío</Trans>
      </Button>
      {until && (
        <Text c="dimmed" fz="sm">
          {/* Counted silently: a voice would say every second. */}
          <Trans>
            Puedes hasta las {time}:{' '}
            <span className="cq-num" aria-hidden data-testid="cancel-countdown">
              quedan {left}
            </span>
          </Trans>
        </Text>
      )}
    </Group>
  );
}

const secondMs = 1000;

/** The time in ms, a second old at most while `isRunning`. */
function useSeconds(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  const { start, stop } = useInterval(() => setNow(Date.now()), secondMs);
  useEffect(() => {
    if (isRunning) {
      setNow(Date.now());
      start();
    }
    return stop;
  }, [isRunning, start, stop]);
  return now;
}
