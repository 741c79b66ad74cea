import type { DeskCaseView } from '#core/contracts/http/operations';
import type { CaseReason } from '#core/operations/desk-case';
import type { OperationKind } from '#core/operations/operation';
import { formatAmount, formatBolivianos } from '../../../lib/format/money.ts';
import { laPazTime } from '../la-paz-time.ts';

const paid = ({ transaction }: DeskCaseView) => formatAmount(transaction.amount, transaction.currency);
const owed = (one: DeskCaseView) => formatAmount(one.owed, one.transaction.currency);
const arrives = ({ transaction }: DeskCaseView) => formatBolivianos(transaction.amount_bs);

/** The earliest moment until which a dispute of the transfer can be answered, or null. */
function evidenceDueBy({ disputes }: DeskCaseView): string | null {
  const dues = disputes.flatMap(({ can_respond, evidence_due_by: due }) => (can_respond && due ? [due] : []));
  return dues.sort()[0] ?? null;
}

/** While an effect that has not happened is waited for. */
const costOfOperation: Readonly<Record<OperationKind, (one: DeskCaseView) => string>> = {
  authorization: () => 'el envío no empieza.',
  capture: ({ transaction: { capture_before: end } }) =>
    end
      ? `sin cobro hasta el ${laPazTime(end)}, la reserva vence y el envío se pierde.`
      : 'sin cobro no se paga a la familia.',
  void: (one) => {
    const end = one.transaction.capture_before;
    return `la tarjeta sigue reteniendo ${paid(one)}${end ? `, a más tardar hasta el ${laPazTime(end)}` : ''}.`;
  },
  refund: (one) => `quien envía sigue sin sus ${owed(one)} y puede disputar el cobro.`,
  payout: (one) => `la familia sigue sin ${arrives(one)}, y quien ya los pagó puede disputar el cobro.`,
  dispute_response: (one) => costOfDispute(one),
};

function costOfDispute(one: DeskCaseView): string {
  const due = evidenceDueBy(one);
  if (!due) return 'nada se pierde; falta la decisión del banco de la tarjeta.';
  return `sin pruebas hasta el ${laPazTime(due)}, la disputa se pierde con su comisión.`;
}

/** What was lost before the family was paid went back to the sender: it is our loss only once somebody is paid besides. */
function costOfLostDispute(one: DeskCaseView): string {
  switch (one.transaction.state) {
    case 'captured':
    case 'payout_failed':
      return 'lo que se pague a la familia además de lo perdido es pérdida nuestra.';
    case 'refunding':
      return costOfOperation.refund(one);
    case 'refunded':
      return 'nada se pierde; quien envía ya tiene su dinero y no se pagó a nadie más.';
    default:
      return 'nada más se pierde; la pérdida ya está en los libros y falta revisarla.';
  }
}

function costOfCorrection(one: DeskCaseView): string {
  const end = one.transaction.correct_account_by;
  if (!end) return `la familia sigue sin ${arrives(one)}, y quien ya los pagó puede disputar el cobro.`;
  return `la familia sigue sin ${arrives(one)}; sin otra cuenta hasta el ${laPazTime(end)}, el dinero vuelve a la tarjeta.`;
}

const costs: Readonly<Record<CaseReason, (one: DeskCaseView) => string>> = {
  operation_slow: (one) => ofOperation(one),
  operation_abandoned: (one) => ofOperation(one),
  operation_refused: (one) => ofOperation(one),
  payout_rejected: costOfCorrection,
  payout_returned: costOfCorrection,
  payout_returned_in_part: () => 'a la familia le sigue faltando lo que volvió.',
  refund_failed: (one) => `quien envía sigue sin los ${owed(one)} que le debemos y puede disputar el cobro.`,
  refund_outside: ({ transaction }) =>
    transaction.state === 'completed' || transaction.state === 'refunded'
      ? 'nada más se pierde; falta saber quién lo hizo y por qué.'
      : 'lo que se pague a la familia además de lo devuelto es pérdida nuestra.',
  fraud_warning: () => 'en cualquier momento puede llegar una disputa, con su comisión.',
  dispute_inquiry: (one) => {
    const due = evidenceDueBy(one);
    if (!due) return 'nada se pierde; falta lo que diga el banco de la tarjeta.';
    return `sin respuesta hasta el ${laPazTime(due)}, puede volverse una disputa con comisión.`;
  },
  dispute_opened: costOfDispute,
  dispute_lost: costOfLostDispute,
  contradiction: () => 'puede faltar dinero sin que nadie lo note.',
};

function ofOperation(one: DeskCaseView): string {
  return one.operation ? costOfOperation[one.operation.kind](one) : 'el envío no avanza.';
}

/** What it costs to leave an open case where it is: its deadline, or who goes without what. Goes on after a colon. */
export function costOfWaiting(one: DeskCaseView): string {
  return costs[one.reason](one);
}
