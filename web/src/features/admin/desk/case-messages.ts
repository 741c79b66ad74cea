import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { DisputeView } from '#core/contracts/http/disputes';
import type { DeskCaseView, OperationView } from '#core/contracts/http/operations';
import { parseMinor } from '#core/money/money';
import type { CaseOutcome, CaseReason } from '#core/operations/desk-case';
import { type DisputeStatus, isDecidedAgainstUs } from '#core/operations/dispute';
import type { OperationKind, OperationStatus } from '#core/operations/operation';
import { formatAmount, formatBolivianos, formatMoney } from '../../../lib/format/money.ts';
import type { Tone } from '../../../ui/tone-badge.tsx';
import { arriving } from '../transfers/transfer-labels.ts';

/** What an operation does, as a thing. */
const kindLabels: Readonly<Record<OperationKind, MessageDescriptor>> = {
  authorization: msg`Reserva en la tarjeta`,
  capture: msg`Cobro de la tarjeta`,
  void: msg`Liberación de la reserva`,
  refund: msg`Devolución a la tarjeta`,
  payout: msg`Pago al banco`,
  dispute_response: msg`Respuesta a la disputa`,
};

/** "Pago al banco", and from the second one on which it is. */
export function operationTitle({ kind, sequence }: Pick<OperationView, 'kind' | 'sequence'>): string {
  const title = i18n._(kindLabels[kind]);
  return sequence > 1 ? t`${title} n.º ${sequence}` : title;
}

/** The same as something that is tried: "Llevamos 10 intentos de …". */
const attemptsAt: Readonly<Record<OperationKind, MessageDescriptor>> = {
  authorization: msg`reservar el monto`,
  capture: msg`cobrar la tarjeta`,
  void: msg`liberar la reserva de la tarjeta`,
  refund: msg`devolver el dinero a la tarjeta`,
  payout: msg`pagar a la familia`,
  dispute_response: msg`responder a la disputa`,
};

export const operationStatuses: Readonly<Record<OperationStatus, { label: MessageDescriptor; tone: Tone }>> = {
  pending: { label: msg`Pendiente`, tone: 'wait' },
  in_flight: { label: msg`En curso`, tone: 'wait' },
  unknown: { label: msg`Sin respuesta segura`, tone: 'wait' },
  succeeded: { label: msg`Hecho`, tone: 'good' },
  failed: { label: msg`Rechazado`, tone: 'bad' },
  abandoned: { label: msg`Ya no se intenta`, tone: 'quiet' },
};

const providers: Readonly<Record<OperationView['provider'], MessageDescriptor>> = {
  stripe: msg`Stripe`,
  bank: msg`el banco`,
  manual: msg`una persona`,
};

/** Who carries an operation out, inside of a sentence. */
export const providerLabel = (provider: OperationView['provider']) => i18n._(providers[provider]);

/** Why a case is on the desk: a title for lists, a sentence about what happened. */
interface ReasonMessage {
  readonly title: MessageDescriptor;
  readonly tone: Tone;
  readonly what: (one: DeskCaseView) => string;
}

/** What the operation of a case does, after "intentos de" or "se intenta". */
export const attemptedAct = ({ operation }: DeskCaseView) =>
  operation ? i18n._(attemptsAt[operation.kind]) : t`completar un paso`;
const attemptsOf = ({ operation }: DeskCaseView) => operation?.attempts ?? 0;

function slowText(one: DeskCaseView): string {
  const act = attemptedAct(one);
  const attempts = attemptsOf(one);
  return plural(attempts, {
    one: `Llevamos # intento de ${act} sin una respuesta segura. Se sigue intentando.`,
    other: `Llevamos # intentos de ${act} sin una respuesta segura. Se sigue intentando.`,
  });
}

function abandonedText(one: DeskCaseView): string {
  const act = attemptedAct(one);
  const attempts = attemptsOf(one);
  return plural(attempts, {
    one: `Hicimos # intento de ${act} sin una respuesta segura. Ya no se intenta más.`,
    other: `Hicimos # intentos de ${act} sin una respuesta segura. Ya no se intenta más.`,
  });
}

function refusedText(one: DeskCaseView): string {
  const name = one.operation ? providerLabel(one.operation.provider) : t`el proveedor`;
  const provider = name.charAt(0).toUpperCase() + name.slice(1);
  const act = attemptedAct(one);
  return t`${provider} rechazó nuestra solicitud de ${act}. Repetirla igual no sirve.`;
}

export const reasonMessages: Readonly<Record<CaseReason, ReasonMessage>> = {
  operation_slow: {
    title: msg`Tarda más de lo normal`,
    tone: 'wait',
    what: slowText,
  },
  operation_abandoned: {
    title: msg`Se agotaron los intentos`,
    tone: 'bad',
    what: abandonedText,
  },
  operation_refused: {
    title: msg`El proveedor rechazó la solicitud`,
    tone: 'bad',
    what: refusedText,
  },
  names_not_cleared: {
    title: msg`Falta el control de nombres`,
    tone: 'bad',
    what: () =>
      t`Quien envía eligió otro destinatario. Un nombre se parece a uno de las listas de sanciones, o no se pudo comprobar: sin ese control no se paga.`,
  },
  payout_not_allowed: {
    title: msg`El banco no paga a esta persona`,
    tone: 'bad',
    what: () =>
      t`El banco se niega a pagar a esta persona. Cumplimiento decide: no le pidas otra cuenta a quien envía antes de eso.`,
  },
  payout_unexplained: {
    title: msg`Rechazo que no conocemos`,
    tone: 'bad',
    what: () =>
      t`El banco rechazó el pago con un código que no conocemos. El dinero sigue con nosotros: pregúntale al banco qué significa.`,
  },
  payout_rejected: {
    title: msg`El banco no aceptó la cuenta`,
    tone: 'wait',
    what: () =>
      t`El banco rechazó la cuenta o a su titular. Le pedimos a quien envía que la corrija o que pida su dinero.`,
  },
  payout_returned: {
    title: msg`El banco devolvió el depósito`,
    tone: 'bad',
    what: () =>
      t`El banco pagó y después devolvió todo. Le pedimos a quien envía que corrija la cuenta o que pida su dinero.`,
  },
  payout_returned_in_part: {
    title: msg`El banco devolvió una parte`,
    tone: 'bad',
    what: (one) =>
      isRestOurs(one)
        ? t`El banco pagó y después devolvió una parte. Quien envía ya tiene todo su dinero de vuelta: lo que volvió cubre nuestra pérdida.`
        : t`El banco pagó y después devolvió una parte. Es de la familia: págala otra vez, o devuelve su parte a quien envía.`,
  },
  refund_failed: {
    title: msg`La tarjeta no recibió la devolución`,
    tone: 'bad',
    what: () => t`La tarjeta rechazó la devolución. Hay que devolver el dinero por otro medio.`,
  },
  refund_outside: {
    title: msg`Devolución hecha fuera de Chasqui`,
    tone: 'bad',
    what: () => t`Alguien devolvió dinero desde el panel de Stripe; aquí nadie lo pidió.`,
  },
  captured_in_part: {
    title: msg`Se cobró solo una parte`,
    tone: 'bad',
    what: () =>
      t`De la tarjeta se cobró menos de lo acordado. No se puede pagar como si fuera todo: devuelve lo cobrado.`,
  },
  sender_blocked: {
    title: msg`Cuenta bloqueada`,
    tone: 'bad',
    what: () =>
      t`Se bloqueó la cuenta de quien envía mientras su dinero está en camino. Nada se cobra ni se paga hasta que lo decidas.`,
  },
  recipient_changed: {
    title: msg`Otro destinatario`,
    tone: 'wait',
    what: () =>
      t`Quien envía eligió a otra persona u otra cuenta después de la aprobación. No se paga hasta que alguien la apruebe.`,
  },
  settlement_by_hand: {
    title: msg`Pago a mano`,
    tone: 'wait',
    what: () =>
      t`Alguien de administración reservó el envío para pagarlo o devolverlo a mano. Nadie más puede mover este dinero hasta que eso termine.`,
  },
  fraud_warning: {
    title: msg`Aviso de posible fraude`,
    tone: 'bad',
    what: () =>
      t`El banco de la tarjeta avisó que el cobro puede ser un fraude. Devolver el dinero antes de que lo disputen evita la disputa y su comisión.`,
  },
  dispute_inquiry: {
    title: msg`El banco de la tarjeta pregunta`,
    tone: 'wait',
    what: () => t`El banco de la tarjeta pide explicaciones por el cobro; todavía no se llevó el dinero.`,
  },
  dispute_opened: {
    title: msg`Disputa de la tarjeta`,
    tone: 'bad',
    what: () =>
      t`El titular de la tarjeta disputa el cobro y su banco se llevó el dinero. Hay un plazo para las pruebas.`,
  },
  dispute_lost: {
    title: msg`Disputa perdida`,
    tone: 'bad',
    what: () => t`La disputa se perdió: el dinero se queda con el titular de la tarjeta.`,
  },
  correction_failed: {
    title: msg`No se pudo corregir un reclamo`,
    tone: 'bad',
    what: () =>
      t`El pago o la devolución que corregía un error no se pudo hacer. Quien envía ya lo sabe. El nuevo resultado se escribe en la pestaña Reclamos.`,
  },
  books_differ: {
    title: msg`Los libros no cuadran`,
    tone: 'bad',
    what: () =>
      t`Stripe o el banco tienen otras cifras de este envío que nuestros libros. Se resuelve en la pestaña Conciliación.`,
  },
  contradiction: {
    title: msg`Los datos no cuadran`,
    tone: 'bad',
    what: () => t`Lo que dice un proveedor no puede ser cierto según lo que tenemos registrado.`,
  },
};

/** What Stripe's status of a dispute means. */
const disputeStatusTexts: Readonly<Record<DisputeStatus, MessageDescriptor>> = {
  warning_needs_response: msg`El banco de la tarjeta pregunta por el pago; todavía no retiró nada.`,
  warning_under_review: msg`El banco de la tarjeta revisa la respuesta; no retiró nada.`,
  warning_closed: msg`La consulta se cerró sin consecuencias.`,
  needs_response: msg`El banco de la tarjeta retiró el monto y espera las pruebas.`,
  under_review: msg`El banco de la tarjeta revisa las pruebas.`,
  won: msg`Se ganó: el monto volvió.`,
  lost: msg`Se perdió: el monto queda con quien tiene la tarjeta.`,
  prevented: msg`Se resolvió antes de llegar a disputa.`,
  appeal_needs_response: msg`Se perdió; todavía se puede apelar en el panel de Stripe.`,
  appeal_under_review: msg`El banco de la tarjeta revisa la apelación.`,
};

/** Where a dispute stands, in a sentence. */
export function disputeStatusText(status: string): string {
  const text = disputeStatusTexts[status as DisputeStatus] as MessageDescriptor | undefined;
  return text ? i18n._(text) : `Stripe: ${status}`;
}

/** What a case means for the person who sends and for the family, in a sentence. */
export function customerMeaning({ reason, transaction, owed }: DeskCaseView): string {
  const paid = formatAmount(transaction.amount, transaction.currency);
  const arrives = formatBolivianos(transaction.amount_bs);
  switch (transaction.state) {
    case 'awaiting_payment':
      return t`Quien envía todavía no pagó nada.`;
    case 'in_review':
    case 'approved':
      return t`La tarjeta de quien envía retiene ${paid}; todavía no se cobró.`;
    case 'captured':
    case 'payout_failed':
      return t`Quien envía ya pagó ${paid} y su familia todavía no recibió ${arrives}.`;
    case 'completed':
      if (reason === 'correction_failed') return t`Quien envía espera que se corrija el error que reportó.`;
      if (reason === 'payout_returned_in_part') {
        const received = formatBolivianos(arriving(transaction));
        return t`La familia recibió solo ${received} de ${arrives}.`;
      }
      if (reason === 'refund_outside') return t`La familia ya recibió ${arrives}: lo devuelto es pérdida nuestra.`;
      return t`La familia ya recibió ${arrives}.`;
    case 'refunding':
      if (owed !== transaction.amount) {
        const due = formatAmount(owed, transaction.currency);
        return t`Quien envía pagó ${paid} y espera todavía ${due}.`;
      }
      return t`Quien envía pagó ${paid} y espera que se le devuelvan.`;
    case 'refunded':
      return t`A quien envía ya se le devolvieron ${paid}.`;
    case 'rejected':
    case 'cancelled':
    case 'failed':
    case 'expired':
      return t`El envío terminó sin cobro, pero la tarjeta puede seguir reteniendo ${paid}.`;
  }
}

/** What is with that money, after its amount: "40,00 EUR perdidos". */
export function stakeWord(reason: CaseReason): string {
  switch (reason) {
    case 'fraud_warning':
      return t`en riesgo`;
    case 'refund_outside':
      return t`devueltos`;
    case 'dispute_inquiry':
    case 'dispute_opened':
      return t`en disputa`;
    case 'dispute_lost':
      return t`perdidos`;
    default:
      return t`en espera`;
  }
}

/** The money that a case is about. */
export function amountAtStake(one: DeskCaseView): string {
  const { reason, operation, transaction, disputes, request } = one;
  const reserved = reason === 'settlement_by_hand' ? request : null;
  if (reserved?.amount && reserved.currency) return formatAmount(reserved.amount, reserved.currency);
  switch (reason) {
    case 'payout_rejected':
    case 'payout_returned':
      return formatBolivianos(transaction.amount_bs);
    case 'payout_returned_in_part':
      if (minor(one.rest) > 0n) return formatBolivianos(one.rest);
      return formatBolivianos(operation?.returned ?? transaction.amount_bs);
    case 'refund_failed':
      return owedOf(one);
    case 'refund_outside':
      return formatMoney(minor(transaction.amount) - minor(one.owed), transaction.currency);
    case 'dispute_inquiry':
    case 'dispute_opened':
    case 'dispute_lost': {
      const isMeant = ({ status }: DisputeView) => isDecidedAgainstUs(status) === (reason === 'dispute_lost');
      const amounts = disputes.filter(isMeant).map(({ amount }) => minor(amount));
      return formatMoney(
        amounts.reduce((sum, amount) => sum + amount, 0n),
        transaction.currency,
      );
    }
    default:
      if (operation) return formatAmount(operation.amount, operation.currency);
      return formatAmount(transaction.amount, transaction.currency);
  }
}

const minor = (amount: string) => parseMinor(amount) ?? 0n;

const outcomeMessages: Readonly<Record<CaseOutcome, () => string>> = {
  account_corrected: () => t`La cuenta se corrigió; se vuelve a pagar.`,
  bank_could_not_pay: () => t`El banco contestó que no pudo pagar.`,
  paid: () => t`La familia recibió el dinero.`,
  refunding: () => t`El dinero vuelve a quien envía.`,
  refunded: () => t`El dinero volvió a quien envía.`,
  uncharged: () => t`El envío terminó sin cobrarse.`,
  dispute_lost: () => t`La disputa se perdió.`,
  dispute_won: () => t`La disputa se ganó.`,
  dispute_dropped: () => t`El banco de la tarjeta no sigue con la disputa.`,
  evidence_submitted: () => t`Las pruebas están en Stripe.`,
  books_settled: () => t`Las diferencias con Stripe o el banco se resolvieron.`,
  recipient_approved: () => t`Se aprobó a quien recibe; se le paga.`,
  settlement_dropped: () => t`A mano no se envió nada; el envío siguió su camino.`,
  settlement_refuted: () => t`Dos personas confirmaron que a mano no salió dinero.`,
  complaint_decided: () => t`El reclamo tiene otro resultado.`,
  sender_unblocked: () => t`La cuenta de quien envía ya no está bloqueada.`,
  warning_past: () => t`Ya no se puede evitar una disputa: llegó, o el dinero se devolvió.`,
};

/** How a case ended: what a person wrote, or what settled it without one. */
export function resolutionText({ resolution, outcome }: DeskCaseView): string {
  if (resolution !== null) return resolution;
  return outcome === null ? t`El envío siguió su camino.` : outcomeMessages[outcome]();
}

/** Whether the returned money is ours, because the sender already has the whole charge back. */
export const isRestOurs = ({ rest, owed }: DeskCaseView): boolean => minor(rest) > 0n && minor(owed) <= 0n;

/** What the sender is still owed of the charge. */
export function owedOf({ owed, transaction }: DeskCaseView): string {
  return formatAmount(owed, transaction.currency);
}
