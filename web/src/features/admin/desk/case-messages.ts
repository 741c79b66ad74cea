import type { DisputeView } from '#core/contracts/http/disputes';
import type { DeskCaseView, OperationView } from '#core/contracts/http/operations';
import { parseMinor } from '#core/money/money';
import type { CaseReason } from '#core/operations/desk-case';
import type { DisputeStatus } from '#core/operations/dispute';
import type { OperationKind, OperationStatus } from '#core/operations/operation';
import { formatAmount, formatBolivianos, formatMoney } from '../../../lib/format/money.ts';
import type { Tone } from '../../../ui/tone-badge.tsx';

/** What an operation does, as a thing. */
const kindLabels: Readonly<Record<OperationKind, string>> = {
  authorization: 'Reserva en la tarjeta',
  capture: 'Cobro de la tarjeta',
  void: 'Liberación de la reserva',
  refund: 'Devolución a la tarjeta',
  payout: 'Pago al banco',
  dispute_response: 'Respuesta a la disputa',
};

/** "Pago al banco", and from the second one on which it is. */
export function operationTitle({ kind, sequence }: Pick<OperationView, 'kind' | 'sequence'>): string {
  return kindLabels[kind] + (sequence > 1 ? ` n.º ${sequence}` : '');
}

/** The same as something that is tried: "Llevamos 10 intentos de …". */
const attemptsAt: Readonly<Record<OperationKind, string>> = {
  authorization: 'reservar el monto',
  capture: 'cobrar la tarjeta',
  void: 'liberar la reserva de la tarjeta',
  refund: 'devolver el dinero a la tarjeta',
  payout: 'pagar a la familia',
  dispute_response: 'responder a la disputa',
};

export const operationStatuses: Readonly<Record<OperationStatus, { label: string; tone: Tone }>> = {
  pending: { label: 'Pendiente', tone: 'wait' },
  in_flight: { label: 'En curso', tone: 'wait' },
  unknown: { label: 'Sin respuesta segura', tone: 'wait' },
  succeeded: { label: 'Hecho', tone: 'good' },
  failed: { label: 'Rechazado', tone: 'bad' },
  abandoned: { label: 'Ya no se intenta', tone: 'quiet' },
};

export const providerLabels: Readonly<Record<OperationView['provider'], string>> = {
  stripe: 'Stripe',
  bank: 'el banco',
  manual: 'una persona',
};

/** Why a case is on the desk: a title for lists, a sentence about what happened. */
interface ReasonMessage {
  readonly title: string;
  readonly tone: Tone;
  readonly what: (one: DeskCaseView) => string;
}

/** What the operation of a case does, after "intentos de" or "se intenta". */
export const attemptedAct = ({ operation }: DeskCaseView) =>
  operation ? attemptsAt[operation.kind] : 'completar un paso';
const attempts = ({ operation }: DeskCaseView) => {
  const count = operation?.attempts ?? 0;
  return count === 1 ? '1 intento' : `${count} intentos`;
};
const provider = ({ operation }: DeskCaseView) => {
  const name = operation ? providerLabels[operation.provider] : 'el proveedor';
  return name.charAt(0).toUpperCase() + name.slice(1);
};

export const reasonMessages: Readonly<Record<CaseReason, ReasonMessage>> = {
  operation_slow: {
    title: 'Tarda más de lo normal',
    tone: 'wait',
    what: (one) => `Llevamos ${attempts(one)} de ${attemptedAct(one)} sin una respuesta segura. Se sigue intentando.`,
  },
  operation_abandoned: {
    title: 'Se agotaron los intentos',
    tone: 'bad',
    what: (one) => `Hicimos ${attempts(one)} de ${attemptedAct(one)} sin una respuesta segura. Ya no se intenta más.`,
  },
  operation_refused: {
    title: 'El proveedor rechazó la solicitud',
    tone: 'bad',
    what: (one) => `${provider(one)} rechazó nuestra solicitud de ${attemptedAct(one)}. Repetirla igual no sirve.`,
  },
  payout_rejected: {
    title: 'El banco no aceptó la cuenta',
    tone: 'wait',
    what: () =>
      'El banco rechazó la cuenta o a su titular. Le pedimos a quien envía que la corrija o que pida su dinero.',
  },
  payout_returned: {
    title: 'El banco devolvió el depósito',
    tone: 'bad',
    what: () =>
      'El banco pagó y después devolvió todo. Le pedimos a quien envía que corrija la cuenta o que pida su dinero.',
  },
  payout_returned_in_part: {
    title: 'El banco devolvió una parte',
    tone: 'bad',
    what: () =>
      'El banco pagó y después devolvió una parte. Acuerda con quien envía cómo le llega a su familia, y escríbelo al cerrar.',
  },
  refund_failed: {
    title: 'La tarjeta no recibió la devolución',
    tone: 'bad',
    what: () => 'La tarjeta rechazó la devolución. Hay que devolver el dinero por otro medio.',
  },
  refund_outside: {
    title: 'Devolución hecha fuera de Chasqui',
    tone: 'bad',
    what: () => 'Alguien devolvió dinero desde el panel de Stripe; aquí nadie lo pidió.',
  },
  fraud_warning: {
    title: 'Aviso de posible fraude',
    tone: 'bad',
    what: () =>
      'El banco de la tarjeta avisó que el cobro puede ser un fraude. Devolver el dinero antes de que lo disputen evita la disputa y su comisión.',
  },
  dispute_inquiry: {
    title: 'El banco de la tarjeta pregunta',
    tone: 'wait',
    what: () => 'El banco de la tarjeta pide explicaciones por el cobro; todavía no se llevó el dinero.',
  },
  dispute_opened: {
    title: 'Disputa de la tarjeta',
    tone: 'bad',
    what: () =>
      'El titular de la tarjeta disputa el cobro y su banco se llevó el dinero. Hay un plazo para las pruebas.',
  },
  dispute_lost: {
    title: 'Disputa perdida',
    tone: 'bad',
    what: () => 'La disputa se perdió: el dinero se queda con el titular de la tarjeta.',
  },
  contradiction: {
    title: 'Los datos no cuadran',
    tone: 'bad',
    what: () => 'Lo que dice un proveedor no puede ser cierto según lo que tenemos registrado.',
  },
};

/** What Stripe's status of a dispute means. */
const disputeStatusTexts: Readonly<Record<DisputeStatus, string>> = {
  warning_needs_response: 'El banco de la tarjeta pregunta por el pago; todavía no retiró nada.',
  warning_under_review: 'El banco de la tarjeta revisa la respuesta; no retiró nada.',
  warning_closed: 'La consulta se cerró sin consecuencias.',
  needs_response: 'El banco de la tarjeta retiró el monto y espera las pruebas.',
  under_review: 'El banco de la tarjeta revisa las pruebas.',
  won: 'Se ganó: el monto volvió.',
  lost: 'Se perdió: el monto queda con quien tiene la tarjeta.',
  prevented: 'Se resolvió antes de llegar a disputa.',
  appeal_needs_response: 'Se perdió; todavía se puede apelar en el panel de Stripe.',
  appeal_under_review: 'El banco de la tarjeta revisa la apelación.',
};

/** Where a dispute stands, in a sentence. */
export function disputeStatusText(status: string): string {
  return disputeStatusTexts[status as DisputeStatus] ?? `Stripe: ${status}`;
}

/** What a case means for the person who sends and for the family, in a sentence. */
export function customerMeaning({ reason, transaction, owed }: DeskCaseView): string {
  const paid = formatAmount(transaction.amount, transaction.currency);
  const arrives = formatBolivianos(transaction.amount_bs);
  switch (transaction.state) {
    case 'awaiting_payment':
      return 'Quien envía todavía no pagó nada.';
    case 'in_review':
    case 'approved':
      return `La tarjeta de quien envía retiene ${paid}; todavía no se cobró.`;
    case 'captured':
    case 'payout_failed':
      return `Quien envía ya pagó ${paid} y su familia todavía no recibió ${arrives}.`;
    case 'completed':
      if (reason === 'payout_returned_in_part') {
        const received = minor(transaction.amount_bs) - minor(transaction.payout_returned);
        return `La familia recibió solo ${formatMoney(received, 'BOB')} de ${arrives}.`;
      }
      if (reason === 'refund_outside') return `La familia ya recibió ${arrives}: lo devuelto es pérdida nuestra.`;
      return `La familia ya recibió ${arrives}.`;
    case 'refunding':
      if (owed !== transaction.amount)
        return `Quien envía pagó ${paid} y espera todavía ${formatAmount(owed, transaction.currency)}.`;
      return `Quien envía pagó ${paid} y espera que se le devuelvan.`;
    case 'refunded':
      return `A quien envía ya se le devolvieron ${paid}.`;
    case 'rejected':
    case 'cancelled':
    case 'failed':
    case 'expired':
      return `El envío terminó sin cobro, pero la tarjeta puede seguir reteniendo ${paid}.`;
  }
}

/** What is with that money, after its amount: "40,00 EUR perdidos". */
export function stakeWord(reason: CaseReason): string {
  switch (reason) {
    case 'fraud_warning':
      return 'en riesgo';
    case 'refund_outside':
      return 'devueltos';
    case 'dispute_inquiry':
    case 'dispute_opened':
      return 'en disputa';
    case 'dispute_lost':
      return 'perdidos';
    default:
      return 'en espera';
  }
}

/** The money that a case is about. */
export function amountAtStake(one: DeskCaseView): string {
  const { reason, operation, transaction, disputes } = one;
  switch (reason) {
    case 'payout_rejected':
    case 'payout_returned':
      return formatBolivianos(transaction.amount_bs);
    case 'payout_returned_in_part':
      return formatBolivianos(operation?.returned ?? transaction.amount_bs);
    case 'refund_failed':
      return owedOf(one);
    case 'refund_outside':
      return formatMoney(minor(transaction.amount) - minor(one.owed), transaction.currency);
    case 'dispute_inquiry':
    case 'dispute_opened':
    case 'dispute_lost': {
      const isMeant = ({ status }: DisputeView) => (status === 'lost') === (reason === 'dispute_lost');
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

/** How a case ended: what a person wrote, or what became of the transfer. */
export function resolutionText({ resolution, transaction }: DeskCaseView): string {
  if (resolution !== null) return resolution;
  switch (transaction.state) {
    case 'completed':
      return 'La familia recibió el dinero.';
    case 'refunded':
      return 'El dinero volvió a quien envía.';
    case 'refunding':
      return 'El dinero vuelve a quien envía.';
    default:
      return 'El envío siguió su camino.';
  }
}

/** What the sender is still owed of the charge. */
export function owedOf({ owed, transaction }: DeskCaseView): string {
  return formatAmount(owed, transaction.currency);
}
