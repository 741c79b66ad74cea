import type { ClockName } from '#core/complaints/clocks';
import type { ComplaintReason, ComplaintWant, Regime } from '#core/complaints/complaint';
import { formats } from '#core/locale/format';
import { referenceOf } from '#core/transfers/reference';
import { returnedToCard } from '#core/transfers/refund';
import type { EmailData } from './email-kinds.ts';
import type { ComplaintTexts } from './email-texts.ts';

const { money, day, moment } = formats.es;

/** Report reasons, as titles. */
const reasons: Readonly<Record<ComplaintReason, string>> = {
  wrong_charge: 'me cobraron otro monto',
  computation: 'hay un error de cálculo',
  wrong_amount: 'llegó otro monto',
  late: 'llegó tarde',
  not_received: 'el dinero no llegó',
  information: 'pido documentos o una explicación',
  general: 'otra queja',
};

const wanted: Readonly<Record<ComplaintWant, string>> = {
  refund: 'Que me devuelvan el dinero',
  delivery: 'Que mi familia reciba lo que falta',
  explanation: 'Una explicación o documentos',
  other: 'Lo que escribí',
};

const clocks: Readonly<Record<ClockName, string>> = {
  investigate: 'averiguar qué pasó',
  tell: 'escribir el resultado al remitente',
  answer: 'responder al remitente',
  correct: 'corregir el error',
};

/** Authorities a sender may also contact (12 CFR 1005.31(b)(2)(vi); PSD2, articles 99 and 102). */
const authorities: Readonly<Record<Regime, string>> = {
  reg_e:
    'Si no estás de acuerdo, respóndenos, o acude a la Oficina para la Protección Financiera del Consumidor (CFPB) de Estados Unidos: 855-411-2372, consumerfinance.gov/es.',
  psd2: 'Si no estás de acuerdo, respóndenos, o acude al organismo de reclamaciones de servicios de pago de tu país; en España es el Banco de España (bde.es).',
  own: 'Si no estás de acuerdo, respóndenos, o acude a la Oficina para la Protección Financiera del Consumidor (CFPB) de Estados Unidos: 855-411-2372, consumerfinance.gov/es.',
};

const documents =
  'Tienes derecho a los documentos en los que nos basamos: pídelos con otro reporte desde el detalle del envío y te los damos sin costo.';

/** Which report and which transfer. */
function details(
  of: Pick<EmailData<'complaint_received'>, 'transferId' | 'amount' | 'currency' | 'reason' | 'reportedAt'>,
): [string, string][] {
  return [
    ['Motivo', capital(reasons[of.reason])],
    ['Número de tu envío', referenceOf(of.transferId)],
    ['Total que pagaste', money(of.amount, of.currency)],
    ['Reportado', moment(of.reportedAt)],
  ];
}

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

type Again = Pick<EmailData<'complaint_reopened'>, 'payout' | 'bank' | 'account'>;

/** The second payout and its account. */
const payoutText = ({ payout, bank, account }: Again) =>
  `${money(payout ?? '0.00', 'BOB')} en ${bank}, en la cuenta terminada en ${account}`;

/** The correction of an error. */
function correction({
  remedy,
  refund,
  currency,
  correctBy,
  ...again
}: Pick<EmailData<'complaint_result'>, 'remedy' | 'refund' | 'currency' | 'correctBy' | keyof Again>): string {
  const until = correctBy === null ? '' : ` Lo hacemos a más tardar el ${day(correctBy)}.`;
  const back = refund === null ? '' : money(refund, currency);
  switch (remedy) {
    case 'refund':
      return `Devolvemos ${back} a tu tarjeta.${until} Tu banco puede tardar unos días más en mostrarlo.`;
    case 'fee_refund':
      return `Devolvemos la comisión, ${back}, a tu tarjeta.${until} Tu banco puede tardar unos días más en mostrarlo.`;
    case 'pay_again':
      return `${again.payout === null ? 'Hacemos llegar el dinero a tu familia' : `El banco paga otra vez a tu familia: ${payoutText(again)}`}, sin costo para ti.${until}${refund === null ? '' : ` Además devolvemos la comisión, ${back}, a tu tarjeta.`}`;
    default:
      return 'Ya no hay nada que mover: el dinero está donde debe.';
  }
}

type Corrected = EmailData<'complaint_corrected'>;

/** What was paid out for a report. */
function paidText({ missing, ...data }: Corrected): string {
  if (data.payout !== null)
    return `El banco pagó otra vez a tu familia: ${payoutText(data)}, con la referencia ${data.reference}.`;
  if (missing === null) return 'Tu familia ya tiene el dinero.';
  return `El banco pagó a tu familia, y después devolvió ${money(missing, 'BOB')}. Sobre esa parte te escribimos aparte.`;
}

/** What was refunded for a report, and where to. */
function returnedText({ refund, byBank, currency }: Corrected): string {
  const back = refund ?? '0.00';
  if (byBank === '0.00') return `${money(back, currency)} a tu tarjeta`;
  if (byBank === back) return `${money(back, currency)} por transferencia bancaria y no a tu tarjeta`;
  const card = money(returnedToCard({ returned: back, byBank }), currency);
  return `${money(byBank, currency)} por transferencia bancaria y ${card} a tu tarjeta`;
}

/** The result that an admin asks a second person to approve. */
const plannedText = ({ refund, currency, ...again }: Again & { refund: string | null; currency: 'EUR' | 'USD' }) =>
  [
    ...(again.payout === null ? [] : [`pagar a la familia otra vez: ${payoutText(again)}`]),
    ...(refund === null ? [] : [`devolver ${money(refund, currency)}`]),
  ].join(' y ');

/** E-mails about reported problems in Spanish. */
export const spanishComplaintTexts: ComplaintTexts = {
  complaint_received: (data) => ({
    subject: `Recibimos tu reporte: ${reasons[data.reason]}`,
    paragraphs: [
      data.regime === 'reg_e'
        ? `Lo investiga una persona de Chasqui, en 90 días como máximo: hasta el ${day(data.answerBy)}. Te contamos el resultado en los 3 días hábiles siguientes.`
        : `Lo mira una persona de Chasqui. Te respondemos a más tardar el ${day(data.answerBy)}.`,
      ...(data.inTime
        ? []
        : [
            'Pasaron más de 180 días desde la fecha en que el dinero debía estar disponible. Por eso los plazos de la ley para errores ya no corren, y lo atendemos como queja.',
          ]),
    ],
    details: [...details(data), ['Lo que pides', wanted[data.wants]], ['Lo que escribiste', data.description]],
    action: 'Ver mi reporte',
  }),
  complaint_delayed: (data) => ({
    subject: `Tu reporte tarda más: te respondemos hasta el ${day(data.answerBy)}`,
    paragraphs: ['No pudimos responderte todavía. Este es el motivo:', data.delay],
    details: details(data),
    action: 'Ver mi reporte',
  }),
  complaint_result: (data) => ({
    subject: {
      error: 'Resultado de tu reporte: hubo un error y lo corregimos',
      no_error: 'Resultado de tu reporte: no encontramos un error',
      answered: 'La respuesta a tu reporte',
    }[data.finding],
    paragraphs: [
      data.explanation,
      ...(data.finding === 'error' ? [correction(data)] : []),
      ...(data.finding === 'answered' ? [] : [documents]),
      authorities[data.regime],
    ],
    details: details(data),
    action: 'Ver mi reporte',
  }),
  complaint_corrected: (data) => ({
    subject: 'Corregimos el error que reportaste',
    paragraphs: [
      data.remedy === 'pay_again'
        ? `${paidText(data)}${data.refund === null ? '' : ` Además devolvimos la comisión: ${returnedText(data)}.`}`
        : `Devolvimos ${returnedText(data)}. Tu banco puede tardar unos días en mostrarlo.`,
      ...(data.announced === null
        ? []
        : [
            `Habíamos anunciado ${money(data.announced, data.currency)}. La diferencia ya no estaba por devolver: te había vuelto antes.`,
          ]),
      'Con esto cerramos tu reporte. Si algo sigue mal, cuéntanos con otro desde el detalle del envío.',
    ],
    details: details(data),
    action: 'Ver mi envío',
  }),
  complaint_reopened: (data) => ({
    subject:
      data.refund === null
        ? 'El banco no pudo pagar: volvemos a mirar tu reporte'
        : 'No podemos hacer la devolución: volvemos a mirar tu reporte',
    paragraphs: [
      ...(data.refund === null
        ? [
            `El banco no pudo hacer el pago que te anunciamos: ${payoutText(data)}. El dinero está con nosotros y el error sigue por corregir.`,
            'Revisa los datos de tu destinatario en Chasqui. Si la cuenta es otra, cámbiala ahí: es la que usamos.',
          ]
        : [
            `Te anunciamos una devolución de ${money(data.refund, data.currency)} a tu tarjeta. Ya no podemos hacerla, porque dinero de este envío volvió por otra vía: por una disputa con el banco de tu tarjeta o por otra devolución.`,
          ]),
      `Te escribimos cómo lo corregimos a más tardar el ${day(data.answerBy)}.`,
    ],
    details: details(data),
    action: 'Ver mi reporte',
  }),
  complaint_withdrawn: (data) => ({
    subject: `Retiraste tu reporte: ${reasons[data.reason]}`,
    paragraphs: [
      'Cerramos tu reporte como pediste y ya no lo investigamos.',
      'Si no lo retiraste tú, o si algo sigue mal, cuéntanos con otro reporte desde el detalle del envío.',
    ],
    details: details(data),
    action: 'Ver mi envío',
  }),
  complaint_opened: (data) => ({
    subject: `Un remitente reporta un problema: ${reasons[data.reason]}`,
    paragraphs: [
      `Envío ${referenceOf(data.transferId)} de ${money(data.amount, data.currency)}. Plazo: ${day(data.dueAt)}.`,
    ],
    action: 'Ver el reclamo',
  }),
  complaint_due: (data) => ({
    subject:
      data.stage === 'near'
        ? `Un reclamo vence pronto: ${clocks[data.clock]}`
        : `Un reclamo está vencido: ${clocks[data.clock]}`,
    paragraphs: [
      `${capital(reasons[data.reason])}: envío ${referenceOf(data.transferId)} de ${money(data.amount, data.currency)}.`,
      `El plazo para ${clocks[data.clock]} ${data.stage === 'near' ? 'termina' : 'terminó'} el ${moment(data.dueAt)}.`,
    ],
    action: 'Ver el reclamo',
  }),
  complaint_waiting: (data) => ({
    subject: 'El resultado de un reclamo espera tu aprobación',
    paragraphs: [
      `${data.foundBy} encontró un error y quiere ${plannedText(data)}, del envío ${referenceOf(data.transferId)}.`,
      'Míralo, y apruébalo o devuélvelo con una nota. El remitente no sabe nada todavía.',
    ],
    action: 'Ver el reclamo',
  }),
};
