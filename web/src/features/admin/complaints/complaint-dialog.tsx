import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import {
  useApproveComplaint,
  useAssignComplaint,
  useCorrectComplaint,
  useHoldComplaint,
} from '../../../data/admin-complaints.ts';
import { useSession } from '../../../data/session.ts';
import { errorMessage } from '../../../lib/http.ts';
import { toastError } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogTitle } from '../admin-drawer.tsx';
import { Conclude, DialogFoot, textMax } from './conclude-form.tsx';

/** What an admin is asked for. */
export type Question = 'conclude' | 'hold' | 'send_back';

const noteMax = 1000;

/** Asks for the result of an investigation, for why it takes longer, or for why a result is sent back. */
export function ComplaintDialog({
  one,
  question,
  close,
}: {
  one: AdminComplaintView;
  question: Question;
  close: () => void;
}) {
  const [opened, setOpened] = useState(true);
  const done = () => setOpened(false);
  const Content = contents[question];
  return (
    <Dialog
      opened={opened}
      onClose={done}
      onExitTransitionEnd={close}
      title={<DialogTitle>{titleOf(question)}</DialogTitle>}
      zIndex={300}
      size="md"
      closeOnClickOutside={false}
      data-testid="complaint-dialog"
    >
      <Content one={one} done={done} />
    </Dialog>
  );
}

interface ContentProps {
  one: AdminComplaintView;
  done: () => void;
}

const contents = { conclude: Conclude, hold: Hold, send_back: SendBack } as const;

function titleOf(question: Question): string {
  switch (question) {
    case 'conclude':
      return t`Resultado del reclamo`;
    case 'hold':
      return t`Avisar que la respuesta tarda`;
    case 'send_back':
      return t`Devolver el resultado`;
  }
}

function Hold({ one, done }: ContentProps) {
  const hold = useHoldComplaint(one.id);
  return (
    <TextForm
      label={t`Por qué tarda`}
      description={t`El remitente lo lee. El plazo pasa de 15 a 35 días hábiles, y esto se puede hacer una vez.`}
      problem={t`Escribe el motivo`}
      max={textMax}
      call={hold}
      send={(text) => hold.mutate(text, { onSuccess: done })}
      leave={done}
      action={t`Avisar`}
    />
  );
}

function SendBack({ one, done }: ContentProps) {
  const approve = useApproveComplaint(one.id);
  return (
    <TextForm
      label={t`Qué falta`}
      description={t`Lo ven las demás personas de administración; quien envía, no.`}
      problem={t`Escribe el motivo`}
      max={noteMax}
      call={approve}
      send={(note) => approve.mutate({ approve: false, note }, { onSuccess: done })}
      leave={done}
      action={t`Devolver`}
    />
  );
}

function TextForm({
  label,
  description,
  problem,
  max,
  call,
  send,
  leave,
  action,
}: {
  label: string;
  description: string;
  problem: string;
  max: number;
  call: { error: Error | null; isPending: boolean };
  send: (text: string) => void;
  leave: () => void;
  action: string;
}) {
  const [text, setText] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(true);
    if (text.trim() !== '' && !call.isPending) send(text.trim());
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Textarea
          label={label}
          description={description}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={isAsked && text.trim() === '' ? problem : null}
          maxLength={max}
          autosize
          minRows={3}
          data-testid="complaint-text"
        />
        <DialogFoot error={call.error} isPending={call.isPending} leave={leave} label={action} />
      </Stack>
    </form>
  );
}

/** What can be done about a report now, and who has it. */
export function WhatToDo({ one, ask }: { one: AdminComplaintView; ask: (question: Question) => void }) {
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
              onClick={() => approve.mutate({ approve: true, note: '', found_at: one.found_at ?? undefined })}
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
          {one.payout
            ? t`El banco paga; este reclamo se cierra solo cuando lo hizo. Si no puede, se abre otra vez para decidir de nuevo.`
            : t`El pago sigue en su caso de Operaciones; este reclamo se cierra solo cuando el banco paga.`}
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
