import type { FailureCode } from '#core/contracts/failures';

/** Messages of failures that the browser notices by itself, before or without an answer of the server. */
export const failureMessages = {
  onramp_not_started: 'No se pudo inicializar el pago. Por favor, inténtalo de nuevo.',
  crypto_amount_out_of_range: 'Puedes comprar entre 10 y 3.000 USD por vez.',
  crypto_unavailable: 'La compra de criptomonedas no está disponible por el momento.',
  rate_changed: 'La tasa cambió mientras preparabas tu envío. Revisa el nuevo monto y acepta otra vez.',
  amount_too_small: 'El monto mínimo para enviar es de 10 USD/EUR',
  payments_paused:
    'Pausamos los envíos en esta moneda porque no tenemos una tasa reciente del mercado. Vuelve a intentarlo en unas horas.',
  rate_unavailable: 'Tasa no disponible por el momento. Intenta más tarde.',
  under_age: 'Debes ser mayor de 18 años para enviar dinero.',
  internal: 'Ocurrió un error inesperado. Por favor, inténtalo de nuevo.',
} as const satisfies Partial<Record<FailureCode, string>>;
