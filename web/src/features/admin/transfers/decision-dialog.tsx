import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconLock, IconX } from '@tabler/icons-react';
import { useIsMutating } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { ReviewView } from '#core/contracts/http/review';
import { type RejectionCode, rejectionCodes } from '#core/review/rejection';
import { useAdminTransfer } from '../../../data/admin-panel.ts';
import { useSession } from '../../../data/session.ts';
import { errorMessage } from '../../../lib/http.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { rejectionTexts } from '../../shared/status-badge.tsx';
import { DialogTitle } from '../admin-drawer.tsx';
import { useApprovedNow } from './better-rate.ts';
import { decidedMessage, decideKey, useDecide } from './decide.ts';
import { Earned, FirstApproval, OpenQuestion, Reasons, Similar, seriousReasons } from './review-facts.tsx';
import { Screening } from './screening.tsx';
import { TransferMoney } from './transfer-cells.tsx';
import { type Decision, decisionBlockedBecause } from './transfer-labels.ts';
import { FraudWarning, WhatIsSent } from './transfer-sections.tsx';
import { useApproval } from './use-approval.ts';

const reasonMax = 300;

const titles = {
  approve: msg`¿Aprobar esta transferencia?`,
  reject: msg`¿Rechazar esta transferencia?`,
} as const;

export interface DecisionQuestion {
  readonly id: string;
  readonly decision: Decision;
  /** Counts the openings: what was typed or decided in one is not carried into the next. */
  readonly opening: number;
}

/** Asks once more before an approval or a rejection, with everything that the decision rests on. */
export function DecisionDialog({
  opened,
  question,
  rows,
  now,
  close,
}: {
  opened: boolean;
  /** Stays while the dialog closes. */
  question: DecisionQuestion | null;
  /** What the list knows of the transfers. */
  rows: readonly AdminTransferView[];
  now: number;
  close: () => void;
}) {
  const isDeciding = useIsMutating({ mutationKey: decideKey }) > 0;
  return (
    <Dialog
      opened={opened}
      onClose={close}
      closable={!isDeciding}
      title={question && <DialogTitle>{i18n._(titles[question.decision])}</DialogTitle>}
      zIndex={300}
      size="lg"
      data-testid="admin-decision"
    >
      {question && (
        <Question
          key={question.opening}
          question={question}
          row={rows.find(({ id }) => id === question.id)}
          now={now}
          close={close}
        />
      )}
    </Dialog>
  );
}

interface Props {
  transfer: AdminTransferView;
  now: number;
  close: () => void;
}

function Question({
  question: { id, decision },
  row,
  ...props
}: {
  question: DecisionQuestion;
  row: AdminTransferView | undefined;
} & Omit<Props, 'transfer'>) {
  return (
    <QueryView query={useAdminTransfer(id, row)} loading={<Waiting />}>
      {(transfer) => {
        if (!transfer) return null;
        return decision === 'approve' ? (
          <Approval transfer={transfer} {...props} />
        ) : (
          <Rejection transfer={transfer} {...props} />
        );
      }}
    </QueryView>
  );
}

/** Has the focus until there is a button to decide with, so that Enter does nothing before. */
function Waiting() {
  return (
    <div data-autofocus tabIndex={-1}>
      <LoadingRows rows={4} height={56} />
    </div>
  );
}

function Approval({ transfer, now, close }: Props) {
  const { review: query, blocked } = useApproval(transfer, now);
  const paid = useApprovedNow(transfer);
  const decide = useDecide(transfer.id, close);
  // The first approval that was on screen when the question opened.
  const [seen, setSeen] = useState<ReviewView['approval']>();
  if (seen === undefined && query.data) setSeen(query.data.approval);
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const isUnread = query.data !== undefined && !seriousReasons(query.data).every((text) => read.has(text));
  const isOvertaken = query.data !== undefined && seen !== undefined && query.data.approval?.id !== seen?.id;
  // What this admin is deciding arrives live, too: only what others decide is news.
  const isOpen = !decide.isPending && !decide.isSuccess;
  const decided = isOpen ? decidedMessage(transfer) : null;
  const overtaken = isOvertaken ? overtakenMessage(query.data?.approval ?? null) : null;
  const impossible = isOpen ? (decided ?? blocked ?? overtaken) : null;
  return (
    <Stack gap="md">
      <FraudWarning transfer={transfer} />
      <WhatIsSent transfer={paid} />
      {impossible && !decided && query.data && !query.error && <Impossible>{impossible}</Impossible>}
      {!decided && (
        <QueryView query={query} showsRefetchFailure loading={<Waiting />}>
          {(review) => (
            <>
              <FirstApproval review={review} />
              <OpenQuestion transfer={transfer} />
              <Reasons
                review={review}
                {...(!impossible && {
                  ticks: {
                    read,
                    toggle: (text) =>
                      setRead((known) => {
                        const changed = new Set(known);
                        if (!changed.delete(text)) changed.add(text);
                        return changed;
                      }),
                    first: takesFocus,
                  },
                })}
              />
              <Screening transferId={transfer.id} screening={review.screening} readOnly />
              <Similar review={review} />
              <Earned transfer={paid} review={review} />
            </>
          )}
        </QueryView>
      )}
      <TransferMoney transfer={paid} />
      <PaidTo transfer={transfer} />
      <Outcome decided={decided} error={decide.error} />
      <div className="cq-dialog-actions">
        {!impossible && query.data && <Effect review={query.data} isUnread={isUnread} />}
        <Button
          variant="default"
          onClick={close}
          disabled={decide.isPending}
          {...(impossible && !query.isPending && takesFocus)}
        >
          {decided ? t`Cerrar` : t`Volver`}
        </Button>
        {!impossible && (
          <Button
            color="green"
            leftSection={<IconCheck size={18} aria-hidden />}
            loading={decide.isPending}
            disabled={isUnread}
            onClick={() => decide.mutate({ decision: 'approve', approvalRequestId: seen?.id ?? null })}
            data-testid="admin-confirm"
            {...(!isUnread && takesFocus)}
          >
            {query.data?.needs_second ? (seen ? t`Aprobar (2 de 2)` : t`Aprobar (1 de 2)`) : t`Aprobar`}
          </Button>
        )}
      </div>
    </Stack>
  );
}

function overtakenMessage(approval: ReviewView['approval']): string {
  if (!approval) return t`La primera aprobación ya no vale: cierra esta pregunta y ábrela otra vez`;
  const { by } = approval;
  return t`${by} la aprobó mientras la mirabas: cierra esta pregunta y ábrela otra vez para dar la segunda aprobación`;
}

/** What pressing the button does, which differs for the first and the second of two approvals. */
function Effect({ review, isUnread }: { review: ReviewView; isUnread: boolean }) {
  const { needs_second: needsSecond, approval } = review;
  if (isUnread)
    return (
      <Text fz="sm" fw={600} flex="1 0 100%" data-testid="approval-effect">
        <Trans>Para aprobar, marca antes cada motivo en rojo que ya comprobaste.</Trans>
      </Text>
    );
  if (needsSecond && !approval)
    return (
      <Text fz="sm" fw={600} flex="1 0 100%" data-testid="approval-effect">
        <Trans>La tarjeta todavía no se cobra: después decide una segunda persona.</Trans>
      </Text>
    );
  return (
    <Text fz="sm" c="dimmed" flex="1 0 100%" data-testid="approval-effect">
      <Trans>Se cobra la tarjeta y se paga al banco. No se puede deshacer.</Trans>
    </Text>
  );
}

function Impossible({ children }: { children: ReactNode }) {
  return (
    <Alert
      color="yellow"
      icon={<IconLock aria-hidden />}
      title={t`No puedes decidirlo ahora`}
      data-testid="decision-impossible"
    >
      {children}.
    </Alert>
  );
}

/** The focus of the dialog as it opens, or as soon as what it waited for is there. */
const takesFocus = {
  'data-autofocus': true,
  ref: (element: HTMLElement | null) => {
    // What the decision rests on stays in view: the button is at the end of it.
    if (document.activeElement === document.body) element?.focus({ preventScroll: true });
  },
};

function Rejection({ transfer, close }: Props) {
  const decide = useDecide(transfer.id, close);
  const [reason, setReason] = useState('');
  const [code, setCode] = useState<RejectionCode | ''>('');
  const isOpen = !decide.isPending && !decide.isSuccess;
  const decided = isOpen ? decidedMessage(transfer) : null;
  const blocked = decisionBlockedBecause(transfer, 'reject', useSession().data?.user);
  const impossible = decided ?? blocked;
  return (
    <Stack gap="md">
      <WhatIsSent transfer={transfer} />
      <PaidTo transfer={transfer} />
      {!impossible && (
        <>
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
            data-autofocus
          />
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
        </>
      )}
      <Outcome decided={decided} error={decide.error} />
      {blocked && !decided && <Impossible>{blocked}</Impossible>}
      {!impossible && (
        <Text fz="sm" c="dimmed">
          <Trans>Se libera la retención de la tarjeta. No se cobra nada y no se puede deshacer.</Trans>
        </Text>
      )}
      <div className="cq-dialog-actions">
        <Button variant="default" onClick={close} disabled={decide.isPending} {...(impossible && takesFocus)}>
          {decided ? t`Cerrar` : t`Volver`}
        </Button>
        {!impossible && (
          <Button
            color="red"
            leftSection={<IconX size={18} aria-hidden />}
            loading={decide.isPending}
            onClick={() => decide.mutate({ decision: 'reject', reason: reason.trim(), code: code || null })}
            data-testid="admin-confirm"
          >
            <Trans>Rechazar</Trans>
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
