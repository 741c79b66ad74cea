import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import type { Offer } from '../../data/payments.ts';
import { clearToasts } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useIsDesktop } from '../../ui/hooks.ts';
import { dialogWords } from './checkout-plan.ts';
import { Paid, type TransferSteps } from './dialog-paid.tsx';
import { isAfterCard, mustStay } from './payment-reducer.ts';
import { PaymentScreens } from './payment-screens.tsx';
import { usePayment } from './use-payment.ts';

interface Props {
  offer: Offer;
  onClose: () => void;
  /** The payment is made and the person goes on. */
  onDone: () => void;
  steps: TransferSteps;
  /** The sender wants to be reminded of the same each month. */
  onSchedule?: (transfer: TransferView) => void;
}

/** 'Pago Seguro con Tarjeta': from the accepted quote to the transfer on its way. */
export default function PaymentDialog({ offer, onClose, onDone, steps, onSchedule }: Props) {
  const payment = usePayment(offer);
  const wide = useIsDesktop();
  const { state } = payment;
  useEffect(clearToasts, []);
  const entering = state.name === 'form' || state.name === 'confirming' || state.name === 'checking';
  useStillPage(entering);
  // While the card is being asked nothing may take the form away. Once only an answer is waited for, the sender may go.
  const fixed = mustStay(state);
  return (
    <Dialog
      opened
      onClose={isAfterCard(state) ? onDone : onClose}
      title={t`Pago Seguro con Tarjeta`}
      size="lg"
      fullScreen={!wide}
      closeOnClickOutside={false}
      trapFocus={!entering}
      closable={!fixed}
      data-testid="pay-dialog"
      data-step={state.name}
    >
      <PaymentScreens
        payment={payment}
        offer={offer}
        words={dialogWords()}
        onCancel={onClose}
        onDone={onDone}
        success={({ transferId }) => (
          <Paid
            transferId={transferId}
            onDone={onDone}
            steps={steps}
            onSchedule={offer.reminderId ? undefined : onSchedule}
          />
        )}
      />
    </Dialog>
  );
}

/**
 * Makes the page behind the dialog unreachable for the keyboard. Mantine's own trap cannot look into the provider's fields
 * (a frame, or a shadow tree) and would jump over them.
 */
function useStillPage(still: boolean): void {
  useEffect(() => {
    const page = document.getElementById('content')?.closest<HTMLElement>('body > *');
    if (!still || !page) return;
    page.inert = true;
    return () => {
      page.inert = false;
    };
  }, [still]);
}
