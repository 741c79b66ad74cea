import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { DeskAction, DeskCaseView, DeskRequestView, OperationView } from '#core/contracts/http/operations';
import type { CaseReason } from '#core/operations/desk-case';
import { formatAmount, formatBolivianos } from '../../../lib/format/money.ts';
import { errorMessage } from '../../../lib/http.ts';
import { adminStatusLabel, cardText, stateNote } from '../transfers/transfer-labels.ts';
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
  payout_returned_in_part: 'resolve',
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
  readonly asked: MessageDescriptor;
  /** What happens when it is done. */
  readonly effect: (one: DeskCaseView) => string;
  readonly done: MessageDescriptor;
  readonly tone: 'green' | 'red';
}

export const actionMessages: Readonly<Record<DeskAction, ActionMessage>> = {
  retry: {
    button: msg`Reintentar`,
    title: msg`¿Intentarlo otra vez?`,
    asked: msg`intentarlo otra vez`,
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
    asked: msg`devolver el dinero`,
    effect: (one) => {
      const owed = owedOf(one);
      return t`Ya no se paga a la familia. ${owed} vuelven a la tarjeta de quien envía. No se puede deshacer.`;
    },
    done: msg`El dinero vuelve a la tarjeta`,
    tone: 'red',
  },
  refund_at_loss: {
    button: msg`Devolver a nuestra costa`,
    title: msg`¿Devolver el dinero a nuestra costa?`,
    asked: msg`devolver el dinero a nuestra costa`,
    effect: (one) => {
      const owed = owedOf(one);
      return t`La familia ya cobró y se queda con su dinero. ${owed} vuelven a la tarjeta y son pérdida nuestra. No se puede deshacer.`;
    },
    done: msg`El dinero vuelve a la tarjeta`,
    tone: 'red',
  },
  pay_by_hand: {
    button: msg`Pagado a mano`,
    title: msg`Registrar un pago a mano`,
    asked: msg`registrar que se pagó a mano`,
    effect: () =>
      t`Chasqui no paga nada: queda escrito que la familia ya cobró por otro medio, y el envío se completa.`,
    done: msg`Pago a mano registrado`,
    tone: 'green',
  },
  refund_by_hand: {
    button: msg`Devuelto a mano`,
    title: msg`Registrar una devolución a mano`,
    asked: msg`registrar que se devolvió a mano`,
    effect: () => t`Chasqui no devuelve nada: queda escrito que quien envía ya recibió su dinero por otro medio.`,
    done: msg`Devolución a mano registrada`,
    tone: 'green',
  },
  resolve: {
    button: msg`Cerrar el caso`,
    title: msg`¿Cerrar el caso?`,
    asked: msg`cerrar el caso`,
    effect: () => t`No se mueve dinero. El caso sale de la lista con el motivo que escribas.`,
    done: msg`Caso cerrado`,
    tone: 'green',
  },
};

/** An amount, and what becomes of it. */
interface MovedMoney {
  /** "Bs 1.291,17". */
  readonly amount: string;
  /** What the amount is: "Se paga", "Ya se devolvió". */
  readonly label: string;
  /** To whom, and where. */
  readonly to: string;
}

/** What an action pays, or says was paid, by the case as it is now; null when nothing moves. */
export function moneyOfAction(one: DeskCaseView, action: DeskAction): MovedMoney | null {
  const { transaction, operation } = one;
  switch (action) {
    case 'pay_by_hand':
      return { amount: formatBolivianos(transaction.amount_bs), label: t`Ya se pagó`, to: familyOf(one) };
    case 'refund_by_hand':
      return { amount: owedOf(one), label: t`Ya se devolvió`, to: `${transaction.user} (${transaction.user_email})` };
    case 'give_up_and_refund':
    case 'refund_at_loss':
      return { amount: owedOf(one), label: t`Se devuelve`, to: cardOf(one) };
    case 'retry':
      if (operation?.kind === 'payout')
        return { amount: formatAmount(operation.amount, operation.currency), label: t`Se paga`, to: familyOf(one) };
      return operation?.kind === 'refund' ? { amount: owedOf(one), label: t`Se devuelve`, to: cardOf(one) } : null;
    case 'resolve':
      return null;
  }
}

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

const keeperText = ({ assigned_to: name }: DeskCaseView) => (name ? t`Ahora lo tiene ${name}.` : t`Ya nadie lo tiene.`);

function noteText({ notes }: DeskCaseView): string {
  const author = notes.at(-1)?.author ?? t`Otra persona`;
  return t`${author} escribió una nota.`;
}

function closedText(now: DeskCaseView): string {
  const resolution = resolutionText(now);
  return t`El caso se cerró: ${resolution}`;
}

function changesOfRequests(seen: DeskCaseView, { request, decided = [] }: DeskCaseView): string[] {
  const known = new Set(seen.decided?.map(({ id }) => id));
  const done = decided.filter(({ id }) => !known.has(id)).map(decisionText);
  return request && request.id !== seen.request?.id ? [...done, requestText(request)] : done;
}

function decisionText({ action, outcome, requested_by: requester, decided_by: decider }: DeskRequestView): string {
  if (!decider) {
    const button = i18n._(actionMessages[action].button);
    return t`${requester} ya lo hizo: ${button}.`;
  }
  const asked = i18n._(actionMessages[action].asked);
  return outcome === 'declined' ? t`${decider} rechazó ${asked}.` : t`${decider} aprobó ${asked}.`;
}

function requestText({ action, requested_by: requester }: DeskRequestView): string {
  const asked = i18n._(actionMessages[action].asked);
  return t`${requester} pidió ${asked}; espera a una segunda persona.`;
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
