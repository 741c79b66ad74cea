import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconInfoCircle, IconUserCheck, IconUserMinus } from '@tabler/icons-react';
import { lazy, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { DeskCaseView } from '#core/contracts/http/operations';
import { useAssignCase, useCase, useDecideRequest, useDropSettlement } from '../../../data/desk-cases.ts';
import { useSession } from '../../../data/session.ts';
import { ageText, laPazTime } from '../../../lib/format/dates.ts';
import { errorMessage } from '../../../lib/http.ts';
import { toastError } from '../../../lib/toast.ts';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { StatusBadge } from '../../shared/status-badge.tsx';
import classes from '../admin.module.css';
import { AdminDrawer } from '../admin-drawer.tsx';
import { Permitted, useMay } from '../permitted.tsx';
import { PayoutScreening } from '../transfers/screening.tsx';
import { TransferMoney } from '../transfers/transfer-cells.tsx';
import { adminStatusLabel, stateNote } from '../transfers/transfer-labels.ts';
import { History, Payment, Recipient } from '../transfers/transfer-sections.tsx';
import { DeskDialog, type DeskQuestion } from './action-dialog.tsx';
import { changesSince, messageOf, Refused, usualActions } from './action-messages.tsx';
import { CostOfWaiting, ReasonBadge } from './case-list.tsx';
import { amountAtStake, customerMeaning, reasonMessages, resolutionText, stakeWord } from './case-messages.ts';
import { PendingRequest } from './case-requests.tsx';
import { CaseDisputes, CaseNotes, CaseOperations } from './case-sections.tsx';
import { DecidedRequests } from './decided-requests.tsx';

// Asks about the person who sends.
const SenderBarred = lazy(async () => ({ default: (await import('../users/user-parts.tsx')).SenderBarred }));

/** Everything about one case and what can be done about it; over the whole screen on a phone. */
export function CaseDrawer({
  id,
  cases,
  now,
  close,
}: {
  /** Null closes the drawer. */
  id: string | null;
  /** What the list knows: shown at once. */
  cases: readonly DeskCaseView[];
  now: number;
  close: () => void;
}) {
  const [locked, setLocked] = useState(false);
  return (
    <AdminDrawer id={id} title={t`Caso`} locked={locked} close={close} testid="desk-drawer">
      {(shown) => (
        <Loaded key={shown} id={shown} row={cases.find((one) => one.id === shown)} now={now} setLocked={setLocked} />
      )}
    </AdminDrawer>
  );
}

interface DetailsProps {
  now: number;
  /** A dialog stands above: keys and clicks are its own. */
  setLocked: (locked: boolean) => void;
}

function Loaded({ id, row, ...props }: DetailsProps & { id: string; row: DeskCaseView | undefined }) {
  return (
    <div className={classes.drawerScroll}>
      <QueryView query={useCase(id, row)} loading={<LoadingRows rows={5} height={56} />}>
        {(one) => <Details one={one} {...props} />}
      </QueryView>
    </div>
  );
}

function Details({ one, now, setLocked }: DetailsProps & { one: DeskCaseView }) {
  const { transaction, details: technical } = one;
  const note = stateNote(transaction.state);
  const adminId = useSession().data?.user.id;
  // Kept here: the dialog outlives what the case offers, to say that somebody else was first.
  const [question, setQuestion] = useState<DeskQuestion | null>(null);
  const decide = useDecideRequest();
  const drop = useDropSettlement();
  const ask = (next: DeskQuestion | null) => {
    setQuestion(next);
    setLocked(next !== null);
  };
  const details = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button of an action that was carried out is gone, and with it the focus.
    if (one.actions.length === 0 && question === null && document.activeElement === document.body)
      details.current?.focus();
  }, [one.actions.length, question]);
  return (
    <Stack
      gap="lg"
      ref={details}
      tabIndex={-1}
      style={{ outline: 'none' }}
      data-testid="desk-details"
      data-case-id={one.id}
    >
      <Stack gap="xs" align="flex-start">
        <ReasonBadge reason={one.reason} />
        <Text>{reasonMessages[one.reason].what(one)}</Text>
        <Text>{customerMeaning(one)}</Text>
        <CostOfWaiting one={one} />
        {technical && (
          <Text fz="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {one.reason === 'recipient_changed' ? (
              <Trans>
                Aprobado para: <b>{technical}</b>
              </Trans>
            ) : (
              <Trans>
                Detalle técnico: <code>{technical}</code>
              </Trans>
            )}
          </Text>
        )}
        <Text fz="sm" c="dimmed">
          <Opened one={one} now={now} />
        </Text>
      </Stack>
      {transaction.user_blocked && (
        <LazyPart missing={null}>
          <SenderBarred userId={transaction.user_id} />
        </LazyPart>
      )}
      {decide.error && (
        <Refused error={decide.error} changes={changesSince(decide.variables.seen, one)} testid="desk-decide-refused" />
      )}
      {drop.error && (
        <Refused error={drop.error} changes={changesSince(drop.variables.seen, one)} testid="desk-drop-refused" />
      )}
      {one.resolved_at ? <Resolved one={one} /> : <WhatToDo one={one} now={now} ask={ask} calls={{ decide, drop }} />}
      {one.reason === 'names_not_cleared' && !one.resolved_at && (
        <PayoutScreening
          transaction={transaction}
          hint={t`Con los nombres comprobados se puede repetir el pago. Si es la persona de la lista, solo se puede devolver el dinero.`}
        />
      )}
      {question && <DeskDialog key={question} one={one} question={question} close={() => ask(null)} />}
      <CaseDisputes one={one} isOwn={transaction.user_id === adminId} />
      <CaseOperations operations={one.operations} about={one.operation?.id ?? null} />
      <DecidedRequests one={one} />
      <CaseNotes one={one} />
      <Group gap="sm">
        <StatusBadge status={transaction.status} label={adminStatusLabel(transaction.status)} />
        {note && <Text c="dimmed">{note}</Text>}
        <Anchor component={Link} to={{ search: `?transfer=${transaction.id}` }} preventScrollReset fz="sm">
          <Trans>Ver la transferencia</Trans>
        </Anchor>
      </Group>
      <TransferMoney transfer={transaction} />
      <Recipient transfer={transaction} />
      <Payment transfer={transaction} />
      <History transfer={transaction} />
    </Stack>
  );
}

/** Since when the money is where it is; of a resolved case when it began. */
function Opened({ one, now }: { one: DeskCaseView; now: number }) {
  const opened = laPazTime(one.opened_at);
  if (one.resolved_at) return <Trans>Abierto el {opened}</Trans>;
  const amount = amountAtStake(one);
  const stake = stakeWord(one.reason);
  const age = ageText(one.opened_at, now);
  return (
    <Trans>
      <b>{amount}</b> {stake} desde {age}: {opened}
    </Trans>
  );
}

/** What to do where no action is offered. */
function waitingText({ disputes }: DeskCaseView): string {
  return disputes.some(({ can_respond: canRespond }) => canRespond)
    ? t`Responde abajo antes del plazo; el banco de la tarjeta decide y el caso se cierra solo.`
    : t`Ahora no hay nada que hacer a mano: el caso se cierra solo cuando se resuelva.`;
}

function Resolved({ one }: { one: DeskCaseView }) {
  return (
    <Alert color="green" icon={<IconInfoCircle aria-hidden />} title={t`Resuelto`} data-testid="desk-resolved">
      {resolutionText(one)} {one.resolved_at && laPazTime(one.resolved_at)}
    </Alert>
  );
}

function WhatToDo({
  one,
  now,
  ask,
  calls,
}: {
  one: DeskCaseView;
  now: number;
  ask: (question: DeskQuestion) => void;
  calls: { decide: ReturnType<typeof useDecideRequest>; drop: ReturnType<typeof useDropSettlement> };
}) {
  const adminId = useSession().data?.user.id;
  const may = useMay();
  if (one.transaction.user_id === adminId)
    return (
      <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} title={t`Es tu envío`} data-testid="desk-own">
        <Trans>Nadie decide sobre su propio dinero: de este caso se ocupa otra persona de administración.</Trans>
      </Alert>
    );
  return (
    <Stack gap="md">
      <Permitted to="assignCase">
        <Assignment one={one} isMine={one.assigned_to_id === adminId} />
      </Permitted>
      {one.request ? (
        // A first press counts only for the request it was made for, as it was then.
        <PendingRequest
          key={`${one.request.id}-${one.request.reserved}`}
          one={one}
          request={one.request}
          adminId={adminId}
          now={now}
          ask={ask}
          {...calls}
        />
      ) : (
        <Group gap="sm" data-testid="desk-actions">
          {(may('actOnCase') ? one.actions : []).map((name) => (
            <Button
              key={name}
              variant={name === usualActions[one.reason] ? 'filled' : 'default'}
              onClick={() => ask(name)}
              data-testid={`desk-action-${name}`}
            >
              {i18n._(messageOf(one, name).button)}
            </Button>
          ))}
          {one.actions.length === 0 && <Text c="dimmed">{waitingText(one)}</Text>}
        </Group>
      )}
    </Stack>
  );
}

function Assignment({ one, isMine }: { one: DeskCaseView; isMine: boolean }) {
  const assign = useAssignCase(one.id);
  const change = () =>
    assign.mutate(!isMine, {
      onError: (error) => toastError(t`No se pudo cambiar quién lo tiene`, errorMessage(error)),
    });
  const Icon = isMine ? IconUserMinus : IconUserCheck;
  const keeper = one.assigned_to;
  return (
    <Group gap="sm" justify="space-between">
      <Text data-testid="desk-keeper">
        {isMine ? (
          <Trans>Lo tienes tú</Trans>
        ) : keeper ? (
          <Trans>
            Lo tiene <b>{keeper}</b>
          </Trans>
        ) : (
          <Trans>Nadie lo tiene todavía</Trans>
        )}
      </Text>
      <Button
        variant="default"
        size="sm"
        leftSection={<Icon size={18} aria-hidden />}
        loading={assign.isPending}
        onClick={change}
        data-testid="desk-assign"
      >
        {isMine ? t`Dejar el caso` : t`Tomar el caso`}
      </Button>
    </Group>
  );
}
