import type { RecipientView } from '#core/contracts/http/recipients';
import { toastDone } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useIsDesktop } from '../../ui/use-is-desktop.ts';
import { RecipientEditor } from './recipient-editor.tsx';

/** The dialog that adds a recipient to the list. */
export function AddRecipient(props: {
  opened: boolean;
  onClose: () => void;
  onAdded: (recipient: RecipientView) => void;
}) {
  const wide = useIsDesktop();
  return (
    <Dialog
      opened={props.opened}
      onClose={props.onClose}
      title="Añadir nuevo destinatario"
      size="lg"
      fullScreen={!wide}
      closeOnClickOutside={false}
    >
      <RecipientEditor
        recipient={null}
        onCancel={props.onClose}
        onSaved={(recipient) => {
          toastDone('Destinatario registrado', `${recipient.name} ya está en tu lista.`);
          props.onAdded(recipient);
          props.onClose();
        }}
      />
    </Dialog>
  );
}
