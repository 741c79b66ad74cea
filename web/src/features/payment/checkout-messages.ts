import { formatAmount, formatEnglishAmount } from '#core/money/format';
import { laPazZone } from '#core/time/time';
import type { TransferStatus } from '#core/transfers/states';
import { failureMessages } from '../../lib/failure-messages.ts';
import { formatLongDay } from '../../lib/format/dates.ts';
import { statusLabel } from '../shared/status-badge.tsx';
import { english } from './english-messages.ts';
import { type PaymentMessages, spanishPage } from './payment-messages.ts';

/** What a payment page says around the payment itself. */
export interface CheckoutMessages {
  readonly payment: PaymentMessages;
  readonly amountStep: string;
  readonly amount: string;
  readonly badAmount: (maximum: string | null) => { readonly malformed: string; readonly tooMuch: string };
  /** Toast for an amount that cannot be paid. */
  readonly invalid: readonly [title: string, message: string];
  readonly tooSmall: string;
  /** Nobody can pay in this currency at the moment. */
  readonly paused: string;
  readonly birthDate: readonly [label: string, why: string];
  readonly birthDateProblem: string | null;
  readonly quoteFailed: readonly [title: string, message: string | null, retry: string];
  readonly continue: string;
  readonly signInFirst: string;
  readonly editAmount: string;
  readonly payStep: string;
  readonly terms: readonly [before: string, terms: string, between: string, privacy: string, after: string];
  readonly demonstration: {
    readonly badge: string;
    readonly rate: string;
    readonly wouldGet: string;
    readonly real: string;
  };
  readonly paid: {
    readonly title: string;
    /** Instead of it when the transfer went no further although the card held the money. */
    readonly refused: string;
    readonly reference: string;
    readonly paymentId: string;
    readonly chooseTitle: string;
    readonly choose: string;
    readonly chooseLink: string;
    readonly again: string;
    readonly panel: string;
    readonly status: (status: TransferStatus) => string;
    readonly arrives: (iso: string) => string;
    readonly done: string;
    readonly off: string;
  };
}

export const spanishCheckout: CheckoutMessages = {
  payment: spanishPage,
  amountStep: 'Cuánto envías',
  amount: 'Monto a enviar',
  badAmount: (maximum) => ({
    malformed: 'Escribe un monto válido, por ejemplo 100 o 99,50',
    tooMuch: `El monto máximo por envío es de ${maximum ?? ''}.`,
  }),
  get invalid() {
    return ['Monto inválido', failureMessages.amount_too_small] as const;
  },
  get tooSmall() {
    return failureMessages.amount_too_small;
  },
  get paused() {
    return failureMessages.payments_paused;
  },
  birthDate: ['Tu fecha de nacimiento', 'La pedimos una sola vez, con tu primer envío.'],
  birthDateProblem: null,
  quoteFailed: ['No se pudo cargar', null, 'Reintentar'],
  continue: 'Continuar al pago',
  signInFirst: 'Al continuar te pediremos iniciar sesión y volverás aquí, con este mismo monto.',
  editAmount: 'Editar monto',
  payStep: 'Pago seguro con tarjeta',
  terms: ['Al continuar aceptas los ', 'Términos de Servicio', ' y las ', 'Políticas de Privacidad', '.'],
  demonstration: {
    badge: 'Demostración',
    rate: 'Tasa fija',
    wouldGet: 'A esa tasa recibiría',
    real: 'Esta tasa es solo un ejemplo. Se paga y se deposita lo que dice la cotización de hoy.',
  },
  paid: {
    title: '¡Pago exitoso!',
    refused: 'Tu envío no se hizo',
    reference: 'Referencia',
    paymentId: 'Identificador del pago',
    chooseTitle: 'Falta elegir quién recibe',
    choose: 'Tu envío espera: no se aprueba ni se deposita hasta que elijas un destinatario.',
    chooseLink: 'Elegir destinatario',
    again: 'Hacer otra remesa',
    panel: 'Ir al panel',
    status: statusLabel,
    arrives: (iso) => `Llega a Bolivia hacia el ${formatLongDay(iso)}.`,
    done: 'El dinero ya está en Bolivia.',
    off: 'Este envío no se hizo y no se cobró nada.',
  },
};

const englishDay = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: laPazZone,
});
const englishStatus: Readonly<Record<TransferStatus, string>> = {
  awaiting_payment: 'Awaiting payment',
  pending: 'In progress',
  completed: 'Completed',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
  failed: 'Failed',
  expired: 'Expired',
  refunded: 'Refunded',
};

export const englishCheckout: CheckoutMessages = {
  payment: english,
  amountStep: 'Your transfer',
  amount: 'Amount (USD)',
  badAmount: (maximum) => ({
    malformed: 'Please enter a valid amount greater than 0',
    tooMuch: `The maximum amount per transfer is ${maximum ?? ''}.`,
  }),
  invalid: ['Invalid amount', 'Please enter a valid amount greater than 0'],
  tooSmall: 'The minimum amount is 10 USD.',
  paused: english.failure('payments_paused', ''),
  birthDate: ['Your date of birth', 'We ask for it once, with your first transfer.'],
  birthDateProblem: 'Please enter your date of birth. You must be at least 18 years old.',
  quoteFailed: ['Could not load the quote', 'Please try again.', 'Try again'],
  continue: 'Continue to Payment',
  signInFirst: 'We will ask you to sign in and bring you back here with the same amount.',
  editAmount: 'Edit Amount',
  payStep: 'Card payment',
  terms: ['By continuing you accept the ', 'Terms of Service', ' and the ', 'Privacy Policy', '.'],
  demonstration: {
    badge: 'Demonstration',
    rate: 'Fixed rate',
    wouldGet: 'At this rate the recipient would get',
    real: "This rate is only an example. What is paid out follows today's rate, as quoted here.",
  },
  paid: {
    title: 'Payment successful',
    refused: 'Your transfer was not made',
    reference: 'Reference',
    paymentId: 'Payment ID',
    chooseTitle: 'Choose who receives the money',
    choose: 'Your transfer waits: it is not approved or paid out until you choose a recipient.',
    chooseLink: 'Choose a recipient',
    again: 'Make Another Payment',
    panel: 'Go to your panel',
    status: (status) => englishStatus[status],
    arrives: (iso) => `It arrives in Bolivia around ${englishDay.format(new Date(iso))}.`,
    done: 'The money is in Bolivia.',
    off: 'This transfer was not made and nothing was charged.',
  },
};

/** A limit of the server's as a page writes it. */
export const limitText = (messages: CheckoutMessages, decimal: string, currency: 'USD' | 'EUR') =>
  messages.payment.locale === 'en' ? formatEnglishAmount(decimal, currency) : formatAmount(decimal, currency);
