import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AdminTransferView, adminTransferView } from '#core/contracts/http/admin';
import { type RejectionCode, rejectionCodes } from '#core/review/rejection';
import { receiveAdminTransfer, useAdminTransfer } from '../../../data/admin-panel.ts';
import { adminCall } from '../../../lib/admin-http.ts';
import { ApiFailure, errorMessage } from '../../../lib/http.ts';
import { useSingleMutation } from '../../../lib/single-mutation.ts';
import { toastDone } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { rejectionTexts } from '../../shared/status-badge.tsx';
import { DialogTitle } from '../admin-drawer.tsx';
import { TransferMoney } from './transfer-cells.tsx';
import type { Decision } from './transfer-labels.ts';
import { FraudWarning } from './transfer-sections.tsx';

const reasonMax = 300;

const labels = {
  approve: {
    title: msg`¿Aprobar esta transferencia?`,
    action: msg`Aprobar`,
    effect: msg`Se cobra la tarjeta y se paga al banco. No se puede deshacer.`,
  },
  reject: {
    title: msg`¿Rechazar esta transferencia?`,
    action: msg`Rechazar`,
    effect: msg`Se libera la retención de la tarjeta. No se cobra nada y no se puede deshacer.`,
  },
} as const;

export interface DecisionQuestion {
  readonly id: string;
  readonly decision: Decision;
}

/** Asks once more before an approval or a rejection, with everything to compare in sight. */
export function DecisionDialog({
  opened,
  question,
  rows,
  close,
}: {
  opened: boolean;
  /** Stays while the dialog closes. */
  question: DecisionQuestion | null;
  /** What the list knows of the transfers. */
  rows: readonly AdminTransferView[];
  close: () => void;
}) {
  const decide = useDecide(close);
  const leave = () => {
    if (decide.isPending) return;
    decide.reset();
    close();
  };
  const row = rows.find(({ id }) => id === question?.id);
  return (
    <Dialog
      opened={opened}
      onClose={leave}
      title={question && <DialogTitle>{i18n._(labels[question.decision].title)}</DialogTitle>}
      zIndex={300}
      size="md"
      data-testid="admin-decision"
    >
      {question && <Question question={question} row={row} decide={decide} leave={leave} />}
    </Dialog>
  );
}

function Question({
  question: { id, decision },
  row,
  decide,
  leave,
}: {
  question: DecisionQuestion;
  row: AdminTransferView | undefined;
  decide: ReturnType<typeof useDecide>;
  leave: () => void;
}) {
  const { data: transfer } = useAdminTransfer(id, row);
  const [reason, setReason] = useState('');
  const [code, setCode] = useState<RejectionCode | ''>('');
  if (!transfer) return null;
  const decided = decide.isSuccess ? null : decidedMessage(transfer);
  const { action, effect } = labels[decision];
  const Icon = decision === 'approve' ? IconCheck : IconX;
  return (
    <Stack gap="md">
      <TransferMoney transfer={transfer} />
      <PaidTo transfer={transfer} />
      {decision === 'approve' && !decided && <FraudWarning transfer={transfer} />}
      {decision === 'reject' && !decided && (
        <NativeSelect
          label={t`Qué leerá quien envía`}
          data={[
            { value: '', label: t`Solo lo que escribas abajo` },
            ...rejectionCodes.map((value) => ({ value, label: i18n._(rejectionTexts[value]) })),
          ]}
          value={code}
          onChange={({ currentTarget }) => setCode(rejectionCodes.find((one) => one === currentTarget.value) ?? '')}
          disabled={decide.isPending}
          data-testid="admin-reject-code"
        />
      )}
      {decision === 'reject' && !decided && (
        <Textarea
          label={t`Motivo (opcional)`}
          description={t`Lo verá quien envía.`}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={reasonMax}
          autosize
          minRows={2}
          disabled={decide.isPending}
          data-testid="admin-reason"
        />
      )}
      <Outcome decided={decided} error={decide.error} />
      {!decided && (
        <Text fz="sm" c="dimmed">
          {i18n._(effect)}
        </Text>
      )}
      <div className="cq-dialog-actions">
        <Button variant="default" onClick={leave} disabled={decide.isPending}>
          {decided ? t`Cerrar` : t`Volver`}
        </Button>
        {!decided && (
          <Button
            color={decision === 'approve' ? 'green' : 'red'}
            leftSection={<Icon size={18} aria-hidden />}
            loading={decide.isPending}
            onClick={() => decide.mutate({ id, decision, reason: reason.trim(), ...(code && { code }) })}
            data-testid="admin-confirm"
          >
            {i18n._(action)}
          </Button>
        )}
      </div>
    </Stack>
  );
}

/** Somebody else was first, or it did not work: said where the person is looking. */
function Outcome({ decided, error }: { decided: string | null; error: Error | null }) {
  if (!decided && !error) return null;
  const message = error ? errorMessage(error) : decided;
  return (
    <Alert
      role="alert"
      color={decided ? 'yellow' : 'red'}
      icon={decided ? <IconInfoCircle aria-hidden /> : <IconAlertTriangle aria-hidden />}
      data-testid="admin-decision-outcome"
    >
      {message}
    </Alert>
  );
}

function PaidTo({ transfer }: { transfer: AdminTransferView }) {
  const { bank_name, bank_account: account, ci } = transfer.recipient_details;
  const { user, user_email: email } = transfer;
  return (
    <Stack gap={0}>
      <Text fz="sm" c="dimmed">
        <Trans>Recibe</Trans>
      </Text>
      <Text fw={600}>{transfer.recipient || t`Sin destinatario`}</Text>
      {transfer.recipient && (
        <Text className="cq-num" style={{ whiteSpace: 'normal' }}>
          {bank_name}
          <br />
          <Trans>Cuenta {account}</Trans>
          <br />
          <Trans>CI {ci}</Trans>
        </Text>
      )}
      <Text fz="sm" c="dimmed" mt={6}>
        <Trans>
          Envía {user} ({email})
        </Trans>
      </Text>
    </Stack>
  );
}

/**
 * Approves or rejects. Whether it worked or somebody else was first: the answer carries the transfer as it is now, and the
 * row shows it at once.
 */
function useDecide(onDecided: () => void) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: ({
      id,
      decision,
      reason,
      code,
    }: {
      id: string;
      decision: Decision;
      reason: string;
      code?: RejectionCode;
    }) =>
      decision === 'approve'
        ? adminCall('approve', { params: { id } })
        : adminCall('reject', { params: { id }, body: { ...(code && { code }), ...(reason && { reason }) } }),
    onSuccess: ({ transaction }, { decision }) => {
      receiveAdminTransfer(queryClient, transaction);
      if (transaction.state === 'in_review') {
        toastDone(t`Falta la segunda aprobación`, t`Por su monto la tiene que aprobar otra persona.`);
      } else if (decision === 'approve') {
        toastDone(t`Transferencia aprobada`, t`Se cobra la tarjeta y se paga al banco. El estado cambia solo.`);
      } else {
        toastDone(t`Transferencia rechazada`, t`La retención de la tarjeta se libera. No se cobró nada.`);
      }
      onDecided();
    },
    onError: (error) => {
      const now = transferIn(error);
      if (now) receiveAdminTransfer(queryClient, now);
    },
  });
}

/** The transfer as it is now, which a refused decision carries. */
export function transferIn(error: unknown): AdminTransferView | null {
  if (!(error instanceof ApiFailure)) return null;
  return adminTransferView.safeParse(error.details.transaction).data ?? null;
}

/** Why it cannot be decided any more, or null while it can: "Marta ya aprobó esta transferencia." */
export function decidedMessage(transfer: AdminTransferView): string | null {
  if (transfer.state === 'in_review') return null;
  if (!transfer.decided_at) return t`Esta transferencia ya no espera una decisión.`;
  const decidedBy = transfer.decided_by ?? t`Otra persona`;
  return transfer.state === 'rejected'
    ? t`${decidedBy} ya rechazó esta transferencia.`
    : t`${decidedBy} ya aprobó esta transferencia.`;
}
