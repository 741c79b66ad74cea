import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRef } from 'react';
import type { RecipientView } from '#core/contracts/http/recipients';
import { banks, wallets } from '#core/recipients/banks';
import { type RecipientInput, recipientInput } from '#core/recipients/recipient';
import { useAddRecipient, useChangeRecipient } from '../../data/recipients.ts';
import { checkedBy, focusFirstProblem, showFieldErrors } from '../../lib/form-failure.ts';
import { ApiFailure } from '../../lib/http.ts';

interface EditorProps {
  onSaved: (recipient: RecipientView) => void;
  onCancel: () => void;
}

/** The form that adds a recipient or changes one, without a dialog around it. */
export function RecipientEditor({ recipient, ...props }: EditorProps & { recipient: RecipientView | null }) {
  return recipient ? <ChangedRecipient recipient={recipient} {...props} /> : <NewRecipient {...props} />;
}

function NewRecipient({ onSaved, onCancel }: EditorProps) {
  const add = useAddRecipient();
  return (
    <RecipientForm
      submitLabel={t`Guardar destinatario`}
      busyLabel={t`Guardando...`}
      busy={add.isPending}
      failure={
        add.error && savingProblem(add.error, t`Hubo un problema al registrar el destinatario. Intenta de nuevo.`)
      }
      onCancel={onCancel}
      onSave={async (values) => onSaved(await add.mutateAsync(values))}
    />
  );
}

function ChangedRecipient({ recipient, onSaved, onCancel }: EditorProps & { recipient: RecipientView }) {
  const change = useChangeRecipient(recipient.id);
  const { id: _id, createdAt: _createdAt, ...initial } = recipient;
  return (
    <RecipientForm
      initial={initial}
      submitLabel={t`Guardar cambios`}
      busyLabel={t`Guardando...`}
      busy={change.isPending}
      failure={
        change.error && savingProblem(change.error, t`No se pudo actualizar el destinatario. Intente nuevamente.`)
      }
      onCancel={onCancel}
      onSave={async (values) => onSaved(await change.mutateAsync(values))}
    />
  );
}

const empty: RecipientInput = {
  name: '',
  email: '',
  phone: '',
  ci: '',
  bankName: '',
  bankAccount: '',
  address: '',
  city: '',
  relationship: '',
};

interface Props {
  /** The recipient to change; absent for a new one. */
  initial?: RecipientInput;
  submitLabel: string;
  busyLabel: string;
  busy: boolean;
  /** Why saving failed, if it did. */
  failure: string | null;
  /** Rejects when saving failed. */
  onSave: (values: RecipientInput) => Promise<unknown>;
  onCancel: () => void;
}

/** Everything the bank in Bolivia needs to know about a recipient. Adding and editing are the same form. */
export function RecipientForm({ initial, submitLabel, busyLabel, busy, failure, onSave, onCancel }: Props) {
  const form = useForm<RecipientInput>({
    initialValues: initial ?? empty,
    validate: checkedBy(recipientInput),
    validateInputOnBlur: true,
  });
  // `busy` reaches the button with the next render only: a second press before that must not save twice.
  const saving = useRef(false);
  const save = async (values: RecipientInput) => {
    if (saving.current) return;
    saving.current = true;
    try {
      await onSave(recipientInput.parse(values));
    } catch (error) {
      showFieldErrors(form, error);
    } finally {
      saving.current = false;
    }
  };
  const field = (name: keyof RecipientInput) => ({
    ...form.getInputProps(name),
    name,
    'data-testid': `recipient-${name}`,
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(save, (_errors, _values, event) => focusFirstProblem(event))}
      data-testid="recipient-form"
    >
      <Stack>
        <TextInput label={t`Nombre completo`} required autoComplete="off" {...field('name')} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t`Número de CI`} required autoComplete="off" {...field('ci')} />
          <TextInput label={t`Teléfono`} required type="tel" autoComplete="off" {...field('phone')} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NativeSelect
            label={t`Banco de destino`}
            required
            size="md"
            data={bankChoices(initial)}
            {...field('bankName')}
          />
          <TextInput
            label={t`Número de cuenta bancaria`}
            required
            inputMode="numeric"
            autoComplete="off"
            {...field('bankAccount')}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t`Dirección`} required autoComplete="off" {...field('address')} />
          <TextInput label={t`Ciudad`} required autoComplete="off" {...field('city')} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t`Relación (opcional)`} placeholder={t`Madre, hermano…`} {...field('relationship')} />
          <TextInput label={t`Email (opcional)`} type="email" autoComplete="off" {...field('email')} />
        </SimpleGrid>
        {failure && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
            {failure}
          </Alert>
        )}
        <div className="cq-dialog-actions">
          <Button variant="default" onClick={onCancel} disabled={busy}>
            <Trans>Cancelar</Trans>
          </Button>
          <Button type="submit" disabled={busy} data-testid="recipient-submit">
            {busy ? busyLabel : submitLabel}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** Why saving failed: the server's message where the person can do something about it, `usual` otherwise. */
function savingProblem(error: Error, usual: string): string {
  return error instanceof ApiFailure && error.code === 'too_many_recipients' ? error.userMessage : usual;
}

function bankChoices(initial: RecipientInput | undefined) {
  const known: readonly string[] = [...banks, ...wallets];
  // A name kept from before the list, or from another program, stays possible.
  const other = initial?.bankName && !known.includes(initial.bankName) ? [initial.bankName] : [];
  return [
    { value: '', label: t`Elige un banco o billetera` },
    ...other,
    { group: t`Bancos`, items: [...banks] },
    { group: t`Billeteras móviles`, items: [...wallets] },
  ];
}
