import { t } from '@lingui/core/macro';
import type { DeskCaseView } from '#core/contracts/http/operations';
import type { CaseReason } from '#core/operations/desk-case';
import type { OperationKind } from '#core/operations/operation';
import { laPazTime } from '../../../lib/format/dates.ts';
import { formatAmount, formatBolivianos } from '../../../lib/format/money.ts';
import { isRestOurs } from './case-messages.ts';

const paid = ({ transaction }: DeskCaseView) => formatAmount(transaction.amount, transaction.currency);
const owed = (one: DeskCaseView) => formatAmount(one.owed, one.transaction.currency);
const arrives = ({ transaction }: DeskCaseView) => formatBolivianos(transaction.amount_bs);

/** The earliest moment until which a dispute of the transfer can be answered, or null. */
function evidenceDueBy({ disputes }: DeskCaseView): string | null {
  const dues = disputes.flatMap(({ can_respond, evidence_due_by: due }) => (can_respond && due ? [due] : []));
  return dues.sort()[0] ?? null;
}

function costOfNoPayout(one: DeskCaseView): string {
  const amount = arrives(one);
  return t`la familia sigue sin ${amount}, y quien ya los pagó puede disputar el cobro.`;
}

/** While an effect that has not happened is waited for. */
const costOfOperation: Readonly<Record<OperationKind, (one: DeskCaseView) => string>> = {
  authorization: () => t`el envío no empieza.`,
  capture: ({ transaction: { capture_before: end } }) => {
    if (!end) return t`sin cobro no se paga a la familia.`;
    const until = laPazTime(end);
    return t`sin cobro hasta el ${until}, la reserva vence y el envío se pierde.`;
  },
  void: (one) => {
    const held = paid(one);
    const end = one.transaction.capture_before;
    if (!end) return t`la tarjeta sigue reteniendo ${held}.`;
    const until = laPazTime(end);
    return t`la tarjeta sigue reteniendo ${held}, a más tardar hasta el ${until}.`;
  },
  refund: (one) => {
    const amount = owed(one);
    return t`quien envía sigue sin sus ${amount} y puede disputar el cobro.`;
  },
  payout: costOfNoPayout,
  dispute_response: (one) => costOfDispute(one),
};

function costOfDispute(one: DeskCaseView): string {
  const due = evidenceDueBy(one);
  if (!due) return t`nada se pierde; falta la decisión del banco de la tarjeta.`;
  const until = laPazTime(due);
  return t`sin pruebas hasta el ${until}, la disputa se pierde con su comisión.`;
}

/** What was lost before the family was paid went back to the sender: it is our loss only once somebody is paid besides. */
function costOfLostDispute(one: DeskCaseView): string {
  switch (one.transaction.state) {
    case 'captured':
    case 'payout_failed':
      return t`lo que se pague a la familia además de lo perdido es pérdida nuestra.`;
    case 'refunding':
      return costOfOperation.refund(one);
    case 'refunded':
      return t`nada se pierde; quien envía ya tiene su dinero y no se pagó a nadie más.`;
    default:
      return t`nada más se pierde; la pérdida ya está en los libros y falta revisarla.`;
  }
}

function costOfCorrection(one: DeskCaseView): string {
  const end = one.transaction.correct_account_by;
  if (!end) return costOfNoPayout(one);
  const amount = arrives(one);
  const until = laPazTime(end);
  return t`la familia sigue sin ${amount}; sin otra cuenta hasta el ${until}, el dinero vuelve a la tarjeta.`;
}

const costs: Readonly<Record<CaseReason, (one: DeskCaseView) => string>> = {
  operation_slow: (one) => ofOperation(one),
  operation_abandoned: (one) => ofOperation(one),
  operation_refused: (one) => ofOperation(one),
  names_not_cleared: costOfNoPayout,
  payout_not_allowed: costOfNoPayout,
  payout_unexplained: costOfNoPayout,
  payout_rejected: costOfCorrection,
  payout_returned: costOfCorrection,
  payout_returned_in_part: (one) =>
    isRestOurs(one)
      ? t`nada más se pierde; falta anotar que lo que volvió cubre nuestra pérdida.`
      : t`a la familia le sigue faltando lo que volvió.`,
  refund_failed: (one) => {
    const amount = owed(one);
    return t`quien envía sigue sin los ${amount} que le debemos y puede disputar el cobro.`;
  },
  refund_outside: ({ transaction }) =>
    transaction.state === 'completed' || transaction.state === 'refunded'
      ? t`nada más se pierde; falta saber quién lo hizo y por qué.`
      : t`lo que se pague a la familia además de lo devuelto es pérdida nuestra.`,
  captured_in_part: () => t`quien envía pagó una parte y su familia no recibe nada.`,
  recipient_changed: costOfNoPayout,
  settlement_by_hand: () => t`si el dinero ya salió y no se registra, los libros no lo saben.`,
  sender_blocked: () => t`el dinero se queda donde está.`,
  fraud_warning: () => t`en cualquier momento puede llegar una disputa, con su comisión.`,
  dispute_inquiry: (one) => {
    const due = evidenceDueBy(one);
    if (!due) return t`nada se pierde; falta lo que diga el banco de la tarjeta.`;
    const until = laPazTime(due);
    return t`sin respuesta hasta el ${until}, puede volverse una disputa con comisión.`;
  },
  dispute_opened: costOfDispute,
  dispute_lost: costOfLostDispute,
  correction_failed: () => t`el error que reportó quien envía sigue sin corregir, y su plazo corre.`,
  books_differ: () => t`el día no se puede cerrar.`,
  contradiction: () => t`puede faltar dinero sin que nadie lo note.`,
};

function ofOperation(one: DeskCaseView): string {
  return one.operation ? costOfOperation[one.operation.kind](one) : t`el envío no avanza.`;
}

/** What it costs to leave an open case where it is: its deadline, or who goes without what. Goes on after a colon. */
export function costOfWaiting(one: DeskCaseView): string {
  return costs[one.reason](one);
}
