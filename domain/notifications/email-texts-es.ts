import { formats } from '#core/locale/format';
import type { CaseReason } from '#core/operations/desk-case';
import type { GuardRail } from '#core/rates/guard-rails';
import { declinedMax, type OwnReason, ownReasonOf } from '#core/transfers/own-reasons';
import { referenceOf } from '#core/transfers/reference';
import type { EmailData } from './email-kinds.ts';
import type { EmailTexts } from './email-texts.ts';

const { money, bolivianos, rate, rateLine, day, moment } = formats.es;

/** The e-mails in Spanish. */
export const spanishTexts: EmailTexts = {
  greeting: (name) => (name === null ? 'Hola:' : `Hola, ${name}:`),
  foot: 'Chasqui · Recibes este correo porque tienes una cuenta con nosotros.',
  choose: 'Elegir qué correos recibo',
  kinds: {
    password_recovery: () => ({
      subject: 'Cambia tu contraseña de Chasqui',
      paragraphs: [
        'Pediste un enlace para poner una contraseña nueva. Vale una hora desde que lo pediste y se puede usar una sola vez.',
        'Si no fuiste tú, no hagas nada: tu contraseña sigue igual. No compartas este enlace con nadie; Chasqui nunca te lo pide.',
      ],
      action: 'Poner una contraseña nueva',
    }),
    password_changed: ({ changedAt }) => ({
      subject: 'Tu contraseña cambió',
      paragraphs: [
        `La contraseña de tu cuenta cambió el ${moment(changedAt)}. Cerramos tus sesiones en todos tus equipos: entra otra vez con la nueva.`,
        'Si no fuiste tú, pide ahora mismo otro enlace para cambiarla y revisa quién más puede leer tu correo.',
      ],
      action: 'No fui yo: cambiarla otra vez',
    }),
    rate_alert: ({ currency, rate: wanted, firedRate }) => ({
      subject: `La tasa llegó a tu valor: ${rateLine(firedRate, currency)}`,
      paragraphs: [
        `Pediste un aviso para cuando 1 ${currency} llegara a ${rate(wanted)}. Ahora está así: ${rateLine(firedRate, currency)}.`,
        'La tasa puede cambiar en cualquier momento. Se fija cuando confirmas tu envío.',
      ],
      action: 'Enviar dinero',
    }),
    rates_paused: ({ currency, lastUpdatedAt }) => ({
      subject: `Envíos en ${currency} en pausa: falta una tasa reciente`,
      paragraphs: [
        `Nadie puede pagar en ${currency} por ahora: lo último que se supo de su tasa es del ${moment(lastUpdatedAt)}.`,
        'Revisa las fuentes de precios, o fija la tasa tú mismo. Los envíos vuelven solos cuando una fuente responde o cuando alguien fija una tasa.',
      ],
      action: 'Abrir el panel de administración',
    }),
    rates_resumed: ({ currency, rate: inForce, pausedAt }) => ({
      subject: `Envíos en ${currency} otra vez en marcha`,
      paragraphs: [
        `Ya se puede pagar en ${currency} con la tasa ${rateLine(inForce, currency)}. La pausa empezó el ${moment(pausedAt)}.`,
      ],
      action: 'Abrir el panel de administración',
    }),
    rate_change_waiting: ({ currency, rate: asked, previousRate, setBy, reason, guardRails }) => ({
      subject: `Un cambio de tasa espera tu confirmación: ${rateLine(asked, currency)}`,
      paragraphs: [
        `${setBy} pidió la tasa ${rateLine(asked, currency)}.${previousRate === null ? '' : ` La anterior: ${rateLine(previousRate, currency)}.`}`,
        ...guardRails.map((rail) => guardRailMessages[rail]),
        ...(reason === null ? [] : [`Motivo: ${reason}`]),
        'Revísalo y confírmalo o descártalo. Sin otra persona que lo confirme no entra en vigor.',
      ],
      action: 'Revisar el cambio',
    }),
    transfer_held: (data) => ({
      subject: `Recibimos tu envío de ${money(data.amount, data.currency)}`,
      paragraphs: [
        `Tu tarjeta tiene reservados ${money(data.amount, data.currency)}. Todavía no se cobró nada: primero una persona de Chasqui revisa tu envío.`,
        `Cuando lo aprobemos, cobramos la reserva y depositamos ${bolivianos(data.bolivianos)}. Lo esperamos para el ${day(data.arrival)}.`,
      ],
      details: payout(data),
      action: 'Ver mi envío',
    }),
    transfer_without_recipient: (data) => ({
      subject: `Elige quién recibe los ${bolivianos(data.bolivianos)} de tu envío`,
      paragraphs: [
        `Tu tarjeta tiene reservados ${money(data.amount, data.currency)}, pero el envío no tiene destinatario.`,
        'Sin él no podemos aprobarlo. Si nadie lo elige a tiempo, la reserva se libera y no se cobra nada.',
      ],
      details: [['Número de tu envío', referenceOf(data.transferId)]],
      action: 'Elegir destinatario',
    }),
    transfer_approved: (data) => ({
      subject: `Aprobamos tu envío de ${money(data.amount, data.currency)}`,
      paragraphs: [
        `Ahora cobramos tu tarjeta y pedimos al banco que deposite ${bolivianos(data.bolivianos)}. Lo esperamos para el ${day(data.arrival)}.`,
        'Te escribimos otra vez cuando el banco confirme el depósito.',
      ],
      details: payout(data),
      action: 'Ver mi envío',
    }),
    transfer_paid: (data) => ({
      subject: `Depositamos ${bolivianos(data.bolivianos)} a tu familia`,
      paragraphs: [
        `El banco confirmó el depósito el ${moment(data.at)}.`,
        'Guarda este correo como comprobante: con la referencia el banco encuentra el depósito.',
      ],
      details: [
        ['Monto depositado', bolivianos(data.bolivianos)],
        ...account(data),
        ...(data.reference === null ? [] : [['Referencia del banco', data.reference] as const]),
        ['Fecha y hora del depósito', moment(data.at)],
        ['Número de tu envío', referenceOf(data.transferId)],
      ],
      action: 'Ver el comprobante',
    }),
    transfer_received: (data) => ({
      subject: `Tu familia ya recibió los ${bolivianos(data.bolivianos)}`,
      paragraphs: [`Lo confirmaron en la página de seguimiento el ${moment(data.at)}.`],
      details: payout(data),
      action: 'Ver mi envío',
    }),
    transfer_rejected: (data) => ({
      subject: `No aprobamos tu envío de ${money(data.amount, data.currency)}`,
      paragraphs: [...because(data.reason), released],
      details: [['Número de tu envío', referenceOf(data.transferId)]],
      action: 'Ver mi envío',
    }),
    transfer_cancelled: (data) => ({
      subject: `Cancelaste tu envío de ${money(data.amount, data.currency)}`,
      paragraphs: [released, 'Si no fuiste tú, cambia tu contraseña y escríbenos.'],
      details: [['Número de tu envío', referenceOf(data.transferId)]],
      action: 'Ver mi envío',
    }),
    transfer_ended: (data) => ({
      subject: `Tu envío de ${money(data.amount, data.currency)} terminó sin cobrarse`,
      paragraphs: [...because(data.reason), released],
      details: [['Número de tu envío', referenceOf(data.transferId)]],
      action: 'Ver mi envío',
    }),
    transfer_refunded: (data) => ({
      subject: `Te devolvimos ${money(data.returned, data.currency)}`,
      paragraphs: [
        data.returned === data.amount
          ? `Los ${money(data.returned, data.currency)} de tu envío volvieron completos a tu tarjeta, con la comisión.`
          : `De los ${money(data.amount, data.currency)} de tu envío volvieron ${money(data.returned, data.currency)} a tu tarjeta.`,
        'Tu banco puede tardar entre 5 y 10 días hábiles en mostrarlo.',
      ],
      details: [
        ['Monto devuelto', money(data.returned, data.currency)],
        ['Fecha y hora de la devolución', moment(data.at)],
        ['Número de tu envío', referenceOf(data.transferId)],
      ],
      action: 'Ver mi envío',
    }),
    payout_failed: ({ amount, currency, bolivianos: paidOut, returned, correctBy }) => ({
      subject: 'El banco no pudo pagar tu envío: revisa la cuenta',
      paragraphs: [
        returned
          ? `El banco devolvió el pago de ${bolivianos(paidOut)} de tu envío de ${money(amount, currency)}: tu familia no lo recibió.`
          : `El banco rechazó la cuenta de tu envío de ${money(amount, currency)}: los ${bolivianos(paidOut)} todavía no llegaron.`,
        'Elige otra cuenta y lo pagamos otra vez, con la misma tasa y sin otro cobro. O pide tu dinero de vuelta: vuelve completo a tu tarjeta, con la comisión.',
        ...deadline(correctBy),
      ],
      action: 'Corregir la cuenta',
    }),
    account_reminder: ({ amount, currency, bolivianos: paidOut, correctBy }) => ({
      subject: 'Tu envío sigue esperando otra cuenta',
      paragraphs: [
        `Los ${bolivianos(paidOut)} de tu envío de ${money(amount, currency)} todavía no llegaron, porque el banco no pudo pagar a la cuenta que nos diste.`,
        'Elige otra cuenta y lo pagamos otra vez, con la misma tasa y sin otro cobro. O pide tu dinero de vuelta.',
        ...deadline(correctBy),
      ],
      action: 'Corregir la cuenta',
    }),
    account_not_corrected: ({ amount, currency }) => ({
      subject: `Te devolvemos ${money(amount, currency)}`,
      paragraphs: [
        `El banco no pudo pagar tu envío de ${money(amount, currency)} y la cuenta no se corrigió a tiempo. Tu dinero vuelve completo a tu tarjeta, con la comisión. Tu banco puede tardar unos días en mostrarlo.`,
        'Puedes hacer otro envío cuando tengas los datos de la cuenta.',
      ],
      action: 'Ver mi envío',
    }),
    transfers_waiting: ({ arrived, waiting, oldestSince }) => ({
      subject: arrived === 1 ? 'Un envío nuevo espera una decisión' : `${arrived} envíos nuevos esperan una decisión`,
      paragraphs: [
        `Por revisar en total: ${waiting}. El más antiguo espera desde el ${moment(oldestSince)}.`,
        'Revísalos antes de que terminen las reservas en las tarjetas.',
      ],
      action: 'Abrir los envíos por revisar',
    }),
    hold_ending: ({ amount, currency, transferId, hours, captureBefore }) => ({
      subject: `Quedan menos de ${hours} horas para decidir sobre ${money(amount, currency)}`,
      paragraphs: [
        `El envío ${referenceOf(transferId)} todavía espera una decisión. La reserva en la tarjeta termina el ${moment(captureBefore)}.`,
        'Si nadie decide antes, el envío vence y no se cobra nada.',
      ],
      action: 'Abrir los envíos por revisar',
    }),
    case_opened: ({ reason, ...transfer }) => ({
      subject: `Un envío necesita a una persona: ${caseMessages[reason]}`,
      paragraphs: [`Hay un caso nuevo: ${caseMessages[reason]}, en el envío ${transferName(transfer)}.`],
      action: 'Abrir el caso',
    }),
    case_old: ({ reason, ...transfer }) => ({
      subject: `Sigue abierto después de un día: ${caseMessages[reason]}`,
      paragraphs: [
        `Hace más de 24 horas que este caso espera a una persona: ${caseMessages[reason]}, en el envío ${transferName(transfer)}.`,
      ],
      action: 'Abrir el caso',
    }),
    desk_request_waiting: ({ requestedBy, reason, amount, currency, transferId }) => ({
      subject: 'Un caso espera tu aprobación',
      paragraphs: [
        `${requestedBy} pidió mover ${money(amount, currency)} del envío${transferId ? ` ${referenceOf(transferId)}` : ''}. Motivo: ${reason || 'sin motivo'}`,
        'Revísalo y apruébalo o recházalo. Sin otra persona que lo apruebe no se hace.',
      ],
      action: 'Revisar la solicitud',
    }),
  },
};

type Step = EmailData<'transfer_held'>;

/** Where the money goes, as far as the sender needs to recognize it. */
function account({ bank, account }: Step): (readonly [string, string])[] {
  return [
    ...(bank === null ? [] : [['Banco o billetera', bank] as const]),
    ...(account ? [['Cuenta', `termina en ${account}`] as const] : []),
  ];
}

function payout(data: Step): (readonly [string, string])[] {
  return [
    ['Llegan', bolivianos(data.bolivianos)],
    ...account(data),
    ['Número de tu envío', referenceOf(data.transferId)],
  ];
}

const released = 'No se cobró nada: liberamos la reserva en tu tarjeta. Tu banco puede tardar unos días en mostrarlo.';

/** Why it ended: our own reasons without what became of the money, others as a person or a bank wrote them. */
function because(reason: string | null): string[] {
  if (reason === null) return [];
  const own = ownReasonOf(reason);
  return [own ? ownReasonMessages[own] : `Motivo: ${reason}`];
}

const ownReasonMessages: Readonly<Record<OwnReason, string>> = {
  not_reviewed: 'No revisamos tu envío a tiempo.',
  authorization_lost: 'La reserva en tu tarjeta terminó antes de cobrarse.',
  day_limit_reached: 'Con este envío superabas tu límite de 24 horas.',
  month_limit_reached: 'Con este envío superabas tu límite de 30 días.',
  declined_too_often: `Tu tarjeta fue rechazada ${declinedMax} veces.`,
  not_corrected: 'La cuenta no se corrigió a tiempo.',
};

/** "TR281467… de 100,00 EUR", after "en el envío". */
function transferName({
  transferId,
  amount,
  currency,
}: Pick<EmailData<'case_opened'>, 'transferId' | 'amount' | 'currency'>): string {
  const reference = transferId === null ? '' : `${referenceOf(transferId)} `;
  return `${reference}de ${money(amount, currency)}`;
}

/** What happens when a sender does nothing. */
function deadline(correctBy: string | null): string[] {
  return correctBy === null ? [] : [`Si no la corriges hasta el ${moment(correctBy)}, te devolvemos el dinero.`];
}

const caseMessages: Readonly<Record<CaseReason, string>> = {
  operation_slow: 'una operación tarda más de lo normal',
  operation_abandoned: 'una operación se dejó de intentar',
  operation_refused: 'un proveedor rechazó una operación',
  payout_rejected: 'el banco rechazó la cuenta',
  payout_returned: 'el banco devolvió un pago',
  payout_returned_in_part: 'el banco devolvió una parte de un pago',
  refund_failed: 'la tarjeta no aceptó la devolución',
  refund_outside: 'se devolvió dinero sin que lo pidiéramos',
  fraud_warning: 'el banco de la tarjeta avisa de un posible fraude',
  dispute_inquiry: 'el banco de la tarjeta pregunta por un pago',
  dispute_opened: 'el titular de la tarjeta disputa un pago',
  dispute_lost: 'se perdió una disputa de la tarjeta',
  books_differ: 'los libros no cuadran con Stripe o el banco',
  contradiction: 'un proveedor dice algo que no puede ser',
};

const guardRailMessages: Readonly<Record<GuardRail, string>> = {
  step_too_large: 'Es un cambio mayor que el que una persona puede hacer sola en un día.',
  above_reference: 'Está por encima de lo que paga el mercado.',
  stale_sources: 'No hay una referencia reciente del mercado con la que compararla.',
};
