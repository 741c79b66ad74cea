import type { IdentityDeclineReason } from '#core/accounts/tiers';
import { formats } from '#core/locale/format';
import { receiptTexts } from '#core/papers/receipt-texts';
import type { QuestionCode } from '#core/review/questions';
import { rejectionSentences } from '#core/review/rejection';
import { declinedMax, type OwnReason, ownReasonOf } from '#core/transfers/own-reasons';
import { referenceOf } from '#core/transfers/reference';
import { spanishComplaintTexts } from './complaint-texts-es.ts';
import type { EmailData } from './email-kinds.ts';
import type { EmailTexts } from './email-texts.ts';
import { spanishAdminTexts } from './email-texts-admin-es.ts';
import { spanishRefundTexts } from './refund-texts-es.ts';
import { spanishRepeatTexts } from './repeat-texts-es.ts';
import { spanishRestTexts } from './rest-texts-es.ts';

const { money, bolivianos, rate, rateLine, day, moment } = formats.es;

/** Why an identity check was declined, and what to do. */
const declineSentences: Readonly<Record<IdentityDeclineReason, string>> = {
  unreadable: 'No pudimos leer el documento. Haz la foto con buena luz, sin reflejos y con los cuatro bordes dentro.',
  expired: 'El documento está vencido. Envía uno vigente.',
  mismatch: 'Lo que escribiste no coincide con el documento. Revisa nombre, número y fecha de nacimiento.',
  not_accepted: 'No podemos aceptar este documento. Usa tu pasaporte, tu cédula o tu permiso de residencia.',
  in_use:
    'Este documento ya está verificado en otra cuenta. Si es tuya, entra con ella. Si no, escríbenos desde la página de Ayuda y lo revisamos.',
};

/** What the undo link of a security e-mail does, for readers who did not make the change. */
const undoSentence = (undoUntil: string) =>
  `Si no fuiste tú, recupera tu cuenta con el enlace hasta el ${moment(undoUntil)}: se cierran todas las sesiones, la contraseña deja de valer, y las llaves de acceso, la aplicación y los códigos vuelven a ser los de siete días antes.`;
const undoAction = 'No fui yo: recuperar mi cuenta';

/** The e-mails in Spanish. */
export const spanishTexts: EmailTexts = {
  greeting: (name) => (name === null ? 'Hola:' : `Hola, ${name}:`),
  foot: 'Chasqui · Recibes este correo porque tienes una cuenta con nosotros.',
  choose: 'Elegir qué correos recibo',
  kinds: {
    ...spanishAdminTexts,
    password_recovery: () => ({
      subject: 'Cambia tu contraseña de Chasqui',
      paragraphs: [
        'Pediste un enlace para poner una contraseña nueva. Vale una hora desde que lo pediste y se puede usar una sola vez.',
        'Si no fuiste tú, no hagas nada: tu contraseña sigue igual. No compartas este enlace con nadie; Chasqui nunca te lo pide.',
      ],
      action: 'Poner una contraseña nueva',
    }),
    password_changed: ({ changedAt, keptSession, undoUntil }) => ({
      subject: 'Tu contraseña cambió',
      paragraphs: [
        `La contraseña de tu cuenta cambió el ${moment(changedAt)}. ${
          keptSession
            ? 'Cerramos tus sesiones en tus demás equipos: entra en ellos con la nueva.'
            : 'Cerramos tus sesiones en todos tus equipos: entra otra vez con la nueva.'
        }`,
        ...(undoUntil === null
          ? ['Si no fuiste tú, pide ahora mismo otro enlace para cambiarla y revisa quién más puede leer tu correo.']
          : [
              undoSentence(undoUntil),
              'Usa el mismo enlace si al entrar te piden una llave de acceso o un código que no es tuyo.',
            ]),
      ],
      action: undoUntil === null ? 'No fui yo: cambiarla otra vez' : undoAction,
    }),
    second_factor_changed: ({ change, at, recoveryCodesLeft, passkey, undoUntil }) => {
      const when = moment(at);
      const said = {
        added: [
          'activada',
          `Desde el ${when}, al entrar en tu cuenta pedimos también un código de tu aplicación. Cerramos tus sesiones en tus demás equipos. Guarda tus códigos de recuperación: con ellos entras si pierdes el teléfono.`,
        ],
        removed: ['desactivada', `Desde el ${when}, para entrar en tu cuenta basta la contraseña.`],
        app_added: ['aplicación nueva', `Desde el ${when} también puedes entrar con un código de tu aplicación.`],
        app_removed: [
          'aplicación quitada',
          `Desde el ${when} ya no pedimos el código de tu aplicación. Tus llaves de acceso siguen valiendo.`,
        ],
        passkey_added: [
          'llave de acceso nueva',
          `El ${when} se añadió la llave de acceso "${passkey}" a tu cuenta. Con ella se entra sin contraseña ni código. Con la contraseña pedimos ahora también un segundo paso.`,
        ],
        passkey_removed: [
          'llave de acceso quitada',
          `El ${when} se quitó la llave de acceso "${passkey}" de tu cuenta. Ya no sirve para entrar.`,
        ],
        reset: [
          'la quitamos',
          `Una persona de Chasqui la quitó el ${when} porque habías perdido tus códigos, y cerramos todas tus sesiones. Entra con tu contraseña y actívala otra vez.`,
        ],
        codes_renewed: ['códigos nuevos', `Los creaste el ${when}. Los anteriores ya no valen.`],
        recovery_code_used: [
          'se usó un código de recuperación',
          `El ${when} alguien usó uno de tus códigos de recuperación en tu cuenta. Te quedan ${recoveryCodesLeft}.`,
        ],
      } as const;
      const [what, sentence] = said[change];
      return {
        subject: `Verificación en dos pasos: ${what}`,
        paragraphs: [
          sentence,
          undoUntil === null
            ? 'Si no fuiste tú, cambia tu contraseña ahora, cierra tus demás sesiones y escríbenos.'
            : undoSentence(undoUntil),
        ],
        action: undoUntil === null ? 'Ver mi seguridad' : undoAction,
      };
    },
    new_device: ({ at, browser, system, undoUntil }) => ({
      subject: 'Entraste en tu cuenta desde un equipo nuevo',
      paragraphs: [
        `El ${moment(at)} alguien entró en tu cuenta desde un equipo en el que no habías entrado antes: ${
          [browser, system].filter(Boolean).join(', ') || 'uno que no dice cuál es'
        }.`,
        ...(undoUntil === null
          ? [
              'Si fuiste tú, no hagas nada. Si no, cierra esa sesión, cambia tu contraseña y activa la verificación en dos pasos.',
            ]
          : ['Si fuiste tú, no hagas nada.', undoSentence(undoUntil)]),
      ],
      action: undoUntil === null ? 'Ver mis sesiones' : undoAction,
    }),
    email_proof: ({ code }) => ({
      subject: `${code} es tu código para confirmar tu correo`,
      paragraphs: [
        `Tu código es ${code}. Escríbelo en Chasqui antes de tu primer pago, o abre el enlace en cualquier equipo. Valen 24 horas y se usan una sola vez.`,
        'Así sabemos que los comprobantes y avisos de tus envíos te llegan a ti. No le digas el código a nadie: nunca te lo pediremos por teléfono ni por mensaje.',
        'Si no abriste una cuenta en Chasqui, no hagas nada: alguien escribió tu dirección por error.',
      ],
      action: 'Confirmar mi correo',
    }),
    identity_checked: ({ level, reason }) => {
      const what = level === 'identity' ? 'Tus datos de identidad' : 'Tu documento';
      if (reason === null)
        return {
          subject: 'Tu verificación de identidad está lista',
          paragraphs: [
            `${what} ${level === 'identity' ? 'están verificados' : 'está verificado'}. Desde ahora puedes enviar más.`,
            'En tu cuenta ves cuánto puedes enviar por envío, por día y en 30 días.',
          ],
          action: 'Ver mis límites',
        };
      return {
        subject: 'Tu verificación de identidad no se pudo hacer',
        paragraphs: [
          declineSentences[reason],
          'Puedes enviarlo otra vez desde tu cuenta. Tus límites de ahora siguen igual.',
        ],
        action: 'Intentarlo otra vez',
      };
    },
    email_change: () => ({
      subject: 'Confirma tu correo nuevo en Chasqui',
      paragraphs: [
        'Pediste usar esta dirección en tu cuenta de Chasqui. El enlace vale una hora desde que lo pediste y se puede usar una sola vez. Hasta que lo uses, tu cuenta sigue con la dirección anterior.',
        'Si no fuiste tú, no hagas nada: alguien escribió tu dirección por error.',
      ],
      action: 'Confirmar esta dirección',
    }),
    email_changed: ({ newEmail, changedAt, undoUntil }) => ({
      subject: 'El correo de tu cuenta cambió',
      paragraphs: [
        `La dirección de tu cuenta cambió el ${moment(changedAt)}. Desde ahora te escribimos a ${newEmail ?? 'otra dirección'} y entras con ella. Cerramos las sesiones de los demás equipos.`,
        undoUntil === null
          ? 'Si no fuiste tú, escríbenos ahora mismo: lo revisa una persona.'
          : `${undoSentence(undoUntil)} También vuelve esta dirección.`,
      ],
      action: undoUntil === null ? 'No fui yo: escribir a Chasqui' : undoAction,
    }),
    email_restored: ({ restoredAt, since }) => ({
      subject: 'Recuperaste tu cuenta de Chasqui',
      paragraphs: [
        `Tu cuenta tiene otra vez esta dirección desde el ${moment(restoredAt)}. Cerramos todas las sesiones y la contraseña que tenía ya no vale.`,
        ...(since === null
          ? []
          : [
              `Las llaves de acceso, la aplicación de verificación y los códigos son otra vez los que tenías el ${moment(since)}.`,
            ]),
        'Pon ahora una contraseña nueva y mira tus últimos envíos. Si ves algo que no hiciste, escríbenos.',
      ],
      action: 'Poner una contraseña nueva',
    }),
    email_withdrawn: ({ restoredAt }) => ({
      subject: 'Tu dirección ya no es la de una cuenta de Chasqui',
      paragraphs: [
        `El ${moment(restoredAt)} alguien deshizo un cambio de una cuenta que usaba esta dirección, con el enlace que enviamos a la dirección de antes. La cuenta volvió a ella y cerramos todas las sesiones.`,
        'Si la cuenta es tuya y no fuiste tú, escríbenos ahora mismo: lo revisa una persona.',
      ],
      action: 'Escribir a Chasqui',
    }),
    account_closed: ({ closedAt }) => ({
      subject: 'Cerramos tu cuenta de Chasqui',
      paragraphs: [
        `Cerraste tu cuenta el ${moment(closedAt)}. Terminamos tus sesiones, y borramos tus destinatarios, alertas y datos de contacto si la ley no nos obliga a guardarlos.`,
        'Guardamos tus envíos y los datos que la ley pide con ellos, por el tiempo que manda. Nadie puede entrar ni enviar dinero con esta cuenta.',
        'Si no fuiste tú, escríbenos ahora mismo.',
      ],
      action: 'Escribir a Chasqui',
    }),
    rate_alert: ({ currency, rate: wanted, firedRate }) => ({
      subject: `La tasa llegó a tu valor: ${rateLine(firedRate, currency)}`,
      paragraphs: [
        `Pediste un aviso para cuando 1 ${currency} llegara a ${rate(wanted)}. Ahora está así: ${rateLine(firedRate, currency)}.`,
        'La tasa puede cambiar en cualquier momento. Se fija cuando confirmas tu envío.',
      ],
      action: 'Enviar dinero',
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
        ...better(data),
        'Te escribimos otra vez cuando el banco confirme el depósito.',
      ],
      details: payout(data),
      action: 'Ver mi envío',
    }),
    transfer_cancel_requested: (data) => ({
      subject: `Recibimos tu pedido de cancelar el envío de ${money(data.amount, data.currency)}`,
      paragraphs: [
        'Ya le habíamos pedido el depósito al banco y todavía no sabemos si lo hizo. No le pedimos nada más: solo esperamos su respuesta.',
        'Si no lo hizo, te devolvemos todo, comisión incluida. Si ya lo había depositado, te escribimos con la referencia.',
      ],
      details: [['Número de tu envío', referenceOf(data.transferId)]],
      action: 'Ver mi envío',
    }),
    transfer_paid: (data) => ({
      subject: data.cancelRequestedAt
        ? `No pudimos cancelar: el banco ya había depositado ${bolivianos(data.bolivianos)}`
        : data.byHand
          ? `Pagamos ${bolivianos(data.bolivianos)} a tu familia`
          : `Depositamos ${bolivianos(data.bolivianos)} a tu familia`,
      paragraphs: [
        ...(data.cancelRequestedAt
          ? [
              `Pediste cancelar el ${moment(data.cancelRequestedAt)}, pero el banco nos confirmó que el dinero ya estaba depositado. Un depósito hecho no se puede deshacer.`,
            ]
          : []),
        data.byHand
          ? `Una persona de Chasqui le pagó a tu familia por otro medio que el habitual, así que el dinero puede no estar en la cuenta que nos diste. Lo anotamos el ${moment(data.at)}.`
          : `El banco confirmó el depósito el ${moment(data.at)}.`,
        ...better(data),
        `Guarda este correo como comprobante: con la referencia el banco encuentra el ${data.byHand ? 'pago' : 'depósito'}.`,
      ],
      details: [
        [data.byHand ? 'Monto pagado' : 'Monto depositado', bolivianos(data.bolivianos)],
        ...(data.byHand ? [] : account(data)),
        ...(data.reference === null ? [] : [['Referencia del banco', data.reference] as const]),
        ...(data.byHand ? [] : [['Fecha y hora del depósito', moment(data.at)] as const]),
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
      paragraphs: [...because(data), released(data)],
      details: [['Número de tu envío', referenceOf(data.transferId)]],
      action: 'Ver mi envío',
    }),
    transfer_cancelled: (data) => ({
      subject: `Cancelaste tu envío de ${money(data.amount, data.currency)}`,
      paragraphs: [released(data), 'Si no fuiste tú, cambia tu contraseña y escríbenos.'],
      details: [['Número de tu envío', referenceOf(data.transferId)]],
      action: 'Ver mi envío',
    }),
    transfer_ended: (data) => ({
      subject: data.mayBeCharged
        ? `Tu envío de ${money(data.amount, data.currency)} terminó`
        : `Tu envío de ${money(data.amount, data.currency)} terminó sin cobrarse`,
      paragraphs: [...because(data), released(data)],
      details: [['Número de tu envío', referenceOf(data.transferId)]],
      action: 'Ver mi envío',
    }),
    transfer_question: (data) => ({
      subject: `Necesitamos una respuesta sobre tu envío de ${money(data.amount, data.currency)}`,
      paragraphs: [
        ...(data.code === null ? [] : [questionMessages[data.code]]),
        ...(data.note === null ? [] : [`Una persona de Chasqui te pregunta: ${data.note}`]),
        data.answerBy === null
          ? 'Sin tu respuesta quizá no podamos aprobarlo. Todavía no se cobró nada.'
          : `Sin tu respuesta quizá no podamos aprobarlo. La reserva en tu tarjeta termina el ${moment(data.answerBy)}; si no se decide antes, no se cobra nada.`,
        'Responde desde tu cuenta: no contestes a este correo. Nunca te pedimos tu contraseña ni el número de tu tarjeta.',
      ],
      details: [['Número de tu envío', referenceOf(data.transferId)]],
      action: 'Responder',
    }),
    payout_failed: ({ amount, currency, bolivianos: paidOut, returned, correctBy, parts }) => ({
      subject:
        correctBy === null ? 'El banco no pudo pagar tu envío' : 'El banco no pudo pagar tu envío: revisa la cuenta',
      paragraphs: [
        returned
          ? `El banco devolvió el pago de ${bolivianos(paidOut)} de tu envío de ${money(amount, currency)}: tu familia no lo recibió.`
          : `El banco rechazó la cuenta de tu envío de ${money(amount, currency)}: los ${bolivianos(paidOut)} todavía no llegaron.`,
        ...(correctBy === null
          ? [
              parts
                ? `De lo que pagaste ya volvieron ${money(parts.back, currency)}. Los ${money(parts.left, currency)} que quedan están con nosotros: pídelos de vuelta en Chasqui.`
                : 'Tu dinero está con nosotros. Pídelo de vuelta en Chasqui y vuelve completo a tu tarjeta, con la comisión.',
            ]
          : [
              parts
                ? `Elige otra cuenta y lo pagamos otra vez, con la misma tasa y sin otro cobro. O pide de vuelta los ${money(parts.left, currency)} que quedan: ${money(parts.back, currency)} ya volvieron.`
                : 'Elige otra cuenta y lo pagamos otra vez, con la misma tasa y sin otro cobro. O pide tu dinero de vuelta: vuelve completo a tu tarjeta, con la comisión.',
              ...deadline(correctBy),
            ]),
      ],
      action: correctBy === null ? 'Ver mi envío' : 'Corregir la cuenta',
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
    account_not_corrected: ({ amount, currency, mayCorrect, parts }) => ({
      subject: `Te devolvemos ${money(parts?.left ?? amount, currency)}`,
      paragraphs: [
        `El banco no pudo pagar tu envío de ${money(amount, currency)}${mayCorrect ? ' y la cuenta no se corrigió a tiempo' : ''}. ${
          parts
            ? `Ya habían vuelto ${money(parts.back, currency)}; ahora vuelven a tu tarjeta los ${money(parts.left, currency)} que quedan.`
            : 'Tu dinero vuelve completo a tu tarjeta, con la comisión.'
        } Tu banco puede tardar unos días en mostrarlo.`,
        ...(mayCorrect ? ['Puedes hacer otro envío cuando tengas los datos de la cuenta.'] : []),
      ],
      action: 'Ver mi envío',
    }),
    ...spanishRepeatTexts,
    ...spanishRefundTexts,
    ...spanishRestTexts,
    ...spanishComplaintTexts,
  },
};

type Step = EmailData<'transfer_held'>;

/** The destination account, as far as the sender needs to recognize it. */
function account({ bank, account }: Step): (readonly [string, string])[] {
  return [
    ...(bank === null ? [] : [['Banco o billetera', bank] as const]),
    ...(account ? [['Cuenta', `termina en ${account}`] as const] : []),
  ];
}

/** That a better rate than the accepted one applies. */
const better = ({ better, currency }: Step): string[] =>
  better ? [receiptTexts.es.betterRate({ ...better, currency })] : [];

function payout(data: Step): (readonly [string, string])[] {
  return [
    ['Llegan', bolivianos(data.bolivianos)],
    ...account(data),
    ['Número de tu envío', referenceOf(data.transferId)],
  ];
}

/** That the authorization was released, and whether anything was charged. */
const released = ({ mayBeCharged }: { mayBeCharged: boolean }) =>
  `${
    mayBeCharged
      ? 'Liberamos la reserva en tu tarjeta. Si ya se había cobrado algo, te lo devolvemos completo.'
      : 'No se cobró nada: liberamos la reserva en tu tarjeta.'
  } Tu banco puede tardar unos días en mostrarlo.`;

/** The reason for the end: our own reasons without the refund, others as an admin or a bank wrote them. */
function because({ reason, rejectionCode: code }: Step): string[] {
  if (code !== null) return [rejectionSentences[code], ...(reason === null ? [] : [`Motivo: ${reason}`])];
  if (reason === null) return [];
  const own = ownReasonOf(reason);
  return [own ? ownReasonMessages[own] : `Motivo: ${reason}`];
}

const ownReasonMessages: Readonly<Record<OwnReason, string>> = {
  not_reviewed: 'No revisamos tu envío a tiempo.',
  authorization_lost: 'La reserva en tu tarjeta terminó antes de cobrarse.',
  day_limit_reached: 'Con este envío superabas tu límite de 24 horas.',
  month_limit_reached: 'Con este envío superabas tu límite de 30 días.',
  reminder_paid: 'Ya habías pagado este envío que se repite con otro pago.',
  account_declined_too_often: 'Se rechazaron demasiadas tarjetas en tu cuenta.',
  network_declined_too_often: 'Se rechazaron demasiadas tarjetas desde tu conexión.',
  card_declined_too_often: 'Tu tarjeta fue rechazada demasiadas veces en un día.',
  declined_too_often: `Tu tarjeta fue rechazada ${declinedMax} veces.`,
  not_corrected: 'La cuenta no se corrigió a tiempo.',
  not_paid_out: 'El banco no pudo pagar a esa cuenta.',
};

/** What happens if the sender does nothing. */
function deadline(correctBy: string | null): string[] {
  return correctBy === null ? [] : [`Si no la corriges hasta el ${moment(correctBy)}, te devolvemos el dinero.`];
}

const questionMessages: Readonly<Record<QuestionCode, string>> = {
  purpose: '¿Para qué es este envío?',
  relation: '¿Qué relación tienes con quien recibe?',
  funds_origin: '¿De dónde viene el dinero que envías?',
  card_owner: '¿La tarjeta es tuya? Si no, ¿de quién es?',
  recipient_identity: '¿Cuáles son el nombre completo y la fecha de nacimiento de quien recibe?',
  sender_identity: '¿Cuáles son tu fecha y tu lugar de nacimiento?',
  duplicate: 'Ya hiciste un envío igual. ¿Quieres enviar dos veces?',
};
