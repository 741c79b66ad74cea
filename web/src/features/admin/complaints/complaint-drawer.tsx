import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { adminTransferAddress } from '#core/contracts/page-addresses';
import {
  useApproveComplaint,
  useAssignComplaint,
  useComplaint,
  useCorrectComplaint,
  useNoteComplaint,
} from '../../../data/admin-complaints.ts';
import { useSession } from '../../../data/session.ts';
import { formatLaPazMoment, laPazTime } from '../../../lib/format/dates.ts';
import { formatAmount } from '../../../lib/format/money.ts';
import { errorMessage } from '../../../lib/http.ts';
import { toastError } from '../../../lib/toast.ts';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { complaintReasonLabel, complaintWantLabel, Letters } from '../../shared/complaint-texts.tsx';
import classes from '../admin.module.css';
import { AdminDrawer, Section } from '../admin-drawer.tsx';
import { TransferMoney } from '../transfers/transfer-cells.tsx';
import { History, Recipient } from '../transfers/transfer-drawer.tsx';
import { ComplaintDialog, type Question } from './complaint-dialog.tsx';
import { clockLabel, findingLabel, regimeLabel, remedyLabel } from './complaint-labels.ts';
import { Clocks, ComplaintBadge } from './complaint-parts.tsx';

/** Everything about one report and what can be done about it; over the whole screen on a phone. */
export function ComplaintDrawer({
  id,
  complaints,
  now,
  close,
}: {
  /** Null closes the drawer. */
  id: string | null;
  /** What the list knows: shown at once. */
  complaints: readonly AdminComplaintView[];
  now: number;
  close: () => void;
}) {
  const [question, setQuestion] = useState<Question | null>(null);
  return (
    <AdminDrawer id={id} title={t`Reclamo`} locked={question !== null} close={close} testid="complaint-drawer">
      {(shown) => (
        <Loaded
          key={shown}
          id={shown}
          row={complaints.find((one) => one.id === shown)}
          now={now}
          question={question}
          ask={setQuestion}
        />
      )}
    </AdminDrawer>
  );
}

interface DetailsProps {
  now: number;
  question: Question | null;
  ask: (question: Question | null) => void;
}

function Loaded({ id, row, ...props }: DetailsProps & { id: string; row: AdminComplaintView | undefined }) {
  return (
    <div className={classes.drawerScroll}>
      <QueryView query={useComplaint(id, row)} loading={<LoadingRows rows={5} height={56} />}>
        {(one) => <Details one={one} {...props} />}
      </QueryView>
    </div>
  );
}

function Details({ one, now, question, ask }: DetailsProps & { one: AdminComplaintView }) {
  const { transaction, wants } = one;
  const reported = laPazTime(one.reported_at);
  const wanted = complaintWantLabel(wants);
  return (
    <Stack gap="lg" data-testid="complaint-details" data-complaint-id={one.id} data-state={one.state}>
      <Stack gap="xs" align="flex-start">
        <ComplaintBadge one={one} />
        <Text fw={600}>{complaintReasonLabel(one.reason)}</Text>
        <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{one.description}</Text>
        <Text fz="sm">
          <Trans>
            Quiere: <b>{wanted}</b>
          </Trans>
        </Text>
        <Text fz="sm" c="dimmed">
          {regimeLabel(one.regime)}. <Trans>Reportado el {reported}.</Trans>
          {!one.in_time && ` ${t`Pasaron más de 180 días desde la fecha prometida.`}`}
        </Text>
      </Stack>
      <Section title={t`Plazos`}>
        <Clocks one={one} now={now} />
        <Reminders one={one} />
      </Section>
      <WhatToDo one={one} ask={ask} />
      {question && <ComplaintDialog key={question} one={one} question={question} close={() => ask(null)} />}
      <Result one={one} />
      <Section title={t`Cartas al remitente`}>
        <Letters letters={one.letters} />
      </Section>
      <Notes one={one} />
      <Anchor component={Link} to={adminTransferAddress(transaction.id)} preventScrollReset fz="sm">
        <Trans>Ver la transferencia</Trans>
      </Anchor>
      <TransferMoney transfer={transaction} />
      <Recipient transfer={transaction} />
      <History transfer={transaction} />
    </Stack>
  );
}

/** Whom we wrote about which deadline. */
function Reminders({ one: { reminders } }: { one: AdminComplaintView }) {
  return reminders.map(({ clock, stage, at, told }) => {
    const what = clockLabel(clock);
    const names = told.join(', ');
    const when = formatLaPazMoment(at);
    return (
      <Text key={`${clock} ${at}`} fz="sm" c="dimmed" mt={4} data-testid="complaint-reminder">
        {stage === 'near'
          ? t`${what}: se avisó a ${names} que vence pronto, el ${when}`
          : t`${what}: se avisó a ${names} que está vencido, el ${when}`}
      </Text>
    );
  });
}

function WhatToDo({ one, ask }: { one: AdminComplaintView; ask: (question: Question) => void }) {
  const adminId = useSession().data?.user.id;
  const approve = useApproveComplaint(one.id);
  const correct = useCorrectComplaint(one.id);
  const error = approve.error ?? correct.error;
  if (one.closed_at) return null;
  if (one.transaction.user_id === adminId)
    return (
      <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} title={t`Es tu envío`} data-testid="complaint-own">
        <Trans>De este reclamo se ocupa otra persona de administración.</Trans>
      </Alert>
    );
  // A push tells everybody the same: who found the result does not approve it.
  const can = (action: AdminComplaintView['actions'][number]) =>
    one.actions.includes(action) && !(action === 'approve' && one.found_by_id === adminId);
  return (
    <Stack gap="md">
      <Assignment one={one} isMine={one.assigned_to_id === adminId} />
      {error && (
        <Alert color="red" icon={<IconInfoCircle aria-hidden />} role="alert" data-testid="complaint-refused">
          {errorMessage(error)}
        </Alert>
      )}
      <Group gap="sm" data-testid="complaint-actions">
        {can('conclude') && (
          <Button onClick={() => ask('conclude')} data-testid="complaint-conclude">
            <Trans>Escribir el resultado</Trans>
          </Button>
        )}
        {can('hold') && (
          <Button variant="default" onClick={() => ask('hold')} data-testid="complaint-hold">
            <Trans>Avisar que tarda</Trans>
          </Button>
        )}
        {can('approve') && (
          <>
            <Button
              loading={approve.isPending}
              onClick={() => approve.mutate({ approve: true, note: '' })}
              data-testid="complaint-approve"
            >
              <Trans>Aprobar y escribir al remitente</Trans>
            </Button>
            <Button variant="default" onClick={() => ask('send_back')} data-testid="complaint-send-back">
              <Trans>Devolver con una nota</Trans>
            </Button>
          </>
        )}
        {can('correct') && (
          <Button loading={correct.isPending} onClick={() => correct.mutate(null)} data-testid="complaint-correct">
            <Trans>Devolver otra vez</Trans>
          </Button>
        )}
      </Group>
      {one.state === 'awaiting_approval' && one.found_by_id === adminId && (
        <Text c="dimmed">
          <Trans>Lo escribiste tú: lo tiene que aprobar otra persona.</Trans>
        </Text>
      )}
      {one.state === 'correcting' && one.remedy === 'pay_again' && (
        <Text c="dimmed">
          <Trans>El pago sigue en su caso de Operaciones; este reclamo se cierra solo cuando el banco paga.</Trans>
        </Text>
      )}
    </Stack>
  );
}

function Assignment({ one, isMine }: { one: AdminComplaintView; isMine: boolean }) {
  const assign = useAssignComplaint(one.id);
  const keeper = one.assigned_to;
  const change = () =>
    assign.mutate(!isMine, {
      onError: (error) => toastError(t`No se pudo cambiar quién lo tiene`, errorMessage(error)),
    });
  return (
    <Group gap="sm" justify="space-between">
      <Text data-testid="complaint-keeper">
        {isMine ? t`Lo tienes tú` : keeper ? t`Lo tiene ${keeper}` : t`Nadie lo tiene todavía`}
      </Text>
      <Button variant="default" size="sm" loading={assign.isPending} onClick={change} data-testid="complaint-assign">
        {isMine ? t`Dejar el reclamo` : t`Tomar el reclamo`}
      </Button>
    </Group>
  );
}

/** What was found, by whom, and what is done about it. */
function Result({ one }: { one: AdminComplaintView }) {
  const { finding, remedy, amount, explanation, found_by: by, approved_by: second, operation } = one;
  if (!finding) return null;
  const back = amount && formatAmount(amount, one.transaction.currency);
  const found = one.found_at && laPazTime(one.found_at);
  return (
    <Section title={t`Resultado`}>
      <Stack gap={4} data-testid="complaint-result">
        <Text fw={600}>
          {findingLabel(finding)}
          {remedy && `: ${remedyLabel(remedy)}`}
          {back && ` (${back})`}
        </Text>
        <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{explanation}</Text>
        <Text fz="sm" c="dimmed">
          <Trans>
            Por {by}, el {found}
          </Trans>
          {second && ` · ${t`aprobado por ${second}`}`}
        </Text>
        {operation?.status === 'failed' && (
          <Text fz="sm" c="var(--cq-bad)">
            <Trans>La tarjeta no tomó la devolución.</Trans> {operation.last_error}
          </Text>
        )}
      </Stack>
    </Section>
  );
}

const noteMax = 1000;

function Notes({ one }: { one: AdminComplaintView }) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState(false);
  const note = useNoteComplaint(one.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (text.trim() === '' || note.isPending) return;
    note.mutate(text.trim(), {
      onSuccess: () => {
        setText('');
        setAsked(false);
      },
    });
  };
  return (
    <Section title={t`Notas`}>
      <Stack gap="sm">
        {one.notes.map((known) => (
          <div key={`${known.at} ${known.text}`} data-testid="complaint-note">
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{known.text}</Text>
            <Text fz="sm" c="dimmed" className="cq-num">
              {known.author}, {formatLaPazMoment(known.at)}
            </Text>
          </div>
        ))}
        <form onSubmit={submit} noValidate>
          <Stack gap="xs" align="flex-start">
            <Textarea
              label={t`Nueva nota`}
              description={t`La ven las demás personas de administración; quien envía, no.`}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              maxLength={noteMax}
              autosize
              minRows={2}
              w="100%"
              error={(asked && text.trim() === '' && t`Escribe la nota`) || (note.error && errorMessage(note.error))}
              disabled={note.isPending}
              data-testid="complaint-note-text"
            />
            <Button
              type="submit"
              variant="default"
              size="sm"
              loading={note.isPending}
              data-testid="complaint-note-save"
            >
              <Trans>Guardar nota</Trans>
            </Button>
          </Stack>
        </form>
      </Stack>
    </Section>
  );
}
