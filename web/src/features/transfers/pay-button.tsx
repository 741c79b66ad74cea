import { Button, type ButtonProps } from '@mantine/core';
import { IconCreditCard } from '@tabler/icons-react';
import type { TransferView } from '#core/contracts/http/transfers';
import type { Offer } from '../../data/payments.ts';
import { useResumePayment } from '../../data/transfers.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastError } from '../../lib/toast.ts';
import { useNow } from '../../lib/use-now.ts';
import { nameOf } from './transfer-labels.ts';

/** Goes on with the payment of a transfer that was left unpaid, for as long as its quote holds. */
export function PayButton({
  transfer,
  onPay,
  size = 'sm',
}: {
  transfer: TransferView;
  /** Gets the very payment and frozen quote that were left. */
  onPay: (offer: Offer) => void;
  size?: ButtonProps['size'];
}) {
  const now = useNow();
  const resume = useResumePayment(transfer.id);
  if (transfer.status !== 'awaiting_payment' || now >= Date.parse(transfer.quoteExpiresAt)) return null;
  const { recipientId, recipient, bankName } = transfer;
  const pay = () =>
    resume.mutate(undefined, {
      onSuccess: (payment) =>
        onPay({
          recipient: recipientId ? { id: recipientId, name: recipient, bankName } : null,
          quote: payment.quote,
          birthDate: null,
          payment,
        }),
      onError: (error) => toastError('No se pudo retomar el pago', errorMessage(error)),
    });
  return (
    <Button
      size={size}
      leftSection={<IconCreditCard size={18} aria-hidden />}
      loading={resume.isPending}
      onClick={pay}
      aria-label={`Pagar el envío a ${nameOf(transfer)}`}
      data-testid="transfer-pay"
    >
      Pagar
    </Button>
  );
}
