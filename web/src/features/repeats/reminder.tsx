import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Loader, Overlay, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { ReminderView } from '#core/contracts/http/repeats';
import { recipientAddress } from '#core/contracts/page-addresses';
import type { Offer } from '../../data/payments.ts';
import { recipientsQuery } from '../../data/recipients.ts';
import { reminderQuery, useReminderOffer } from '../../data/repeats.ts';
import { formatMoment } from '../../lib/format/dates.ts';
import { errorMessage, isMissing } from '../../lib/http.ts';
import { birthDateProblem } from '../../lib/sending-draft.ts';
import { Dialog, useReturnFocus } from '../../ui/dialog.tsx';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { NameCheck } from '../shared/name-check.tsx';
import { recipientProblem } from '../shared/recipient-problem.ts';
import { BirthDateInput } from '../shared/sending-inputs.tsx';
import { fixedText, nextText } from './repeat-texts.ts';

const RepeatDialog = lazy(() => import('./repeat-dialog.tsx'));

interface Props {
  id: string;
  /** Whether the server still has to learn the sender's date of birth. */
  asksBirthDate: boolean;
  onClose: () => void;
  /** With today's quote: the review with the button that pays. */
  onPay: (offer: Offer) => void;
  /** Opens the transfer that was paid with it. */
  onTransfer: (id: string) => void;
}

/** What the link of a reminder opens: the review of today's transfer at once, unless something is to be said before. */
export default function Reminder(props: Props) {
  const { id, onClose } = props;
  const reminder = useQuery(reminderQuery(id));
  const recipients = useQuery(recipientsQuery);
  useReturnFocus();
  const error = reminder.error ?? recipients.error;
  if (reminder.data && recipients.data)
    return <Opened {...props} reminder={reminder.data} recipients={recipients.data} />;
  if (!error) return <Loading />;
  const unknown = isMissing(reminder.error);
  return (
    <Notice onClose={onClose} title={t`Tu recordatorio`}>
      <Text role="alert" data-testid="reminder-missing">
        {unknown ? t`No encontramos este recordatorio entre los tuyos.` : errorMessage(error)}
      </Text>
      {!unknown && <Retry onRetry={() => void Promise.all([reminder.refetch(), recipients.refetch()])} />}
    </Notice>
  );
}

const Loading = () => (
  <Overlay fixed center role="status" aria-label={t`Cargando`}>
    <Loader />
  </Overlay>
);

function Opened(props: Props & { reminder: ReminderView; recipients: readonly RecipientView[] }) {
  const { reminder, recipients, onClose } = props;
  const { repeat, state } = reminder;
  const recipient = recipients.find(({ id }) => id === repeat.recipient.id);
  const { name } = repeat.recipient;
  const [title, next] = [t`Envío a ${name}`, nextText(repeat)];
  if (repeat.state !== 'ended' && state !== 'paid' && (!recipient || repeat.recipient.removed))
    return <RecipientGone {...props} />;
  if (state === 'open' && recipient) return <Review {...props} recipient={recipient} />;
  return (
    <Notice onClose={onClose} title={title}>
      <Text data-testid="reminder-closed" data-state={state}>
        {state === 'paid' && t`Ya hiciste este envío. No se cobra otra vez.`}
        {state === 'skipped' && t`Saltaste esta vez. No se cobró nada.`}
        {state === 'lapsed' && t`Este recordatorio ya venció. No se cobró nada.`}
        {state === 'open' && t`Este recordatorio ya venció. No se cobró nada.`}{' '}
        {repeat.state === 'active' && t`Próximo aviso: ${next}.`}
        {repeat.state === 'paused' && t`Lo tienes en pausa.`}
        {repeat.state === 'ended' && t`Lo terminaste: no te lo recordaremos más.`}
      </Text>
      {reminder.transferId && (
        <Button onClick={() => props.onTransfer(reminder.transferId ?? '')}>
          <Trans>Ver el envío</Trans>
        </Button>
      )}
    </Notice>
  );
}

/**
 * Goes on to the review by itself; stops where the account changed or is in another name, a date of birth is missing, or there is no
 * quote.
 */
function Review(props: Props & { reminder: ReminderView; recipient: RecipientView }) {
  const { reminder, recipient, asksBirthDate, onPay, onClose } = props;
  const { repeat } = reminder;
  const offer = useReminderOffer(reminder.id);
  const [birthDate, setBirthDate] = useState('');
  const [asked, setAsked] = useState(false);
  const navigate = useNavigate();
  const changedAt = recipient.accountChangedAt && formatMoment(recipient.accountChangedAt);
  const whomProblem = recipientProblem(recipient);
  // What the notice was opened for stays: confirming a name does not go on by itself.
  const [stops] = useState(changedAt !== null || asksBirthDate || whomProblem !== null);
  const birthProblem = asksBirthDate ? birthDateProblem(birthDate, new Date()) : null;
  const { mutate } = offer;
  const go = () => mutate({ repeat, recipient, birthDate: asksBirthDate ? birthDate : null }, { onSuccess: onPay });
  // Once: what follows is the person's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as said
  useEffect(() => {
    if (!stops) go();
  }, []);
  if (!stops && !offer.error) return <Loading />;
  const figure = fixedText(repeat);
  return (
    <Notice onClose={onClose} title={t`Envío a ${recipient.name}`}>
      <Text>
        {repeat.fixed === 'pay' ? t`Pagas ${figure}, con la tasa de hoy.` : t`Llegan ${figure}, con la tasa de hoy.`}
      </Text>
      {changedAt && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} data-testid="reminder-account-changed">
          <Trans>Su cuenta cambió el {changedAt}, después de tu último envío. Comprueba que sea la correcta.</Trans>
        </Alert>
      )}
      {recipient.nameCheck && (
        <NameCheck recipient={recipient} onCorrect={() => void navigate(recipientAddress(recipient.id))} />
      )}
      {asksBirthDate && (
        <BirthDateInput
          value={birthDate}
          onChange={setBirthDate}
          error={asked ? birthProblem : null}
          testid="reminder-birth-date"
        />
      )}
      {(offer.error || (asked && whomProblem)) && (
        <Alert color="red" role="alert" data-testid="reminder-problem">
          {offer.error ? errorMessage(offer.error) : whomProblem}
        </Alert>
      )}
      <Button
        loading={offer.isPending}
        onClick={() => {
          setAsked(true);
          if (!birthProblem && !whomProblem) go();
        }}
        data-testid="reminder-review"
      >
        {offer.error ? t`Reintentar` : t`Revisar y pagar`}
      </Button>
    </Notice>
  );
}

/** There is nobody to send to: another person is chosen, and it goes on. */
function RecipientGone({ reminder: { repeat }, onClose }: Props & { reminder: ReminderView }) {
  const [choosing, setChoosing] = useState(false);
  const { name } = repeat.recipient;
  if (choosing)
    return (
      <LazyPart>
        <RepeatDialog start={{ ...repeat, repeatId: repeat.id, recipientId: null }} onClose={onClose} />
      </LazyPart>
    );
  return (
    <Notice onClose={onClose} title={t`Falta el destinatario`}>
      <Text data-testid="reminder-recipient-gone">
        <Trans>{name} ya no está en tu lista, así que este envío quedó en pausa. No se cobró nada.</Trans>
      </Text>
      <Button onClick={() => setChoosing(true)}>
        <Trans>Elegir a quién</Trans>
      </Button>
    </Notice>
  );
}

function Notice(props: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <Dialog opened ownAddress onClose={props.onClose} title={props.title} data-testid="reminder">
      <Stack align="flex-start">{props.children}</Stack>
    </Dialog>
  );
}

const Retry = ({ onRetry }: { onRetry: () => void }) => (
  <Button variant="default" leftSection={<IconRefresh size={18} aria-hidden />} onClick={onRetry}>
    <Trans>Reintentar</Trans>
  </Button>
);
