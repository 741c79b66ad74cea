import type { DeskCaseView } from '#core/contracts/http/operations';
import { formatAmount, formatBolivianos } from '#core/money/format';
import type { CaseReason } from '#core/operations/desk-case';
import type { OperationKind } from '#core/operations/operation';
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
  authorization: () => 'El envío no empieza.',
  capture: ({ transaction: { capture_before: end } }) =>
    end
      ? `Sin cobro hasta el ${laPazTime(end)}, la reserva vence y el envío se pierde.`
      : 'Sin cobro no se paga a la familia.',
  void: (one) => {
    const end = one.transaction.capture_before;
    return `La tarjeta sigue reteniendo ${paid(one)}${end ? `, a más tardar hasta el ${laPazTime(end)}` : ''}.`;
  },
  refund: (one) => `Quien envía sigue sin sus ${owed(one)} y puede disputar el cobro.`,
  payout: (one) => `La familia sigue sin ${arrives(one)}, que ya están cobrados.`,
  dispute_response: (one) => costOfDispute(one),
};

function costOfDispute(one: DeskCaseView): string {
  const due = evidenceDueBy(one);
  if (!due) return 'Solo queda esperar la decisión del banco de la tarjeta.';
  return `Sin pruebas hasta el ${laPazTime(due)}, la disputa se pierde con su comisión.`;
}

const costs: Readonly<Record<CaseReason, (one: DeskCaseView) => string>> = {
  operation_slow: (one) => ofOperation(one),
  operation_abandoned: (one) => ofOperation(one),
  operation_refused: (one) => ofOperation(one),
  payout_rejected: (one) => `La familia sigue sin ${arrives(one)} hasta que quien envía corrija la cuenta.`,
  payout_returned: (one) => `La familia sigue sin ${arrives(one)} hasta que quien envía corrija la cuenta.`,
  payout_returned_in_part: () => 'A la familia le sigue faltando lo que el banco devolvió.',
  refund_failed: (one) => `Le debemos ${owed(one)} a quien envía, que puede disputar el cobro.`,
  refund_outside: ({ transaction }) =>
    transaction.state === 'completed' || transaction.state === 'refunded'
      ? 'Esperar no cuesta más: falta saber quién lo hizo y por qué.'
      : 'Lo que se pague a la familia además de lo devuelto es pérdida nuestra.',
  fraud_warning: () => 'En cualquier momento puede llegar una disputa, con su comisión.',
  dispute_inquiry: (one) => {
    const due = evidenceDueBy(one);
    if (!due) return 'Solo queda esperar lo que diga el banco de la tarjeta.';
    return `Sin respuesta hasta el ${laPazTime(due)}, puede volverse una disputa con comisión.`;
  },
  dispute_opened: costOfDispute,
  dispute_lost: () => 'Esperar no cuesta más: la pérdida ya está en los libros.',
  contradiction: () => 'Mientras no se aclare, puede faltar dinero sin que nadie lo note.',
};

function ofOperation(one: DeskCaseView): string {
  return one.operation ? costOfOperation[one.operation.kind](one) : 'El envío no avanza.';
}

/** What it costs to leave an open case where it is: its deadline, or who goes without what. */
export function costOfWaiting(one: DeskCaseView): string {
  return costs[one.reason](one);
}
