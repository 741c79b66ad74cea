import { t } from '@lingui/core/macro';
import { Button, type ButtonProps } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TransferView } from '#core/contracts/http/transfers';
import { needsConfirmation } from '#core/recipients/name-check';
import type { Offer } from '../../data/payments.ts';
import { recipientsQuery } from '../../data/recipients.ts';
import { isEndedDraft, useOfferAgain } from '../../data/transfers.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastError } from '../../lib/toast.ts';
import { useNow } from '../../ui/hooks.ts';
import { nameOf } from './transfer-labels.ts';

interface Props extends Pick<ButtonProps, 'size' | 'variant'> {
  transfer: TransferView;
  /** Gets the same amount for the same recipient, at today's rate. */
  onPay: (offer: Offer) => void;
  /** Fills in the form, where something has to be looked at first: a recipient who is gone, or whose account changed or is in another name. */
  onRepeat: (transfer: TransferView) => void;
}

/** Sends the same once more, or offers anew what was left unpaid until its rate ran out: straight to the review with today's figures. */
export function RepeatButton({ transfer, onPay, onRepeat, ...look }: Props) {
  const now = useNow();
  const again = useOfferAgain(transfer);
  const { data: recipients } = useQuery(recipientsQuery);
  const unpaid = transfer.status === 'awaiting_payment';
  if (unpaid && now < Date.parse(transfer.quoteExpiresAt)) return null;
  const isDraft = unpaid || isEndedDraft(transfer);
  const name = nameOf(transfer);
  const repeat = () => {
    const recipient = recipients?.find(({ id }) => id === transfer.recipientId);
    if (!recipient || recipient.accountChangedAt || needsConfirmation(recipient.nameCheck)) return onRepeat(transfer);
    again.mutate(recipient, {
      onSuccess: onPay,
      onError: (error) => toastError(t`No se pudo calcular el envío de hoy`, errorMessage(error)),
    });
  };
  return (
    <Button
      {...look}
      leftSection={<IconRepeat size={18} aria-hidden />}
      loading={again.isPending}
      disabled={!recipients}
      onClick={repeat}
      aria-label={isDraft ? t`Pagar con la tasa de hoy el envío a ${name}` : t`Repetir el envío a ${name}`}
      data-testid="transfer-repeat-now"
    >
      {isDraft ? t`Pagar con la tasa de hoy` : t`Repetir`}
    </Button>
  );
}
