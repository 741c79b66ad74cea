import type { ReceiptView } from '../contracts/http/receipts.ts';
import { formats } from '../locale/format.ts';
import type { Locale } from '../locale/locale.ts';
import { type Currency, formatMinor, parseMinor, type SendCurrency } from '../money/money.ts';

/** What a receipt states: all of it but whom to ask. A public page has no `id`. */
export type ReceiptFacts = Omit<ReceiptView, 'contact' | 'id'> & Partial<Pick<ReceiptView, 'id'>>;

/** A better rate than the accepted one, as the wire has figures. */
export interface BetterRate {
  readonly currency: SendCurrency;
  readonly rate: string;
  readonly accepted: string;
  /** How many bolivianos more it gives. */
  readonly gained: string;
}

/** A statement: its subject and its text. */
type Statement = readonly [about: string, text: string];

/**
 * Everything a receipt says in one language, whichever the page is in: senders are owed it in English and in the language we advertise
 * in (12 CFR 1005.31(g)). Its items are those of 12 CFR 1005.31(b)(2), in that order.
 */
export interface ReceiptTexts {
  readonly title: string;
  readonly tab: (number: string) => string;
  readonly number: string;
  readonly standingLabel: string;
  readonly sender: string;
  readonly recipient: string;
  readonly noRecipient: string;
  readonly idCard: string;
  readonly deposit: string;
  readonly account: (ending: string) => string;
  readonly youPay: string;
  /** In place of `youPay`, `total`, `received` and `paid` where the card was never charged or nothing was deposited. */
  readonly youWouldPay: string;
  readonly totalNotCharged: string;
  readonly wouldReceive: string;
  readonly held: string;
  readonly amount: string;
  readonly fee: string;
  readonly taxes: string;
  readonly total: string;
  readonly exchange: string;
  readonly rate: string;
  readonly markup: string;
  readonly noMarkup: string;
  /** `percent` is written in this language; below the market it is the sender's loss, above it the gain. */
  readonly markupText: (percent: string, gain: boolean) => string;
  readonly received: string;
  readonly transferred: string;
  readonly otherFees: string;
  readonly totalReceived: string;
  readonly wentBack: string;
  readonly backFromBank: string;
  readonly backToYou: string;
  readonly finalCost: string;
  readonly dates: string;
  readonly paid: string;
  readonly card: string;
  readonly available: string;
  readonly about: (day: string) => string;
  readonly reference: string;
  readonly referenceLater: string;
  readonly id: string;
  readonly rights: string;
  readonly cancelling: Statement;
  readonly errors: Statement;
  readonly contact: string;
  readonly email: string;
  readonly authorities: Statement;
  readonly figures: (receipt: ReceiptFacts) => readonly [text: string, terms: string];
  readonly acceptedRate: string;
  /** That a better rate than the accepted one applies, and how many bolivianos more that is. */
  readonly betterRate: (better: BetterRate) => string;
  /** The bank returned part of a deposit. */
  readonly payoutReturned: (amount: string) => string;
  /** The returned part was later paid to the family. */
  readonly restPaid: (amount: string) => string;
  readonly restPaidLine: string;
  /** A second payout to the family. */
  readonly paidAgain: (amount: string) => string;
  readonly secondPayout: string;
  readonly paidAgainLine: string;
  /** What went back to its sender; `byBank`: of that, by bank transfer and not to the card. */
  readonly returned: (amount: string, byBank: string | null) => string;
  /** Where all of it went back to. */
  readonly refundedTo: (receipt: ReceiptFacts) => string;
  /** What became of the transfer, as a message. */
  readonly standing: (receipt: ReceiptFacts) => string;
  readonly money: (decimal: string, currency: Currency) => string;
  readonly rateLine: (rate: string, currency: Currency) => string;
  readonly percent: (decimal: string) => string;
  readonly moment: (iso: string) => string;
  readonly day: (iso: string) => string;
}

/** What went back although the deposit was made, after what became of the transfer; empty where nothing did. */
function returnedNote(
  { returned, returnedByBank, payoutReturned, restPaid, paidAgain, currency }: ReceiptFacts,
  messages: Pick<ReceiptTexts, 'returned' | 'payoutReturned' | 'restPaid' | 'paidAgain' | 'money'>,
): string {
  const notes = [
    ...(isSome(payoutReturned) ? [messages.payoutReturned(messages.money(payoutReturned, 'BOB'))] : []),
    ...(restPaid ? [messages.restPaid(messages.money(restPaid, 'BOB'))] : []),
    ...(paidAgain ? [messages.paidAgain(messages.money(paidAgain, 'BOB'))] : []),
    ...(isSome(returned)
      ? [
          messages.returned(
            messages.money(returned, currency),
            returnedByBank ? messages.money(returnedByBank, currency) : null,
          ),
        ]
      : []),
  ];
  return notes.map((note) => ` ${note}`).join('');
}

/** Note that a better rate was applied, printed after the outcome; empty if the accepted rate applies. */
function betterNote({ rate, bolivianos, accepted, currency }: ReceiptFacts, messages: ReceiptTexts): string {
  if (!accepted) return '';
  const gained = formatMinor((parseMinor(bolivianos) ?? 0n) - (parseMinor(accepted.bolivianos) ?? 0n));
  return ` ${messages.betterRate({ currency, rate, accepted: accepted.rate, gained })}`;
}

/** Whether an amount is above zero. */
export const isSome = (amount: string) => (parseMinor(amount) ?? 0n) > 0n;

/** How the receipt in a language writes figures and dates. */
function figuresIn(language: Locale): Pick<ReceiptTexts, 'money' | 'rateLine' | 'percent' | 'moment' | 'day'> {
  const { money, rateLine, percent, day, fullMoment: moment } = formats[language];
  return { money, rateLine, percent, day, moment };
}

const inSpanish: ReceiptTexts = {
  ...figuresIn('es'),
  title: 'Recibo de envío',
  tab: (number) => `Recibo ${number}`,
  number: 'N.º',
  standingLabel: 'Estado',
  sender: 'Remitente',
  recipient: 'Destinatario',
  noRecipient: 'Todavía sin elegir',
  idCard: 'CI',
  deposit: 'Se deposita en',
  account: (ending) => `Cuenta terminada en ${ending}`,
  youPay: 'Lo que pagas',
  youWouldPay: 'Lo que ibas a pagar',
  totalNotCharged: 'Total, no cobrado',
  wouldReceive: 'Lo que se iba a recibir',
  held: 'Reservado en la tarjeta',
  amount: 'Monto que se transfiere',
  fee: 'Comisión de Chasqui',
  taxes: 'Impuestos (exento por pago con tarjeta)',
  total: 'Total pagado',
  exchange: 'Cambio',
  rate: 'Tasa de cambio',
  markup: 'Margen sobre el mercado',
  noMarkup: 'Sin referencia de mercado en ese momento',
  markupText: (percent, gain) => (gain ? `${percent} a tu favor` : percent),
  received: 'Lo que se recibe',
  transferred: 'Monto transferido',
  otherFees: 'Otras comisiones y tributos',
  totalReceived: 'Total para el destinatario',
  wentBack: 'Lo que volvió',
  backFromBank: 'Devuelto por el banco',
  backToYou: 'Devuelto a ti',
  finalCost: 'Pagado al final',
  dates: 'Fechas y referencias',
  paid: 'Pagado',
  card: 'Tarjeta',
  available: 'Disponible en Bolivia',
  about: (day) => `hacia el ${day}`,
  reference: 'Referencia del banco',
  referenceLater: 'Se asigna al depositar',
  id: 'Identificador',
  rights: 'Tus derechos',
  cancelling: [
    'Cancelar.',
    'Puedes cancelar sin costo mientras una persona revisa tu envío, y durante 30 minutos desde que pagaste si el banco todavía no lo está depositando. Te devolvemos todo, comisión incluida, en 3 días hábiles como máximo. Lo haces en tu panel, con «Cancelar envío».',
  ],
  errors: [
    'Errores.',
    'Tienes derecho a reclamar por errores en tu envío. Si crees que hay uno, avísanos dentro de 180 días desde la fecha en que el dinero debía estar disponible, con tu nombre, el número de este recibo, qué pasó y cuánto. Lo investigamos en 90 días como máximo y te contamos el resultado en los 3 días hábiles siguientes. También puedes pedirnos por escrito una explicación de tus derechos.',
  ],
  contact: 'Contacto.',
  email: 'correo',
  authorities: [
    'Autoridades.',
    'Si pagaste desde Estados Unidos y tienes preguntas o quejas sobre Chasqui, también puedes acudir a la Oficina para la Protección Financiera del Consumidor (CFPB): 855-411-2372, 855-729-2372 (TTY/TDD), consumerfinance.gov/es.',
  ],
  figures: ({ accepted }) => [
    `Las cifras son las que aceptaste al pagar${accepted ? ', salvo la tasa, que es mejor' : ''}. Más detalle en`,
    'Términos de Servicio',
  ],
  acceptedRate: 'Tasa que aceptaste',
  betterRate: ({ rate, accepted, gained, currency }) =>
    `La tasa mejoró antes de aprobar el cobro: ${inSpanish.rateLine(rate, currency)} en vez de ${formats.es.rate(accepted)}. Son ${inSpanish.money(gained, 'BOB')} más, sin costo.`,
  payoutReturned: (amount) => `El banco devolvió ${amount} de ese depósito.`,
  restPaid: (amount) => `De lo devuelto, pagó después ${amount}.`,
  restPaidLine: 'Pagado después por el banco',
  paidAgain: (amount) => `Para corregir lo que reportaste, el banco pagó otra vez ${amount}, sin costo para ti.`,
  secondPayout: 'Lo que se pagó otra vez',
  paidAgainLine: 'Para corregir lo que reportaste, sin costo',
  returned: (amount, byBank) =>
    byBank === null
      ? `Te devolvimos ${amount} a tu tarjeta.`
      : `Te devolvimos ${amount}, de ello ${byBank} por transferencia bancaria y no a tu tarjeta.`,
  refundedTo: ({ returned, returnedByBank, currency }) => {
    if (!returnedByBank) return ' a tu tarjeta';
    if (returnedByBank === returned) return ' por transferencia bancaria';
    return `, de ello ${inSpanish.money(returnedByBank, currency)} por transferencia bancaria y lo demás a tu tarjeta,`;
  },
  standing: (receipt) => {
    const { state, cancelRequested, completedAt, returnedAt, refundFailed, estimatedDelivery } = receipt;
    const on = (iso: string | null) => (iso ? ` el ${inSpanish.moment(iso)}` : '');
    switch (state) {
      case 'completed':
        return `Depositado en Bolivia${on(completedAt)}.${betterNote(receipt, inSpanish)}${returnedNote(receipt, inSpanish)}`;
      case 'cancelled':
        return `Cancelado por ti${on(returnedAt)}. No se cobró nada.`;
      case 'payout_failed':
        return 'El banco no pudo pagar. Corrige la cuenta o pide tu dinero de vuelta en tu panel.';
      case 'refunding':
        return refundFailed
          ? 'La devolución no llegó a tu tarjeta: te escribiremos para pagarte de otra forma.'
          : `${cancelRequested ? 'Cancelado por ti. ' : ''}La devolución completa está en camino a tu tarjeta.`;
      case 'refunded':
        return `Devuelto completo${inSpanish.refundedTo(receipt)}${on(returnedAt)}, comisión incluida.`;
      case 'rejected':
      case 'failed':
      case 'expired':
        return `No se hizo${returnedAt ? `: terminó${on(returnedAt)}` : ''}. No se cobró nada.`;
      default:
        return `En proceso. Disponible hacia el ${inSpanish.day(estimatedDelivery)}.${betterNote(receipt, inSpanish)}`;
    }
  },
};

/** Rights in the wording of the Bureau's model form A-37 where it has them. */
const inEnglish: ReceiptTexts = {
  ...figuresIn('en'),
  title: 'Transfer receipt',
  tab: (number) => `Receipt ${number}`,
  number: 'No.',
  standingLabel: 'State',
  sender: 'Sender',
  recipient: 'Recipient',
  noRecipient: 'Not chosen yet',
  idCard: 'ID card',
  deposit: 'Deposited to',
  account: (ending) => `Account ending in ${ending}`,
  youPay: 'What you pay',
  youWouldPay: 'What you were going to pay',
  totalNotCharged: 'Total, not charged',
  wouldReceive: 'What was going to be received',
  held: 'Held on the card',
  amount: 'Transfer Amount',
  fee: 'Transfer Fees (Chasqui)',
  taxes: 'Transfer Taxes (exempt: paid by card)',
  total: 'Total',
  exchange: 'Exchange',
  rate: 'Exchange Rate',
  markup: 'Margin against the market',
  noMarkup: 'No market reference at that time',
  markupText: (percent, gain) => (gain ? `${percent} in your favor` : percent),
  received: 'What is received',
  transferred: 'Transfer Amount',
  otherFees: 'Other Fees and Taxes',
  totalReceived: 'Total to Recipient',
  wentBack: 'What went back',
  backFromBank: 'Returned by the bank',
  backToYou: 'Refunded to you',
  finalCost: 'Paid in the end',
  dates: 'Dates and references',
  paid: 'Paid',
  card: 'Card',
  available: 'Date Available in Bolivia',
  about: (date) => `by about ${date}`,
  reference: 'Bank reference',
  referenceLater: 'Given when deposited',
  id: 'Identifier',
  rights: 'Your rights',
  cancelling: [
    'Cancellation.',
    'You can cancel for a full refund within 30 minutes of payment, unless the funds have been picked up or deposited, and at any time while a person is reviewing your transfer. We return everything, fees included, within 3 business days. Cancel on your dashboard, with “Cancel transfer”.',
  ],
  errors: [
    'Errors.',
    'You have a right to dispute errors in your transaction. If you think there is an error, contact us within 180 days of the date the funds were to be available, with your name, the number of this receipt, what happened and for how much. We investigate within 90 days and report the result within 3 business days after finishing. You can also contact us for a written explanation of your rights.',
  ],
  contact: 'Contact.',
  email: 'email',
  authorities: [
    'Authorities.',
    'For questions or complaints about Chasqui you can also contact the Consumer Financial Protection Bureau: 855-411-2372, 855-729-2372 (TTY/TDD), www.consumerfinance.gov.',
  ],
  figures: ({ accepted }) => [
    `The figures are those you accepted when paying${accepted ? ', but for the rate, which is better' : ''}. More in our`,
    'Terms of Service',
  ],
  acceptedRate: 'Exchange Rate you accepted',
  betterRate: ({ rate, accepted, gained, currency }) =>
    `The rate improved before the charge was approved: ${inEnglish.rateLine(rate, currency)} instead of ${formats.en.rate(accepted)}. That is ${inEnglish.money(gained, 'BOB')} more, at no cost.`,
  payoutReturned: (amount) => `The bank returned ${amount} of that deposit.`,
  restPaid: (amount) => `Of what was returned, it later paid ${amount}.`,
  restPaidLine: 'Paid later by the bank',
  paidAgain: (amount) => `To correct what you reported, the bank paid ${amount} again, at no cost to you.`,
  secondPayout: 'What was paid again',
  paidAgainLine: 'To correct what you reported, at no cost',
  returned: (amount, byBank) =>
    byBank === null
      ? `We returned ${amount} to your card.`
      : `We returned ${amount}, of it ${byBank} by bank transfer and not to your card.`,
  refundedTo: ({ returned, returnedByBank, currency }) => {
    if (!returnedByBank) return ' to your card';
    if (returnedByBank === returned) return ' by bank transfer';
    return `, of it ${inEnglish.money(returnedByBank, currency)} by bank transfer and the rest to your card,`;
  },
  standing: (receipt) => {
    const { state, cancelRequested, completedAt, returnedAt, refundFailed, estimatedDelivery } = receipt;
    const on = (iso: string | null) => (iso ? ` on ${inEnglish.moment(iso)}` : '');
    switch (state) {
      case 'completed':
        return `Deposited in Bolivia${on(completedAt)}.${betterNote(receipt, inEnglish)}${returnedNote(receipt, inEnglish)}`;
      case 'cancelled':
        return `Canceled by you${on(returnedAt)}. Nothing was charged.`;
      case 'payout_failed':
        return 'The bank could not pay. Correct the account or ask for your money back on your dashboard.';
      case 'refunding':
        return refundFailed
          ? 'The refund did not reach your card: we will write to you to pay you in another way.'
          : `${cancelRequested ? 'Canceled by you. ' : ''}The full refund is on its way to your card.`;
      case 'refunded':
        return `Refunded in full${inEnglish.refundedTo(receipt)}${on(returnedAt)}, fees included.`;
      case 'rejected':
      case 'failed':
      case 'expired':
        return `Not made${returnedAt ? `: it ended${on(returnedAt)}` : ''}. Nothing was charged.`;
      default:
        return `In progress. Available by about ${inEnglish.day(estimatedDelivery)}.${betterNote(receipt, inEnglish)}`;
    }
  },
};

export const receiptTexts: Readonly<Record<Locale, ReceiptTexts>> = { es: inSpanish, en: inEnglish };

/** By how much our rate was below the market's reference; below zero it was above. */
export function markupText({ markupPercent }: ReceiptFacts, messages: ReceiptTexts): string {
  if (markupPercent === null) return messages.noMarkup;
  return messages.markupText(messages.percent(markupPercent.replace('-', '')), markupPercent.startsWith('-'));
}
