import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconInfoCircle, IconPencil } from '@tabler/icons-react';
import type { TransferView } from '#core/contracts/http/transfers';
import { formatMoment } from '../../lib/format/dates.ts';
import { Money } from '../../ui/figures.tsx';
import {
  hasRefundBounced,
  nameOf,
  notReturned,
  payoutReturnedMessage,
  returnedMessage,
  wasDepositReturned,
} from './transfer-labels.ts';

/** What the bank did not pay: what happened, that the money is safe, and the two ways out. Nothing in other states. */
export function PayoutFailed({
  transfer,
  onCorrect,
  onMoneyBack,
}: {
  transfer: TransferView;
  onCorrect: () => void;
  onMoneyBack: () => void;
}) {
  if (transfer.state !== 'payout_failed') return null;
  const isReturned = wasDepositReturned(transfer);
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={isReturned ? 'El banco devolvió el depósito' : 'El banco no pudo pagar a esta cuenta'}
      data-testid="payout-failed"
    >
      <Stack gap="sm">
        {bankReason(transfer) && <Text>Motivo del banco: {bankReason(transfer)}</Text>}
        <Text>
          {nameOf(transfer)} no tiene los <Money amount={transfer.bolivianos} currency="BOB" />. Tu dinero está con
          nosotros: corrige la cuenta y el banco paga otra vez, sin costo y con la misma tasa, o te lo devolvemos
          completo.
        </Text>
        {transfer.correctAccountBy && (
          <Text data-testid="correct-account-by">
            Si no la corriges hasta el {formatMoment(transfer.correctAccountBy)}, te devolvemos el dinero.
          </Text>
        )}
        <Group gap="sm">
          <Button leftSection={<IconPencil size={18} aria-hidden />} onClick={onCorrect} data-testid="account-correct">
            Corregir la cuenta
          </Button>
          <Button variant="default" onClick={onMoneyBack} data-testid="money-back">
            Devolver mi dinero
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** What the bank said, without our words before it. */
const bankReason = ({ reason }: TransferView) => reason?.replace(/^El banco [^:]+: /, '');

/** Money that the card gave back after it had been returned. Nothing for other transfers. */
export function RefundBounced({ transfer }: { transfer: TransferView }) {
  if (!hasRefundBounced(transfer)) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconInfoCircle aria-hidden />}
      title="La devolución no llegó a tu tarjeta"
      data-testid="refund-bounced"
    >
      Te debemos {notReturned(transfer)}. Te escribiremos para pagarte de otra forma; no tienes que hacer nada.
    </Alert>
  );
}

/** What went back of a transfer although it goes on, or has ended. Nothing for other transfers. */
export function ReturnedNotice({ transfer }: { transfer: TransferView }) {
  const toSender = returnedMessage(transfer);
  const fromBank = payoutReturnedMessage(transfer);
  return (
    <>
      {fromBank && (
        <Alert
          color="yellow"
          icon={<IconInfoCircle aria-hidden />}
          title="El banco devolvió una parte"
          data-testid="payout-returned"
        >
          {fromBank}
        </Alert>
      )}
      {toSender && (
        <Alert
          color="gray"
          icon={<IconArrowBackUp aria-hidden />}
          title="Te devolvimos una parte"
          data-testid="returned-money"
        >
          {toSender}
        </Alert>
      )}
    </>
  );
}
