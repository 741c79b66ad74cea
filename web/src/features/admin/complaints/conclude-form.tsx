import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Radio, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Finding, Remedy } from '#core/complaints/complaint';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { formatMinor, parseMinor } from '#core/money/money';
import { useComplaintAccounts, useConcludeComplaint } from '../../../data/admin-complaints.ts';
import { focusFirstProblem } from '../../../lib/form-failure.ts';
import { formatAmount, formatBolivianos } from '../../../lib/format/money.ts';
import { errorMessage } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { AmountInput } from '../../../ui/decimal-input.tsx';
import { PayableAccounts } from '../payable-accounts.tsx';
import { findingLabel, remedyLabel } from './complaint-parts.tsx';

/** Longest text that the sender reads, in characters. */
export const textMax = 2000;

/** Asks for the result of an investigation, and for what corrects an error. */
export function Conclude({ one, done }: { one: AdminComplaintView; done: () => void }) {
  const conclude = useConcludeComplaint(one.id);
  const [finding, setFinding] = useState<Finding | ''>('');
  const [remedy, setRemedy] = useState<Remedy | ''>('');
  const [amount, setAmount] = useState('');
  const [recipientId, setRecipientId] = useState('');
  const [explanation, setExplanation] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const { currency, fee, user } = one.transaction;
  const isError = finding === 'error';
  const isRefund = isError && remedy === 'refund';
  // The family was paid, so this is a second payout.
  const isPayout = isError && remedy === 'pay_again' && one.transaction.state === 'completed';
  const minor = parseMinor(amount) ?? 0n;
  const most = parseMinor(isPayout ? one.repayable : one.left) ?? 0n;
  const problems = {
    finding: finding === '' ? t`Elige el resultado` : null,
    remedy: isError && remedy === '' ? t`Elige qué se hace` : null,
    amount: (isRefund || isPayout) && (minor <= 0n || minor > most) ? amountProblem(one, isPayout) : null,
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
      ...(isPayout && { payout: formatMinor(minor), ...(recipientId !== '' && { recipient_id: recipientId }) }),
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
        {isPayout && (
          <>
            <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} data-testid="complaint-payout-note">
              <Trans>
                A la familia ya se le pagó: lo que se paga ahora es pérdida nuestra, y siempre lo aprueba otra persona.
              </Trans>
            </Alert>
            <AmountInput
              label={t`Cuánto se paga a la familia (Bs)`}
              value={amount}
              onChange={setAmount}
              error={shown(problems.amount)}
              testid="complaint-payout-amount"
            />
            <Accounts id={one.id} value={recipientId} onChange={setRecipientId} />
          </>
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
        <DialogFoot error={conclude.error} isPending={conclude.isPending} leave={done} label={t`Enviar el resultado`} />
      </Stack>
    </form>
  );
}

function Accounts({ id, ...choice }: { id: string; value: string; onChange: (recipientId: string) => void }) {
  return <PayableAccounts query={useComplaintAccounts(id)} {...choice} testid="complaint-account" />;
}

function amountProblem({ left, repayable, transaction }: AdminComplaintView, isPayout: boolean): string {
  const most = isPayout ? formatBolivianos(repayable) : formatAmount(left, transaction.currency);
  return t`Escribe un monto de hasta ${most}`;
}

/** How a dialog about a report ends: what the server refused, and its buttons. */
export function DialogFoot({
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
