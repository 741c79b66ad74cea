import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClockHour4, IconHourglassLow, IconX } from '@tabler/icons-react';
import type { RateChangeView } from '#core/contracts/http/admin-rates';
import { useSession } from '../../../data/session.ts';
import { laPazTime } from '../la-paz-time.ts';
import { bolivianosText, changeText, guardRailMessage, type Limits } from './change-messages.ts';
import { useDecideChange } from './changes.ts';
import classes from './rates.module.css';

/** A change that waits for a second person or for its hour: all that is needed to decide on it, and the decision. */
export function OpenChange({ change, limits }: { change: RateChangeView; limits: Limits }) {
  const isMine = useSession().data?.user.id === change.setById;
  const isScheduled = change.state === 'scheduled';
  return (
    <section
      className={classes.open}
      aria-label={`Cambio abierto de la tasa de ${change.currency}`}
      data-state={change.state}
      data-testid={`admin-rate-open-${change.currency}`}
    >
      <div className={classes.parts}>
        <Stack gap={4}>
          <Heading change={change} />
          <Step change={change} />
          <Text>
            {isMine ? (
              'Lo pediste tú'
            ) : (
              <>
                Lo pide <b>{change.setBy}</b>
              </>
            )}
            , {laPazTime(change.date)}
          </Text>
          {isScheduled && change.decidedBy && (
            <Text>
              Confirmó <b>{change.decidedBy}</b>
              {change.decidedAt && `, ${laPazTime(change.decidedAt)}`}
            </Text>
          )}
        </Stack>
        <Stack gap="xs">
          {change.reason && (
            <Text style={{ overflowWrap: 'anywhere' }}>
              <b>Motivo:</b> {change.reason}
            </Text>
          )}
          <Rails change={change} limits={limits} />
          {!isScheduled && <WhatNext change={change} isMine={isMine} />}
        </Stack>
        <Decision change={change} isMine={isMine} />
      </div>
    </section>
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
          Confirmar
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
        {isScheduled ? 'Cancelar el cambio' : isMine ? 'Retirar' : 'Descartar'}
      </Button>
    </Group>
  );
}

function Heading({ change }: { change: RateChangeView }) {
  const isScheduled = change.state === 'scheduled';
  const Icon = isScheduled ? IconClockHour4 : IconHourglassLow;
  const tone = isScheduled ? 'good' : 'wait';
  return (
    <Group gap={8} wrap="nowrap" align="flex-start" c={`var(--cq-${tone})`}>
      <Icon size={20} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Title order={3} fz="md">
        {isScheduled
          ? `Tasa ${change.currency}: programada para el ${laPazTime(change.activateAt ?? change.date)}`
          : `Tasa ${change.currency}: espera confirmación`}
      </Title>
    </Group>
  );
}

function Step({ change: { previousRate, rate } }: { change: RateChangeView }) {
  const difference = previousRate && changeText(previousRate, rate);
  return (
    <Text component="div" className={`${classes.step} cq-big cq-num`}>
      {previousRate && `${bolivianosText(previousRate).replace(' Bs', '')} → `}
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
  return (
    <Text fz="sm">
      {isMine && 'Lo tiene que confirmar otra persona de administración. '}
      {activateAt && Date.parse(activateAt) > Date.now() && `Entra en vigor el ${laPazTime(activateAt)}. `}
      {expiresAt && `Vence sin efecto el ${laPazTime(expiresAt)}.`}
    </Text>
  );
}
