import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { lazy } from 'react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { useAdminTransfer } from '../../../data/admin-panel.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { GivenReason, StatusBadge } from '../../shared/status-badge.tsx';
import classes from '../admin.module.css';
import { AdminDrawer } from '../admin-drawer.tsx';
import { useMay } from '../permitted.tsx';
import { useApprovedNow } from './better-rate.ts';
import { Earned } from './review-facts.tsx';
import { RowActions, type RowHandlers, TransferMoney } from './transfer-cells.tsx';
import { adminStatusLabel, awaitsDecision, holdDeadline, stateNote } from './transfer-labels.ts';
import { FraudWarning, History, Payment, Recipient, WhatIsSent } from './transfer-sections.tsx';
import { useApproval } from './use-approval.ts';

// Comes with the first transfer that waits for a decision.
const ReviewDetails = lazy(async () => ({ default: (await import('./review-details.tsx')).ReviewDetails }));

// Where else the transfer can be looked at.
const TransferLinks = lazy(async () => ({ default: (await import('./transfer-links.tsx')).TransferLinks }));

// Asks about the person who sends.
const SenderBarred = lazy(async () => ({ default: (await import('../users/user-parts.tsx')).SenderBarred }));

// The work on it, which few people look at.
const TransferWork = lazy(async () => ({ default: (await import('../queues/transfer-work.tsx')).TransferWork }));

// Comes with the first transfer whose card was charged.
const TransferProfit = lazy(async () => ({ default: (await import('./transfer-profit.tsx')).TransferProfit }));

/** Whether its card was charged: only then is there anything to earn. */
const wasCharged = ({ timeline }: AdminTransferView) => timeline.some(({ state }) => state === 'captured');

/** Everything about one transfer, beside the list; over the whole screen on a phone. */
export function TransferDrawer({
  id,
  rows,
  now,
  handlers,
  close,
  locked,
}: {
  /** Null closes the drawer. */
  id: string | null;
  /** What the list knows: shown at once. */
  rows: readonly AdminTransferView[];
  now: number;
  handlers: RowHandlers;
  close: () => void;
  /** A dialog stands above: keys and clicks are its own. */
  locked: boolean;
}) {
  return (
    <AdminDrawer id={id} title={t`Transferencia`} locked={locked} close={close} testid="admin-drawer">
      {(shown) => (
        <Details key={shown} id={shown} row={rows.find((row) => row.id === shown)} now={now} handlers={handlers} />
      )}
    </AdminDrawer>
  );
}

function Details({
  id,
  row,
  now,
  handlers,
}: {
  id: string;
  row: AdminTransferView | undefined;
  now: number;
  handlers: RowHandlers;
}) {
  return (
    <QueryView query={useAdminTransfer(id, row)} loading={<LoadingRows rows={5} height={56} />}>
      {(transfer) =>
        transfer ? (
          <TransferDetails transfer={transfer} now={now} handlers={handlers} />
        ) : (
          <Text>
            <Trans>No encontramos esa transferencia. Cierra esta vista y elige otra de la lista.</Trans>
          </Text>
        )
      }
    </QueryView>
  );
}

function TransferDetails({
  transfer,
  now,
  handlers,
}: {
  transfer: AdminTransferView;
  now: number;
  handlers: RowHandlers;
}) {
  const note = stateNote(transfer.state);
  const paid = useApprovedNow(transfer);
  const may = useMay();
  const { review, blocked } = useApproval(transfer, now);
  return (
    <>
      <Stack gap="lg" className={classes.drawerScroll}>
        <Stack gap={6}>
          <WhatIsSent transfer={paid} />
          <Group gap="sm">
            <StatusBadge status={transfer.status} label={adminStatusLabel(transfer.status)} />
            {note && <Text c="dimmed">{note}</Text>}
          </Group>
        </Stack>
        <LazyPart missing={null}>
          <SenderBarred userId={transfer.user_id} />
        </LazyPart>
        <FraudWarning transfer={transfer} />
        <HoldNotice transfer={transfer} now={now} />
        <Reason transfer={transfer} />
        {awaitsDecision(transfer) && may('review') && (
          <LazyPart>
            <ReviewDetails transfer={transfer} review={review} now={now} />
          </LazyPart>
        )}
        <Stack gap="xs">
          <TransferMoney transfer={paid} />
          {awaitsDecision(transfer) && review.data && <Earned transfer={paid} review={review.data} />}
        </Stack>
        {wasCharged(transfer) && may('transferProfit') && (
          <LazyPart>
            <TransferProfit id={transfer.id} />
          </LazyPart>
        )}
        <Recipient transfer={transfer} />
        <Payment transfer={transfer} />
        <History transfer={transfer} />
        <LazyPart missing={null}>
          <TransferWork id={transfer.id} />
        </LazyPart>
        <LazyPart missing={null}>
          <TransferLinks transfer={transfer} />
        </LazyPart>
      </Stack>
      {awaitsDecision(transfer) && (
        <div className={classes.drawerActions}>
          {blocked && (
            <Text fz="sm" c="dimmed" mb="xs" data-testid="admin-decision-blocked">
              {blocked}.
            </Text>
          )}
          <RowActions transfer={transfer} approvalBlocked={blocked} handlers={handlers} large withDetails={false} />
        </div>
      )}
    </>
  );
}

function HoldNotice({ transfer, now }: { transfer: AdminTransferView; now: number }) {
  const hold = holdDeadline(transfer, now);
  if (!hold) return null;
  const { left } = hold;
  const until = laPazTime(hold.endsAt);
  if (hold.level === 'calm')
    return (
      <Text fz="sm" c="dimmed" data-hold="calm">
        <Trans>La tarjeta retiene el monto hasta el {until}.</Trans>
      </Text>
    );
  const urgent = hold.level !== 'soon';
  return (
    <Alert
      color={urgent ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title={left ? t`La retención vence en ${left}` : t`La retención venció`}
      data-hold={hold.level}
    >
      <Trans>Vence el {until}. Sin decisión, el monto se libera antes y no se cobra nada.</Trans>
    </Alert>
  );
}

function Reason({ transfer }: { transfer: AdminTransferView }) {
  if (!transfer.reason) return null;
  return (
    <Alert color="gray" icon={<IconInfoCircle aria-hidden />} title={t`Motivo`}>
      <GivenReason reason={transfer.reason} rejection={transfer.rejection} />
    </Alert>
  );
}
