import { t } from '@lingui/core/macro';
import { Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { useApproveComplaint, useHoldComplaint } from '../../../data/admin-complaints.ts';
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
