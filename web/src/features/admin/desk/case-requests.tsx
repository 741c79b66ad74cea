import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconHourglassLow, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import type { DeskCaseView, DeskRequestView } from '#core/contracts/http/operations';
import type { useDecideRequest } from '../../../data/desk-cases.ts';
import { ageText, formatLaPazMoment, laPazTime } from '../../../lib/format/dates.ts';
import { addressOf } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { Money } from '../../../ui/figures.tsx';
import { Section } from '../admin-drawer.tsx';
import { Permitted, useMay } from '../permitted.tsx';
import { ofSender } from './action-dialog.tsx';
import { actionMessages, moneyOfAction } from './action-messages.tsx';

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
  const { effect } = actionMessages[request.action];
  const asked = i18n._(actionMessages[request.action].asked);
  const person = request.requested_by;
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
            <Trans>Pediste {asked}.</Trans>
          ) : (
            <Trans>
              <b>{person}</b> pidió {asked}.
            </Trans>
          )}
        </Text>
        <RequestFacts one={one} request={request} now={now} />
        <Text>{effect(one)}</Text>
        {isMine ? (
          <Text>
            <Trans>
              Mueve mucho dinero, o lo mueve por segunda vez: otra persona de administración lo tiene que aprobar. Hasta
              entonces no se hace nada.
            </Trans>
          </Text>
        ) : (
          <Permitted to="decideDeskRequest">
            <Decision one={one} request={request} decide={decide} />
          </Permitted>
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
          <DataItem label={t`A`}>{money.to}</DataItem>
        </>
      )}
      {reference && <DataItem label={t`Ref. banco`}>{reference}</DataItem>}
      <DataItem label={t`Pedido`}>
        {ageText(at, now)}: {laPazTime(at)}
      </DataItem>
      <DataItem label={t`Motivo`}>{reason || t`Sin motivo escrito`}</DataItem>
      {request.has_proof && (
        <DataItem label={t`Prueba`}>
          <ProofLink request={request} />
        </DataItem>
      )}
    </DataList>
  );
}

/** Where the proof of a payment by other means can be looked at; nothing where there is none. */
function ProofLink({ request }: { request: DeskRequestView }) {
  const may = useMay();
  return (
    request.has_proof &&
    may('deskProof') && (
      <Anchor
        href={addressOf(adminRoutes.deskProof.path, { id: request.id }, undefined)}
        download
        data-testid="desk-proof-link"
      >
        <Trans>Descargar el comprobante</Trans>
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
            ? toastDone(i18n._(actionMessages[request.action].done), ofSender(one.transaction.user))
            : toastDone(t`Solicitud rechazada`, t`No se hizo nada; el caso sigue abierto.`),
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
        {isSure ? t`Sí, aprobar` : t`Aprobar`}
      </Button>
      <Button
        variant="default"
        leftSection={<IconX size={18} aria-hidden />}
        loading={decide.isPending && !decide.variables.approve}
        disabled={decide.isPending}
        onClick={() => (isSure ? setIsSure(false) : send(false))}
        data-testid="desk-decline"
      >
        {isSure ? t`Volver` : t`Rechazar`}
      </Button>
    </Group>
  );
}

/** What people did about a transfer, or declined, with reason and proof; takes no room while there is nothing. */
export function DecidedRequests({ requests }: { requests: readonly DeskRequestView[] }) {
  if (requests.length === 0) return null;
  return (
    <Section title={t`Hecho a mano`}>
      <Stack gap="sm">
        {requests.map((request) => (
          <div key={request.id} data-testid="desk-decided">
            <Text fw={600}>{decidedTitle(request)}</Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{request.reason}</Text>
            {request.amount && request.currency && (
              <Text fz="sm">
                <Money amount={request.amount} currency={request.currency} />
              </Text>
            )}
            <BankReference reference={request.bank_reference} />
            <Text fz="sm" c="dimmed" className="cq-num" style={{ whiteSpace: 'normal' }}>
              {peopleOf(request)}, {formatLaPazMoment(request.decided_at ?? request.requested_at)}
            </Text>
            <ProofLink request={request} />
          </div>
        ))}
      </Stack>
    </Section>
  );
}

function decidedTitle({ action, outcome }: DeskRequestView): string {
  const done = i18n._(actionMessages[action].button);
  return outcome === 'declined' ? t`${done} (rechazado)` : done;
}

function BankReference({ reference }: { reference: string | null }) {
  return (
    reference && (
      <Text fz="sm">
        <Trans>Referencia del banco: {reference}</Trans>
      </Text>
    )
  );
}

function peopleOf({ requested_by: one, decided_by: other, outcome }: DeskRequestView): string {
  if (!other || other === one) return one;
  return outcome === 'declined' ? t`${one}; rechazó ${other}` : t`${one}; aprobó ${other}`;
}
