import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconCircleCheck, IconHandStop, IconHourglassLow, IconLockOpen, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import type { MoneyStopView } from '#core/contracts/http/money-stops';
import { moneyStopsQuery, useDecideLift, useRequestLift } from '../../../data/money-stops.ts';
import { useSession } from '../../../data/session.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { errorMessage } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { Permitted, useMay } from '../permitted.tsx';
import { ReasonForm } from '../reason-form.tsx';
import { StopEffect } from './stop-effect.tsx';
import { reasonText, setByText, stopTitle } from './stop-texts.ts';

// Loaded when an admin opens it.
const StopDialog = lazy(async () => ({ default: (await import('./stop-dialog.tsx')).StopDialog }));

/** Which money is stopped, what can be done about it, and how to stop more. */
export function MoneyStops() {
  return (
    <section aria-label={t`Paradas de dinero`} data-testid="money-stops">
      <QueryView query={useQuery(moneyStopsQuery)} loading={<LoadingRows rows={1} height={44} />} showsRefetchFailure>
        {(stops) => (
          <Stack gap="sm">
            <Group justify="space-between" gap="sm">
              {stops.length > 0 ? (
                <Title order={2} fz="h3">
                  <Trans>Dinero parado</Trans>
                </Title>
              ) : (
                <Group gap={8} wrap="nowrap" c="dimmed">
                  <IconCircleCheck size={18} aria-hidden style={{ flex: 'none' }} />
                  <Text fz="sm">
                    <Trans>Ninguna parada: los cobros y los pagos siguen.</Trans>
                  </Text>
                </Group>
              )}
              <StopButton stops={stops} />
            </Group>
            {stops.map((stop) => (
              <StopCard key={stop.id} stop={stop} />
            ))}
          </Stack>
        )}
      </QueryView>
    </section>
  );
}

/** Opens the dialog that stops money; nothing for a role that may not. */
function StopButton({ stops }: { stops: readonly MoneyStopView[] }) {
  const may = useMay();
  const [isOpen, setIsOpen] = useState(false);
  if (!may('setMoneyStop')) return null;
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconHandStop size={18} aria-hidden />}
        onClick={() => setIsOpen(true)}
        data-testid="money-stop-open"
      >
        <Trans>Parar dinero</Trans>
      </Button>
      {isOpen && (
        <LazyPart pending={null}>
          <StopDialog stops={stops} close={() => setIsOpen(false)} />
        </LazyPart>
      )}
    </>
  );
}

function StopCard({ stop }: { stop: MoneyStopView }) {
  const [by, since, reason] = [setByText(stop), laPazTime(stop.set_at), reasonText(stop)];
  return (
    <Card padding="md" data-testid="money-stop" data-scope={stop.scope}>
      <Stack gap="sm">
        <div>
          <Title order={3} fz="md">
            {stopTitle(stop)}
          </Title>
          <Text fz="sm" c="dimmed">
            <Trans>
              {by}, {since}
            </Trans>
          </Text>
        </div>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <Trans>
            <b>Motivo:</b> {reason}
          </Trans>
        </Text>
        <StopEffect scope={stop.scope} />
        <Lift stop={stop} />
      </Stack>
    </Card>
  );
}

/** The way out of a stop: one person requests it, another one confirms. */
function Lift({ stop }: { stop: MoneyStopView }) {
  const request = useRequestLift(stop.id);
  const decide = useDecideLift(stop.id);
  return (
    <>
      {stop.lift ? (
        <Requested stop={stop} lift={stop.lift} decide={decide} />
      ) : (
        <Permitted to="requestLift">
          <ReasonForm
            verb={t`Pedir levantarla`}
            Icon={IconLockOpen}
            about={t`Otra persona de administración lo tiene que confirmar. Hasta entonces el dinero sigue parado.`}
            danger={false}
            call={request}
            onDone={() =>
              toastDone(t`Espera a una segunda persona`, t`Otra persona de administración lo tiene que confirmar.`)
            }
            testid="money-stop-lift"
          />
        </Permitted>
      )}
      {decide.error && (
        <Text fz="sm" c="red" role="alert" data-testid="money-stop-refused">
          {errorMessage(decide.error)}
        </Text>
      )}
    </>
  );
}

function Requested({
  stop,
  lift,
  decide,
}: {
  stop: MoneyStopView;
  lift: NonNullable<MoneyStopView['lift']>;
  decide: ReturnType<typeof useDecideLift>;
}) {
  const isMine = useSession().data?.user.id === lift.requested_by_id;
  const [person, at, reason] = [lift.requested_by, laPazTime(lift.requested_at), lift.reason];
  return (
    <Alert
      color="yellow"
      icon={<IconHourglassLow aria-hidden />}
      title={t`Espera a una segunda persona`}
      data-testid="money-stop-request"
    >
      <Stack gap="xs">
        <Text>
          {isMine ? (
            <Trans>Pediste levantarla, {at}.</Trans>
          ) : (
            <Trans>
              <b>{person}</b> pide levantarla, {at}.
            </Trans>
          )}
        </Text>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <Trans>
            <b>Motivo:</b> {reason}
          </Trans>
        </Text>
        <Text>
          {isMine
            ? t`Otra persona de administración lo tiene que confirmar.`
            : t`Si lo confirmas, lo que espera sigue enseguida, salvo lo que cubra otra parada.`}
        </Text>
        <Permitted to="confirmLift">
          <Decision isMine={isMine} decide={decide} what={stopTitle(stop)} />
        </Permitted>
      </Stack>
    </Alert>
  );
}

function Decision({
  isMine,
  decide,
  what,
}: {
  isMine: boolean;
  decide: ReturnType<typeof useDecideLift>;
  what: string;
}) {
  const [isSure, setIsSure] = useState(false);
  const send = (decision: 'confirm' | 'decline') =>
    decide.mutate(decision, {
      onSuccess: () =>
        decision === 'confirm'
          ? toastDone(t`Parada levantada`, what)
          : toastDone(isMine ? t`Pedido retirado` : t`Pedido rechazado`, t`El dinero sigue parado.`),
    });
  return (
    <Group gap="sm">
      {/* Money moves after it: it takes two presses in the same place. */}
      {!isMine && (
        <Button
          leftSection={<IconCheck size={18} aria-hidden />}
          loading={decide.isPending && decide.variables === 'confirm'}
          disabled={decide.isPending}
          onClick={() => (isSure ? send('confirm') : setIsSure(true))}
          data-testid="money-stop-confirm-lift"
        >
          {isSure ? t`Sí, levantarla` : t`Confirmar`}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconX size={18} aria-hidden />}
        loading={decide.isPending && decide.variables === 'decline'}
        disabled={decide.isPending}
        onClick={() => (isSure ? setIsSure(false) : send('decline'))}
        data-testid="money-stop-decline-lift"
      >
        {isSure ? t`Volver` : isMine ? t`Retirar el pedido` : t`Rechazar`}
      </Button>
    </Group>
  );
}
