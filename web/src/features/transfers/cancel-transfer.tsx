import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import { useCancelTransfer } from '../../data/transfers.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { moneyWhenCancelled } from './transfer-labels.ts';

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

const outcomeText = (state: TransferView['state']) =>
  state === 'cancelled' ? t`No se cobró nada.` : t`Tu dinero queda libre o vuelve completo a tu tarjeta.`;

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
                    if (state === 'captured')
                      toastDone(
                        t`Recibimos tu cancelación`,
                        t`Preguntamos al banco si ya depositó el dinero y te avisamos.`,
                      );
                    else toastDone(messages.done, outcomeText(state));
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
