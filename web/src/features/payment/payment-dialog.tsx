import { useEffect, useState } from 'react';
import type { Offer } from '../../data/payments.ts';
import { clearToasts } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useIsDesktop } from '../../ui/use-is-desktop.ts';
import { Paid } from './paid.tsx';
import { spanish } from './payment-messages.ts';
import { PaymentSteps } from './payment-steps.tsx';
import { usualStyle } from './payment-style.ts';
import { usePayment } from './use-payment.ts';

interface Props {
  offer: Offer;
  onClose: () => void;
  /** The payment is made and the person goes on. */
  onDone: () => void;
}

/** 'Pago Seguro con Tarjeta': from the accepted quote to the transfer on its way. */
export default function PaymentDialog({ offer, onClose, onDone }: Props) {
  const payment = usePayment(offer);
  const [busy, setBusy] = useState(false);
  const wide = useIsDesktop();
  const { step } = payment;
  useEffect(clearToasts, []);
  useStillPage(step.name === 'form');
  const finished = ['paid', 'unrecorded', 'unknown', 'session_ended', 'recording'].includes(step.name);
  const close = finished ? onDone : onClose;
  // While the card is being asked nothing may take the form away. Once the provider alone is slow, the person may go.
  const fixed = busy || (step.name === 'recording' && !step.processing);
  return (
    <Dialog
      opened
      onClose={close}
      title="Pago Seguro con Tarjeta"
      size="lg"
      fullScreen={!wide}
      closeOnClickOutside={false}
      trapFocus={step.name !== 'form'}
      closable={!fixed}
      data-testid="pay-dialog"
      data-step={step.name}
    >
      <PaymentSteps
        payment={payment}
        offer={offer}
        style={usualStyle}
        messages={spanish}
        onBusy={setBusy}
        onCancel={onClose}
        onDone={onDone}
        success={({ transferId }) => <Paid transferId={transferId} onDone={onDone} />}
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
    const page = document.getElementById('root');
    if (!still || !page) return;
    page.inert = true;
    return () => {
      page.inert = false;
    };
  }, [still]);
}
