import { caseAddress, transferAddress } from '#core/contracts/page-addresses';
import { formatAmount, formatBolivianos, formatRateLine } from '#core/money/format';
import type { CaseReason } from '#core/operations/desk-case';
import type { GuardRail } from '#core/rates/guard-rails';
import { laPazZone } from '#core/time/time';
import { referenceOf } from '#core/transfers/reference';
import { type EmailData, type EmailKind, emailKinds } from './email.repository.ts';

/** An e-mail ready to be sent. */
export interface EmailMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Who reads it, and the origin of its links. */
export interface EmailReader {
  /** Null: the reader has not proven that the address is theirs, so the name may be a stranger's text. */
  readonly name: string | null;
  readonly publicUrl: string;
  /** The secret of the kinds that carry one. */
  readonly token?: string;
}

/** The content of an e-mail before it becomes text and HTML. */
interface EmailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The link of the button: a path of the web app. */
  readonly action: { readonly label: string; readonly path: string };
}

const templates: { readonly [Kind in EmailKind]: (data: EmailData<Kind>, to: EmailReader) => EmailContent } = {
  password_recovery: (_data, { token }) => {
    if (token === undefined) throw new RangeError('the e-mail of a password reset needs its token');
    return {
      subject: 'Cambia tu contraseña de Chasqui',
      paragraphs: [
        'Pediste un enlace para poner una contraseña nueva. Vale una hora desde que lo pediste y se puede usar una sola vez.',
        'Si no fuiste tú, no hagas nada: tu contraseña sigue igual. No compartas este enlace con nadie; Chasqui nunca te lo pide.',
      ],
      // A fragment is never sent to a server, so no log contains it.
      action: { label: 'Poner una contraseña nueva', path: `/recuperar#${token}` },
    };
  },
  password_changed: ({ changedAt }) => ({
    subject: 'Tu contraseña cambió',
    paragraphs: [
      `La contraseña de tu cuenta cambió el ${laPaz(changedAt)}. Cerramos tus sesiones en todos tus equipos: entra otra vez con la nueva.`,
      'Si no fuiste tú, pide ahora mismo otro enlace para cambiarla y revisa quién más puede leer tu correo.',
    ],
    action: { label: 'No fui yo: cambiarla otra vez', path: '/login?recover=true' },
  }),
  rate_alert: ({ currency, rate, firedRate }) => ({
    subject: `La tasa llegó a tu valor: ${formatRateLine(firedRate, currency)}`,
    paragraphs: [
      `Pediste un aviso para cuando 1 ${currency} llegara a ${bolivianos(rate)}. Ahora está así: ${formatRateLine(firedRate, currency)}.`,
      'La tasa puede cambiar en cualquier momento. Se fija cuando confirmas tu envío.',
    ],
    action: { label: 'Enviar dinero', path: '/dashboard' },
  }),
  rates_paused: ({ currency, lastUpdatedAt }) => ({
    subject: `Envíos en ${currency} en pausa: falta una tasa reciente`,
    paragraphs: [
      `Nadie puede pagar en ${currency} por ahora: lo último que se supo de su tasa es del ${laPaz(lastUpdatedAt)}.`,
      'Revisa las fuentes de precios, o fija la tasa tú mismo. Los envíos vuelven solos cuando una fuente responde o cuando alguien fija una tasa.',
    ],
    action: { label: 'Abrir el panel de administración', path: '/admin' },
  }),
  rates_resumed: ({ currency, rate, pausedAt }) => ({
    subject: `Envíos en ${currency} otra vez en marcha`,
    paragraphs: [
      `Ya se puede pagar en ${currency} con la tasa ${formatRateLine(rate, currency)}. La pausa empezó el ${laPaz(pausedAt)}.`,
    ],
    action: { label: 'Abrir el panel de administración', path: '/admin' },
  }),
  rate_change_waiting: ({ currency, rate, previousRate, setBy, reason, guardRails }) => ({
    subject: `Un cambio de tasa espera tu confirmación: ${formatRateLine(rate, currency)}`,
    paragraphs: [
      `${setBy} pidió la tasa ${formatRateLine(rate, currency)}.${previousRate === null ? '' : ` La anterior: ${formatRateLine(previousRate, currency)}.`}`,
      ...guardRails.map((rail) => guardRailMessages[rail]),
      ...(reason === null ? [] : [`Motivo: ${reason}`]),
      'Revísalo y confírmalo o descártalo. Sin otra persona que lo confirme no entra en vigor.',
    ],
    action: { label: 'Revisar el cambio', path: '/admin' },
  }),
  payout_failed: ({ amount, currency, bolivianos, returned, correctBy, transferId }) => ({
    subject: 'El banco no pudo pagar tu envío: revisa la cuenta',
    paragraphs: [
      returned
        ? `El banco devolvió el pago de ${formatBolivianos(bolivianos)} de tu envío de ${formatAmount(amount, currency)}: tu familia no lo recibió.`
        : `El banco rechazó la cuenta de tu envío de ${formatAmount(amount, currency)}: los ${formatBolivianos(bolivianos)} todavía no llegaron.`,
      'Elige otra cuenta y lo pagamos otra vez, con la misma tasa y sin otro cobro. O pide tu dinero de vuelta: vuelve completo a tu tarjeta, con la comisión.',
      ...deadline(correctBy),
    ],
    action: { label: 'Corregir la cuenta', path: transferPage(transferId) },
  }),
  account_reminder: ({ amount, currency, bolivianos, correctBy, transferId }) => ({
    subject: 'Tu envío sigue esperando otra cuenta',
    paragraphs: [
      `Los ${formatBolivianos(bolivianos)} de tu envío de ${formatAmount(amount, currency)} todavía no llegaron, porque el banco no pudo pagar a la cuenta que nos diste.`,
      'Elige otra cuenta y lo pagamos otra vez, con la misma tasa y sin otro cobro. O pide tu dinero de vuelta.',
      ...deadline(correctBy),
    ],
    action: { label: 'Corregir la cuenta', path: transferPage(transferId) },
  }),
  account_not_corrected: ({ amount, currency, transferId }) => ({
    subject: `Te devolvemos ${formatAmount(amount, currency)}`,
    paragraphs: [
      `El banco no pudo pagar tu envío de ${formatAmount(amount, currency)} y la cuenta no se corrigió a tiempo. Tu dinero vuelve completo a tu tarjeta, con la comisión. Tu banco puede tardar unos días en mostrarlo.`,
      'Puedes hacer otro envío cuando tengas los datos de la cuenta.',
    ],
    action: { label: 'Ver mi envío', path: transferPage(transferId) },
  }),
  case_opened: ({ reason, caseId, ...transfer }) => ({
    subject: `Un envío necesita a una persona: ${caseMessages[reason]}`,
    paragraphs: [`Hay un caso nuevo: ${caseMessages[reason]}, en el envío ${transferName(transfer)}.`],
    action: { label: 'Abrir el caso', path: casePage(caseId) },
  }),
  desk_request_waiting: ({ requestedBy, reason, amount, currency, transferId, caseId }) => ({
    subject: 'Un caso espera tu aprobación',
    paragraphs: [
      `${requestedBy} pidió mover ${formatAmount(amount, currency)} del envío${transferId ? ` ${referenceOf(transferId)}` : ''}. Motivo: ${reason || 'sin motivo'}`,
      'Revísalo y apruébalo o recházalo. Sin otra persona que lo apruebe no se hace.',
    ],
    action: { label: 'Revisar la solicitud', path: casePage(caseId) },
  }),
  case_old: ({ reason, caseId, ...transfer }) => ({
    subject: `Sigue abierto después de un día: ${caseMessages[reason]}`,
    paragraphs: [
      `Hace más de 24 horas que este caso espera a una persona: ${caseMessages[reason]}, en el envío ${transferName(transfer)}.`,
    ],
    action: { label: 'Abrir el caso', path: casePage(caseId) },
  }),
};

/** E-mails that an earlier version wrote name neither transfer nor case. */
const transferPage = (id: string | null) => (id === null ? '/dashboard' : transferAddress(id));
const casePage = (id: string | null) => (id === null ? '/admin?tab=operations' : caseAddress(id));

/** "TR281467… de 100,00 EUR", after "en el envío". */
function transferName({ transferId, amount, currency }: Omit<EmailData<'case_opened'>, 'reason' | 'caseId'>): string {
  const reference = transferId === null ? '' : `${referenceOf(transferId)} `;
  return `${reference}de ${formatAmount(amount, currency)}`;
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
  contradiction: 'un proveedor dice algo que no puede ser',
};

/** What happens when a sender does nothing. */
function deadline(correctBy: string | null): string[] {
  return correctBy === null ? [] : [`Si no la corriges hasta el ${laPaz(correctBy)}, te devolvemos el dinero.`];
}

const guardRailMessages: Readonly<Record<GuardRail, string>> = {
  step_too_large: 'Es un cambio mayor que el que una persona puede hacer sola en un día.',
  above_reference: 'Está por encima de lo que paga el mercado.',
  stale_sources: 'No hay una referencia reciente del mercado con la que compararla.',
};

/** Renders the e-mail of a stored kind. @throws ZodError or RangeError when kind or data are unknown. */
export function renderEmail(kind: string, data: unknown, to: EmailReader): EmailMessage {
  if (!Object.hasOwn(emailKinds, kind)) throw new RangeError(`no such kind of e-mail: ${kind}`);
  return compose(contentOf(kind as EmailKind, data, to), to);
}

function contentOf<Kind extends EmailKind>(kind: Kind, data: unknown, to: EmailReader): EmailContent {
  return templates[kind](emailKinds[kind].parse(data) as EmailData<Kind>, to);
}

function compose({ subject, paragraphs, action }: EmailContent, { name, publicUrl }: EmailReader): EmailMessage {
  const greeting = name === null ? 'Hola:' : `Hola, ${name}:`;
  const url = `${publicUrl}${action.path}`;
  const foot = 'Chasqui · Recibes este correo porque tienes una cuenta con nosotros.';
  const html = [
    '<!doctype html><html lang="es"><head><meta charset="utf-8">',
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;background:#f6f4ee;color:#0f172a;font:16px/1.5 system-ui,sans-serif">',
    '<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px">',
    ...[greeting, ...paragraphs].map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`),
    `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="padding:12px 20px;border-radius:8px;background:#0b6b43;`,
    `color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>`,
    `<p style="margin:0;color:#475569;font-size:14px">${escapeHtml(foot)}</p></div></body></html>`,
  ].join('');
  return { subject, text: `${[greeting, ...paragraphs, `${action.label}: ${url}`, foot].join('\n\n')}\n`, html };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** "13,20 Bs" from a wire rate. */
function bolivianos(rate: string): string {
  return `${rate.replace('.', ',')} Bs`;
}

const moment = new Intl.DateTimeFormat('es-BO', {
  timeZone: laPazZone,
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

function laPaz(iso: string): string {
  return `${moment.format(new Date(iso))} (hora de Bolivia)`;
}
