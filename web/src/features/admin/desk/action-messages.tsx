import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type {
  CaseRequestAction,
  DeskAction,
  DeskCaseView,
  DeskRequestView,
  OperationView,
} from '#core/contracts/http/operations';
import type { CaseReason } from '#core/operations/desk-case';
import { formatAmount, formatBolivianos } from '../../../lib/format/money.ts';
import { errorMessage } from '../../../lib/http.ts';
import { adminStatusLabel, arriving, cardText, stateNote } from '../transfers/transfer-labels.ts';
import {
  attemptedAct,
  disputeStatusText,
  operationStatuses,
  operationTitle,
  owedOf,
  resolutionText,
} from './case-messages.ts';

/** What is usually done about a case; where it depends, no action stands out. */
export const usualActions: Readonly<Partial<Record<CaseReason, DeskAction>>> = {
  operation_slow: 'retry',
  operation_abandoned: 'retry',
  payout_returned_in_part: 'pay_rest',
  refund_failed: 'refund_by_hand',
  refund_outside: 'resolve',
  fraud_warning: 'give_up_and_refund',
  dispute_lost: 'resolve',
  contradiction: 'resolve',
};

/** What an action is called on its button, in its dialog, and in the sentence of a request ("Marta pidió …"). */
interface ActionMessage {
  readonly button: MessageDescriptor;
  readonly title: MessageDescriptor;
  readonly infinitive: MessageDescriptor;
  /** What happens when it is done. */
  readonly effect: (one: DeskCaseView) => string;
  readonly done: MessageDescriptor;
  readonly tone: 'green' | 'red';
}

const actionMessages: Readonly<Record<DeskAction, ActionMessage>> = {
  retry: {
    button: msg`Reintentar`,
    title: msg`¿Intentarlo otra vez?`,
    infinitive: msg`intentarlo otra vez`,
    effect: (one) => {
      const act = attemptedAct(one);
      return t`Se intenta otra vez ${act}. Si en realidad ya se hizo, no se repite.`;
    },
    done: msg`Se intenta otra vez`,
    tone: 'green',
  },
  give_up_and_refund: {
    button: msg`Devolver el dinero`,
    title: msg`¿Devolver el dinero?`,
    infinitive: msg`devolver el dinero`,
    effect: (one) => {
      if (one.transaction.state === 'approved')
        return t`Se libera la tarjeta de quien envía sin cobrarle, y el envío termina rechazado. No se puede deshacer.`;
      const owed = owedOf(one);
      return t`Ya no se paga a la familia. ${owed} vuelven a la tarjeta de quien envía. No se puede deshacer.`;
    },
    done: msg`El dinero vuelve a la tarjeta`,
    tone: 'red',
  },
  refund_at_loss: {
    button: msg`Devolver a nuestra costa`,
    title: msg`¿Devolver el dinero a nuestra costa?`,
    infinitive: msg`devolver el dinero a nuestra costa`,
    effect: (one) => {
      const owed = owedOf(one);
      return t`La familia ya cobró y se queda con su dinero. ${owed} vuelven a la tarjeta y son pérdida nuestra. No se puede deshacer.`;
    },
    done: msg`El dinero vuelve a la tarjeta`,
    tone: 'red',
  },
  pay_by_hand: {
    button: msg`Pagar a mano`,
    title: msg`Reservar para pagar a mano`,
    infinitive: msg`pagar a mano`,
    effect: () =>
      t`Reserva primero; nadie más puede mover este dinero. Después paga en el banco y registra el pago con su comprobante.`,
    done: msg`Envío reservado`,
    tone: 'green',
  },
  refund_by_hand: {
    button: msg`Devolver a mano`,
    title: msg`Reservar para devolver a mano`,
    infinitive: msg`devolver a mano`,
    effect: () =>
      t`Reserva primero; nadie más puede mover este dinero. Después devuélvelo desde el banco y regístralo con su comprobante.`,
    done: msg`Envío reservado`,
    tone: 'green',
  },
  pay_rest: {
    button: msg`Pagar lo que falta`,
    title: msg`¿Pagar lo que falta?`,
    infinitive: msg`pagar lo que falta`,
    effect: (one) => {
      const rest = formatBolivianos(one.rest);
      return t`El banco paga otra vez ${rest} a la familia. Es dinero que devolvió, no una pérdida nuestra.`;
    },
    done: msg`El banco paga lo que faltaba`,
    tone: 'green',
  },
  refund_rest: {
    button: msg`Devolver la parte`,
    title: msg`¿Devolver la parte que no llegó?`,
    infinitive: msg`devolver la parte que no llegó`,
    effect: (one) => {
      const rest = formatBolivianos(one.rest);
      return keepsNothing(one)
        ? t`La familia se quedó sin nada: todo lo que falta del cobro vuelve a la tarjeta de quien envía, con la comisión. No se puede deshacer.`
        : t`Por los ${rest} que no llegaron, quien envía recibe su parte a la tasa de su envío, sin la comisión. No se puede deshacer.`;
    },
    done: msg`El dinero vuelve a la tarjeta`,
    tone: 'red',
  },
  keep_rest: {
    button: msg`Cubrir nuestra pérdida`,
    title: msg`¿Cubrir nuestra pérdida con lo que volvió?`,
    infinitive: msg`cubrir nuestra pérdida con lo que volvió`,
    effect: (one) => {
      const rest = formatBolivianos(one.rest);
      return t`Quien envía ya tiene su parte de vuelta. Los ${rest} que devolvió el banco cubren nuestra pérdida y no se paga a nadie: siempre hacen falta dos personas.`;
    },
    done: msg`Lo que volvió cubre la pérdida`,
    tone: 'red',
  },
  release_hold: {
    button: msg`Seguir con el envío`,
    title: msg`¿Seguir con el envío pese al aviso?`,
    infinitive: msg`seguir con el envío pese al aviso`,
    effect: (one) => {
      const released = releasedAmount(one);
      if (released === null)
        return t`Sigue el segundo pago que se aprobó en el reclamo. Si el cobro se pierde, la pérdida es nuestra: siempre hacen falta dos personas.`;
      const amount = formatBolivianos(released);
      return t`Se paga ${amount} a la familia. Si el cobro se pierde, la pérdida es nuestra: siempre hacen falta dos personas.`;
    },
    done: msg`El envío sigue`,
    tone: 'red',
  },
  resolve: {
    button: msg`Cerrar el caso`,
    title: msg`¿Cerrar el caso?`,
    infinitive: msg`cerrar el caso`,
    effect: () => t`No se mueve dinero. El caso sale de la lista con el motivo que escribas.`,
    done: msg`Caso cerrado`,
    tone: 'green',
  },
};

/** To let a payout go on that waits for the approval of another recipient. */
const recipientApproval: ActionMessage = {
  button: msg`Aprobar a quien recibe`,
  title: msg`¿Aprobar a quien recibe?`,
  infinitive: msg`aprobar a quien recibe`,
  effect: (one) => {
    const amount = formatBolivianos(one.transaction.amount_bs);
    return t`Se paga ${amount} a la persona y la cuenta que eligió quien envía. Confírmalo antes con quien envía, por teléfono.`;
  },
  done: msg`Se paga a quien aprobaste`,
  tone: 'green',
};

/** What the family is paid after a release: what was promised, or the rest. Null for a second payout, whose report has the amount. */
function releasedAmount({ transaction, rest }: DeskCaseView): string | null {
  if (transaction.state !== 'completed') return transaction.amount_bs;
  return rest === '0.00' ? null : rest;
}

/** What an action about a case is called. */
export function messageOf({ reason }: Pick<DeskCaseView, 'reason'>, action: DeskAction): ActionMessage {
  return action === 'release_hold' && reason === 'recipient_changed' ? recipientApproval : actionMessages[action];
}

/** What the button of a dialog says: an action that always waits for a second person is only requested. */
export function confirmTextOf(one: Pick<DeskCaseView, 'reason'>, action: DeskAction, toOtherAccount: boolean): string {
  const isRequest =
    action === 'keep_rest' || (action === 'release_hold' && one.reason !== 'recipient_changed') || toOtherAccount;
  return isRequest ? t`Pedir aprobación` : i18n._(messageOf(one, action).button);
}

/** What was done, where it is called otherwise than before. */
const doneTexts: Readonly<Partial<Record<DeskAction, MessageDescriptor>>> = {
  pay_by_hand: msg`Pagado a mano`,
  refund_by_hand: msg`Devuelto a mano`,
};

/** What a request is called in the history of a case. */
export function doneTextOf(one: Pick<DeskCaseView, 'reason'>, action: CaseRequestAction): string {
  if (action === 'refute') return t`Prueba de que el dinero no salió`;
  return i18n._(doneTexts[action] ?? messageOf(one, action).button);
}

/** The request as a phrase after "pidió". */
export function infinitiveOf(one: Pick<DeskCaseView, 'reason'>, action: CaseRequestAction): string {
  return action === 'refute' ? t`confirmar que el dinero no salió` : i18n._(messageOf(one, action).infinitive);
}

/** Whose transfer something was done about. */
export const ofSender = (user: string) => t`Envío de ${user}.`;

/** An amount, and what becomes of it. */
export interface MovedMoney {
  /** "Bs 1.291,17". */
  readonly amount: string;
  /** What the amount is: "Se paga", "Ya se devolvió". */
  readonly label: string;
  /** To whom, and where. */
  readonly to: string;
}

/** What a settlement by hand pays, or has paid. */
export function moneyOfRequest(one: DeskCaseView, request: DeskRequestView): MovedMoney | null {
  if (request.action === 'refute') return null;
  const money = moneyOfAction(one, request.action);
  if (!money || !request.amount || !request.currency) return money;
  const amount = formatAmount(request.amount, request.currency);
  if (request.action === 'pay_by_hand')
    return { ...money, amount, label: request.reserved ? t`Para pagar` : t`Ya se pagó` };
  if (request.action === 'refund_by_hand')
    return { ...money, amount, label: request.reserved ? t`Para devolver` : t`Ya se devolvió` };
  return { ...money, amount };
}

/** What an action pays, by the case as it is now; null when nothing moves. */
export function moneyOfAction(one: DeskCaseView, action: DeskAction): MovedMoney | null {
  const { transaction, operation } = one;
  switch (action) {
    case 'pay_by_hand':
      return { amount: formatBolivianos(transaction.amount_bs), label: t`Para pagar`, to: familyOf(one) };
    case 'refund_by_hand':
      return { amount: owedOf(one), label: t`Para devolver`, to: `${transaction.user} (${transaction.user_email})` };
    case 'release_hold': {
      const amount = releasedAmount(one);
      return amount === null ? null : { amount: formatBolivianos(amount), label: t`Se paga`, to: familyOf(one) };
    }
    case 'give_up_and_refund':
      if (transaction.state === 'approved') return null;
      return { amount: owedOf(one), label: t`Se devuelve`, to: cardOf(one) };
    case 'refund_at_loss':
      return { amount: owedOf(one), label: t`Se devuelve`, to: cardOf(one) };
    case 'pay_rest':
      return { amount: formatBolivianos(one.rest), label: t`Se paga`, to: familyOf(one) };
    case 'refund_rest':
      if (one.rest_share === '0.00') return null;
      return {
        amount: formatAmount(one.rest_share, transaction.currency),
        label: t`Se devuelve`,
        to: cardOf(one),
      };
    case 'retry':
      if (operation?.kind === 'payout')
        return { amount: formatAmount(operation.amount, operation.currency), label: t`Se paga`, to: familyOf(one) };
      return operation?.kind === 'refund' ? { amount: owedOf(one), label: t`Se devuelve`, to: cardOf(one) } : null;
    case 'keep_rest':
    case 'resolve':
      return null;
  }
}

/** Whether everything that the family was paid came back. */
const keepsNothing = ({ transaction }: DeskCaseView) => arriving(transaction) === '0.00';

function familyOf({ transaction: { recipient, recipient_details } }: DeskCaseView): string {
  const { bank_name: bank, bank_account: account } = recipient_details;
  return [recipient, bank, account && t`cuenta ${account}`].filter(Boolean).join(', ');
}

function cardOf({ transaction }: DeskCaseView): string {
  return `${transaction.user}, ${cardText(transaction)}`;
}

/** Why something was not done, and what changed about the case since the person read it. */
export function Refused({
  error,
  changes = [],
  testid = 'desk-refused',
}: {
  /** Or the message itself. */
  error: Error | string;
  changes?: readonly string[];
  testid?: string;
}) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" w="100%" data-testid={testid}>
      {typeof error === 'string' ? error : errorMessage(error)}
      {changes.length > 0 && (
        <>
          <Text fz="sm" fw={600} mt="xs">
            <Trans>Cambió mientras tanto:</Trans>
          </Text>
          <List fz="sm" data-testid="desk-changes">
            {changes.map((change) => (
              <List.Item key={change}>{change}</List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}

/** What became different about a case since somebody read it, a sentence each; empty when nothing did. */
export function changesSince(seen: DeskCaseView, now: DeskCaseView): string[] {
  return [
    ...changesOfRequests(seen, now),
    ...changesOfOperations(seen.operations, now.operations),
    ...changesOfDisputes(seen, now),
    ...changesOfState(stateText(seen), stateText(now)),
    ...changesOfDebt(owedOf(seen), owedOf(now)),
    ...changesOfRest(formatBolivianos(seen.rest), formatBolivianos(now.rest)),
    ...(seen.assigned_to_id === now.assigned_to_id ? [] : [keeperText(now)]),
    ...(seen.notes.length < now.notes.length ? [noteText(now)] : []),
    ...(!seen.resolved_at && now.resolved_at ? [closedText(now)] : []),
  ];
}

const stateText = ({ transaction: { state, status } }: DeskCaseView) => stateNote(state) ?? adminStatusLabel(status);

const changesOfState = (before: string, after: string) =>
  before === after ? [] : [t`El envío pasó de «${before}» a «${after}».`];

const changesOfDebt = (before: string, after: string) =>
  before === after ? [] : [t`Lo que se le debe a quien envía cambió de ${before} a ${after}.`];

const changesOfRest = (before: string, after: string) =>
  before === after ? [] : [t`Lo que se le debe a la familia cambió de ${before} a ${after}.`];

const keeperText = ({ assigned_to: name }: DeskCaseView) => (name ? t`Ahora lo tiene ${name}.` : t`Ya nadie lo tiene.`);

function noteText({ notes }: DeskCaseView): string {
  const author = notes.at(-1)?.author ?? t`Otra persona`;
  return t`${author} escribió una nota.`;
}

function closedText(now: DeskCaseView): string {
  const resolution = resolutionText(now);
  return t`El caso se cerró: ${resolution}`;
}

function changesOfRequests(seen: DeskCaseView, now: DeskCaseView): string[] {
  const { request, refutation, decided = [] } = now;
  const known = new Set(seen.decided?.map(({ id }) => id));
  const done = decided.filter(({ id }) => !known.has(id)).map((one) => decisionText(now, one));
  const isNew = request && (request.id !== seen.request?.id || request.reserved !== seen.request.reserved);
  const doubted = refutation && refutation.id !== seen.refutation?.id;
  return [...done, ...(isNew ? [requestText(now, request)] : []), ...(doubted ? [requestText(now, refutation)] : [])];
}

function decisionText(
  one: DeskCaseView,
  { action, outcome, requested_by: requester, decided_by: decider }: DeskRequestView,
): string {
  if (outcome === 'dropped') return t`${requester} no envió nada y liberó el envío.`;
  if (outcome === 'refuted') return t`Dos personas confirmaron que el dinero no salió.`;
  if (!decider) {
    const done = doneTextOf(one, action);
    return t`${requester} ya lo hizo: ${done}.`;
  }
  const infinitive = infinitiveOf(one, action);
  return outcome === 'declined' ? t`${decider} rechazó ${infinitive}.` : t`${decider} aprobó ${infinitive}.`;
}

function requestText(one: DeskCaseView, { action, reserved, requested_by: requester }: DeskRequestView): string {
  const infinitive = infinitiveOf(one, action);
  if (reserved) return t`${requester} reservó el envío para ${infinitive}.`;
  if (action === 'pay_by_hand' || action === 'refund_by_hand')
    return t`${requester} registró que el dinero salió; espera a una segunda persona.`;
  return t`${requester} pidió ${infinitive}; espera a una segunda persona.`;
}

function changesOfOperations(seen: readonly OperationView[], now: readonly OperationView[]): string[] {
  const known = new Map(seen.map(({ id, status }) => [id, status]));
  return now
    .filter(({ id, status }) => known.get(id) !== status)
    .map((operation) => {
      return `${operationTitle(operation)}: ${i18n._(operationStatuses[operation.status].label).toLowerCase()}.`;
    });
}

function changesOfDisputes(seen: DeskCaseView, now: DeskCaseView): string[] {
  const known = new Map(seen.disputes.map(({ id, status }) => [id, status]));
  return now.disputes
    .filter(({ id, status }) => known.get(id) !== status)
    .map(({ status }) => disputeStatusText(status));
}
