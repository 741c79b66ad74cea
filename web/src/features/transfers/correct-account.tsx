import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPencil, IconUserPlus } from '@tabler/icons-react';
import { type ComponentType, type FormEvent, useState } from 'react';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { TransferView } from '#core/contracts/http/transfers';
import { useCorrectAccount } from '../../data/transfers.ts';
import { formatBolivianos } from '../../lib/format/money.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Money } from '../../ui/figures.tsx';
import { useIsDesktop } from '../../ui/hooks.ts';
import { QueryView, type QueryViewProps } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import classes from './transfers.module.css';

/** The sender's own recipients as they are loaded. */
export type OwnRecipients = QueryViewProps<RecipientView[]>['query'];

/** The form that adds a recipient (`recipient` is null) or changes one. */
export type RecipientEditor = ComponentType<{
  recipient: RecipientView | null;
  onSaved: (recipient: RecipientView) => void;
  onCancel: () => void;
}>;

/** Asks for the account that the bank is to pay instead of the one it refused: another recipient, or the same one corrected. */
export function CorrectAccount({
  transfer,
  recipients,
  editor: Editor,
  onClose,
}: {
  transfer: TransferView;
  recipients: OwnRecipients;
  editor: RecipientEditor;
  onClose: () => void;
}) {
  const wide = useIsDesktop();
  const correct = useCorrectAccount(transfer.id);
  const [chosenId, setChosenId] = useState('');
  const [edited, setEdited] = useState<RecipientView | 'new' | null>(null);
  const close = () => !correct.isPending && onClose();
  const confirm = () =>
    correct.mutate(chosenId, {
      onSuccess: ({ transaction }) => {
        const [name, amount] = [transaction.recipient, formatBolivianos(transaction.bolivianos)];
        toastDone(t`Cuenta corregida`, t`El banco paga otra vez: ${name} recibirá ${amount}.`);
        onClose();
      },
    });
  return (
    <Dialog opened onClose={close} title={titleOf(edited)} size="lg" fullScreen={!wide} closeOnClickOutside={false}>
      {edited ? (
        <Editor
          recipient={edited === 'new' ? null : edited}
          onCancel={() => setEdited(null)}
          onSaved={({ id }) => {
            setChosenId(id);
            setEdited(null);
          }}
        />
      ) : (
        <QueryView query={recipients} loading={<LoadingRows rows={3} height={56} />}>
          {(all) => (
            <Choice
              transfer={transfer}
              recipients={all}
              chosenId={chosenId}
              onChoose={setChosenId}
              onEdit={setEdited}
              correct={correct}
              onConfirm={confirm}
              onClose={close}
            />
          )}
        </QueryView>
      )}
    </Dialog>
  );
}

function titleOf(edited: RecipientView | 'new' | null): string {
  if (!edited) return t`Corregir la cuenta`;
  if (edited === 'new') return t`Añadir otra cuenta`;
  const { name } = edited;
  return t`Datos de ${name}`;
}

function Choice({
  transfer,
  recipients,
  chosenId,
  onChoose,
  onEdit,
  correct,
  onConfirm,
  onClose,
}: {
  transfer: TransferView;
  recipients: readonly RecipientView[];
  chosenId: string;
  onChoose: (id: string) => void;
  onEdit: (edited: RecipientView | 'new') => void;
  correct: ReturnType<typeof useCorrectAccount>;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const [isAsked, setIsAsked] = useState(false);
  const chosen = recipients.find(({ id }) => id === chosenId);
  const chosenName = chosen?.name;
  // Meanwhile the money went back, or the account was corrected elsewhere.
  const isOver = correct.error !== null && transfer.state !== 'payout_failed';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(true);
    if (chosen && !correct.isPending) onConfirm();
  };
  // The refused one first: correcting it is the usual way.
  const isRefused = ({ id }: RecipientView) => id === transfer.recipientId;
  const ordered = [...recipients.filter(isRefused), ...recipients.filter((one) => !isRefused(one))];
  return (
    <form onSubmit={submit} noValidate data-testid="correct-account">
      <Stack>
        <Text>
          <Trans>
            ¿A qué cuenta paga el banco los <Money amount={transfer.bolivianos} currency="BOB" fw={700} />? La tasa y el
            monto no cambian.
          </Trans>
        </Text>
        <Radio.Group
          aria-label={t`Cuenta`}
          value={chosenId}
          onChange={onChoose}
          error={isAsked && !chosen ? t`Elige una cuenta` : null}
        >
          <Stack gap="xs" className={classes.addressBook}>
            {ordered.map((one) => (
              <Radio
                key={one.id}
                value={one.id}
                disabled={correct.isPending || isOver}
                label={
                  <>
                    <b>{one.name}</b> · {one.bankName} · <span className="cq-num">{one.bankAccount}</span>
                  </>
                }
                description={
                  isRefused(one)
                    ? t`El banco no aceptó esta cuenta. Corrige sus datos antes de elegirla otra vez.`
                    : null
                }
                data-testid="correct-account-choice"
              />
            ))}
          </Stack>
        </Radio.Group>
        {!isOver && (
          <Group gap="sm">
            {chosen && (
              <Button
                variant="default"
                size="sm"
                leftSection={<IconPencil size={18} aria-hidden />}
                disabled={correct.isPending}
                onClick={() => onEdit(chosen)}
                data-testid="correct-account-edit"
              >
                <Trans>Corregir los datos de {chosenName}</Trans>
              </Button>
            )}
            <Button
              variant="default"
              size="sm"
              leftSection={<IconUserPlus size={18} aria-hidden />}
              disabled={correct.isPending}
              onClick={() => onEdit('new')}
              data-testid="correct-account-add"
            >
              <Trans>Añadir otra cuenta</Trans>
            </Button>
          </Group>
        )}
        {correct.error && (
          <Alert
            color="red"
            icon={<IconAlertTriangle aria-hidden />}
            role="alert"
            data-testid="correct-account-refused"
          >
            {errorMessage(correct.error)}
          </Alert>
        )}
        <div className="cq-dialog-actions">
          <Button variant="default" onClick={onClose} disabled={correct.isPending}>
            <Trans>Volver al envío</Trans>
          </Button>
          {!isOver && (
            <Button type="submit" disabled={correct.isPending} data-testid="correct-account-confirm">
              {correct.isPending ? t`Enviando al banco...` : t`Pagar a esta cuenta`}
            </Button>
          )}
        </div>
      </Stack>
    </form>
  );
}
