/** Labels and messages of the script by language. Like Stripe.js, it translates the server's errors in the browser. */
import type { StripeError } from '@stripe/stripe-js';
import type { CardProblem } from './card-rules.ts';

/** The languages that the simulator speaks; Stripe.js has many more. */
export type Language = 'es' | 'en';

/**
 * The language of a `locale` option. "auto" or none is the browser's language; unsupported languages fall back to
 * Spanish.
 */
export function languageOf(locale = 'auto'): Language {
  const wanted = locale === 'auto' ? navigator.language : locale;
  return wanted.toLowerCase().startsWith('en') ? 'en' : 'es';
}

const PROBLEMS: Record<Language, Record<CardProblem, string>> = {
  es: {
    incomplete_number: 'El número de tu tarjeta está incompleto.',
    invalid_number: 'El número de tu tarjeta no es válido.',
    incomplete_expiry: 'La fecha de vencimiento de tu tarjeta está incompleta.',
    invalid_expiry_month: 'El mes de vencimiento de tu tarjeta no es válido.',
    invalid_expiry_month_past: 'La fecha de vencimiento de tu tarjeta ya pasó.',
    invalid_expiry_year: 'El año de vencimiento de tu tarjeta no es válido.',
    invalid_expiry_year_past: 'El año de vencimiento de tu tarjeta ya pasó.',
    incomplete_cvc: 'El código de seguridad de tu tarjeta está incompleto.',
  },
  en: {
    incomplete_number: 'Your card number is incomplete.',
    invalid_number: 'Your card number is invalid.',
    incomplete_expiry: "Your card's expiration date is incomplete.",
    invalid_expiry_month: "Your card's expiration month is invalid.",
    invalid_expiry_month_past: "Your card's expiration date is in the past.",
    invalid_expiry_year: "Your card's expiration year is invalid.",
    invalid_expiry_year_past: "Your card's expiration year is in the past.",
    incomplete_cvc: "Your card's security code is incomplete.",
  },
};

const DECLINED: Record<Language, string> = {
  es: 'Tu tarjeta fue rechazada. Prueba con otra tarjeta o habla con tu banco.',
  en: 'Your card was declined. Try another card or contact your bank.',
};

/** By decline code. Lost and stolen cards get the generic message, as Stripe recommends. */
const DECLINES: Record<Language, Record<string, string>> = {
  es: {
    insufficient_funds: 'Tu tarjeta no tiene fondos suficientes. Prueba con otra tarjeta.',
    card_velocity_exceeded:
      'Tu tarjeta fue rechazada por superar su límite de importe o de intentos. Prueba más tarde o con otra tarjeta.',
    test_mode_live_card: 'Tu tarjeta fue rechazada: en modo de prueba solo sirven tarjetas de prueba.',
  },
  en: {
    insufficient_funds: 'Your card has insufficient funds. Try another card.',
    card_velocity_exceeded:
      'Your card was declined for exceeding its limit of amount or attempts. Try later or with another card.',
    test_mode_live_card: 'Your card was declined: test mode takes test cards only.',
  },
};

const CODES: Record<Language, Record<string, string>> = {
  es: {
    card_declined: DECLINED.es,
    expired_card: 'Tu tarjeta está vencida. Prueba con otra tarjeta.',
    incorrect_cvc: 'El código de seguridad de tu tarjeta no es correcto.',
    invalid_cvc: 'El código de seguridad de tu tarjeta no es válido.',
    incorrect_number: 'El número de tu tarjeta no es correcto.',
    invalid_number: PROBLEMS.es.invalid_number,
    invalid_expiry_month: PROBLEMS.es.invalid_expiry_month,
    invalid_expiry_year: PROBLEMS.es.invalid_expiry_year,
    processing_error: 'Hubo un error al procesar tu tarjeta. Vuelve a intentarlo en un momento.',
    payment_intent_authentication_failure:
      'No pudimos autenticar tu forma de pago. Elige otra forma de pago y vuelve a intentarlo.',
    authentication_required: 'Tu banco pide que confirmes este pago. Vuelve a intentarlo.',
    payment_intent_unexpected_state: 'Este pago ya no se puede pagar con esta tarjeta: su estado cambió.',
  },
  en: {
    card_declined: DECLINED.en,
    expired_card: 'Your card has expired. Try another card.',
    incorrect_cvc: "Your card's security code is incorrect.",
    invalid_cvc: "Your card's security code is invalid.",
    incorrect_number: 'Your card number is incorrect.',
    invalid_number: PROBLEMS.en.invalid_number,
    invalid_expiry_month: PROBLEMS.en.invalid_expiry_month,
    invalid_expiry_year: PROBLEMS.en.invalid_expiry_year,
    processing_error: 'An error occurred while processing your card. Try again in a little bit.',
    payment_intent_authentication_failure:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    authentication_required: 'Your bank asks you to confirm this payment. Try again.',
    payment_intent_unexpected_state: 'This payment can no longer be paid with this card: its status has changed.',
  },
};

const TYPES: Record<Language, Record<string, string>> = {
  es: {
    api_connection_error: 'No hay conexión con el servicio de pagos. Comprueba tu conexión y vuelve a intentarlo.',
    api_error: 'Ocurrió un error en el servicio de pagos. Vuelve a intentarlo en un momento.',
    rate_limit_error: 'Hay demasiados intentos a la vez. Espera un momento y vuelve a intentarlo.',
  },
  en: {
    api_connection_error: 'There is no connection to the payment service. Check your connection and try again.',
    api_error: 'An error occurred in the payment service. Try again in a little bit.',
    rate_limit_error: 'There are too many attempts at once. Wait a moment and try again.',
  },
};

/** Texts of the form and of the bank's question. */
const SPANISH_LABELS = {
  cardDetails: 'Datos de la tarjeta',
  number: 'Número de tarjeta',
  numberPlaceholder: '1234 1234 1234 1234',
  expiry: 'Vencimiento',
  expiryPlaceholder: 'MM / AA',
  cvc: 'Código CVC',
  testMode: 'Modo de prueba: no se cobra ninguna tarjeta.',
  testCards: 'Tarjetas de prueba',
  frame: 'Marco seguro para los datos de la tarjeta',
  challengeFrame: 'Marco seguro de la verificación del banco',
  loadFailed: 'No se pudo cargar el formulario de pago. Vuelve a intentarlo en un momento.',
  challengeTitle: 'Tu banco pide confirmar este pago',
  challengeKind: 'Verificación 3-D Secure',
  challengeNote: 'Simulador: nada de esto es dinero real. Elige qué responde el banco.',
  amount: 'Importe',
  complete: 'Completar',
  fail: 'Rechazar',
  cancel: 'Cancelar',
  answering: 'Enviando la respuesta',
};
export type Labels = Readonly<Record<keyof typeof SPANISH_LABELS, string>>;

const LABELS: Record<Language, Labels> = {
  es: SPANISH_LABELS,
  en: {
    cardDetails: 'Card details',
    number: 'Card number',
    numberPlaceholder: '1234 1234 1234 1234',
    expiry: 'Expiration date',
    expiryPlaceholder: 'MM / YY',
    cvc: 'Security code',
    testMode: 'Test mode: no card is charged.',
    testCards: 'Test cards',
    loadFailed: 'The payment form could not be loaded. Try again in a little bit.',
    frame: 'Secure payment input frame',
    challengeFrame: 'Secure authentication frame',
    challengeTitle: 'Your bank asks you to confirm this payment',
    challengeKind: '3-D Secure verification',
    challengeNote: 'Simulator: none of this is real money. Choose what the bank answers.',
    amount: 'Amount',
    complete: 'Complete',
    fail: 'Fail',
    cancel: 'Cancel',
    answering: 'Sending the answer',
  },
};

export const labelsIn = (language: Language): Labels => LABELS[language];

export const problemMessage = (problem: CardProblem, language: Language): string => PROBLEMS[language][problem];

/** The `validation_error` of a field. */
export const validationError = (problem: CardProblem, language: Language): StripeError => ({
  type: 'validation_error',
  code: problem,
  message: PROBLEMS[language][problem],
});

/** The error with a message for the card holder; errors for developers keep the server's message. */
export function localised(error: StripeError, language: Language): StripeError {
  const message =
    DECLINES[language][error.decline_code ?? ''] ??
    CODES[language][error.code ?? ''] ??
    TYPES[language][error.type] ??
    error.message ??
    DECLINED[language];
  return { ...error, message };
}
