import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconAlertTriangle, IconBan } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import { useCancelTransfer } from '../../data/transfers.ts';
import { formatTime } from '../../lib/format/dates.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { canCancel, countdownText, moneyWhenCancelled } from './transfer-labels.ts';

/** 'Cancelar envío' for as long as it is possible, with what is left of the 30 minutes where they run. */
export function CancelOffer({ transfer, onCancel }: { transfer: TransferView; onCancel: () => void }) {
  const now = useSeconds(transfer.cancellable && transfer.cancellableUntil !== null);
  // Where the bank did not pay, the money back is one of two ways out (payout-failed.tsx).
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

const cancelMessages = () => ({
  title: ({ recipient }: TransferView) => (recipient ? t`¿Cancelar el envío a ${recipient}?` : t`¿Cancelar el envío?`),
  keep: t`No, seguir con el envío`,
  confirm: t`Sí, cancelar`,
  pending: t`Cancelando...`,
  done: t`Envío cancelado`,
});

/** What the same call is when the bank did not pay: nothing is called off, the money comes back. */
const moneyBackMessages = (): ReturnType<typeof cancelMessages> => ({
  title: () => t`¿Te devolvemos tu dinero?`,
  keep: t`No, volver al envío`,
  confirm: t`Sí, devolver mi dinero`,
  pending: t`Enviando...`,
  done: t`Te devolvemos tu dinero`,
});

/** Asks once more, and says what becomes of the money. */
export function CancelDialog({ transfer, onClose }: { transfer: TransferView; onClose: () => void }) {
  const cancel = useCancelTransfer(transfer.id);
  const close = () => !cancel.isPending && onClose();
  // What was asked stays in view, whatever becomes of the transfer meanwhile.
  const [messages] = useState(transfer.state === 'payout_failed' ? moneyBackMessages : cancelMessages);
  const isRefused = cancel.error !== null && !transfer.cancellable && transfer.state !== 'payout_failed';
  return (
    <Dialog opened onClose={close} title={messages.title(transfer)}>
      <Stack data-testid="cancel-dialog">
        <Text>{moneyWhenCancelled(transfer)}</Text>
        <Text>
          <Trans>
            No tiene costo. Después no se puede deshacer; si cambias de idea, haces otro envío con la tasa del momento.
          </Trans>
        </Text>
        {cancel.error && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="cancel-refused">
            {errorMessage(cancel.error)}
          </Alert>
        )}
        <div className="cq-dialog-actions">
          <Button variant="default" onClick={close} disabled={cancel.isPending} data-testid="cancel-keep">
            {cancel.error ? t`Volver al envío` : messages.keep}
          </Button>
          {!isRefused && (
            <Button
              color="red"
              disabled={cancel.isPending}
              onClick={() =>
                cancel.mutate(undefined, {
                  onSuccess: ({ state }) => {
                    toastDone(
                      messages.done,
                      state === 'cancelled'
                        ? t`No se cobró nada.`
                        : t`Tu dinero queda libre o vuelve completo a tu tarjeta.`,
                    );
                    onClose();
                  },
                })
              }
              data-testid="cancel-confirm"
            >
              {cancel.isPending ? messages.pending : messages.confirm}
            </Button>
          )}
        </div>
      </Stack>
    </Dialog>
  );
}
