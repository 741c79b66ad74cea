import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Group, Stack, Text, Timeline } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { lazy } from 'react';
import { Link } from 'react-router';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { adminUserAddress } from '#core/contracts/page-addresses';
import { referenceOf } from '#core/transfers/reference';
import { useAdminTransfer } from '../../../data/admin-panel.ts';
import { useSession } from '../../../data/session.ts';
import { formatLaPazMoment, laPazTime, zoneName } from '../../../lib/format/dates.ts';
import { CopyValue } from '../../../ui/copy-value.tsx';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { Money } from '../../../ui/figures.tsx';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { GivenReason, StatusBadge } from '../../shared/status-badge.tsx';
import classes from '../admin.module.css';
import { AdminDrawer, Section } from '../admin-drawer.tsx';
import { RowActions, type RowHandlers, TransferMoney } from './transfer-cells.tsx';
import {
  adminStatusLabel,
  awaitsDecision,
  cardText,
  decisionBlockedBecause,
  holdDeadline,
  ownerLabel,
  stateNote,
  stepText,
} from './transfer-labels.ts';

// Comes with the first transfer that waits for a decision.
const ReviewDetails = lazy(async () => ({ default: (await import('./review-details.tsx')).ReviewDetails }));

// Where else the transfer can be looked at.
const TransferLinks = lazy(async () => ({ default: (await import('./transfer-links.tsx')).TransferLinks }));

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
  return (
    <>
      <Stack gap="lg" className={classes.drawerScroll}>
        <Group gap="sm">
          <StatusBadge status={transfer.status} label={adminStatusLabel(transfer.status)} />
          {note && <Text c="dimmed">{note}</Text>}
        </Group>
        <FraudWarning transfer={transfer} />
        <HoldNotice transfer={transfer} now={now} />
        <Reason transfer={transfer} />
        {awaitsDecision(transfer) && (
          <LazyPart missing={null}>
            <ReviewDetails transfer={transfer} now={now} />
          </LazyPart>
        )}
        <TransferMoney transfer={transfer} />
        {wasCharged(transfer) && (
          <LazyPart missing={null}>
            <TransferProfit id={transfer.id} />
          </LazyPart>
        )}
        <Recipient transfer={transfer} />
        <Payment transfer={transfer} />
        <History transfer={transfer} />
        <LazyPart missing={null}>
          <TransferLinks transfer={transfer} />
        </LazyPart>
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

/** The card's bank reports the payment as fraud: the admin who decides should know. */
export function FraudWarning({ transfer }: { transfer: AdminTransferView }) {
  if (!transfer.fraud_warning) return null;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={t`El banco de la tarjeta avisa de un posible fraude`}
      data-testid="fraud-warning"
    >
      {transfer.state === 'in_review'
        ? t`La tarjeta puede ser robada. Si la rechazas, no se cobra nada y no hay disputa.`
        : t`El cobro puede terminar en una disputa, con su comisión. Devolver el dinero antes la evita.`}
    </Alert>
  );
}

/** Whom the bank pays, ready to be copied into a bank's own forms. */
export function Recipient({ transfer }: { transfer: AdminTransferView }) {
  const { bank_name, bank_account, ci, phone, city, address } = transfer.recipient_details;
  if (!transfer.recipient)
    return (
      <Section title={t`Destinatario`}>
        <Text>
          <Trans>Quien envía todavía no eligió a quién. Se puede aprobar cuando lo haga.</Trans>
        </Text>
      </Section>
    );
  return (
    <Section title={t`Destinatario`}>
      <DataList values="beside" labelWidth={104}>
        <DataItem label={t`Nombre`}>
          <CopyValue label={t`nombre`} value={transfer.recipient} />
        </DataItem>
        <DataItem label={t`CI`}>
          <CopyValue label={t`CI`} value={ci} />
        </DataItem>
        <DataItem label={t`Banco`}>{bank_name}</DataItem>
        <DataItem label={t`Cuenta`}>
          <CopyValue label={t`cuenta`} value={bank_account} />
        </DataItem>
        <DataItem label={t`Bolivianos`}>
          <CopyValue label={t`monto en bolivianos`} value={transfer.amount_bs}>
            <Money amount={transfer.amount_bs} currency="BOB" />
          </CopyValue>
        </DataItem>
        <DataItem label={t`Teléfono`}>
          <CopyValue label={t`teléfono`} value={phone} />
        </DataItem>
        <DataItem label={t`Ciudad`}>{city}</DataItem>
        <DataItem label={t`Dirección`}>{address}</DataItem>
      </DataList>
    </Section>
  );
}

/** Who sends it, and every number it is known by. */
export function Payment({ transfer }: { transfer: AdminTransferView }) {
  return (
    <Section title={t`Envío y pago`}>
      <DataList values="beside" labelWidth={104}>
        <DataItem label={t`Envía`}>
          <Anchor
            component={Link}
            to={adminUserAddress(transfer.user_id)}
            underline="always"
            data-testid="transfer-user"
          >
            {transfer.user}
          </Anchor>
        </DataItem>
        <DataItem label={t`Correo`}>
          <CopyValue label={t`correo`} value={transfer.user_email} />
        </DataItem>
        <DataItem label={t`Tarjeta`}>{cardText(transfer)}</DataItem>
        <DataItem label={t`Pago`}>
          <CopyValue label={t`identificador del pago`} value={transfer.payment_id ?? ''} />
        </DataItem>
        <DataItem label={t`Referencia`}>
          <CopyValue label={t`referencia de la transferencia`} value={referenceOf(transfer.id)} />
        </DataItem>
        {transfer.payout_reference && (
          <DataItem label={t`Ref. banco`}>
            <CopyValue label={t`referencia del banco`} value={transfer.payout_reference} />
          </DataItem>
        )}
        {transfer.decided_by && transfer.decided_at && (
          <DataItem label={t`Decidió`}>
            {transfer.decided_by}, {laPazTime(transfer.decided_at)}
          </DataItem>
        )}
      </DataList>
    </Section>
  );
}

/** Every step of a transfer with its time. */
export function History({ transfer }: { transfer: AdminTransferView }) {
  const zone = zoneName();
  return (
    <Section title={t`Historia`}>
      <Timeline
        active={transfer.timeline.length - 1}
        bulletSize={16}
        lineWidth={2}
        color="green"
        data-testid="admin-timeline"
      >
        {transfer.timeline.map(({ state, at, owner }, index) => (
          <Timeline.Item key={`${state} ${at}`} title={stepText(transfer, index)} data-state={state}>
            <Text fz="sm" c="dimmed" className="cq-num">
              {formatLaPazMoment(at)} · {ownerLabel(owner)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      <Text fz="sm" c="dimmed" mt="sm">
        <Trans>Todas las horas en {zone} (UTC−4).</Trans>
      </Text>
    </Section>
  );
}
