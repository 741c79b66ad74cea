import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { useAdminTransfer } from '../../../data/admin-transfers.ts';
import { useSession } from '../../../data/session.ts';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import classes from '../admin.module.css';
import { AdminDrawer } from '../admin-drawer.tsx';
import { laPazTime } from '../la-paz-time.ts';
import { holdDeadline } from './hold-deadline.ts';
import { RowActions, type RowHandlers } from './row-actions.tsx';
import { adminStatusLabels, awaitsDecision, decisionBlockedBecause, stateNotes } from './transfer-labels.ts';
import { TransferMoney } from './transfer-money.tsx';
import { FraudWarning, History, Payment, Recipient } from './transfer-sections.tsx';

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
    <AdminDrawer id={id} title="Transferencia" locked={locked} close={close} testid="admin-drawer">
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
          <Text>No encontramos esa transferencia. Cierra esta vista y elige otra de la lista.</Text>
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
  return (
    <>
      <Stack gap="lg" className={classes.drawerScroll}>
        <Group gap="sm">
          <StatusBadge status={transfer.status} label={adminStatusLabels[transfer.status]} />
          {stateNotes[transfer.state] && <Text c="dimmed">{stateNotes[transfer.state]}</Text>}
        </Group>
        <FraudWarning transfer={transfer} />
        <HoldNotice transfer={transfer} now={now} />
        <Reason transfer={transfer} />
        <TransferMoney transfer={transfer} />
        <Recipient transfer={transfer} />
        <Payment transfer={transfer} />
        <History transfer={transfer} />
      </Stack>
      {awaitsDecision(transfer) && (
        <div className={classes.drawerActions}>
          <DecisionBlocked transfer={transfer} />
          <RowActions transfer={transfer} handlers={handlers} large withDetails={false} />
        </div>
      )}
    </>
  );
}

/** Why a decision is not this admin's to make, in view: the buttons' tooltips alone would be missed. */
function DecisionBlocked({ transfer }: { transfer: AdminTransferView }) {
  const adminId = useSession().data?.user.id;
  const reason = decisionBlockedBecause(transfer, 'approve', adminId);
  return (
    reason && (
      <Text fz="sm" c="dimmed" mb="xs" data-testid="admin-decision-blocked">
        {reason}.
      </Text>
    )
  );
}

function HoldNotice({ transfer, now }: { transfer: AdminTransferView; now: number }) {
  const hold = holdDeadline(transfer, now);
  if (!hold) return null;
  const until = laPazTime(hold.endsAt);
  if (hold.level === 'calm')
    return (
      <Text fz="sm" c="dimmed" data-hold="calm">
        La tarjeta retiene el monto hasta el {until}.
      </Text>
    );
  const urgent = hold.level !== 'soon';
  return (
    <Alert
      color={urgent ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title={hold.left ? `La retención vence en ${hold.left}` : 'La retención venció'}
      data-hold={hold.level}
    >
      Vence el {until}. Sin decisión, el monto se libera antes y no se cobra nada.
    </Alert>
  );
}

function Reason({ transfer }: { transfer: AdminTransferView }) {
  if (!transfer.reason) return null;
  return (
    <Alert color="gray" icon={<IconInfoCircle aria-hidden />} title="Motivo">
      {transfer.reason}
    </Alert>
  );
}
