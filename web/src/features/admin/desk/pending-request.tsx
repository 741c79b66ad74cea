import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHourglassLow, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { endpoints } from '#core/contracts/http/endpoints';
import type { DeskCaseView, DeskRequestView } from '#core/contracts/http/operations';
import { ageText } from '../../../lib/dates.ts';
import { addressOf, errorMessage } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { laPazTime } from '../la-paz-time.ts';
import { actionMessages } from './case-messages.ts';
import { useDecideRequest } from './queries.ts';

/** An action that one admin asked for and a second one has to approve: both read here what it waits for. */
export function PendingRequest({
  one,
  request,
  isMine,
  now,
}: {
  one: DeskCaseView;
  request: DeskRequestView;
  /** Whoever looks at it asked for it. */
  isMine: boolean;
  now: number;
}) {
  const { asked, effect } = actionMessages[request.action];
  return (
    <Alert
      color="yellow"
      icon={<IconHourglassLow aria-hidden />}
      title="Espera a una segunda persona"
      data-testid="desk-request"
    >
      <Stack gap="xs">
        <Text>
          {isMine ? 'Pediste ' : <b>{request.requested_by} </b>}
          {!isMine && 'pidió '}
          {asked} {ageText(request.requested_at, now)}, el {laPazTime(request.requested_at)}.
        </Text>
        <Text style={{ overflowWrap: 'anywhere' }}>
          <b>Motivo:</b> {request.reason || 'no escribió ninguno'}
        </Text>
        {request.bank_reference && (
          <Text>
            <b>Referencia del banco:</b> {request.bank_reference}
          </Text>
        )}
        <ProofLink request={request} />
        <Text>{effect(one)}</Text>
        {isMine ? (
          <Text>
            Mueve mucho dinero, o lo mueve por segunda vez: otra persona de administración lo tiene que aprobar. Hasta
            entonces no se hace nada.
          </Text>
        ) : (
          <Decision one={one} request={request} />
        )}
      </Stack>
    </Alert>
  );
}

/** Where the proof of a payment by other means can be looked at; nothing where there is none. */
export function ProofLink({ request }: { request: DeskRequestView }) {
  return (
    request.has_proof && (
      <Anchor
        href={addressOf(endpoints.deskProof.path, { id: request.id }, undefined)}
        download
        data-testid="desk-proof-link"
      >
        Descargar el comprobante
      </Anchor>
    )
  );
}

function Decision({ one, request }: { one: DeskCaseView; request: DeskRequestView }) {
  const decide = useDecideRequest(request.id);
  const [isSure, setIsSure] = useState(false);
  const send = (approve: boolean) =>
    decide.mutate(approve, {
      onSuccess: () =>
        approve
          ? toastDone(actionMessages[request.action].done, `Envío de ${one.transaction.user}.`)
          : toastDone('Solicitud rechazada', 'No se hizo nada; el caso sigue abierto.'),
    });
  return (
    <Stack gap="xs">
      {decide.error && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="desk-decide-refused">
          {errorMessage(decide.error)}
        </Alert>
      )}
      <Group gap="sm">
        {/* Approving moves money: it takes two presses in the same place. */}
        <Button
          leftSection={<IconCheck size={18} aria-hidden />}
          loading={decide.isPending && decide.variables}
          disabled={decide.isPending}
          onClick={() => (isSure ? send(true) : setIsSure(true))}
          data-testid="desk-approve"
        >
          {isSure ? 'Sí, aprobar' : 'Aprobar'}
        </Button>
        <Button
          variant="default"
          leftSection={<IconX size={18} aria-hidden />}
          loading={decide.isPending && decide.variables === false}
          disabled={decide.isPending}
          onClick={() => (isSure ? setIsSure(false) : send(false))}
          data-testid="desk-decline"
        >
          {isSure ? 'Volver' : 'Rechazar'}
        </Button>
      </Group>
    </Stack>
  );
}
