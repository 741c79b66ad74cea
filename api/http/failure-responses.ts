import type { Failure, FailureCode } from '#core/contracts/failures';
import type { RateChangeView } from '#core/contracts/http/admin-rates';
import type { FailureDetails } from '#core/contracts/http/failure-details';

interface FailureResponse {
  readonly status: number;
  /** The Spanish message people read. */
  readonly message: string;
}

/** HTTP status and Spanish message of every failure. */
export const failureResponses = {
  invalid_input: { status: 400, message: 'Revisa los datos marcados e intenta nuevamente.' },
  malformed_body: { status: 400, message: 'La solicitud no se pudo leer. Envía un cuerpo JSON válido.' },
  body_too_large: { status: 413, message: 'La solicitud es demasiado grande.' },
  unsupported_media_type: { status: 415, message: 'La solicitud debe enviarse como JSON.' },
  unauthenticated: { status: 401, message: 'Inicia sesión para continuar.' },
  invalid_credentials: { status: 401, message: 'Por favor verifica tus credenciales e intenta nuevamente.' },
  forbidden: { status: 403, message: 'No tienes permiso para hacer esto.' },
  wrong_origin: { status: 403, message: 'La solicitud viene de otro sitio y fue rechazada.' },
  not_found: { status: 404, message: 'No encontramos lo que buscas.' },
  method_not_allowed: { status: 405, message: 'Esta acción no existe.' },
  too_many_requests: { status: 429, message: 'Demasiados intentos. Espera un momento e intenta nuevamente.' },
  email_taken: { status: 409, message: 'Ya existe una cuenta con ese correo. Inicia sesión o usa otro.' },
  recovery_link_unknown: {
    status: 410,
    message: 'Este enlace no es válido. Ábrelo otra vez desde tu correo, entero, o pide uno nuevo.',
  },
  recovery_link_expired: { status: 410, message: 'Este enlace caducó: vale una hora. Pide uno nuevo.' },
  recovery_link_used: {
    status: 410,
    message: 'Este enlace ya se usó para cambiar la contraseña. Si no fuiste tú, pide uno nuevo ahora.',
  },
  recovery_link_replaced: {
    status: 410,
    message: 'Pediste un enlace más nuevo y este dejó de valer. Abre el último correo o pide otro.',
  },
  email_unchanged: { status: 409, message: 'Esa ya es la dirección de tu cuenta. Escribe la nueva.' },
  email_link_dead: {
    status: 410,
    message: 'Este enlace ya no vale: caducó, ya se usó o pediste otro después. Pide el cambio otra vez en Mi cuenta.',
  },
  email_unproven: { status: 403, message: 'Primero confirma tu correo con el código que te enviamos.' },
  email_code_wrong: {
    status: 422,
    message: 'Ese código no es correcto o ya no vale. Mira el último correo o pide otro.',
  },
  mail_unavailable: {
    status: 503,
    message: 'Por ahora no podemos enviar correos. Escríbenos desde la página de Ayuda.',
  },
  notifications_unavailable: {
    status: 503,
    message: 'Por ahora no podemos avisarte en tus dispositivos. Tus avisos siguen llegando por correo.',
  },
  push_service_unknown: {
    status: 422,
    message: 'No conocemos el servicio de avisos de este navegador. Prueba con Chrome, Edge, Firefox o Safari.',
  },
  wrong_password: { status: 422, message: 'Esa no es tu contraseña actual. Escríbela otra vez.' },
  second_factor_required: { status: 401, message: 'Falta tu segundo paso para terminar de entrar.' },
  second_factor_wrong: {
    status: 422,
    message: 'Ese código no es correcto o ya se usó. Escribe el que muestra tu aplicación ahora.',
  },
  second_factor_changed: {
    status: 409,
    message: 'La verificación en dos pasos cambió mientras tanto. Recarga la página e intenta otra vez.',
  },
  second_factor_missing: {
    status: 403,
    message: 'Antes de seguir, activa la verificación en dos pasos en Mi cuenta, sección Seguridad.',
  },
  second_factor_stale: { status: 403, message: 'Confirma que eres tú.' },
  sign_in_expired: { status: 401, message: 'Pasaron más de cinco minutos. Escribe otra vez tu contraseña.' },
  passkey_refused: {
    status: 422,
    message: 'No pudimos comprobar esa llave de acceso. Inténtalo otra vez, o entra de otra manera.',
  },
  passkey_exists: { status: 409, message: 'Este equipo ya tiene una llave de acceso de tu cuenta.' },
  too_many_passkeys: { status: 422, message: 'Ya tienes 10 llaves de acceso. Quita una que no uses.' },
  name_in_use: {
    status: 409,
    message: 'Tu nombre está en un envío en curso. Podrás cambiarlo cuando termine.',
  },
  account_busy: {
    status: 409,
    message: 'Todavía no puedes cerrar tu cuenta: hay un envío en curso o algo tuyo sin resolver.',
  },
  account_closed: {
    status: 403,
    message: 'Esta cuenta está cerrada. Si quieres volver a abrirla, escríbenos desde la página de Ayuda.',
  },
  account_blocked: {
    status: 403,
    message:
      'Tu cuenta está bloqueada y no puedes entrar ni enviar dinero. Lo que ya pagaste sigue su curso. Escríbenos desde la página de Ayuda.',
  },
  admin_not_blockable: {
    status: 403,
    message: 'Es una cuenta de administración: nadie del panel puede bloquearla, solo quien opera el servidor.',
  },
  idempotency_key_reused: { status: 409, message: 'Esta solicitud ya se envió con otros datos. Vuelve a empezar.' },
  rate_unavailable: { status: 503, message: 'Tasa no disponible por el momento. Intenta más tarde.' },
  rate_changed: {
    status: 409,
    message: 'La tasa cambió mientras preparabas tu envío. Revisa el nuevo monto y acepta otra vez.',
  },
  payments_paused: {
    status: 503,
    message:
      'Pausamos los envíos en esta moneda porque no tenemos una tasa reciente del mercado. Vuelve a intentarlo en unas horas.',
  },
  rate_reason_required: { status: 422, message: 'Este cambio necesita un motivo y la confirmación de otra persona.' },
  rate_change_open: {
    status: 409,
    message: 'Ya hay un cambio de esta moneda en espera. Confírmalo o descártalo antes de pedir otro.',
  },
  rate_change_closed: { status: 409, message: 'Este cambio de tasa ya no está en espera.' },
  second_person_needed: { status: 403, message: 'Este cambio lo tiene que confirmar otra persona.' },
  alert_already_met: { status: 422, message: 'La tasa ya está en ese valor o más arriba. Elige uno mayor.' },
  too_many_alerts: { status: 422, message: 'Ya tienes 10 alertas en espera. Borra una para crear otra.' },
  too_many_repeats: { status: 422, message: 'Ya tienes 10 envíos que se repiten. Termina uno para crear otro.' },
  reminder_closed: {
    status: 409,
    message: 'Este recordatorio ya no espera tu pago. Mira tus envíos, o haz este desde tu panel.',
  },
  amount_too_small: { status: 422, message: 'El monto mínimo para enviar es de 10 USD/EUR' },
  amount_too_large: { status: 422, message: 'El monto máximo por envío es de 3.000 USD o su equivalente en EUR.' },
  day_limit_reached: {
    status: 422,
    message:
      'Con este envío superas tu límite de 24 horas. Prueba con un monto menor o espera hasta que pasen 24 horas desde tus últimos envíos.',
  },
  month_limit_reached: {
    status: 422,
    message: 'Con este envío superas tu límite de 30 días. Prueba con un monto menor.',
  },
  too_many_unpaid_transfers: {
    status: 422,
    message: 'Tienes demasiados envíos sin pagar. Paga o cancela uno, o espera a que venzan, y vuelve a intentarlo.',
  },
  too_many_declines: {
    status: 422,
    message:
      'Se rechazaron demasiadas tarjetas. Por seguridad no puedes pagar por ahora: vuelve a intentarlo más tarde.',
  },
  transfer_not_payable: {
    status: 409,
    message: 'Este envío ya no espera tu pago. Míralo en tus transacciones o empieza otro.',
  },
  too_many_recipients: { status: 422, message: 'Ya tienes 200 destinatarios. Quita uno para añadir otro.' },
  recipient_exists: {
    status: 409,
    message: 'Ya tienes a un destinatario con esta cuenta o este CI. Úsalo, o guarda este de todos modos.',
  },
  name_not_confirmed: {
    status: 409,
    message:
      'El banco dice que la cuenta no está a ese nombre. Corrige los datos del destinatario, o confirma que son correctos.',
  },
  birth_date_required: { status: 422, message: 'Necesitamos tu fecha de nacimiento para tu primer envío.' },
  under_age: { status: 422, message: 'Debes ser mayor de 18 años para enviar dinero.' },
  recipient_missing: {
    status: 422,
    message: 'La transferencia todavía no tiene destinatario. Pide al remitente que elija uno.',
  },
  recipient_not_open: {
    status: 409,
    message: 'Este envío ya tiene destinatario o ya no espera uno.',
  },
  payment_not_completed: {
    status: 409,
    message: 'El pago todavía no se completó. Revisa tu tarjeta e intenta nuevamente.',
  },
  payment_not_started: {
    status: 502,
    message: 'No se pudo iniciar el proceso de pago. Por favor, intente nuevamente.',
  },
  payment_provider_unavailable: {
    status: 502,
    message: 'El servicio de pagos no responde. Intenta nuevamente en unos minutos.',
  },
  crypto_unavailable: { status: 503, message: 'La compra de criptomonedas no está disponible por el momento.' },
  crypto_destination_refused: {
    status: 422,
    message: 'Solo se compra USDC en la red Solana, a la billetera indicada. Vuelve a cargar la página.',
  },
  crypto_amount_out_of_range: { status: 422, message: 'Puedes comprar entre 10 y 3.000 USD por vez.' },
  onramp_not_started: {
    status: 502,
    message: 'No se pudo inicializar el pago. Por favor, inténtalo de nuevo.',
  },
  already_decided: { status: 409, message: 'Esta transferencia ya fue decidida por otra persona.' },
  not_awaiting_decision: { status: 409, message: 'Esta transferencia no está esperando una decisión.' },
  own_transfer: { status: 403, message: 'Esta transferencia es tuya: la tiene que decidir otra persona.' },
  claimed: { status: 409, message: 'Otra persona está decidiendo esta transferencia.' },
  transfer_held: { status: 409, message: 'Este envío está retenido: no se puede aprobar todavía.' },
  screening_needed: {
    status: 409,
    message: 'Falta el control de listas de sanciones de esta transferencia: no se puede aprobar todavía.',
  },
  screening_decided: { status: 409, message: 'Ya no hay nada que decir de este control de listas. Míralo otra vez.' },
  too_many_questions: { status: 409, message: 'Ya se hicieron todas las preguntas que caben para esta transferencia.' },
  question_closed: {
    status: 409,
    message: 'Ya no hace falta responder: la pregunta tiene respuesta o el envío ya se decidió.',
  },
  case_resolved: { status: 409, message: 'Este caso ya está cerrado.' },
  action_not_possible: {
    status: 409,
    message: 'Esto ya no se puede hacer: el envío o el banco avanzaron. Mira el caso otra vez.',
  },
  request_pending: { status: 409, message: 'Ya hay una solicitud de este envío que espera a una segunda persona.' },
  request_ended: {
    status: 409,
    message: 'Esta solicitud terminó: el envío cambió, o quien la hizo ya no puede hacerla.',
  },
  approval_changed: {
    status: 409,
    message: 'La primera aprobación cambió desde que la viste. No se hizo nada: mira el envío otra vez y decide.',
  },
  proof_missing: {
    status: 422,
    message: 'Un pago reportado solo se niega con una prueba del banco. Adjúntala, y otra persona la confirma.',
  },
  amount_differs: { status: 422, message: 'El monto no es el que se debe. Revísalo: tiene que ser exacto.' },
  own_request: { status: 403, message: 'Lo pediste tú: lo tiene que decidir otra persona.' },
  role_too_new: {
    status: 403,
    message: 'Tu rol es de hace menos de un día: la segunda persona tiene que ser otra.',
  },
  second_owner_missing: {
    status: 409,
    message: 'Falta otra persona con el rol de dueño que lo confirme. El operador crea una con npm run admin:create.',
  },
  money_stop_active: { status: 409, message: 'Esa parada ya está activa.' },
  money_stop_lifted: { status: 409, message: 'Esta parada ya se levantó.' },
  lift_already_requested: {
    status: 409,
    message: 'Ya se pidió levantar esta parada: falta que otra persona lo confirme.',
  },
  lift_not_requested: {
    status: 409,
    message: 'Nadie pide levantar esta parada. Pídelo, y otra persona lo confirma.',
  },
  exception_decided: { status: 409, message: 'Esta diferencia ya no está abierta. Mira la lista otra vez.' },
  day_not_closable: { status: 409, message: 'Este día todavía no se puede cerrar.' },
  statement_unreadable: { status: 422, message: 'El extracto no se pudo leer, así que no se importó nada.' },
  complaint_open: {
    status: 409,
    message: 'Ya nos reportaste este problema y lo estamos investigando. Míralo en el detalle del envío.',
  },
  complaint_overtaken: { status: 409, message: 'Esto ya no se puede hacer: el reclamo avanzó. Míralo otra vez.' },
  identity_missing: { status: 409, message: 'Primero verifica tus datos de identidad.' },
  identity_settled: { status: 409, message: 'Esta verificación ya se decidió o está en revisión.' },
  document_in_use: {
    status: 409,
    message: 'Este documento ya se aceptó en otra cuenta: rechaza la verificación o habla con las dos personas.',
  },
  too_many_files: { status: 409, message: 'Ya hay tantos archivos como caben.' },
  complaint_decided: { status: 409, message: 'Este reclamo ya se decidió o se cerró: ya no se puede cambiar.' },
  account_not_correctable: {
    status: 409,
    message: 'La cuenta de este envío no se puede cambiar ahora. Míralo en tus transacciones.',
  },
  cancel_too_late: {
    status: 409,
    message: 'Ya pasaron los 30 minutos para cancelar y tu envío fue aprobado: sigue su camino.',
  },
  already_deposited: {
    status: 409,
    message: 'El dinero ya se depositó en Bolivia y no se puede cancelar. Si algo está mal, escríbenos.',
  },
  already_ended: { status: 409, message: 'Este envío ya terminó y no se cobró nada.' },
  already_returning: { status: 409, message: 'Este envío ya terminó: tu dinero vuelve completo a tu tarjeta.' },
  settlement_in_progress: {
    status: 409,
    message:
      'Estamos terminando este envío en el banco, a mano. Mientras tanto no se puede cancelar ni cambiar la cuenta.',
  },
  invalid_signature: { status: 400, message: 'La firma del aviso no es válida.' },
  unavailable: { status: 503, message: 'El servicio no está disponible por el momento. Intenta nuevamente.' },
  internal: { status: 500, message: 'Ocurrió un error inesperado. Por favor, inténtalo de nuevo.' },
} as const satisfies Record<FailureCode, FailureResponse>;

/** The message of a failure that knows more than its code: who was first, or why a reason is needed. */
const specificMessages: { readonly [Code in FailureCode]?: (details: FailureDetails<Code>) => string | undefined } = {
  already_decided: ({ decidedBy, transaction, request }) => {
    if (request) return 'Esta solicitud ya fue decidida.';
    const rejected = transaction?.status === 'rejected';
    if (decidedBy === 'you') return `Ya ${rejected ? 'rechazaste' : 'aprobaste'} esta transferencia.`;
    return decidedBy ? `${decidedBy} ya ${rejected ? 'rechazó' : 'aprobó'} esta transferencia.` : undefined;
  },
  claimed: ({ claimedBy }) => `${claimedBy} está decidiendo esta transferencia.`,
  rate_change_closed: ({ change }) => (change ? outcomeOf(change) : undefined),
  rate_reason_required: ({ scheduled }) => (scheduled ? 'Un cambio programado necesita un motivo.' : undefined),
};

function outcomeOf({ state, setBy, decidedBy }: RateChangeView): string | undefined {
  switch (state) {
    case 'activated':
    case 'scheduled':
      return decidedBy === null ? undefined : `${decidedBy} ya confirmó este cambio.`;
    case 'declined':
      return `${decidedBy} ya descartó este cambio.`;
    case 'cancelled':
      return `${setBy} ya retiró este cambio.`;
    default:
      return 'Este cambio venció sin que otra persona lo confirmara. Pide uno nuevo.';
  }
}

/** Status and message of one failure. */
export function failureResponseOf<Code extends FailureCode>({ code, details }: Failure<Code>): FailureResponse {
  const { status, message } = failureResponses[code];
  return { status, message: specificMessages[code]?.(details) ?? message };
}
