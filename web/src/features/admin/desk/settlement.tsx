import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconHourglassLow, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DeskRequestView } from '#core/contracts/http/operations';
import { toastDone } from '../../../lib/toast.ts';
import { Permitted } from '../permitted.tsx';
import { ofSender } from './action-messages.tsx';
import { RequestFacts, type RequestProps } from './request-facts.tsx';
import { SureButton, SureButtons } from './sure-buttons.tsx';

/** A settlement by hand: reserved, then reported, then confirmed; or denied with a proof of the bank. */
export function Settlement(props: RequestProps) {
  const { one, request, adminId, now } = props;
  const { reserved, action } = request;
  const isPayout = action === 'pay_by_hand';
  const title = isPayout ? t`Reservado para pagar a mano` : t`Reservado para devolver a mano`;
  const Icon = reserved ? IconLock : IconHourglassLow;
  const { refutation } = one;
  return (
    <Stack gap="sm">
      <Alert
        color="yellow"
        icon={<Icon aria-hidden />}
        title={reserved ? title : t`Espera a una segunda persona`}
        data-testid="desk-request"
      >
        <Stack gap="xs">
          <Text>
            <WhoSettles request={request} isMine={request.requested_by_id === adminId} />
          </Text>
          <RequestFacts one={one} request={request} now={now} />
          {!refutation && (reserved ? <Reserved {...props} /> : <Reported {...props} />)}
        </Stack>
      </Alert>
      {refutation && <Refutation key={refutation.id} {...props} refutation={refutation} />}
    </Stack>
  );
}

function WhoSettles({ request, isMine }: { request: DeskRequestView; isMine: boolean }): ReactNode {
  const person = request.requested_by;
  if (request.reserved)
    return isMine ? (
      <Trans>Lo reservaste tú: nadie más puede mover este dinero.</Trans>
    ) : (
      <Trans>
        <b>{person}</b> lo reservó: nadie más puede mover este dinero.
      </Trans>
    );
  if (request.action === 'pay_by_hand')
    return isMine ? (
      <Trans>Registraste que pagaste a la familia a mano.</Trans>
    ) : (
      <Trans>
        <b>{person}</b> registró que se pagó a la familia a mano.
      </Trans>
    );
  return isMine ? (
    <Trans>Registraste que devolviste el dinero a mano.</Trans>
  ) : (
    <Trans>
      <b>{person}</b> registró que se devolvió el dinero a mano.
    </Trans>
  );
}

/** A reservation without a report. Its author reports it or frees the transfer; a colleague reports or refutes it. */
function Reserved({ one, request, adminId, drop, ask }: RequestProps) {
  const isMine = request.requested_by_id === adminId;
  return (
    <Permitted to="reportSettlement">
      <Text>
        {isMine
          ? t`Paga ahora en el banco ese monto exacto y regístralo con el comprobante. Si no enviaste nada, libera el envío.`
          : t`Si esa persona ya no está, registra tú lo que se pagó, o presenta la prueba del banco de que no salió nada.`}
      </Text>
      <Group gap="sm">
        <Button onClick={() => ask('report')} data-testid="desk-report">
          <Trans>Ya salió: registrar</Trans>
        </Button>
        {isMine ? (
          <SureButton
            label={t`No envié nada`}
            sure={t`Sí, liberar el envío`}
            isPending={drop.isPending}
            onSure={() =>
              drop.mutate(
                { requestId: request.id, seen: one },
                { onSuccess: () => toastDone(t`Envío liberado`, ofSender(one.transaction.user)) },
              )
            }
          />
        ) : (
          <RefuteButton ask={ask} />
        )}
      </Group>
    </Permitted>
  );
}

/** Money has left, says a colleague: it is confirmed, or denied with a proof. It never ends by itself. */
function Reported({ one, request, adminId, decide, ask }: RequestProps) {
  if (request.requested_by_id === adminId)
    return (
      <>
        <Text>
          <Trans>
            Otra persona de administración lo tiene que confirmar. El aviso no caduca: nadie mueve este dinero hasta
            entonces.
          </Trans>
        </Text>
        <Group gap="sm">
          <RefuteButton ask={ask} />
        </Group>
      </>
    );
  return (
    <Permitted to="decideDeskRequest">
      <Text>
        <Trans>Compara el comprobante con lo que dice el banco. Confirmado, queda en los libros.</Trans>
      </Text>
      <Group gap="sm">
        <SureButton
          variant="filled"
          label={t`Confirmar que salió`}
          sure={t`Sí, salió del banco`}
          isPending={decide.isPending}
          testid="desk-approve"
          onSure={() =>
            decide.mutate(
              { requestId: request.id, approve: true, seen: one },
              { onSuccess: () => toastDone(t`Quedó registrado`, ofSender(one.transaction.user)) },
            )
          }
        />
        <RefuteButton ask={ask} />
      </Group>
    </Permitted>
  );
}

function RefuteButton({ ask }: Pick<RequestProps, 'ask'>) {
  return (
    <Button variant="default" onClick={() => ask('refute')} data-testid="desk-refute">
      <Trans>El dinero no salió</Trans>
    </Button>
  );
}

/** A claim, with a proof of the bank, that the money never left; a second person confirms it. */
function Refutation({ one, refutation, adminId, now, decide }: RequestProps & { refutation: DeskRequestView }) {
  const person = refutation.requested_by;
  const isMine = refutation.requested_by_id === adminId;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={t`El dinero no salió, dice una prueba del banco`}
      data-testid="desk-refutation"
    >
      <Stack gap="xs">
        <Text>
          {isMine ? (
            <Trans>La presentaste tú: otra persona de administración la tiene que confirmar.</Trans>
          ) : (
            <Trans>
              La presentó <b>{person}</b>. Confirmada, el envío queda libre y lo reservado no se anota.
            </Trans>
          )}
        </Text>
        <RequestFacts one={one} request={refutation} now={now} />
        {!isMine && (
          <Permitted to="decideDeskRequest">
            <SureButtons
              yes={[t`Confirmar que no salió`, t`Sí, no salió`]}
              no={t`Rechazar la prueba`}
              isPending={decide.isPending}
              isYes={decide.variables?.approve ?? false}
              onYes={() =>
                decide.mutate(
                  { requestId: refutation.id, approve: true, seen: one },
                  { onSuccess: () => toastDone(t`Envío liberado`, ofSender(one.transaction.user)) },
                )
              }
              onNo={() =>
                decide.mutate(
                  { requestId: refutation.id, approve: false, seen: one },
                  { onSuccess: () => toastDone(t`Prueba rechazada`, t`El pago a mano sigue esperando.`) },
                )
              }
            />
          </Permitted>
        )}
      </Stack>
    </Alert>
  );
}
