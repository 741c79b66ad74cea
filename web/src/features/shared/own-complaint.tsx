import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconClock } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ComplaintView } from '#core/contracts/http/complaints';
import { senderRoutes } from '#core/contracts/http/sender-routes';
import { useWithdrawComplaint } from '../../data/complaints.ts';
import { attachToComplaint } from '../../data/files.ts';
import { formatDay, formatLongDay } from '../../lib/format/dates.ts';
import { formatAmount, formatBolivianos } from '../../lib/format/money.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';
import { ToneBadge } from '../../ui/tone-badge.tsx';
import { complaintReasonLabel, Letters } from './complaint-texts.tsx';
import { AddFiles, FileList } from './files.tsx';

/** One report as its sender sees it: where it stands, what comes next and until when, the result, the letters. */
export function OwnComplaint({ complaint, children }: { complaint: ComplaintView; children?: ReactNode }) {
  const { reason, reportedAt, description, explanation, state, letters } = complaint;
  const queryClient = useQueryClient();
  const isClosed = state === 'closed' || state === 'withdrawn';
  const reported = formatDay(reportedAt);
  return (
    <Card padding="md" data-testid="own-complaint" data-complaint-id={complaint.id} data-state={state}>
      <Stack gap="xs">
        <Group gap="sm" justify="space-between">
          <Text fw={600}>{complaintReasonLabel(reason)}</Text>
          <ToneBadge tone={isClosed ? 'good' : 'wait'} Icon={isClosed ? IconCircleCheck : IconClock} role="status">
            {stateText(state)}
          </ToneBadge>
        </Group>
        <Text data-testid="complaint-next">{nextText(complaint)}</Text>
        {explanation && (
          <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }} data-testid="complaint-result">
            {explanation}
          </Text>
        )}
        <Text fz="sm" c="dimmed" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {t`Lo reportaste el ${reported}:`} {description}
        </Text>
        <FileList files={complaint.files} route={senderRoutes.ownFile} />
        {!isClosed && (
          <AddFiles
            already={complaint.files.length}
            upload={(file, control) => attachToComplaint(queryClient, complaint, file, control)}
          />
        )}
        <Letters letters={letters} pdf={senderRoutes.letterPdf} />
        <WithdrawComplaint complaint={complaint} />
        {children}
      </Stack>
    </Card>
  );
}

function stateText(state: ComplaintView['state']): string {
  switch (state) {
    case 'investigating':
      return t`Lo investigamos`;
    case 'correcting':
      return t`Lo corregimos`;
    case 'closed':
      return t`Cerrado`;
    case 'withdrawn':
      return t`Retirado`;
  }
}

/** What happens next, and until when. */
function nextText({ state, nextDue, closedAt, finding, remedy, amount, currency, payout }: ComplaintView): string {
  const due = nextDue ? formatLongDay(nextDue.at) : '';
  const back = amount === null ? '' : formatAmount(amount, currency);
  const paid = payout && formatBolivianos(payout.amount);
  if (state === 'investigating') {
    switch (nextDue?.clock) {
      case 'investigate':
        return t`Averiguamos qué pasó a más tardar el ${due}. Te escribimos el resultado en los 3 días hábiles siguientes.`;
      case 'tell':
        return t`Te escribimos el resultado a más tardar el ${due}.`;
      default:
        return t`Te respondemos a más tardar el ${due}.`;
    }
  }
  if (state === 'correcting') {
    if (paid) return t`Hubo un error. El banco paga otra vez ${paid} a tu familia a más tardar el ${due}.`;
    if (remedy === 'pay_again') return t`Hubo un error. Hacemos llegar el dinero a tu familia a más tardar el ${due}.`;
    return t`Hubo un error. Devolvemos ${back} a tu tarjeta a más tardar el ${due}.`;
  }
  const closed = closedAt ? formatDay(closedAt) : '';
  if (state === 'withdrawn') return t`Lo retiraste el ${closed}.`;
  if (finding === 'no_error') return t`No encontramos un error. Cerrado el ${closed}.`;
  if (finding === 'answered') return t`Te respondimos. Cerrado el ${closed}.`;
  if (paid) return t`Hubo un error y el banco pagó otra vez ${paid} a tu familia. Cerrado el ${closed}.`;
  if (remedy === 'pay_again') return t`Hubo un error y tu familia ya tiene el dinero. Cerrado el ${closed}.`;
  return amount === null
    ? t`Hubo un error y ya está corregido. Cerrado el ${closed}.`
    : t`Hubo un error y devolvimos ${back} a tu tarjeta. Cerrado el ${closed}.`;
}

/** Where the keyboard goes on when something appears in the place of what had the focus. */
const focusOnMount = (element: HTMLElement | null) => element?.focus();

/** Lets the sender take a report back while nothing is decided about it; asked once more, in its place. */
function WithdrawComplaint({ complaint }: { complaint: ComplaintView }) {
  const [step, setStep] = useState<'unused' | 'asking' | 'kept'>('unused');
  const withdraw = useWithdrawComplaint(complaint);
  if (complaint.state !== 'investigating') return null;
  if (step !== 'asking')
    return (
      <Button
        variant="default"
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setStep('asking')}
        {...(step === 'kept' && { ref: focusOnMount })}
        data-testid="complaint-withdraw"
      >
        <Trans>Retirar mi reclamo</Trans>
      </Button>
    );
  return (
    <Alert color="yellow" title={t`¿Retirar este reclamo?`} data-testid="complaint-withdraw-ask">
      <Stack gap="sm">
        <Text>
          <Trans>
            Dejamos de investigarlo y sus plazos terminan. Si algo sigue mal, puedes reportarlo otra vez desde el
            detalle del envío.
          </Trans>
        </Text>
        {withdraw.error && (
          <Text c="var(--cq-bad)" role="alert" data-testid="complaint-withdraw-refused">
            {errorMessage(withdraw.error)}
          </Text>
        )}
        <Group gap="sm">
          <Button
            variant="default"
            size="sm"
            ref={focusOnMount}
            disabled={withdraw.isPending}
            onClick={() => setStep('kept')}
            data-testid="complaint-withdraw-keep"
          >
            <Trans>No, seguir con el reclamo</Trans>
          </Button>
          <Button
            color="red"
            size="sm"
            loading={withdraw.isPending}
            onClick={() =>
              withdraw.mutate(null, {
                onSuccess: () => toastDone(t`Reclamo retirado`, t`Te lo confirmamos por correo.`),
              })
            }
            data-testid="complaint-withdraw-confirm"
          >
            <Trans>Sí, retirar</Trans>
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
