import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPencil, IconUserPlus } from '@tabler/icons-react';
import { type ComponentType, type FormEvent, lazy, useState } from 'react';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { TransferView } from '#core/contracts/http/transfers';
import { useAssignRecipient, useCorrectAccount } from '../../data/transfers.ts';
import { formatBolivianos } from '../../lib/format/money.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Money } from '../../ui/figures.tsx';
import { useIsDesktop } from '../../ui/hooks.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { QueryView, type QueryViewProps } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { recipientProblem } from '../shared/recipient-problem.ts';
import classes from './transfers.module.css';

const NameCheck = lazy(async () => ({ default: (await import('../shared/name-check.tsx')).NameCheck }));

/** The sender's own recipients as they are loaded. */
export type OwnRecipients = QueryViewProps<RecipientView[]>['query'];

/** The form that adds a recipient (`recipient` is null) or changes one. */
export type RecipientEditor = ComponentType<{
  recipient: RecipientView | null;
  onSaved: (recipient: RecipientView) => void;
  onCancel: () => void;
}>;

/** What is asked: the account in place of one that the bank refused, or who receives what was paid without a recipient. */
type Question = 'correct' | 'assign';

/** Asks for one of the sender's recipients, who may be corrected or added on the way. */
export function ChooseAccount({
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
  const [question] = useState<Question>(transfer.state === 'payout_failed' ? 'correct' : 'assign');
  const correct = useCorrectAccount(transfer.id);
  const assign = useAssignRecipient(transfer.id);
  const { isPending, error } = question === 'correct' ? correct : assign;
  const [chosenId, setChosenId] = useState('');
  const [edited, setEdited] = useState<RecipientView | 'new' | null>(null);
  const close = () => !isPending && onClose();
  const done = (saved: TransferView) => {
    const [name, amount] = [saved.recipient, formatBolivianos(saved.bolivianos)];
    if (question === 'correct')
      toastDone(t`Cuenta corregida`, t`Revisamos los datos y el banco paga otra vez: ${name} recibirá ${amount}.`);
    else toastDone(t`Destinatario elegido`, t`${name} recibirá ${amount}.`);
    onClose();
  };
  const confirm = () =>
    question === 'correct'
      ? correct.mutate(chosenId, { onSuccess: ({ transaction }) => done(transaction) })
      : assign.mutate(chosenId, { onSuccess: done });
  return (
    <Dialog
      opened
      onClose={close}
      title={titleOf(question, edited)}
      size="lg"
      fullScreen={!wide}
      closeOnClickOutside={false}
    >
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
              question={question}
              transfer={transfer}
              recipients={all}
              chosenId={chosenId}
              onChoose={setChosenId}
              onEdit={setEdited}
              isPending={isPending}
              error={error}
              onConfirm={confirm}
              onClose={close}
            />
          )}
        </QueryView>
      )}
    </Dialog>
  );
}

function titleOf(question: Question, edited: RecipientView | 'new' | null): string {
  if (!edited) return question === 'correct' ? t`Corregir la cuenta` : t`Elegir quién recibe`;
  if (edited === 'new') return addLabel(question);
  const { name } = edited;
  return t`Datos de ${name}`;
}

const addLabel = (question: Question) => (question === 'correct' ? t`Añadir otra cuenta` : t`Añadir destinatario`);

/** Whether meanwhile there is nothing to choose any more: it ended, or was chosen elsewhere. */
const isAnswered = (question: Question, { state, recipientId }: TransferView) =>
  question === 'correct' ? state !== 'payout_failed' : state !== 'in_review' || recipientId !== null;

function Choice({
  question,
  transfer,
  recipients,
  chosenId,
  onChoose,
  onEdit,
  isPending,
  error,
  onConfirm,
  onClose,
}: {
  question: Question;
  transfer: TransferView;
  recipients: readonly RecipientView[];
  chosenId: string;
  onChoose: (id: string) => void;
  onEdit: (edited: RecipientView | 'new') => void;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const [isAsked, setIsAsked] = useState(false);
  const chosen = recipients.find(({ id }) => id === chosenId);
  const chosenName = chosen?.name;
  const isOver = error !== null && isAnswered(question, transfer);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(true);
    if (chosen && !problem && !isPending) onConfirm();
  };
  const missing = question === 'correct' ? t`Elige una cuenta` : t`Elige un destinatario`;
  const problem = chosen ? recipientProblem(chosen) : missing;
  // The refused one first: correcting it is the usual way.
  const isRefused = ({ id }: RecipientView) => id === transfer.recipientId;
  const ordered = [...recipients.filter(isRefused), ...recipients.filter((one) => !isRefused(one))];
  return (
    <form onSubmit={submit} noValidate data-testid="choose-account">
      <Stack>
        <Text>
          {question === 'correct' ? (
            <Trans>
              ¿A qué cuenta paga el banco los <Money amount={transfer.bolivianos} currency="BOB" fw={700} />? La tasa y
              el monto no cambian.
            </Trans>
          ) : (
            <Trans>
              ¿Quién recibe los <Money amount={transfer.bolivianos} currency="BOB" fw={700} />? Después ya no se cambia.
            </Trans>
          )}
        </Text>
        <Radio.Group
          aria-label={question === 'correct' ? t`Cuenta` : t`Destinatario`}
          value={chosenId}
          onChange={onChoose}
          error={isAsked ? problem : null}
        >
          <Stack gap={0} className={classes.addressBook}>
            {ordered.map((one) => (
              <Radio
                key={one.id}
                value={one.id}
                disabled={isPending || isOver}
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
                data-testid="choose-account-choice"
              />
            ))}
          </Stack>
        </Radio.Group>
        <div aria-live="polite">
          {chosen && !isOver && (
            <LazyPart missing={null}>
              <NameCheck key={chosen.id} recipient={chosen} onCorrect={() => onEdit(chosen)} />
            </LazyPart>
          )}
        </div>
        {!isOver && (
          <Group gap="sm">
            {chosen && question === 'correct' && (
              <Button
                variant="default"
                size="sm"
                leftSection={<IconPencil size={18} aria-hidden />}
                disabled={isPending}
                onClick={() => onEdit(chosen)}
                data-testid="choose-account-edit"
              >
                <Trans>Corregir los datos de {chosenName}</Trans>
              </Button>
            )}
            <Button
              variant="default"
              size="sm"
              leftSection={<IconUserPlus size={18} aria-hidden />}
              disabled={isPending}
              onClick={() => onEdit('new')}
              data-testid="choose-account-add"
            >
              {addLabel(question)}
            </Button>
          </Group>
        )}
        {error && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="choose-account-refused">
            {errorMessage(error)}
          </Alert>
        )}
        <div className="cq-dialog-actions">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            <Trans>Volver al envío</Trans>
          </Button>
          {!isOver && (
            <Button type="submit" disabled={isPending} data-testid="choose-account-confirm">
              {question === 'correct'
                ? isPending
                  ? t`Enviando al banco...`
                  : t`Pagar a esta cuenta`
                : isPending
                  ? t`Guardando...`
                  : t`Elegir`}
            </Button>
          )}
        </div>
      </Stack>
    </form>
  );
}
