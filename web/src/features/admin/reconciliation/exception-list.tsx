import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Card, Group, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import type { BookExceptionView, BookRequestView } from '#core/contracts/http/reconciliation';
import { type Cause, isAboutMoney } from '#core/reconciliation/cause';
import { referenceOf } from '#core/transfers/reference';
import { useAccept, useAskAgain, useDecideBookRequest, useExplain } from '../../../data/reconciliation.ts';
import { useSession } from '../../../data/session.ts';
import { focusFirstProblem } from '../../../lib/form-failure.ts';
import { ageText, formatCalendarDay, laPazTime } from '../../../lib/format/dates.ts';
import { formatAmount } from '../../../lib/format/money.ts';
import { errorMessage } from '../../../lib/http.ts';
import { toastDone, toastError } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useNow } from '../../../ui/hooks.ts';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { DialogTitle } from '../admin-drawer.tsx';
import { causeMessages, exceptionStatuses, sideNames } from './book-messages.ts';

type Question = { readonly one: BookExceptionView; readonly action: 'explain' | 'accept' };

/** Differences, a card each, and what can be done about them. */
export function ExceptionCards({ exceptions }: { exceptions: readonly BookExceptionView[] }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const now = useNow();
  return (
    <Stack gap="sm">
      {exceptions.map((one) => (
        <ExceptionCard key={one.id} one={one} now={now} ask={(action) => setQuestion({ one, action })} />
      ))}
      {question && <NoteDialog {...question} close={() => setQuestion(null)} />}
    </Stack>
  );
}

function ExceptionCard({
  one,
  now,
  ask,
}: {
  one: BookExceptionView;
  now: number;
  ask: (action: Question['action']) => void;
}) {
  const again = useAskAgain();
  const side = i18n._(sideNames[one.side]);
  const status = exceptionStatuses[one.status];
  const age = ageText(one.found_at, now);
  const [day, found] = [formatCalendarDay(one.day), laPazTime(one.found_at)];
  const { decided_by: person, note } = one;
  const askSource = () =>
    again.mutate(one.id, {
      onSuccess: () => toastDone(t`Preguntando otra vez`, t`La lista se actualiza sola.`),
      onError: (error) => toastError(t`No se pudo preguntar`, errorMessage(error)),
    });
  return (
    <Card padding="md" data-testid="books-exception" data-cause={one.cause}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" align="flex-start">
          <Text fw={600}>{i18n._(causeMessages[one.cause])}</Text>
          <ToneBadge tone={status.tone}>{i18n._(status.label)}</ToneBadge>
        </Group>
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
          <Amount label={expectedLabel(one.cause)} amount={one.expected} currency={one.currency} />
          <Amount
            label={one.cause === 'bank_balance_gap' ? t`Este empieza con` : t`En la fuente: ${side}`}
            amount={one.actual}
            currency={one.currency}
          />
          {isAboutMoney(one.cause) && <Amount label={t`Diferencia`} amount={one.difference} currency={one.currency} />}
        </SimpleGrid>
        <Text fz="sm" c="dimmed">
          <Trans>
            Del {day}. Encontrada el {found}, {age}.
          </Trans>
        </Text>
        {(one.transfer_id || one.reference) && (
          <Group gap="md">
            {one.transfer_id && (
              <Anchor
                component={Link}
                to={`/admin?transfer=${one.transfer_id}`}
                className="cq-num"
                data-testid="books-transfer"
              >
                {referenceOf(one.transfer_id)}
              </Anchor>
            )}
            {one.reference && (
              <Text fz="sm" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
                {one.reference}
              </Text>
            )}
          </Group>
        )}
        {note && (
          <Text fz="sm" data-testid="books-note">
            {person}: {note}
          </Text>
        )}
        {one.request && <WaitingRequest request={one.request} asked={t`Aceptar la diferencia`} />}
        {one.status === 'open' && (
          <Group gap="sm">
            <Button variant="default" onClick={() => ask('explain')} data-testid="books-explain">
              <Trans>Explicar</Trans>
            </Button>
            {one.can_accept && !one.request && (
              <Button variant="default" onClick={() => ask('accept')} data-testid="books-accept">
                {one.difference.startsWith('-') ? t`Aceptar como pérdida` : t`Aceptar como ganancia`}
              </Button>
            )}
            <Button variant="subtle" loading={again.isPending} onClick={askSource} data-testid="books-ask">
              <Trans>Preguntar otra vez</Trans>
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
}

/** What the source's figure is held against: not always something of our books. */
function expectedLabel(cause: Cause): string {
  if (cause === 'fee_changed') return t`Según la lista de precios`;
  return cause === 'bank_balance_gap' ? t`El extracto anterior terminó con` : t`En los libros`;
}

function Amount({
  label,
  amount,
  currency,
}: {
  label: string;
  amount: string | null;
  currency: BookExceptionView['currency'];
}) {
  return (
    <div>
      <Text fz="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600} className="cq-num">
        {amount === null ? t`Nada` : formatAmount(amount, currency)}
      </Text>
    </div>
  );
}

const noteMax = 500;

/** Asks for the note of an explanation, or for the reason why a difference is accepted. */
function NoteDialog({ one, action, close }: Question & { close: () => void }) {
  const [explain, accept] = [useExplain(), useAccept()];
  const send = action === 'explain' ? explain : accept;
  const [note, setNote] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const [opened, setOpened] = useState(true);
  const amount = formatAmount(one.difference, one.currency);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsAsked(true);
    if (note.trim() === '') return focusFirstProblem({ currentTarget: event.currentTarget });
    send.mutate(
      { id: one.id, note },
      {
        onSuccess: () => {
          setOpened(false);
          if (action === 'explain') toastDone(t`Diferencia explicada`, t`Los libros quedan como están.`);
          else toastDone(t`Falta otra persona`, t`Se anota cuando otra persona esté de acuerdo.`);
        },
      },
    );
  };
  return (
    <Dialog
      opened={opened}
      onClose={() => !send.isPending && setOpened(false)}
      onExitTransitionEnd={close}
      title={<DialogTitle>{i18n._(causeMessages[one.cause])}</DialogTitle>}
      data-testid="books-dialog"
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text>
            {action === 'explain'
              ? t`La nota explica la diferencia; los libros quedan como están.`
              : t`Los libros anotan ${amount} cuando otra persona esté de acuerdo.`}
          </Text>
          <Textarea
            label={action === 'explain' ? t`Explicación` : t`Motivo`}
            autosize
            minRows={3}
            maxLength={noteMax}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            error={
              isAsked && note.trim() === '' && (action === 'explain' ? t`Escribe la explicación` : t`Escribe el motivo`)
            }
            data-autofocus
            data-testid="books-note-text"
          />
          {send.error && (
            <Alert color="red" role="alert">
              {errorMessage(send.error)}
            </Alert>
          )}
          <div className="cq-dialog-actions">
            <Button variant="default" onClick={() => setOpened(false)} disabled={send.isPending}>
              <Trans>Cancelar</Trans>
            </Button>
            <Button type="submit" loading={send.isPending} data-testid="books-confirm">
              {action === 'explain' ? t`Explicar` : t`Pedir que se acepte`}
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}

/** What another admin asked for, and the answer of a second person; who asked only waits. */
export function WaitingRequest({ request, asked }: { request: BookRequestView; asked: string }) {
  const decide = useDecideBookRequest();
  const { data: session } = useSession();
  const isOwn = session?.user.id === request.requested_by_id;
  const { requested_by: person, reason } = request;
  const at = laPazTime(request.requested_at);
  const answer = (approve: boolean) => decide.mutate({ id: request.id, approve });
  return (
    <Alert color="yellow" title={asked} data-testid="books-request">
      <Stack gap="sm">
        <Text fz="sm">
          <Trans>
            Lo pidió {person} el {at}.
          </Trans>{' '}
          {reason}
        </Text>
        {isOwn ? (
          <Text fz="sm">{t`Lo tiene que decidir otra persona.`}</Text>
        ) : (
          <Group gap="sm">
            <Button loading={decide.isPending} onClick={() => answer(true)} data-testid="books-approve">
              <Trans>De acuerdo</Trans>
            </Button>
            <Button
              variant="default"
              disabled={decide.isPending}
              onClick={() => answer(false)}
              data-testid="books-decline"
            >
              <Trans>Rechazar</Trans>
            </Button>
          </Group>
        )}
        {decide.error && (
          <Text fz="sm" c="red" role="alert">
            {errorMessage(decide.error)}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
