import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, type ButtonProps, Group, Stack, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCreditCard, IconRepeat } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { TransferView } from '#core/contracts/http/transfers';
import { recipientAddress } from '#core/contracts/page-addresses';
import { useOptionalQuery } from '../../data/optional-query.ts';
import type { Offer } from '../../data/payments.ts';
import { recipientsQuery } from '../../data/recipients.ts';
import { isEndedDraft, useOfferAgain, useResumePayment } from '../../data/transfers.ts';
import { formatDay } from '../../lib/format/dates.ts';
import { ApiFailure, errorMessage } from '../../lib/http.ts';
import { toastError } from '../../lib/toast.ts';
import { Money } from '../../ui/figures.tsx';
import { useIsDesktop, useNow } from '../../ui/hooks.ts';
import { recipientProblem } from '../shared/recipient-problem.ts';
import { StatusBadge } from '../shared/status-badge.tsx';
import { attentionLabel, attentionNote, nameOf, returningLabel } from './transfer-labels.ts';
import classes from './transfers.module.css';

interface Props {
  transfers: TransferView[];
  onOpen: (id: string) => void;
  onPay: (offer: Offer) => void;
  /** Fills in the form for the same again. */
  onRepeat: (transfer: TransferView) => void;
}

/** The list's rows: a table where there is room, cards elsewhere. */
export function TransferRows(props: Props) {
  return useIsDesktop() ? <WideRows {...props} /> : <NarrowRows {...props} />;
}

const testAttributes = ({ id, status }: TransferView) => ({
  'data-testid': 'transfer-row',
  'data-transfer-id': id,
  'data-status': status,
});

function WideRows({ transfers, onOpen, onPay, onRepeat }: Props) {
  return (
    <Table.ScrollContainer minWidth={760} type="native">
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>Fecha</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Destinatario</Trans>
            </Table.Th>
            <Table.Th ta="right">
              <Trans>Monto</Trans>
            </Table.Th>
            <Table.Th ta="right">
              <Trans>Recibe</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Estado</Trans>
            </Table.Th>
            <Table.Th>
              <VisuallyHidden>
                <Trans>Acciones</Trans>
              </VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {transfers.map((transfer) => (
            <Table.Tr key={transfer.id} {...testAttributes(transfer)}>
              <Table.Td className="cq-num">{formatDay(transfer.date)}</Table.Td>
              <Table.Td>
                <Text fw={600}>{nameOf(transfer)}</Text>
                <Text c="dimmed" fz="sm">
                  {transfer.bankName}
                </Text>
                <RowNote transfer={transfer} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={transfer.amount} currency={transfer.currency} />
              </Table.Td>
              <Table.Td ta="right" fw={600}>
                <Money amount={transfer.bolivianos} currency="BOB" />
              </Table.Td>
              <Table.Td>
                <TransferBadge transfer={transfer} />
              </Table.Td>
              <Table.Td>
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <PayButton transfer={transfer} onPay={onPay} size="compact-md" />
                  <RepeatButton
                    transfer={transfer}
                    onPay={onPay}
                    onRepeat={onRepeat}
                    size="compact-md"
                    variant="light"
                  />
                  <OpenButtons transfer={transfer} onOpen={onOpen} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function OpenButtons({ transfer, onOpen }: { transfer: TransferView; onOpen: (id: string) => void }) {
  const name = nameOf(transfer);
  return (
    <>
      {transfer.state === 'payout_failed' && (
        <Button
          size="compact-md"
          onClick={() => onOpen(transfer.id)}
          aria-label={t`Resolver el envío a ${name}`}
          data-testid="transfer-resolve"
        >
          <Trans>Resolver</Trans>
        </Button>
      )}
      <Button
        variant="subtle"
        size="compact-md"
        onClick={() => onOpen(transfer.id)}
        aria-label={t`Ver detalles del envío a ${name}`}
      >
        <Trans>Ver detalles</Trans>
      </Button>
    </>
  );
}

function NarrowRows({ transfers, onOpen, onPay, onRepeat }: Props) {
  return (
    <Stack gap="xs">
      {transfers.map((transfer) => (
        <div key={transfer.id} className={classes.card} {...testAttributes(transfer)}>
          <UnstyledButton className={classes.open} onClick={() => onOpen(transfer.id)}>
            <span className={classes.line}>
              <TransferBadge transfer={transfer} size="md" />
              <Text component="span" c="dimmed" fz="sm" className="cq-num">
                {formatDay(transfer.date)}
              </Text>
            </span>
            <span className={classes.line}>
              <Text component="span" fw={600} className={classes.text}>
                {nameOf(transfer)}
              </Text>
              <Money amount={transfer.bolivianos} currency="BOB" fw={600} />
            </span>
            <span className={classes.line}>
              <Text component="span" c="dimmed" fz="sm" truncate className={classes.text}>
                {transfer.bankName}
              </Text>
              <Money amount={transfer.amount} currency={transfer.currency} c="dimmed" fz="sm" />
            </span>
            <RowNote transfer={transfer} />
          </UnstyledButton>
          <Group gap="xs" justify="flex-end">
            <PayButton transfer={transfer} onPay={onPay} size="compact-md" />
            <RepeatButton transfer={transfer} onPay={onPay} onRepeat={onRepeat} size="compact-md" variant="light" />
          </Group>
        </div>
      ))}
    </Stack>
  );
}

/** What happened to a transfer that waits for its sender, or whose money is owed to them. */
function RowNote({ transfer }: { transfer: TransferView }) {
  const note = attentionNote(transfer);
  return (
    note && (
      <Text component="span" display="block" fz="sm" c="var(--cq-bad)">
        {note}
      </Text>
    )
  );
}

/** A transfer's status as its sender reads it; what waits for the sender, or is owed to them, says so. */
export function TransferBadge({ transfer, size = 'lg' }: { transfer: TransferView; size?: 'md' | 'lg' }) {
  const attention = attentionLabel(transfer);
  const label = attention ?? returningLabel(transfer);
  return (
    <StatusBadge
      status={transfer.status}
      size={size}
      {...(label && { label })}
      {...(attention && { tone: 'bad', Icon: IconAlertTriangle })}
    />
  );
}

/** Goes on with the payment of a transfer that was left unpaid, for as long as its quote holds. */
export function PayButton({
  transfer,
  onPay,
  size = 'sm',
}: {
  transfer: TransferView;
  /** Gets the very payment and frozen quote that were left. */
  onPay: (offer: Offer) => void;
  size?: ButtonProps['size'];
}) {
  const now = useNow();
  const resume = useResumePayment(transfer.id);
  const navigate = useNavigate();
  if (transfer.status !== 'awaiting_payment' || now >= Date.parse(transfer.quoteExpiresAt)) return null;
  const { recipientId, recipient, bankName } = transfer;
  const name = nameOf(transfer);
  const pay = () =>
    resume.mutate(undefined, {
      onSuccess: (payment) =>
        onPay({
          recipient: recipientId ? { id: recipientId, name: recipient, bankName } : null,
          quote: payment.quote,
          birthDate: null,
          payment,
        }),
      onError: (error) => {
        toastError(t`No se pudo retomar el pago`, errorMessage(error));
        const isUnconfirmed = error instanceof ApiFailure && error.code === 'name_not_confirmed';
        if (isUnconfirmed && recipientId) void navigate(recipientAddress(recipientId));
      },
    });
  return (
    <Button
      size={size}
      leftSection={<IconCreditCard size={18} aria-hidden />}
      loading={resume.isPending}
      onClick={pay}
      aria-label={t`Pagar el envío a ${name}`}
      data-testid="transfer-pay"
    >
      <Trans>Pagar</Trans>
    </Button>
  );
}

interface RepeatProps extends Pick<ButtonProps, 'size' | 'variant'> {
  transfer: TransferView;
  /** Gets the same amount for the same recipient, at today's rate. */
  onPay: (offer: Offer) => void;
  /** Fills in the form, where something has to be looked at first: a recipient who is gone, or whose account changed or is in another name. */
  onRepeat: (transfer: TransferView) => void;
}

/** Sends the same once more, or offers anew what was left unpaid until its rate ran out: straight to the review with today's figures. */
export function RepeatButton({ transfer, onPay, onRepeat, ...look }: RepeatProps) {
  const now = useNow();
  const again = useOfferAgain(transfer);
  const recipients = useOptionalQuery(recipientsQuery);
  const unpaid = transfer.status === 'awaiting_payment';
  if (unpaid && now < Date.parse(transfer.quoteExpiresAt)) return null;
  const isDraft = unpaid || isEndedDraft(transfer);
  const name = nameOf(transfer);
  const repeat = () => {
    const recipient = recipients?.find(({ id }) => id === transfer.recipientId);
    if (!recipient || recipient.accountChangedAt || recipientProblem(recipient)) return onRepeat(transfer);
    again.mutate(recipient, {
      onSuccess: onPay,
      onError: (error) => toastError(t`No se pudo calcular el envío de hoy`, errorMessage(error)),
    });
  };
  return (
    <Button
      {...look}
      leftSection={<IconRepeat size={18} aria-hidden />}
      loading={again.isPending}
      disabled={!recipients}
      onClick={repeat}
      aria-label={isDraft ? t`Pagar con la tasa de hoy el envío a ${name}` : t`Repetir el envío a ${name}`}
      data-testid="transfer-repeat-now"
    >
      {isDraft ? t`Pagar con la tasa de hoy` : t`Repetir`}
    </Button>
  );
}
