import { plural, t } from '@lingui/core/macro';
import type { FailureCode } from '#core/contracts/failures';
import type { FailureDetails } from '#core/contracts/http/failure-details';
import type { RefusedFieldCode } from '#core/contracts/refused-fields';
import { onOneLine } from '#core/locale/format';
import { formatLimit } from './format/numbers.ts';
import { amountTooSmall, cryptoAmountOutOfRange, underAge } from './limit-messages.ts';

/**
 * What people read of each failure of the api: it sends codes, and Spanish sentences for other callers. Figures are those of the failure
 * itself. Loaded after the page: until then, and for codes of a later build, the api's own sentence stands in (failure-messages.ts).
 */
export const failureSentences: { readonly [Code in FailureCode]: (details: FailureDetails<Code>) => string } = {
  invalid_input: () => t`Revisa los datos marcados e intenta nuevamente.`,
  malformed_body: () => t`La solicitud no se pudo leer. Envía un cuerpo JSON válido.`,
  body_too_large: () => t`La solicitud es demasiado grande.`,
  unsupported_media_type: () => t`La solicitud debe enviarse como JSON.`,
  unauthenticated: () => t`Inicia sesión para continuar.`,
  invalid_credentials: () => t`Por favor verifica tus credenciales e intenta nuevamente.`,
  forbidden: () => t`No tienes permiso para hacer esto.`,
  wrong_origin: () => t`La solicitud viene de otro sitio y fue rechazada.`,
  not_found: () => t`No encontramos lo que buscas.`,
  method_not_allowed: () => t`Esta acción no existe.`,
  too_many_requests: () => t`Demasiados intentos. Espera un momento e intenta nuevamente.`,
  email_taken: () => t`Ya existe una cuenta con ese correo. Inicia sesión o usa otro.`,
  recovery_link_unknown: () => t`Este enlace no es válido. Ábrelo otra vez desde tu correo, entero, o pide uno nuevo.`,
  recovery_link_expired: ({ validForSeconds }) => {
    const hours = validForSeconds / hourSeconds;
    const validity = plural(hours, { one: 'una hora', other: '# horas' });
    return t`Este enlace caducó: vale ${validity}. Pide uno nuevo.`;
  },
  recovery_link_used: () => t`Este enlace ya se usó para cambiar la contraseña. Si no fuiste tú, pide uno nuevo ahora.`,
  recovery_link_replaced: () => t`Pediste un enlace más nuevo y este dejó de valer. Abre el último correo o pide otro.`,
  email_unproven: () => t`Primero confirma tu correo con el código que te enviamos.`,
  email_code_wrong: () => t`Ese código no es correcto o ya no vale. Mira el último correo o pide otro.`,
  mail_unavailable: () => t`Por ahora no podemos enviar correos. Escríbenos desde la página de Ayuda.`,
  notifications_unavailable: () =>
    t`Por ahora no podemos avisarte en tus dispositivos. Tus avisos siguen llegando por correo.`,
  push_service_unknown: () =>
    t`No conocemos el servicio de avisos de este navegador. Prueba con Chrome, Edge, Firefox o Safari.`,
  wrong_password: () => t`Esa no es tu contraseña actual. Escríbela otra vez.`,
  second_factor_required: () => t`Falta tu segundo paso para terminar de entrar.`,
  second_factor_wrong: () => t`Ese código no es correcto o ya se usó. Escribe el que muestra tu aplicación ahora.`,
  second_factor_changed: () =>
    t`La verificación en dos pasos cambió mientras tanto. Recarga la página e intenta otra vez.`,
  second_factor_missing: () => t`Antes de seguir, activa la verificación en dos pasos en Mi cuenta, sección Seguridad.`,
  second_factor_stale: () => t`No se hizo: falta confirmar que eres tú.`,
  passkey_refused: () => t`No pudimos comprobar esa llave de acceso. Inténtalo otra vez, o entra de otra manera.`,
  passkey_exists: () => t`Este equipo ya tiene una llave de acceso de tu cuenta.`,
  too_many_passkeys: ({ most }) => t`Ya tienes ${most} llaves de acceso. Quita una que no uses.`,
  sign_in_expired: () => t`Pasaron más de cinco minutos. Escribe otra vez tu contraseña.`,
  name_in_use: () => t`Tu nombre está en un envío en curso. Podrás cambiarlo cuando termine.`,
  account_busy: accountBusy,
  email_unchanged: () => t`Esa ya es la dirección de tu cuenta. Escribe la nueva.`,
  email_link_dead: () =>
    t`Este enlace ya no vale: caducó, ya se usó o pediste otro después. Pide el cambio otra vez en Mi cuenta.`,
  account_closed: () => t`Esta cuenta está cerrada. Si quieres volver a abrirla, escríbenos desde la página de Ayuda.`,
  account_blocked: () =>
    t`Tu cuenta está bloqueada y no puedes entrar ni enviar dinero. Lo que ya pagaste sigue su curso. Escríbenos desde la página de Ayuda.`,
  admin_not_blockable: () =>
    t`Es una cuenta de administración: nadie del panel puede bloquearla, solo quien opera el servidor.`,
  idempotency_key_reused: () => t`Esta solicitud ya se envió con otros datos. Vuelve a empezar.`,
  rate_unavailable: () => t`Tasa no disponible por el momento. Intenta más tarde.`,
  rate_changed: () => t`La tasa cambió mientras preparabas tu envío. Revisa el nuevo monto y acepta otra vez.`,
  payments_paused: () =>
    t`Pausamos los envíos en esta moneda porque no tenemos una tasa reciente del mercado. Vuelve a intentarlo en unas horas.`,
  rate_reason_required: ({ scheduled }) =>
    scheduled
      ? t`Un cambio programado necesita un motivo.`
      : t`Este cambio necesita un motivo y la confirmación de otra persona.`,
  rate_change_open: () => t`Ya hay un cambio de esta moneda en espera. Confírmalo o descártalo antes de pedir otro.`,
  rate_change_closed: rateChangeClosed,
  second_person_needed: () => t`Este cambio lo tiene que confirmar otra persona.`,
  alert_already_met: () => t`La tasa ya está en ese valor o más arriba. Elige uno mayor.`,
  too_many_alerts: ({ most }) => t`Ya tienes ${most} alertas en espera. Borra una para crear otra.`,
  too_many_repeats: ({ most }) => t`Ya tienes ${most} envíos que se repiten. Termina uno para crear otro.`,
  reminder_closed: () => t`Este recordatorio ya no espera tu pago. Mira tus envíos, o haz este desde tu panel.`,
  amount_too_small: ({ minimum }) => amountTooSmall(minimum),
  amount_too_large: ({ maximumUsd }) => {
    const most = onOneLine(`${formatLimit(maximumUsd)} USD`);
    return t`El monto máximo por envío es de ${most} o su equivalente en EUR.`;
  },
  day_limit_reached: () =>
    t`Con este envío superas tu límite de 24 horas. Prueba con un monto menor o espera hasta que pasen 24 horas desde tus últimos envíos.`,
  month_limit_reached: () => t`Con este envío superas tu límite de 30 días. Prueba con un monto menor.`,
  identity_missing: () => t`Primero verifica tus datos de identidad en Mi cuenta, sección Límites.`,
  identity_settled: () => t`Esta verificación ya se decidió o está en revisión. Recarga la página para verla.`,
  document_in_use: () =>
    t`Este documento ya se aceptó en otra cuenta: rechaza la verificación o habla con las dos personas.`,
  too_many_unpaid_transfers: () =>
    t`Tienes demasiados envíos sin pagar. Paga o cancela uno, o espera a que venzan, y vuelve a intentarlo.`,
  too_many_declines: ({ availableAt }) => {
    const hours = Math.max(1, Math.ceil((Date.parse(availableAt) - Date.now()) / 3_600_000));
    return plural(hours, {
      one: 'Se rechazaron demasiadas tarjetas. Por seguridad podrás volver a pagar en # hora.',
      other: 'Se rechazaron demasiadas tarjetas. Por seguridad podrás volver a pagar en # horas.',
    });
  },
  transfer_not_payable: () => t`Este envío ya no espera tu pago. Míralo en tus transacciones o empieza otro.`,
  too_many_recipients: ({ most }) => t`Ya tienes ${most} destinatarios. Quita uno para añadir otro.`,
  recipient_exists: ({ name, sameBy }) =>
    sameBy === 'account' ? t`Ya tienes a ${name} con esta cuenta.` : t`Ya tienes a ${name} con este CI.`,
  name_not_confirmed: ({ name }) =>
    t`El banco dice que la cuenta no está a nombre de ${name}. Corrige sus datos o confirma el nombre: después puedes pagar.`,
  birth_date_required: () => t`Necesitamos tu fecha de nacimiento para tu primer envío.`,
  under_age: ({ minimumAge }) => underAge(minimumAge),
  recipient_missing: () => t`La transferencia todavía no tiene destinatario. Pide al remitente que elija uno.`,
  recipient_not_open: () => t`Este envío ya tiene destinatario o ya no espera uno.`,
  payment_not_completed: () => t`El pago todavía no se completó. Revisa tu tarjeta e intenta nuevamente.`,
  payment_not_started: () => t`No se pudo iniciar el proceso de pago. Por favor, intente nuevamente.`,
  payment_provider_unavailable: () => t`El servicio de pagos no responde. Intenta nuevamente en unos minutos.`,
  crypto_unavailable: () => t`La compra de criptomonedas no está disponible por el momento.`,
  crypto_destination_refused: () =>
    t`Solo se compra USDC en la red Solana, a la billetera indicada. Vuelve a cargar la página.`,
  crypto_amount_out_of_range: (range) => cryptoAmountOutOfRange(range),
  onramp_not_started: () => t`No se pudo inicializar el pago. Por favor, inténtalo de nuevo.`,
  already_decided: alreadyDecided,
  not_awaiting_decision: () => t`Esta transferencia no está esperando una decisión.`,
  own_transfer: () => t`Esta transferencia es tuya: la tiene que decidir otra persona.`,
  claimed: ({ claimedBy }) => t`${claimedBy} está decidiendo esta transferencia.`,
  transfer_held: transferHeld,
  screening_needed: screeningNeeded,
  screening_decided: () => t`Ya no hay nada que decir de este control de listas. Míralo otra vez.`,
  too_many_questions: ({ most }) => t`Ya se hicieron ${most} preguntas sobre esta transferencia: no caben más.`,
  question_closed: () => t`Ya no hace falta responder: la pregunta tiene respuesta o el envío ya se decidió.`,
  case_resolved: () => t`Este caso ya está cerrado.`,
  action_not_possible: () => t`Esto ya no se puede hacer: el envío o el banco avanzaron. Mira el caso otra vez.`,
  request_pending: () => t`Ya hay una solicitud de este envío que espera a una segunda persona.`,
  request_ended: () => t`Esta solicitud terminó: el envío cambió, o quien la hizo ya no puede hacerla.`,
  approval_changed: () =>
    t`La primera aprobación cambió desde que la viste. No se hizo nada: mira el envío otra vez y decide.`,
  proof_missing: () =>
    t`Un pago reportado solo se niega con una prueba del banco. Adjúntala, y otra persona la confirma.`,
  amount_differs: () => t`El monto no es el que se debe. Revísalo: tiene que ser exacto.`,
  exception_decided: () => t`Esta diferencia ya no está abierta. Mira la lista otra vez.`,
  day_not_closable: () => t`Este día todavía no se puede cerrar.`,
  statement_unreadable: statementUnreadable,
  own_request: () => t`Lo pediste tú: lo tiene que decidir otra persona.`,
  role_too_new: () => t`Tu rol es de hace menos de un día: la segunda persona tiene que ser otra.`,
  second_owner_missing: () =>
    t`Falta otra persona con el rol de dueño que lo confirme. El operador crea una con npm run admin:create.`,
  money_stop_active: () => t`Esa parada ya está activa.`,
  money_stop_lifted: () => t`Esta parada ya se levantó.`,
  lift_already_requested: () => t`Ya se pidió levantar esta parada: falta que otra persona lo confirme.`,
  lift_not_requested: () => t`Nadie pide levantar esta parada. Pídelo, y otra persona lo confirma.`,
  complaint_open: () => t`Ya nos reportaste este problema y lo estamos investigando. Míralo en el detalle del envío.`,
  complaint_overtaken: () => t`Esto ya no se puede hacer: el reclamo avanzó. Míralo otra vez.`,
  too_many_files: ({ most }) => t`Ya hay ${most} archivos: no caben más.`,
  complaint_decided: () => t`Este reclamo ya se decidió o se cerró: ya no se puede cambiar.`,
  account_not_correctable: () => t`La cuenta de este envío no se puede cambiar ahora. Míralo en tus transacciones.`,
  cancel_too_late: ({ windowSeconds }) => {
    const minutes = windowSeconds / 60;
    return t`Ya pasaron los ${minutes} minutos para cancelar y tu envío fue aprobado: sigue su camino.`;
  },
  already_deposited: () => t`El dinero ya se depositó en Bolivia y no se puede cancelar. Si algo está mal, escríbenos.`,
  already_ended: () => t`Este envío ya terminó y no se cobró nada.`,
  already_returning: () => t`Este envío ya terminó: tu dinero vuelve completo a tu tarjeta.`,
  settlement_in_progress: () =>
    t`Estamos terminando este envío en el banco, a mano. Mientras tanto no se puede cancelar ni cambiar la cuenta.`,
  invalid_signature: () => t`La firma del aviso no es válida.`,
  unavailable: ({ reference }) =>
    withReference(t`El servicio no está disponible por el momento. Intenta nuevamente.`, reference),
  internal: ({ reference }) => withReference(t`Ocurrió un error inesperado. Por favor, inténtalo de nuevo.`, reference),
};

/** What people read of a field that only the server can judge. */
export const refusedFieldTexts: Readonly<Record<Exclude<RefusedFieldCode, OnlyOfPrograms>, () => string>> = {
  password_breached: () => t`Es una contraseña muy conocida. Elige otra, por ejemplo varias palabras.`,
  password_personal: () => t`Es casi solo tu nombre, tu correo o «chasqui». Añade otras palabras.`,
  webhooks_too_many: () => t`Ya hay tantas direcciones como puede haber`,
  proof_too_large: () => t`El archivo puede tener 2 MB como máximo`,
  proof_unreadable: () => t`El archivo no es un PDF, PNG o JPEG que se pueda leer`,
  proof_infected: () => t`El antivirus encontró algo peligroso en este archivo. Envía otro.`,
  activation_out_of_range: () => t`Elige una hora futura, como máximo dentro de 30 días`,
};
/** No form here lets a person type them. */
type OnlyOfPrograms = 'page_gone' | 'start_out_of_range' | 'idempotency_key_malformed';

const hourSeconds = 3600;

/** Who was first, when it is known. */
function alreadyDecided({ decidedBy, transaction, request }: FailureDetails<'already_decided'>): string {
  if (request) return t`Esta solicitud ya fue decidida.`;
  const rejected = transaction?.status === 'rejected';
  if (decidedBy === 'you') return rejected ? t`Ya rechazaste esta transferencia.` : t`Ya aprobaste esta transferencia.`;
  if (decidedBy === undefined) return t`Esta transferencia ya fue decidida por otra persona.`;
  return rejected ? t`${decidedBy} ya rechazó esta transferencia.` : t`${decidedBy} ya aprobó esta transferencia.`;
}

function statementUnreadable({ line, reason }: FailureDetails<'statement_unreadable'>): string {
  if (line === null) return t`El extracto no se pudo leer, así que no se importó nada: ${reason}`;
  return t`El extracto no se pudo leer en la línea ${line}, así que no se importó nada: ${reason}`;
}

function rateChangeClosed({ change }: FailureDetails<'rate_change_closed'>): string {
  const closed = t`Este cambio de tasa ya no está en espera.`;
  if (!change) return closed;
  const { state, setBy, decidedBy } = change;
  switch (state) {
    case 'activated':
    case 'scheduled':
      return decidedBy === null ? closed : t`${decidedBy} ya confirmó este cambio.`;
    case 'declined':
      return decidedBy === null ? closed : t`${decidedBy} ya descartó este cambio.`;
    case 'cancelled':
      return t`${setBy} ya retiró este cambio.`;
    default:
      return t`Este cambio venció sin que otra persona lo confirmara. Pide uno nuevo.`;
  }
}

function transferHeld({ holds }: FailureDetails<'transfer_held'>): string {
  if (holds.includes('sender_blocked'))
    return t`La cuenta de quien envía está bloqueada: no se puede aprobar. Rechaza el envío, o quita antes el bloqueo.`;
  if (holds.includes('captured_in_part'))
    return t`De la tarjeta se cobró solo una parte: no se puede aprobar. Rechaza el envío, y lo cobrado vuelve a la tarjeta.`;
  if (holds.includes('inquiry_open'))
    return t`El banco de la tarjeta pregunta por este cobro: no se puede aprobar hasta que termine. Mira sus casos en Operaciones.`;
  return t`Este envío está retenido: no se puede aprobar todavía. Mira sus casos en Operaciones.`;
}

function screeningNeeded({ screening }: FailureDetails<'screening_needed'>): string {
  if (screening === 'blocked')
    return t`Una persona confirmó que el nombre está en una lista: no se puede aprobar, solo rechazar o devolver.`;
  if (screening === 'hit')
    return t`Un nombre se parece a uno de una lista de sanciones: antes de aprobar, di si es la misma persona.`;
  if (screening === 'unavailable')
    return t`El control de listas no respondió: repítelo, o comprueba las listas por otro medio y anótalo.`;
  if (screening === 'unclear')
    return t`Las listas pueden no reconocer un nombre: compruébalo por otro medio y anótalo.`;
  return t`El control de listas todavía no terminó. Espera un momento y vuelve a intentar.`;
}

function accountBusy({ transfers, complaints }: FailureDetails<'account_busy'>): string {
  if (transfers > 0) {
    const count = plural(transfers, { one: 'un envío en curso', other: '# envíos en curso' });
    return t`Todavía no puedes cerrar tu cuenta: tienes ${count}. Espera a que llegue o a que el dinero vuelva a tu tarjeta.`;
  }
  return complaints > 0
    ? t`Todavía no puedes cerrar tu cuenta: estamos investigando un problema que reportaste.`
    : t`Todavía no puedes cerrar tu cuenta: estamos resolviendo algo con uno de tus envíos.`;
}

/** A sentence about a failure of ours, with what support finds it by. */
function withReference(sentence: string, reference: string | undefined): string {
  if (reference === undefined) return sentence;
  return `${sentence} ${t`Si nos escribes, indica esta referencia: ${reference}.`}`;
}
