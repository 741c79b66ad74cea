import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClockHour4, IconHourglassLow, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RateChangeView } from '#core/contracts/http/admin-rates';
import type { SendCurrency } from '#core/money/money';
import { guardRails } from '#core/rates/guard-rails';
import { refreshRateDesk } from '../../../data/admin-panel.ts';
import { useSession } from '../../../data/session.ts';
import { adminCall } from '../../../lib/admin-http.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { formatDecimal } from '../../../lib/format/numbers.ts';
import { ApiFailure, errorMessage } from '../../../lib/http.ts';
import { useSingleMutation } from '../../../lib/single-mutation.ts';
import { toastDone, toastError } from '../../../lib/toast.ts';
import classes from '../admin.module.css';
import { Permitted } from '../permitted.tsx';
import {
  bolivianosText,
  changeText,
  cutRate,
  guardRailMessage,
  type Limits,
  outcomeMessage,
} from './change-messages.ts';

/** A change that waits for a second person or for its hour: all that is needed to decide on it, and the decision. */
export function OpenChange({ change, limits }: { change: RateChangeView; limits: Limits }) {
  const isMine = useSession().data?.user.id === change.setById;
  const isScheduled = change.state === 'scheduled';
  const { currency, reason } = change;
  return (
    <section
      className={classes.open}
      aria-label={t`Cambio abierto de la tasa de ${currency}`}
      data-state={change.state}
      data-testid={`admin-rate-open-${change.currency}`}
    >
      <div className={classes.parts}>
        <Stack gap={4}>
          <Heading change={change} />
          <Step change={change} />
          <Text>
            <AskedBy change={change} isMine={isMine} />
          </Text>
          {isScheduled && <ConfirmedBy change={change} />}
        </Stack>
        <Stack gap="xs">
          {reason && (
            <Text style={{ overflowWrap: 'anywhere' }}>
              <Trans>
                <b>Motivo:</b> {reason}
              </Trans>
            </Text>
          )}
          <Rails change={change} limits={limits} />
          {!isScheduled && <WhatNext change={change} isMine={isMine} />}
        </Stack>
        <Permitted to="confirmRateChange">
          <Decision change={change} isMine={isMine} />
        </Permitted>
      </div>
    </section>
  );
}

function AskedBy({ change: { setBy, date }, isMine }: { change: RateChangeView; isMine: boolean }) {
  const asked = laPazTime(date);
  if (isMine) return <Trans>Lo pediste tú, {asked}</Trans>;
  return (
    <Trans>
      Lo pide <b>{setBy}</b>, {asked}
    </Trans>
  );
}

/** The second person of a change that waits for its hour. */
function ConfirmedBy({ change: { decidedBy, decidedAt } }: { change: RateChangeView }) {
  if (!decidedBy) return null;
  const at = decidedAt && `, ${laPazTime(decidedAt)}`;
  return (
    <Text>
      <Trans>
        Confirmó <b>{decidedBy}</b>
      </Trans>
      {at}
    </Text>
  );
}

function Decision({ change, isMine }: { change: RateChangeView; isMine: boolean }) {
  const decide = useDecideChange(change);
  const isScheduled = change.state === 'scheduled';
  return (
    <Group gap="sm" justify="flex-end" className={classes.decision}>
      {!isScheduled && !isMine && (
        <Button
          leftSection={<IconCheck size={18} aria-hidden />}
          loading={decide.isPending && decide.variables === 'confirm'}
          disabled={decide.isPending}
          onClick={() => decide.mutate('confirm')}
          data-testid={`admin-rate-confirm-${change.currency}`}
        >
          <Trans>Confirmar</Trans>
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconX size={18} aria-hidden />}
        loading={decide.isPending && decide.variables === 'decline'}
        disabled={decide.isPending}
        onClick={() => decide.mutate('decline')}
        data-testid={`admin-rate-decline-${change.currency}`}
      >
        {isScheduled ? t`Cancelar el cambio` : isMine ? t`Retirar` : t`Descartar`}
      </Button>
    </Group>
  );
}

function Heading({ change }: { change: RateChangeView }) {
  const isScheduled = change.state === 'scheduled';
  const Icon = isScheduled ? IconClockHour4 : IconHourglassLow;
  const tone = isScheduled ? 'good' : 'wait';
  const { currency } = change;
  const from = laPazTime(change.activateAt ?? change.date);
  return (
    <Group gap={8} wrap="nowrap" align="flex-start" c={`var(--cq-${tone})`}>
      <Icon size={20} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Title order={3} fz="md">
        {isScheduled ? t`Tasa ${currency}: programada para el ${from}` : t`Tasa ${currency}: espera confirmación`}
      </Title>
    </Group>
  );
}

function Step({ change: { previousRate, rate } }: { change: RateChangeView }) {
  const difference = previousRate && changeText(previousRate, rate);
  return (
    <Text component="div" className={`${classes.step} cq-big cq-num`}>
      {previousRate && `${formatDecimal(cutRate(previousRate))} → `}
      {bolivianosText(rate)}
      {difference && (
        <Text span fz="md" fw={600} ml={8}>
          ({difference})
        </Text>
      )}
    </Text>
  );
}

function Rails({ change, limits }: { change: RateChangeView; limits: Limits }) {
  if (change.guardRails.length === 0) return null;
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <IconAlertTriangle size={18} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
      <Stack gap={2}>
        {change.guardRails.map((rail) => (
          <Text key={rail} fz="sm">
            {guardRailMessage(rail, limits)}
          </Text>
        ))}
      </Stack>
    </Group>
  );
}

function WhatNext({ change: { activateAt, expiresAt }, isMine }: { change: RateChangeView; isMine: boolean }) {
  const from = activateAt && Date.parse(activateAt) > Date.now() && laPazTime(activateAt);
  const end = expiresAt && laPazTime(expiresAt);
  const sentences = [
    isMine && t`Lo tiene que confirmar otra persona de administración.`,
    from && t`Entra en vigor el ${from}.`,
    end && t`Vence sin efecto el ${end}.`,
  ];
  return <Text fz="sm">{sentences.filter(Boolean).join(' ')}</Text>;
}

/** What an admin asks for: a rate as written on the wire, why, and from when on (ISO; absent: at once). */
interface RateChangeRequest {
  readonly rate: string;
  readonly reason: string | undefined;
  readonly activateAt: string | undefined;
}

/** Asks for a rate. What stands against it (`rate_reason_required`, a field) is shown where it was typed, the rest as a toast. */
export function useAskForRate(currency: SendCurrency, onAccepted: () => void) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (request: RateChangeRequest) => adminCall('setRate', { body: { ...request, currency } }),
    onSuccess: async ({ change }) => {
      const { title, message } = outcomeMessage(change);
      toastDone(title, message);
      await refreshRateDesk(queryClient);
      onAccepted();
    },
    onError: async (error) => {
      if (missingReason(error) || (error instanceof ApiFailure && error.code === 'invalid_input')) return;
      toastError(t`No se pudo actualizar la tasa`, errorMessage(error), false);
      await refreshRateDesk(queryClient);
    },
  });
}

/** The guard-rails that want a reason and a second person, when that is why the server refused; else null. */
export function missingReason(error: unknown) {
  if (!(error instanceof ApiFailure) || error.code !== 'rate_reason_required') return null;
  const named = error.details.guardRails;
  const hit = guardRails.filter((rail) => Array.isArray(named) && named.includes(rail));
  return hit.length > 0 ? hit : null;
}

/** Confirms an open change as its second person, or discards it: its requester withdraws it, other admins decline it. */
function useDecideChange(change: RateChangeView) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (decision: 'confirm' | 'decline') =>
      adminCall(decision === 'confirm' ? 'confirmRateChange' : 'declineRateChange', {
        params: { id: change.id },
      }),
    onSuccess: (outcome, decision) => {
      const message = outcomeMessage(outcome.change);
      if (decision === 'confirm') toastDone(message.title, message.message);
      else toastDone(t`Cambio descartado`, t`La tasa vigente sigue igual.`);
      return refreshRateDesk(queryClient);
    },
    onError: (error) => {
      toastError(t`No se pudo decidir el cambio`, errorMessage(error), false);
      return refreshRateDesk(queryClient);
    },
  });
}

/** Tells the panel's badge that something is under way. */
export function usePending(isPending: boolean, setPending: (pending: boolean) => void) {
  useEffect(() => {
    setPending(isPending);
    return () => setPending(false);
  }, [isPending, setPending]);
}
