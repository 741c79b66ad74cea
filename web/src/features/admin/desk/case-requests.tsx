import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconHourglassLow, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { DeskCaseView, DeskRequestView } from '#core/contracts/http/operations';
import { routes } from '#core/contracts/http/routes';
import type { useDecideRequest } from '../../../data/desk-cases.ts';
import { ageText } from '../../../lib/format/dates.ts';
import { addressOf } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { Money } from '../../../ui/figures.tsx';
import { Section } from '../admin-drawer.tsx';
import { laPazShort, laPazTime } from '../la-paz-time.ts';
import { actionMessages, moneyOfAction } from './action-messages.ts';

interface Props {
  one: DeskCaseView;
  request: DeskRequestView;
  /** The signed-in admin asked for it. */
  isMine: boolean;
  now: number;
  /** Kept by the case: a refusal is shown also when the request is gone. */
  decide: ReturnType<typeof useDecideRequest>;
}

/** An action that one admin asked for and a second one has to approve: both read here exactly what it moves. */
export function PendingRequest({ one, request, isMine, now, decide }: Props) {
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
          {asked}.
        </Text>
        <RequestFacts one={one} request={request} now={now} />
        <Text>{effect(one)}</Text>
        {isMine ? (
          <Text>
            Mueve mucho dinero, o lo mueve por segunda vez: otra persona de administración lo tiene que aprobar. Hasta
            entonces no se hace nada.
          </Text>
        ) : (
          <Decision one={one} request={request} decide={decide} />
        )}
      </Stack>
    </Alert>
  );
}

/** What moves, to whom, when it was asked for and why. */
function RequestFacts({ one, request, now }: Pick<Props, 'one' | 'request' | 'now'>) {
  const { amount, currency, reason, requested_at: at, bank_reference: reference } = request;
  const money = moneyOfAction(one, request.action);
  return (
    <DataList values="beside" labelWidth={104}>
      {money && amount && currency && (
        <>
          <DataItem label={money.label}>
            <Money amount={amount} currency={currency} fw={700} data-testid="desk-request-amount" />
          </DataItem>
          <DataItem label="A">{money.to}</DataItem>
        </>
      )}
      {reference && <DataItem label="Ref. banco">{reference}</DataItem>}
      <DataItem label="Pedido">
        {ageText(at, now)}: {laPazTime(at)}
      </DataItem>
      <DataItem label="Motivo">{reason || 'Sin motivo escrito'}</DataItem>
      {request.has_proof && (
        <DataItem label="Prueba">
          <ProofLink request={request} />
        </DataItem>
      )}
    </DataList>
  );
}

/** Where the proof of a payment by other means can be looked at; nothing where there is none. */
function ProofLink({ request }: { request: DeskRequestView }) {
  return (
    request.has_proof && (
      <Anchor
        href={addressOf(routes.deskProof.path, { id: request.id }, undefined)}
        download
        data-testid="desk-proof-link"
      >
        Descargar el comprobante
      </Anchor>
    )
  );
}

function Decision({ one, request, decide }: Pick<Props, 'one' | 'request' | 'decide'>) {
  const [isSure, setIsSure] = useState(false);
  const send = (approve: boolean) =>
    decide.mutate(
      { requestId: request.id, approve, seen: one },
      {
        onSuccess: () =>
          approve
            ? toastDone(actionMessages[request.action].done, `Envío de ${one.transaction.user}.`)
            : toastDone('Solicitud rechazada', 'No se hizo nada; el caso sigue abierto.'),
      },
    );
  return (
    <Group gap="sm">
      {/* Approving moves money: it takes two presses in the same place. */}
      <Button
        leftSection={<IconCheck size={18} aria-hidden />}
        loading={decide.isPending && decide.variables.approve}
        disabled={decide.isPending}
        onClick={() => (isSure ? send(true) : setIsSure(true))}
        data-testid="desk-approve"
      >
        {isSure ? 'Sí, aprobar' : 'Aprobar'}
      </Button>
      <Button
        variant="default"
        leftSection={<IconX size={18} aria-hidden />}
        loading={decide.isPending && !decide.variables.approve}
        disabled={decide.isPending}
        onClick={() => (isSure ? setIsSure(false) : send(false))}
        data-testid="desk-decline"
      >
        {isSure ? 'Volver' : 'Rechazar'}
      </Button>
    </Group>
  );
}

/** What people did about a transfer, or declined, with reason and proof; takes no room while there is nothing. */
export function DecidedRequests({ requests }: { requests: readonly DeskRequestView[] }) {
  if (requests.length === 0) return null;
  return (
    <Section title="Hecho a mano">
      <Stack gap="sm">
        {requests.map((request) => (
          <div key={request.id} data-testid="desk-decided">
            <Text fw={600}>
              {actionMessages[request.action].button}
              {request.outcome === 'declined' && ' (rechazado)'}
            </Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{request.reason}</Text>
            {request.amount && request.currency && (
              <Text fz="sm">
                <Money amount={request.amount} currency={request.currency} />
              </Text>
            )}
            {request.bank_reference && <Text fz="sm">Referencia del banco: {request.bank_reference}</Text>}
            <Text fz="sm" c="dimmed" className="cq-num" style={{ whiteSpace: 'normal' }}>
              {peopleOf(request)}, {laPazShort(request.decided_at ?? request.requested_at)}
            </Text>
            <ProofLink request={request} />
          </div>
        ))}
      </Stack>
    </Section>
  );
}

function peopleOf({ requested_by, decided_by, outcome }: DeskRequestView): string {
  if (!decided_by || decided_by === requested_by) return requested_by;
  return `${requested_by}; ${outcome === 'declined' ? 'rechazó' : 'aprobó'} ${decided_by}`;
}
