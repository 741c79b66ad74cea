import type { AdminRole } from '#core/accounts/admin-roles';
import { formats } from '#core/locale/format';
import type { StopCause, StopReach } from '#core/money-stops/money-stop';
import type { CaseReason } from '#core/operations/desk-case';
import type { GuardRail } from '#core/rates/guard-rails';
import type { CauseOfNoTransfer } from '#core/reconciliation/cause';
import { startOfDay } from '#core/reconciliation/days';
import { referenceOf } from '#core/transfers/reference';
import type { EmailData } from './email-kinds.ts';
import type { AdminEmailKind, EmailTexts } from './email-texts.ts';

const { money, rateLine, moment, day: dayText } = formats.es;

const roleNames: Readonly<Record<AdminRole, string>> = {
  ...{ support: 'Soporte', reviewer: 'Revisión', treasurer: 'Tesorería', owner: 'Dueño' },
};

/** The e-mails to admins in Spanish. */
export const spanishAdminTexts: Pick<EmailTexts['kinds'], AdminEmailKind> = {
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
  webhook_disabled: ({ host, failingSince }) => ({
    subject: `Ya no enviamos avisos a ${host}`,
    paragraphs: [
      `La dirección no aceptó ningún aviso desde el ${moment(failingSince)}, así que la apagamos. Lo que esperaba ya no se envía por sí solo.`,
      'Cuando funcione otra vez, enciéndela en Webhooks y envía de nuevo lo que falte.',
    ],
    action: 'Abrir Webhooks',
  }),
  rate_change_waiting: ({ currency, rate: requested, previousRate, setBy, reason, guardRails }) => ({
    subject: `Un cambio de tasa espera tu confirmación: ${rateLine(requested, currency)}`,
    paragraphs: [
      `${setBy} pidió la tasa ${rateLine(requested, currency)}.${previousRate === null ? '' : ` La anterior: ${rateLine(previousRate, currency)}.`}`,
      ...guardRails.map((rail) => guardRailMessages[rail]),
      ...(reason === null ? [] : [`Motivo: ${reason}`]),
      'Revísalo y confírmalo o descártalo. Sin otra persona que lo confirme no entra en vigor.',
    ],
    action: 'Revisar el cambio',
  }),
  transfers_waiting: ({ arrived, waiting, oldestSince }) => ({
    subject: arrived === 1 ? 'Un envío nuevo espera una decisión' : `${arrived} envíos nuevos esperan una decisión`,
    paragraphs: [
      `Por revisar en total: ${waiting}. El más antiguo espera desde el ${moment(oldestSince)}.`,
      'Revísalos antes de que terminen las reservas en las tarjetas.',
    ],
    action: 'Abrir los envíos por revisar',
  }),
  question_answered: ({ amount, currency, transferId, decideBy }) => ({
    subject: `Quien envía ${money(amount, currency)} respondió tu pregunta`,
    paragraphs: [
      `El envío ${referenceOf(transferId)} espera una decisión.${decideBy === null ? '' : ` La reserva en la tarjeta termina el ${moment(decideBy)}.`}`,
    ],
    action: 'Leer la respuesta',
  }),
  approval_waiting: ({ amount, currency, transferId, approvedBy, decideBy }) => ({
    subject: `Un envío de ${money(amount, currency)} espera tu aprobación`,
    paragraphs: [
      `${approvedBy} aprobó el envío ${referenceOf(transferId)}. Ahora lo tiene que aprobar otra persona: sin ella no se cobra.`,
      ...(decideBy === null ? [] : [`La reserva en la tarjeta termina el ${moment(decideBy)}.`]),
    ],
    action: 'Revisar el envío',
  }),
  book_exceptions: ({ found, first }) => ({
    ...(found === 1 && first[0]?.cause === 'return_unknown'
      ? {
          subject: 'El banco devolvió un pago que no es de ningún envío o no se pudo leer',
          paragraphs: [
            'Lo informó ahora y no se pudo anotar. Averigua con el banco qué es: el día queda abierto hasta que alguien lo explique.',
          ],
        }
      : found === 1
        ? {
            subject: 'Stripe o el banco tienen una diferencia que no es de ningún envío',
            paragraphs: [
              'La comparación con los libros la encontró ahora. El día queda abierto hasta que alguien la explique o la acepte con otra persona.',
            ],
          }
        : {
            subject: `Stripe o el banco tienen ${found} diferencias que no son de ningún envío`,
            paragraphs: [
              'La comparación con los libros las encontró ahora. El día queda abierto hasta que alguien las explique o las acepte con otra persona.',
            ],
          }),
    details: first.map(({ cause, amount, currency, day, reference }) => [
      causeNames[cause],
      [amount && money(amount, currency), dayText(startOfDay(day).toISOString()), reference]
        .filter(Boolean)
        .join(' · '),
    ]),
    action: 'Abrir la conciliación',
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
  money_stopped: ({ reason, cause, setBy, ...reach }) => ({
    subject: `Dinero parado: ${stopped(reach)}`,
    paragraphs: [
      `${setBy ?? 'El sistema'} paró ${stopped(reach)} por este motivo: ${cause ? stopCauseNames[cause] : reason}`,
      'Lo parado espera; lo que libera tarjetas o devuelve dinero sigue. Para levantar la parada hacen falta dos personas.',
    ],
    action: 'Abrir las paradas',
  }),
  role_waiting: ({ name, role, requestedBy }) => ({
    subject: `Un rol espera tu confirmación: ${roleNames[role]} para ${name}`,
    paragraphs: [
      `${requestedBy} pidió que ${name} tenga el rol ${roleNames[role]}.`,
      'Confírmalo solo si sabes quién es y para qué lo necesita, o recházalo. Sin otra persona que lo confirme no vale.',
    ],
    action: 'Revisar el rol',
  }),
  role_changed: ({ name, from, role, requestedBy, confirmedBy }) => ({
    subject: role === null ? `${name} ya no administra Chasqui` : `${name} tiene otro rol: ${roleNames[role]}`,
    paragraphs: [
      `El rol era ${from === null ? 'ninguno' : roleNames[from]} y ahora es ${role === null ? 'ninguno' : roleNames[role]}.`,
      requestedBy === null
        ? 'El operador lo cambió desde la línea de comandos.'
        : confirmedBy === null
          ? `Lo cambió ${requestedBy}.`
          : `Lo pidió ${requestedBy} y lo confirmó ${confirmedBy}. Durante un día no puede ser la segunda persona de una decisión.`,
      'Si no debía ser así, quita el rol ahora y avisa a las demás personas con el rol de dueño.',
    ],
    action: 'Ver la persona',
  }),
  money_stop_lift_waiting: ({ requestedBy, reason, ...reach }) => ({
    subject: `Una parada espera que la levantes: ${stopped(reach)}`,
    paragraphs: [
      `${requestedBy} pidió levantar esta parada: ${stopped(reach)}. Motivo: ${reason}`,
      'Revísalo, y confírmalo o recházalo. Sin otra persona que lo confirme, el dinero sigue parado.',
    ],
    action: 'Revisar la parada',
  }),
  money_stop_lifted: ({ requestedBy, confirmedBy, reason, setAt, ...reach }) => ({
    subject: `Parada levantada: ${stopped(reach)}`,
    paragraphs: [
      `${requestedBy} pidió levantar la parada del ${moment(setAt)} y ${confirmedBy} lo confirmó. Motivo: ${reason}`,
      'Lo que esperaba sigue ahora, salvo lo que cubra otra parada.',
    ],
    action: 'Abrir las paradas',
  }),
};

/** The scope of a stop, "los cobros de tarjetas". */
function stopped({ scope, rail }: StopReach): string {
  if (scope === 'captures') return 'los cobros de tarjetas';
  if (scope === 'everything') return 'los cobros y los pagos';
  return rail === 'bank' ? 'los pagos por banco' : 'los pagos';
}

const stopCauseNames: Readonly<Record<StopCause, string>> = {
  insufficient_funds: 'en el banco no hay saldo para los pagos',
  daily_limit: 'los pagos llegaron al límite diario del banco',
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

const caseMessages: Readonly<Record<CaseReason, string>> = {
  operation_slow: 'una operación tarda más de lo normal',
  operation_abandoned: 'una operación se dejó de intentar',
  operation_refused: 'un proveedor rechazó una operación',
  names_not_cleared: 'falta el control de un nombre en las listas de sanciones',
  payout_not_allowed: 'el banco no quiere pagar a esa persona',
  payout_unexplained: 'el banco rechazó un pago sin un motivo conocido',
  payout_rejected: 'el banco rechazó la cuenta',
  payout_returned: 'el banco devolvió un pago',
  payout_returned_in_part: 'el banco devolvió una parte de un pago',
  refund_failed: 'la tarjeta no aceptó la devolución',
  refund_outside: 'se devolvió dinero sin que lo pidiéramos',
  captured_in_part: 'se cobró solo una parte de la tarjeta',
  sender_blocked: 'se bloqueó la cuenta de quien envía',
  recipient_changed: 'quien envía eligió otro destinatario, sin aprobar',
  settlement_by_hand: 'alguien de administración reservó el envío para pagarlo a mano',
  fraud_warning: 'el banco de la tarjeta avisa de un posible fraude',
  dispute_inquiry: 'el banco de la tarjeta pregunta por un pago',
  dispute_opened: 'el titular de la tarjeta disputa un pago',
  dispute_lost: 'se perdió una disputa de la tarjeta',
  correction_failed: 'no se pudo hacer lo que corrige un reclamo',
  books_differ: 'los libros no cuadran con Stripe o el banco',
  contradiction: 'un proveedor dice algo que no puede ser',
};

const guardRailMessages: Readonly<Record<GuardRail, string>> = {
  step_too_large: 'Es un cambio mayor que el que una persona puede hacer sola en un día.',
  above_reference: 'Está por encima de lo que paga el mercado.',
  stale_sources: 'No hay una referencia reciente del mercado con la que compararla.',
};

const causeNames: Readonly<Record<CauseOfNoTransfer, string>> = {
  stripe_unknown: 'Movimiento de Stripe sin envío',
  bank_fee: 'Comisión del banco',
  bank_debit_unknown: 'Salida del banco sin envío',
  bank_credit_unknown: 'Entrada al banco sin envío',
  return_unknown: 'Devolución del banco que no es de ningún envío o no se pudo leer',
  bank_balance_gap: 'El extracto empieza con otro saldo',
};
