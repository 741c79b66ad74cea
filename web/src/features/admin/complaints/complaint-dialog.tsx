import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Radio, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Finding, Remedy } from '#core/complaints/complaint';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { formatMinor, parseMinor } from '#core/money/money';
import { useApproveComplaint, useConcludeComplaint, useHoldComplaint } from '../../../data/admin-complaints.ts';
import { focusFirstProblem } from '../../../lib/form-failure.ts';
import { formatAmount } from '../../../lib/format/money.ts';
import { errorMessage } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { AmountInput } from '../../../ui/decimal-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogTitle } from '../admin-drawer.tsx';
import { findingLabel, remedyLabel } from './complaint-labels.ts';

/** What an admin is asked for. */
export type Question = 'conclude' | 'hold' | 'send_back';

const textMax = 2000;
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

function Conclude({ one, done }: ContentProps) {
  const conclude = useConcludeComplaint(one.id);
  const [finding, setFinding] = useState<Finding | ''>('');
  const [remedy, setRemedy] = useState<Remedy | ''>('');
  const [amount, setAmount] = useState('');
  const [explanation, setExplanation] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const { currency, fee, user } = one.transaction;
  const isError = finding === 'error';
  const isRefund = isError && remedy === 'refund';
  const minor = parseMinor(amount) ?? 0n;
  const most = parseMinor(one.left) ?? 0n;
  const problems = {
    finding: finding === '' ? t`Elige el resultado` : null,
    remedy: isError && remedy === '' ? t`Elige qué se hace` : null,
    amount: isRefund && (minor <= 0n || minor > most) ? amountProblem(one) : null,
    explanation: explanation.trim() === '' ? t`Escribe la respuesta` : null,
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsAsked(true);
    if (conclude.isPending) return;
    if (finding === '' || Object.values(problems).some(Boolean))
      return focusFirstProblem({ currentTarget: event.currentTarget });
    const body = {
      ...{ finding, explanation: explanation.trim() },
      ...(isError && remedy !== '' && { remedy }),
      ...(isRefund && { amount: formatMinor(minor) }),
    };
    conclude.mutate(body, {
      onSuccess: ({ complaint }) => {
        if (complaint.state === 'awaiting_approval')
          toastDone(t`Espera a una segunda persona`, t`Otra persona de administración lo tiene que aprobar.`);
        else toastDone(t`Resultado escrito`, t`${user} ya lo tiene en su correo.`);
        done();
      },
    });
  };
  const feeText = formatAmount(fee, currency);
  const shown = (problem: string | null) => (isAsked ? problem : null);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Radio.Group
          label={t`¿Qué se encontró?`}
          value={finding}
          onChange={(value) => setFinding(value as Finding)}
          error={shown(problems.finding)}
        >
          <Stack gap="xs" mt={6}>
            {one.findings.map((name) => (
              <Radio key={name} value={name} label={findingLabel(name)} data-testid={`complaint-finding-${name}`} />
            ))}
          </Stack>
        </Radio.Group>
        {isError && (
          <Radio.Group
            label={t`¿Cómo se corrige?`}
            description={one.owes_fee ? t`La ley pide devolver al menos la comisión: ${feeText}.` : null}
            value={remedy}
            onChange={(value) => setRemedy(value as Remedy)}
            error={shown(problems.remedy)}
          >
            <Stack gap="xs" mt={6}>
              {one.remedies.map((name) => (
                <Radio key={name} value={name} label={remedyLabel(name)} data-testid={`complaint-remedy-${name}`} />
              ))}
              {one.remedies.length === 0 && (
                <Text fz="sm" c="dimmed">
                  <Trans>Ahora no se puede corregir: falta decidir sobre el envío.</Trans>
                </Text>
              )}
            </Stack>
          </Radio.Group>
        )}
        {isRefund && (
          <AmountInput
            label={t`Cuánto se devuelve (${currency})`}
            value={amount}
            onChange={setAmount}
            error={shown(problems.amount)}
            testid="complaint-amount"
          />
        )}
        <Textarea
          label={t`Lo que lee el remitente`}
          description={
            one.language === 'en'
              ? t`Escribe en inglés: es el idioma en que lee.`
              : t`Escribe en español: es el idioma en que lee.`
          }
          value={explanation}
          onChange={(event) => setExplanation(event.currentTarget.value)}
          error={shown(problems.explanation)}
          maxLength={textMax}
          autosize
          minRows={3}
          data-testid="complaint-explanation"
        />
        <Foot error={conclude.error} isPending={conclude.isPending} leave={done} label={t`Enviar el resultado`} />
      </Stack>
    </form>
  );
}

function amountProblem({ left, transaction }: AdminComplaintView): string {
  const most = formatAmount(left, transaction.currency);
  return t`Escribe un monto de hasta ${most}`;
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
        <Foot error={call.error} isPending={call.isPending} leave={leave} label={action} />
      </Stack>
    </form>
  );
}

function Foot({
  error,
  isPending,
  leave,
  label,
}: {
  error: Error | null;
  isPending: boolean;
  leave: () => void;
  label: string;
}) {
  return (
    <>
      {error && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="complaint-dialog-refused">
          {errorMessage(error)}
        </Alert>
      )}
      <div className="cq-dialog-actions">
        <Button variant="default" onClick={leave} disabled={isPending}>
          <Trans>Volver</Trans>
        </Button>
        <Button type="submit" loading={isPending} data-testid="complaint-confirm">
          {label}
        </Button>
      </div>
    </>
  );
}
