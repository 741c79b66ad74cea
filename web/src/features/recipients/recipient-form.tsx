import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, NativeSelect, SimpleGrid, Space, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle } from '@tabler/icons-react';
import { lazy, useRef } from 'react';
import { type KnownRecipient, knownRecipient, type RecipientView } from '#core/contracts/http/recipients';
import { banks, wallets } from '#core/recipients/banks';
import { type RecipientInput, recipientInput } from '#core/recipients/recipient';
import { dropDraft, keepDraft, keptDraft } from '../../data/drafts.ts';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { type RecipientToSave, recipientsQuery, useAddRecipient, useChangeRecipient } from '../../data/recipients.ts';
import { checkedBy, showFieldErrors } from '../../lib/form-failure.ts';
import { ApiFailure } from '../../lib/http.ts';
import { CheckedForm } from '../../ui/checked-form.tsx';
import { LazyPart } from '../../ui/lazy-part.tsx';

const ReadQr = lazy(async () => ({ default: (await import('./read-qr.tsx')).ReadQr }));

interface EditorProps {
  /** `isKnown`: nothing was saved, because this one was there already. */
  onSaved: (recipient: RecipientView, isKnown?: boolean) => void;
  onCancel: () => void;
}

/** The form that adds a recipient or changes one, without a dialog around it. */
export function RecipientEditor({ recipient, ...props }: EditorProps & { recipient: RecipientView | null }) {
  return recipient ? <ChangedRecipient recipient={recipient} {...props} /> : <NewRecipient {...props} />;
}

function NewRecipient({ onSaved, onCancel }: EditorProps) {
  const add = useAddRecipient();
  const own = useOptionalQuery({ ...recipientsQuery, enabled: false });
  const known = knownIn(add.error);
  const same = known && own?.find(({ id }) => id === known.recipientId);
  return (
    <RecipientForm
      draft="recipient"
      submitLabel={t`Guardar destinatario`}
      busyLabel={t`Guardando...`}
      busy={add.isPending}
      failure={
        add.error && savingProblem(add.error, t`Hubo un problema al registrar el destinatario. Intenta de nuevo.`)
      }
      known={known}
      {...(same && {
        onUseKnown: () => {
          dropDraft('recipient');
          onSaved(same, true);
        },
      })}
      onCancel={onCancel}
      onSave={async (values) => onSaved(await add.mutateAsync(values))}
    />
  );
}

function ChangedRecipient({ recipient, onSaved, onCancel }: EditorProps & { recipient: RecipientView }) {
  const change = useChangeRecipient(recipient.id);
  const { name, email, phone, ci, bankName, bankAccount, address, city, relationship } = recipient;
  const initial = { name, email, phone, ci, bankName, bankAccount, address, city, relationship };
  return (
    <RecipientForm
      draft={`recipient ${recipient.id}`}
      initial={initial}
      submitLabel={t`Guardar cambios`}
      busyLabel={t`Guardando...`}
      busy={change.isPending}
      failure={
        change.error && savingProblem(change.error, t`No se pudo actualizar el destinatario. Intente nuevamente.`)
      }
      known={knownIn(change.error)}
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
  /** The name of what was typed here and neither saved nor given up. */
  draft: string;
  /** The recipient to change; absent for a new one. */
  initial?: RecipientInput;
  submitLabel: string;
  busyLabel: string;
  busy: boolean;
  /** Why saving failed, if it did. */
  failure: string | null;
  /** Who of one's own has this account or CI already, if the server asks. */
  known: KnownRecipient | null;
  /** Takes that one instead of saving another. */
  onUseKnown?: () => void;
  /** Rejects when saving failed. */
  onSave: (values: RecipientToSave) => Promise<unknown>;
  onCancel: () => void;
}

/** Everything the bank in Bolivia needs to know about a recipient. Adding and editing are the same form. */
export function RecipientForm({ initial, submitLabel, busyLabel, busy, failure, onSave, ...props }: Props) {
  const { draft } = props;
  const form = useForm<RecipientInput>({
    initialValues: keptDraft(draft) ?? initial ?? empty,
    onValuesChange: (values) => keepDraft(draft, values),
    validate: checkedBy(recipientInput),
    validateInputOnBlur: true,
  });
  // `busy` reaches the button with the next render only: a second press before that must not save twice.
  const saving = useRef(false);
  const save = async (values: RecipientInput, saveAnyway = false) => {
    if (saving.current) return;
    saving.current = true;
    try {
      await onSave({ ...recipientInput.parse(values), ...(saveAnyway && { saveAnyway }) });
      dropDraft(draft);
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
    <CheckedForm form={form} send={save} data-testid="recipient-form">
      <LazyPart pending={<Space h={36} />} missing={null}>
        <ReadQr onRead={(fields) => form.setValues(fields)} />
      </LazyPart>
      <TextInput label={t`Nombre completo`} required autoComplete="off" {...field('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t`Número de CI`} required autoComplete="off" {...field('ci')} />
        <TextInput label={t`Teléfono`} required type="tel" autoComplete="off" {...field('phone')} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect label={t`Banco de destino`} required data={bankChoices(initial)} {...field('bankName')} />
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
      {props.known && (
        <KnownAlready
          known={props.known}
          busy={busy}
          onUse={props.onUseKnown}
          onSaveAnyway={() => form.onSubmit((values) => save(values, true))()}
        />
      )}
      {failure && !props.known && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {failure}
        </Alert>
      )}
      <div className="cq-dialog-actions">
        <Button
          variant="default"
          onClick={() => {
            dropDraft(draft);
            props.onCancel();
          }}
          disabled={busy}
        >
          <Trans>Cancelar</Trans>
        </Button>
        <Button type="submit" disabled={busy} data-testid="recipient-submit">
          {busy ? busyLabel : submitLabel}
        </Button>
      </div>
    </CheckedForm>
  );
}

/** Who the server says is there already, or null for other failures and none. */
function knownIn(error: Error | null): KnownRecipient | null {
  if (!(error instanceof ApiFailure) || error.code !== 'recipient_exists') return null;
  return knownRecipient.safeParse(error.details).data ?? null;
}

/** Somebody of one's own has this account or CI: that one, or another one all the same. */
function KnownAlready(props: {
  known: KnownRecipient;
  busy: boolean;
  onUse: (() => void) | undefined;
  onSaveAnyway: () => void;
}) {
  const { name, sameBy } = props.known;
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
      title={sameBy === 'account' ? t`Ya tienes a ${name} con esta cuenta` : t`Ya tienes a ${name} con este CI`}
      data-testid="recipient-known"
    >
      <Group gap="xs" mt="xs">
        {props.onUse && (
          <Button size="sm" onClick={props.onUse} data-testid="recipient-use-known">
            <Trans>Usar a {name}</Trans>
          </Button>
        )}
        <Button
          size="sm"
          variant="default"
          disabled={props.busy}
          onClick={props.onSaveAnyway}
          data-testid="recipient-save-anyway"
        >
          <Trans>Guardar de todos modos</Trans>
        </Button>
      </Group>
    </Alert>
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
