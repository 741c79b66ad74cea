import type { RecipientView } from '#core/contracts/http/recipients';
import { useAddRecipient, useChangeRecipient } from '../../data/recipients.ts';
import { RecipientForm, savingProblem } from './recipient-form.tsx';

const addFailed = 'Hubo un problema al registrar el destinatario. Intenta de nuevo.';
const changeFailed = 'No se pudo actualizar el destinatario. Intente nuevamente.';

interface Props {
  onSaved: (recipient: RecipientView) => void;
  onCancel: () => void;
}

/** The form that adds a recipient or changes one, without a dialog around it. */
export function RecipientEditor({ recipient, ...props }: Props & { recipient: RecipientView | null }) {
  return recipient ? <ChangedRecipient recipient={recipient} {...props} /> : <NewRecipient {...props} />;
}

function NewRecipient({ onSaved, onCancel }: Props) {
  const add = useAddRecipient();
  return (
    <RecipientForm
      submitLabel="Guardar destinatario"
      busyLabel="Guardando..."
      busy={add.isPending}
      failure={add.error && savingProblem(add.error, addFailed)}
      onCancel={onCancel}
      onSave={async (values) => onSaved(await add.mutateAsync(values))}
    />
  );
}

function ChangedRecipient({ recipient, onSaved, onCancel }: Props & { recipient: RecipientView }) {
  const change = useChangeRecipient(recipient.id);
  const { id: _id, createdAt: _createdAt, ...initial } = recipient;
  return (
    <RecipientForm
      initial={initial}
      submitLabel="Guardar cambios"
      busyLabel="Guardando..."
      busy={change.isPending}
      failure={change.error && savingProblem(change.error, changeFailed)}
      onCancel={onCancel}
      onSave={async (values) => onSaved(await change.mutateAsync(values))}
    />
  );
}
