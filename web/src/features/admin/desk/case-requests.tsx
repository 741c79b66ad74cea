import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Stack, Text } from '@mantine/core';
import { IconHourglassLow } from '@tabler/icons-react';
import { useLiveStatus } from '../../../lib/live.ts';
import { toastDone } from '../../../lib/toast.ts';
import { Permitted } from '../permitted.tsx';
import { infinitiveOf, messageOf, ofSender } from './action-messages.tsx';
import { isSettlement, RequestFacts, type RequestProps } from './request-facts.tsx';
import { Settlement } from './settlement.tsx';
import { SureButtons } from './sure-buttons.tsx';

/** A request that waits for a second admin, or a settlement by hand that is under way. */
export function PendingRequest(props: RequestProps) {
  const connected = useLiveStatus((live) => live.connected);
  // A first press counts for the request it was made for, and only as long as news of that request would arrive.
  const key = `${props.request.id} ${connected}`;
  return isSettlement(props.request) ? <Settlement key={key} {...props} /> : <Permission key={key} {...props} />;
}

/** An action that one admin asked for and a second one has to approve: both read here exactly what it moves. */
function Permission({ one, request, adminId, now, decide }: RequestProps) {
  const infinitive = infinitiveOf(one, request.action);
  const person = request.requested_by;
  const isMine = request.requested_by_id === adminId;
  const message = request.action === 'refute' ? null : messageOf(one, request.action);
  return (
    <Alert
      color="yellow"
      icon={<IconHourglassLow aria-hidden />}
      title={t`Espera a una segunda persona`}
      data-testid="desk-request"
    >
      <Stack gap="xs">
        <Text>
          {isMine ? (
            <Trans>Pediste {infinitive}.</Trans>
          ) : (
            <Trans>
              <b>{person}</b> pidió {infinitive}.
            </Trans>
          )}
        </Text>
        <RequestFacts one={one} request={request} now={now} />
        <Text>{message?.effect(one)}</Text>
        {isMine ? (
          <Text>
            <Trans>Otra persona de administración lo tiene que aprobar. Hasta entonces no se hace nada.</Trans>
          </Text>
        ) : (
          <Permitted to="decideDeskRequest">
            <SureButtons
              yes={[t`Aprobar`, t`Sí, aprobar`]}
              no={t`Rechazar`}
              isPending={decide.isPending}
              isYes={decide.variables?.approve ?? false}
              onYes={() =>
                decide.mutate(
                  { requestId: request.id, approve: true, seen: one },
                  { onSuccess: () => message && toastDone(i18n._(message.done), ofSender(one.transaction.user)) },
                )
              }
              onNo={() =>
                decide.mutate(
                  { requestId: request.id, approve: false, seen: one },
                  {
                    onSuccess: () => toastDone(t`Solicitud rechazada`, t`No se hizo nada; el caso sigue abierto.`),
                  },
                )
              }
            />
          </Permitted>
        )}
      </Stack>
    </Alert>
  );
}
