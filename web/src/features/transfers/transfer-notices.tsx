import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconClockExclamation,
  IconHourglassLow,
  IconInfoCircle,
  IconPencil,
  IconUserQuestion,
} from '@tabler/icons-react';
import type { TransferView } from '#core/contracts/http/transfers';
import { bankWordsOf } from '#core/transfers/own-reasons';
import { formatLongDay, formatMoment } from '../../lib/format/dates.ts';
import { Money } from '../../ui/figures.tsx';
import { useNow } from '../../ui/hooks.ts';
import { GivenReason } from '../shared/status-badge.tsx';
import {
  hasRefundFailed,
  isDelayed,
  lacksRecipient,
  nameOf,
  notReturned,
  owedRest,
  paidBackMessage,
  payoutReturnedMessage,
  returnedMessage,
  wasDepositReturned,
} from './transfer-labels.ts';

/** Asks for whom a paid transfer is. Nothing for other transfers. */
export function RecipientMissing({ transfer, onChoose }: { transfer: TransferView; onChoose: () => void }) {
  if (!lacksRecipient(transfer)) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconUserQuestion aria-hidden />}
      title={t`Falta elegir quién recibe`}
      data-testid="recipient-missing"
    >
      <Stack gap="sm" align="flex-start">
        <Trans>
          Este envío ya está pagado y espera. No se aprueba hasta que elijas un destinatario; después ya no se cambia.
        </Trans>
        <Button onClick={onChoose} data-testid="recipient-choose">
          <Trans>Elegir quién recibe</Trans>
        </Button>
      </Stack>
    </Alert>
  );
}

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
  const reason = transfer.reason && bankWordsOf(transfer.reason);
  const name = nameOf(transfer);
  const deadline = transfer.correctAccountBy && formatMoment(transfer.correctAccountBy);
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={isReturned ? t`El banco devolvió el depósito` : t`El banco no pudo pagar a esta cuenta`}
      data-testid="payout-failed"
    >
      <Stack gap="sm">
        {reason && (
          <Text>
            <Trans>
              Motivo del banco: <GivenReason reason={reason} />
            </Trans>
          </Text>
        )}
        <Text>
          <Trans>
            {name} no tiene los <Money amount={transfer.bolivianos} currency="BOB" />. Tu dinero está con nosotros.
          </Trans>{' '}
          {deadline && (
            <Trans>
              Corrige la cuenta y el banco paga otra vez, sin costo y con la misma tasa, o te lo devolvemos completo.
            </Trans>
          )}
          {!deadline && transfer.cancellable && <Trans>Pídelo de vuelta y te lo devolvemos completo.</Trans>}
          {!deadline && !transfer.cancellable && <Trans>Lo estamos resolviendo.</Trans>}
        </Text>
        {deadline && (
          <Text data-testid="correct-account-by">
            <Trans>Si no la corriges hasta el {deadline}, te devolvemos el dinero.</Trans>
          </Text>
        )}
        <Group gap="sm">
          {deadline && (
            <Button
              leftSection={<IconPencil size={18} aria-hidden />}
              onClick={onCorrect}
              data-testid="account-correct"
            >
              <Trans>Corregir la cuenta</Trans>
            </Button>
          )}
          {transfer.cancellable && (
            <Button variant="default" onClick={onMoneyBack} data-testid="money-back">
              <Trans>Devolver mi dinero</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/** Money that the card did not keep, or did not take at all. Nothing for other transfers. */
export function RefundBounced({ transfer }: { transfer: TransferView }) {
  if (!hasRefundFailed(transfer)) return null;
  const owed = notReturned(transfer);
  return (
    <Alert
      color="yellow"
      icon={<IconInfoCircle aria-hidden />}
      title={t`La devolución no llegó a tu tarjeta`}
      data-testid="refund-bounced"
    >
      <Trans>Te debemos {owed}. Te escribiremos para pagarte de otra forma; no tienes que hacer nada.</Trans>
    </Alert>
  );
}

/** A cancellation that waits for the bank's answer. Nothing for other transfers. */
export function CancellationPending({ transfer }: { transfer: TransferView }) {
  if (!transfer.cancelPending || transfer.state !== 'captured') return null;
  const amount = notReturned(transfer);
  return (
    <Alert
      color="yellow"
      icon={<IconHourglassLow aria-hidden />}
      title={t`Estamos cancelando tu envío`}
      data-testid="cancellation-pending"
    >
      <Trans>
        Preguntamos al banco si ya depositó el dinero. Si no lo hizo, te devolvemos los {amount} completos, comisión
        incluida. Si ya lo depositó, el envío no se puede cancelar. Te avisamos qué pasó.
      </Trans>
    </Alert>
  );
}

/** A deposit that takes longer than promised. Renders nothing for other transfers. */
export function PayoutDelayed({ transfer }: { transfer: TransferView }) {
  if (!isDelayed(transfer, useNow())) return null;
  const day = formatLongDay(transfer.estimatedDelivery);
  return (
    <Alert
      color="yellow"
      icon={<IconClockExclamation aria-hidden />}
      title={t`El depósito se atrasa`}
      data-testid="payout-delayed"
    >
      <Trans>
        Lo esperábamos para el {day} y todavía no está confirmado. El atraso es nuestro y tu dinero está seguro:
        depositamos los <Money amount={transfer.bolivianos} currency="BOB" /> o te devolvemos todo, comisión incluida.
        No hagas otro envío por este.
      </Trans>
    </Alert>
  );
}

/** What went back of a transfer although it goes on, or has ended. Nothing for other transfers. */
export function ReturnedNotice({ transfer }: { transfer: TransferView }) {
  const paidBack = paidBackMessage(transfer);
  const toSender = paidBack ?? returnedMessage(transfer);
  const fromBank = payoutReturnedMessage(transfer);
  const isOwed = owedRest(transfer) > 0n;
  const isWhole = transfer.returned === transfer.amount;
  return (
    <>
      {fromBank && (
        <Alert
          color={isOwed ? 'yellow' : 'green'}
          icon={<IconInfoCircle aria-hidden />}
          title={isOwed ? t`El banco devolvió una parte` : t`Ya se resolvió lo que devolvió el banco`}
          data-testid="payout-returned"
        >
          {fromBank}
        </Alert>
      )}
      {toSender && (
        <Alert
          color="gray"
          icon={<IconArrowBackUp aria-hidden />}
          title={isWhole ? t`Te devolvimos tu dinero` : t`Te devolvimos una parte`}
          data-testid="returned-money"
        >
          {toSender}
        </Alert>
      )}
    </>
  );
}
