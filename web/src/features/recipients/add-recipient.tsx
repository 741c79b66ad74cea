import { Modal } from '@mantine/core';
import type { RecipientView } from '#core/contracts/http/recipients';
import { toastDone } from '../../lib/toast.ts';
import { useIsDesktop } from '../../ui/use-is-desktop.ts';
import { useAddRecipient } from './queries.ts';
import { RecipientForm, savingProblem } from './recipient-form.tsx';

const failed = 'Hubo un problema al registrar el destinatario. Intenta de nuevo.';

/** The dialog that adds a recipient to the list. */
export function AddRecipient(props: {
  opened: boolean;
  onClose: () => void;
  onAdded: (recipient: RecipientView) => void;
}) {
  const add = useAddRecipient();
  const wide = useIsDesktop();
  const close = () => {
    add.reset();
    props.onClose();
  };
  return (
    <Modal
      opened={props.opened}
      onClose={close}
      title="Añadir nuevo destinatario"
      size="lg"
      fullScreen={!wide}
      closeOnClickOutside={false}
    >
      <RecipientForm
        submitLabel="Guardar destinatario"
        busyLabel="Guardando..."
        busy={add.isPending}
        failure={add.error && savingProblem(add.error, failed)}
        onCancel={close}
        onSave={async (values) => {
          const recipient = await add.mutateAsync(values);
          toastDone('Destinatario registrado', `${recipient.name} ya está en tu lista.`);
          props.onAdded(recipient);
          close();
        }}
      />
    </Modal>
  );
}
