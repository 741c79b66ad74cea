import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHourglassLow, IconLock, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import type { DeskCaseView, DeskRequestView } from '#core/contracts/http/operations';
import type { useDecideRequest, useDropSettlement } from '../../../data/desk-cases.ts';
import { ageText, formatLaPazMoment, laPazTime } from '../../../lib/format/dates.ts';
import { addressOf } from '../../../lib/http.ts';
import { useLiveStatus } from '../../../lib/live.ts';
import { toastDone } from '../../../lib/toast.ts';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { Money } from '../../../ui/figures.tsx';
import { Section } from '../admin-drawer.tsx';
import { Permitted, useMay } from '../permitted.tsx';
import { doneTextOf, infinitiveOf, messageOf, moneyOfRequest, ofSender } from './action-messages.tsx';

interface Props {
  one: DeskCaseView;
  request: DeskRequestView;
  adminId: string | undefined;
  now: number;
  /** Kept by the case: a refusal is shown also when the request is gone. */
  decide: ReturnType<typeof useDecideRequest>;
  drop: ReturnType<typeof useDropSettlement>;
  ask: (question: 'report' | 'refute') => void;
}

const isSettlement = ({ action }: DeskRequestView) => action === 'pay_by_hand' || action === 'refund_by_hand';

/** A request that waits for a second admin, or a settlement by hand that is under way. */
export function PendingRequest(props: Props) {
  const connected = useLiveStatus((live) => live.connected);
  // A first press counts for the request it was made for, and only as long as news of that request would arrive.
  const key = `${props.request.id} ${connected}`;
  return isSettlement(props.request) ? <Settlement key={key} {...props} /> : <Permission key={key} {...props} />;
}

/** An action that one admin asked for and a second one has to approve: both read here exactly what it moves. */
function Permission({ one, request, adminId, now, decide }: Props) {
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

/** A settlement by hand: reserved, then reported, then confirmed; or denied with a proof of the bank. */
function Settlement(props: Props) {
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
function Reserved({ one, request, adminId, drop, ask }: Props) {
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
function Reported({ one, request, adminId, decide, ask }: Props) {
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

function RefuteButton({ ask }: Pick<Props, 'ask'>) {
  return (
    <Button variant="default" onClick={() => ask('refute')} data-testid="desk-refute">
      <Trans>El dinero no salió</Trans>
    </Button>
  );
}

/** A claim, with a proof of the bank, that the money never left; a second person confirms it. */
function Refutation({ one, refutation, adminId, now, decide }: Props & { refutation: DeskRequestView }) {
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

/** What moves, to whom, when it was asked for and why. */
function RequestFacts({ one, request, now }: Pick<Props, 'one' | 'request' | 'now'>) {
  const { amount, currency, reason, requested_at: at, bank_reference: reference } = request;
  const money = moneyOfRequest(one, request);
  return (
    <DataList values="beside" labelWidth={104}>
      {money && (
        <>
          <DataItem label={money.label}>
            {amount && currency ? (
              <Money amount={amount} currency={currency} fw={700} data-testid="desk-request-amount" />
            ) : (
              money.amount
            )}
          </DataItem>
          <DataItem label={t`A`}>{request.account ? accountText(request.account) : money.to}</DataItem>
        </>
      )}
      {reference && <DataItem label={t`Ref. banco`}>{reference}</DataItem>}
      <DataItem label={whenLabel(request)}>
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

function whenLabel(request: DeskRequestView): string {
  if (request.reserved) return t`Reservado`;
  if (request.action === 'refute') return t`Presentada`;
  return isSettlement(request) ? t`Registrado` : t`Pedido`;
}

/** Whom a request pays of what came back. */
function accountText({ name, bank_name: bank, bank_account: account }: NonNullable<DeskRequestView['account']>) {
  return [name, bank, t`cuenta ${account}`].join(', ');
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

/** A button that is pressed twice, in the same place, for what moves money or frees it. */
function SureButton({
  label,
  sure,
  isPending,
  onSure,
  variant = 'default',
  testid = 'desk-drop',
}: {
  label: string;
  sure: string;
  isPending: boolean;
  onSure: () => void;
  variant?: 'default' | 'filled';
  testid?: string;
}) {
  const [isSure, setIsSure] = useState(false);
  return (
    <Button
      variant={variant}
      loading={isPending}
      onClick={() => (isSure ? onSure() : setIsSure(true))}
      onBlur={() => setIsSure(false)}
      data-testid={testid}
    >
      {isSure ? sure : label}
    </Button>
  );
}

/** Approves or declines: approving takes two presses in the same place, because it moves money. */
function SureButtons({
  yes: [label, sure],
  no,
  isPending,
  isYes,
  onYes,
  onNo,
}: {
  yes: readonly [label: string, sure: string];
  no: string;
  isPending: boolean;
  /** Which of both is under way. */
  isYes: boolean;
  onYes: () => void;
  onNo: () => void;
}) {
  const [isSure, setIsSure] = useState(false);
  return (
    <Group gap="sm">
      <Button
        leftSection={<IconCheck size={18} aria-hidden />}
        loading={isPending && isYes}
        disabled={isPending}
        onClick={() => (isSure ? onYes() : setIsSure(true))}
        data-testid="desk-approve"
      >
        {isSure ? sure : label}
      </Button>
      <Button
        variant="default"
        leftSection={<IconX size={18} aria-hidden />}
        loading={isPending && !isYes}
        disabled={isPending}
        onClick={() => (isSure ? setIsSure(false) : onNo())}
        data-testid="desk-decline"
      >
        {isSure ? t`Volver` : no}
      </Button>
    </Group>
  );
}

/** What people did about a transfer, or declined, with reason and proof; takes no room while there is nothing. */
export function DecidedRequests({ one }: { one: DeskCaseView }) {
  const { decided = [] } = one;
  if (decided.length === 0) return null;
  return (
    <Section title={t`Hecho a mano`}>
      <Stack gap="sm">
        {decided.map((request) => (
          <div key={request.id} data-testid="desk-decided">
            <Text fw={600}>{decidedTitle(one, request)}</Text>
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

function decidedTitle(one: DeskCaseView, { action, outcome }: DeskRequestView): string {
  const done = doneTextOf(one, action);
  switch (outcome) {
    case 'declined':
      return t`${done} (rechazado)`;
    case 'dropped':
      return t`${done} (no se envió nada)`;
    case 'refuted':
      return t`${done} (el dinero no salió)`;
    default:
      return done;
  }
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
