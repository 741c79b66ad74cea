/** Labels and messages of the script. Like Stripe.js, it translates the server's errors in the browser. */
import type { StripeError } from '@stripe/stripe-js';
import type { CardProblem } from './card-rules.ts';

const PROBLEMS: Record<CardProblem, string> = {
  incomplete_number: 'El número de tu tarjeta está incompleto.',
  invalid_number: 'El número de tu tarjeta no es válido.',
  incomplete_expiry: 'La fecha de vencimiento de tu tarjeta está incompleta.',
  invalid_expiry_month: 'El mes de vencimiento de tu tarjeta no es válido.',
  invalid_expiry_month_past: 'La fecha de vencimiento de tu tarjeta ya pasó.',
  invalid_expiry_year: 'El año de vencimiento de tu tarjeta no es válido.',
  invalid_expiry_year_past: 'El año de vencimiento de tu tarjeta ya pasó.',
  incomplete_cvc: 'El código de seguridad de tu tarjeta está incompleto.',
};

const DECLINED = 'Tu tarjeta fue rechazada. Prueba con otra tarjeta o habla con tu banco.';

/** By decline code. Lost and stolen cards get the generic message, as Stripe recommends. */
const DECLINES: Record<string, string> = {
  insufficient_funds: 'Tu tarjeta no tiene fondos suficientes. Prueba con otra tarjeta.',
  card_velocity_exceeded:
    'Tu tarjeta fue rechazada por superar su límite de importe o de intentos. Prueba más tarde o con otra tarjeta.',
  test_mode_live_card: 'Tu tarjeta fue rechazada: en modo de prueba solo sirven tarjetas de prueba.',
};

const CODES: Record<string, string> = {
  card_declined: DECLINED,
  expired_card: 'Tu tarjeta está vencida. Prueba con otra tarjeta.',
  incorrect_cvc: 'El código de seguridad de tu tarjeta no es correcto.',
  invalid_cvc: 'El código de seguridad de tu tarjeta no es válido.',
  incorrect_number: 'El número de tu tarjeta no es correcto.',
  invalid_number: PROBLEMS.invalid_number,
  invalid_expiry_month: PROBLEMS.invalid_expiry_month,
  invalid_expiry_year: PROBLEMS.invalid_expiry_year,
  processing_error: 'Hubo un error al procesar tu tarjeta. Vuelve a intentarlo en un momento.',
  payment_intent_authentication_failure:
    'No pudimos autenticar tu forma de pago. Elige otra forma de pago y vuelve a intentarlo.',
  authentication_required: 'Tu banco pide que confirmes este pago. Vuelve a intentarlo.',
  payment_intent_unexpected_state: 'Este pago ya no se puede pagar con esta tarjeta: su estado cambió.',
};

const TYPES: Record<string, string> = {
  api_connection_error: 'No hay conexión con el servicio de pagos. Comprueba tu conexión y vuelve a intentarlo.',
  api_error: 'Ocurrió un error en el servicio de pagos. Vuelve a intentarlo en un momento.',
  rate_limit_error: 'Hay demasiados intentos a la vez. Espera un momento y vuelve a intentarlo.',
};

export function problemMessage(problem: CardProblem): string {
  return PROBLEMS[problem];
}

/** The `validation_error` of a field. */
export function validationError(problem: CardProblem): StripeError {
  return { type: 'validation_error', code: problem, message: PROBLEMS[problem] };
}

/** The error with a message for the user; errors for developers keep the server's message. */
export function localised(error: StripeError): StripeError {
  const message =
    DECLINES[error.decline_code ?? ''] ?? CODES[error.code ?? ''] ?? TYPES[error.type] ?? error.message ?? DECLINED;
  return { ...error, message };
}

export const LABELS = {
  cardDetails: 'Datos de la tarjeta',
  number: 'Número de tarjeta',
  numberPlaceholder: '1234 1234 1234 1234',
  expiry: 'Vencimiento',
  expiryPlaceholder: 'MM / AA',
  cvc: 'Código CVC',
  testMode: 'Modo de prueba: no se cobra ninguna tarjeta.',
  testCards: 'Tarjetas de prueba',
  loadFailed: 'No se pudo cargar el formulario de pago. Vuelve a intentarlo en un momento.',
  challengeTitle: 'Tu banco pide confirmar este pago',
  challengeKind: 'Verificación 3-D Secure',
  challengeNote: 'Simulador: nada de esto es dinero real. Elige qué responde el banco.',
  amount: 'Importe',
  complete: 'Completar',
  fail: 'Rechazar',
  cancel: 'Cancelar',
  answering: 'Enviando la respuesta',
} as const;
