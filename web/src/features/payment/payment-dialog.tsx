import { Alert, Button, Center, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Offer } from '../../lib/offer.ts';
import { clearToasts } from '../../lib/toast.ts';
import { useReturnFocus } from '../../ui/return-focus.ts';
import { useWide } from '../../ui/wide.ts';
import { CardForm } from './card-form.tsx';
import { Paid } from './paid.tsx';
import { RateChanged } from './rate-changed.tsx';
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
  const wide = useWide();
  const { step } = payment;
  useEffect(clearToasts, []);
  useReturnFocus();
  useStillPage(step.name === 'form');
  const finished = step.name === 'paid' || step.name === 'unrecorded';
  const close = finished ? onDone : onClose;
  // While the card is being asked nothing may take the form away.
  const fixed = busy || step.name === 'recording';
  return (
    <Modal
      opened
      onClose={close}
      title="Pago Seguro con Tarjeta"
      size="lg"
      fullScreen={!wide}
      closeOnClickOutside={false}
      trapFocus={step.name !== 'form'}
      closeOnEscape={!fixed}
      withCloseButton={!fixed}
      data-testid="pay-dialog"
      data-step={step.name}
    >
      {(step.name === 'preparing' || step.name === 'recording') && (
        <Waiting>{step.name === 'preparing' ? 'Preparando tu pago...' : 'Registrando tu pago...'}</Waiting>
      )}
      {step.name === 'retry' && <Retry sentence={step.sentence} onRetry={payment.retry} onClose={onClose} />}
      {step.name === 'refused' && <Refused sentence={step.sentence} onClose={onClose} />}
      {step.name === 'rate_changed' && (
        <RateChanged
          before={payment.accepted}
          after={step.offered}
          onAccept={() => payment.acceptQuote(step.offered)}
          onClose={onClose}
        />
      )}
      {step.name === 'form' && (
        <CardForm
          stripe={step.stripe}
          payment={step.payment}
          recipient={offer.recipient}
          onBusy={setBusy}
          onHeld={() => payment.record(step.payment)}
          onGone={payment.ranOut}
        />
      )}
      {step.name === 'paid' && <Paid transferId={step.transferId} onDone={onDone} />}
      {step.name === 'unrecorded' && <Unrecorded onDone={onDone} />}
    </Modal>
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

function Waiting({ children }: { children: string }) {
  return (
    <Center mih={260} role="status">
      <Stack align="center">
        <Loader />
        <Text>{children}</Text>
      </Stack>
    </Center>
  );
}

function Retry({ sentence, onRetry, onClose }: { sentence: string; onRetry: () => void; onClose: () => void }) {
  return (
    <Stack>
      <Alert
        color="red"
        icon={<IconAlertTriangle aria-hidden />}
        title="No se pudo cargar el formulario de pago"
        role="alert"
      >
        {sentence}
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancelar
        </Button>
        <Button leftSection={<IconRefresh size={18} aria-hidden />} onClick={onRetry} data-testid="pay-retry">
          Reintentar
        </Button>
      </Group>
    </Stack>
  );
}

function Refused({ sentence, onClose }: { sentence: string; onClose: () => void }) {
  return (
    <Stack>
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="pay-refused">
        {sentence}
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onClose}>Cambiar los datos</Button>
      </Group>
    </Stack>
  );
}

function Unrecorded({ onDone }: { onDone: () => void }) {
  return (
    <Stack>
      <Alert color="sun" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="pay-unrecorded">
        El pago fue recibido pero hubo un problema al registrarlo. Por favor, contacta a soporte.
      </Alert>
      <Text>
        No pagues otra vez. Seguimos comprobándolo por nuestra cuenta y tu envío aparecerá en tus transacciones.
      </Text>
      <Button onClick={onDone}>Volver al panel</Button>
    </Stack>
  );
}
