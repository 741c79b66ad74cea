import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconEye,
  IconHourglassLow,
  IconLock,
  IconMessageCheck,
  IconMessageQuestion,
  IconSparkles,
  IconX,
} from '@tabler/icons-react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { parseMinor } from '#core/money/money';
import { useSession } from '../../../data/session.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { formatBolivianos, formatRateLine } from '../../../lib/format/money.ts';
import { Money } from '../../../ui/figures.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { Breakdown, BreakdownLine } from '../../shared/breakdown.tsx';
import { StatusBadge } from '../../shared/status-badge.tsx';
import { useIsUnseen } from './arrivals.ts';
import type { Decision } from './transfer-labels.ts';
import {
  adminStatusLabel,
  arriving,
  awaitsDecision,
  decisionBlockedBecause,
  type HoldLevel,
  holdDeadline,
  marginLabel,
  marginMoney,
  marginText,
  stateNote,
} from './transfer-labels.ts';

/** Status label, the finer state behind it, and a warning when the card hold ends soon. */
export function TransferStatusCell({ transfer, now }: { transfer: AdminTransferView; now: number }) {
  const note = stateNote(transfer.state);
  const unseen = useIsUnseen(transfer.id);
  return (
    <Stack gap={4} align="flex-start">
      <Group gap={6}>
        <StatusBadge status={transfer.status} label={adminStatusLabel(transfer.status)} />
        {unseen && <NewBadge />}
      </Group>
      {note && (
        <Text fz="sm" c="dimmed">
          {note}
        </Text>
      )}
      <FraudBadge transfer={transfer} />
      <HoldBadge transfer={transfer} now={now} />
    </Stack>
  );
}

function NewBadge() {
  return (
    <ToneBadge tone="good" Icon={IconSparkles}>
      <Trans>Nueva</Trans>
    </ToneBadge>
  );
}

const pressing: Partial<Record<HoldLevel, { tone: 'wait' | 'bad'; Icon: typeof IconHourglassLow }>> = {
  soon: { tone: 'wait', Icon: IconHourglassLow },
  urgent: { tone: 'bad', Icon: IconAlertTriangle },
  over: { tone: 'bad', Icon: IconAlertTriangle },
};

/** When the hold ends, once it presses; with `always` before, too. */
export function HoldBadge({
  transfer,
  now,
  always = false,
}: {
  transfer: AdminTransferView;
  now: number;
  always?: boolean;
}) {
  const hold = holdDeadline(transfer, now);
  const look = hold && (pressing[hold.level] ?? (always ? { tone: 'quiet', Icon: IconHourglassLow } : null));
  if (!look) return null;
  const { left } = hold;
  const end = laPazTime(hold.endsAt);
  return (
    <Tooltip label={t`La retención vence el ${end}`}>
      <Group gap={4} wrap="nowrap" c={`var(--cq-${look.tone})`} data-hold={hold.level}>
        <look.Icon size={16} aria-hidden style={{ flex: 'none' }} />
        <Text fz="sm" fw={600} c="inherit">
          {left ? t`Vence en ${left}` : t`Retención vencida`}
        </Text>
      </Group>
    </Tooltip>
  );
}

/** That who sends is kept out by an admin; why stands with the transfer. */
export function SenderBadge({ transfer }: { transfer: Pick<AdminTransferView, 'user_blocked'> }) {
  if (!transfer.user_blocked) return null;
  return (
    <ToneBadge tone="bad" size="md" Icon={IconLock} data-testid="sender-blocked">
      <Trans>Remitente bloqueado</Trans>
    </ToneBadge>
  );
}

/** The card's bank reports the payment as fraud. */
export function FraudBadge({ transfer }: { transfer: Pick<AdminTransferView, 'fraud_warning'> }) {
  if (!transfer.fraud_warning) return null;
  return (
    <ToneBadge tone="bad" size="md" Icon={IconAlertTriangle} data-testid="fraud-badge">
      <Trans>Aviso de fraude</Trans>
    </ToneBadge>
  );
}

/** Whether an answer of the sender is waited for, or came. Nothing where nothing was asked. */
export function QuestionBadge({ transfer: { questions } }: { transfer: Pick<AdminTransferView, 'questions'> }) {
  if (!questions) return null;
  const answered = questions === 'answered';
  return (
    <ToneBadge tone={answered ? 'good' : 'wait'} size="md" Icon={answered ? IconMessageCheck : IconMessageQuestion}>
      {answered ? t`Quien envía respondió` : t`Espera a quien envía`}
    </ToneBadge>
  );
}

export interface RowHandlers {
  readonly decide: (id: string, decision: Decision) => void;
  readonly open: (id: string) => void;
}

/** What can be done with a transfer: decide while it waits, look at it always. */
export function RowActions({
  transfer,
  handlers,
  approvalBlocked = null,
  large = false,
  withDetails = true,
}: {
  transfer: AdminTransferView;
  handlers: RowHandlers;
  /** Why it cannot be approved, where its review is known. */
  approvalBlocked?: string | null;
  /** Thumb-sized, over the whole width. */
  large?: boolean;
  withDetails?: boolean;
}) {
  const size = large ? 'md' : 'xs';
  const { user } = transfer;
  const detailsLabel = t`Ver detalles de la transferencia de ${user}`;
  if (!awaitsDecision(transfer)) {
    if (!withDetails) return null;
    return (
      <Button
        variant="default"
        size={size}
        fullWidth={large}
        onClick={() => handlers.open(transfer.id)}
        aria-label={detailsLabel}
        data-testid="admin-detail"
      >
        <Trans>Ver detalles</Trans>
      </Button>
    );
  }
  return (
    <Group gap={6} wrap="nowrap">
      <DecisionButton
        transfer={transfer}
        decision="approve"
        unless={approvalBlocked}
        handlers={handlers}
        large={large}
      />
      <DecisionButton transfer={transfer} decision="reject" unless={null} handlers={handlers} large={large} />
      {withDetails && (
        <Tooltip label={t`Ver detalles`}>
          <ActionIcon
            variant="default"
            size={large ? 42 : 30}
            flex="none"
            onClick={() => handlers.open(transfer.id)}
            aria-label={detailsLabel}
            data-testid="admin-detail"
          >
            <IconEye size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

const decisionButtons = {
  approve: {
    label: msg`Aprobar`,
    about: (user: string) => t`Aprobar la transferencia de ${user}`,
    Icon: IconCheck,
    look: {},
  },
  reject: {
    label: msg`Rechazar`,
    about: (user: string) => t`Rechazar la transferencia de ${user}`,
    Icon: IconX,
    look: { variant: 'default', c: 'var(--cq-bad)' },
  },
} as const;

/** Opens the question for one decision. A button that this admin may not use stays reachable and says why. */
function DecisionButton({
  transfer,
  decision,
  unless,
  handlers,
  large,
}: {
  transfer: AdminTransferView;
  decision: Decision;
  /** Why not, besides what the transfer itself says. */
  unless: string | null;
  handlers: RowHandlers;
  large: boolean;
}) {
  const admin = useSession().data?.user;
  const blocked = decisionBlockedBecause(transfer, decision, admin) ?? unless;
  const { label, about, Icon, look } = decisionButtons[decision];
  const shape = large ? { flex: 1 } : { flex: 'none', px: 11 };
  return (
    <Tooltip label={blocked} disabled={blocked === null} events={{ hover: true, focus: true, touch: true }}>
      <Button
        size={large ? 'md' : 'xs'}
        {...shape}
        {...look}
        leftSection={large && <Icon size={18} aria-hidden />}
        onClick={() => blocked === null && handlers.decide(transfer.id, decision)}
        data-disabled={blocked === null ? undefined : true}
        aria-disabled={blocked === null ? undefined : true}
        aria-label={`${about(transfer.user)}${blocked === null ? '' : ` (${lowerFirst(blocked)})`}`}
        data-testid={`admin-${decision}`}
      >
        {i18n._(label)}
      </Button>
    </Tooltip>
  );
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** A transfer's money in the column everybody knows, with what only admins see: our margin, and the value in dollars. */
export function TransferMoney({ transfer }: { transfer: AdminTransferView }) {
  const { currency, amount, fee, rate } = transfer;
  return (
    <Breakdown
      figures={{ currency, amount, fee, rate, netAmount: transfer.net_amount, bs: arriving(transfer) }}
      paidLabel={t`Paga con su tarjeta`}
      {...arrival(transfer)}
    >
      {transfer.accepted && (
        <BreakdownLine label={t`Aceptó al pagar`}>
          {formatBolivianos(transfer.accepted.bolivianos)} · {formatRateLine(transfer.accepted.rate, currency)}
        </BreakdownLine>
      )}
      <BreakdownLine label={marginLabel()}>{marginText(transfer)}</BreakdownLine>
      {transfer.margin !== null && (
        <BreakdownLine label={t`Ganancia del cambio`}>{marginMoney(transfer)}</BreakdownLine>
      )}
      {isSome(transfer.returned) && (
        <BreakdownLine label={t`Devuelto a quien envía`}>
          <Money amount={transfer.returned} currency={currency} />
        </BreakdownLine>
      )}
      {isSome(transfer.payout_returned) && (
        <BreakdownLine label={t`Devuelto por el banco`}>
          <Money amount={transfer.payout_returned} currency="BOB" />
        </BreakdownLine>
      )}
      {isSome(transfer.rest_paid) && (
        <BreakdownLine label={t`Pagado otra vez de lo devuelto`}>
          <Money amount={transfer.rest_paid} currency="BOB" />
        </BreakdownLine>
      )}
      {isSome(transfer.rest_refunded) && (
        <BreakdownLine label={t`Devuelto a quien envía por lo que volvió`}>
          <Money amount={transfer.rest_refunded} currency="BOB" />
        </BreakdownLine>
      )}
      {isSome(transfer.rest_kept) && (
        <BreakdownLine label={t`Cubre nuestra pérdida`}>
          <Money amount={transfer.rest_kept} currency="BOB" />
        </BreakdownLine>
      )}
      {isSome(transfer.paid_again) && (
        <BreakdownLine label={t`Pagado otra vez por un reclamo`}>
          <Money amount={transfer.paid_again} currency="BOB" />
        </BreakdownLine>
      )}
      {currency !== 'USD' && (
        <BreakdownLine label={t`Equivale a`}>
          <Money amount={transfer.amount_usd} currency="USD" />
        </BreakdownLine>
      )}
    </Breakdown>
  );
}

const minor = (amount: string) => parseMinor(amount) ?? 0n;
const isSome = (amount: string) => minor(amount) > 0n;
/** Whether the money arrives, has arrived, or does not arrive any more. */
function arrival({ status, state }: AdminTransferView) {
  if (status === 'completed') return { arrivesLabel: t`Llegó a Bolivia` };
  if (state === 'payout_failed') return { arrivesLabel: t`Falta que llegue a Bolivia`, off: true };
  const isOnItsWay = status === 'pending' || status === 'awaiting_payment';
  return isOnItsWay ? {} : { arrivesLabel: t`Iba a llegar a Bolivia`, off: true };
}
