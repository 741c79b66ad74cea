import { t } from '@lingui/core/macro';
import type { FailureCode } from '#core/contracts/failures';

type Sentences = typeof import('./failure-sentences.ts').failureSentences;
let sentences: Partial<Sentences> = {};

/** Loads the sentences of all failures. Without them the api's own are shown. */
export async function loadFailureSentences(): Promise<void> {
  sentences = (await import('./failure-sentences.ts')).failureSentences;
}

/** What to show of a failure that the api answered with `code`; `message` is the api's own sentence. */
export const failureSentence = (
  code: FailureCode,
  message: string,
  details: Readonly<Record<string, unknown>>,
): string => sentences[code]?.(details) ?? message;

/** Messages of failures that the browser notices by itself, before or without an answer of the server. */
export const failureMessages = {
  get onramp_not_started() {
    return t`No se pudo inicializar el pago. Por favor, inténtalo de nuevo.`;
  },
  get crypto_amount_out_of_range() {
    return t`Puedes comprar entre 10 y 3.000 USD por vez.`;
  },
  get crypto_unavailable() {
    return t`La compra de criptomonedas no está disponible por el momento.`;
  },
  get rate_changed() {
    return t`La tasa cambió mientras preparabas tu envío. Revisa el nuevo monto y acepta otra vez.`;
  },
  get amount_too_small() {
    return t`El monto mínimo para enviar es de 10 USD/EUR`;
  },
  get payments_paused() {
    return t`Pausamos los envíos en esta moneda porque no tenemos una tasa reciente del mercado. Vuelve a intentarlo en unas horas.`;
  },
  get rate_unavailable() {
    return t`Tasa no disponible por el momento. Intenta más tarde.`;
  },
  get under_age() {
    return t`Debes ser mayor de 18 años para enviar dinero.`;
  },
  get internal() {
    return t`Ocurrió un error inesperado. Por favor, inténtalo de nuevo.`;
  },
  get offline() {
    return t`No hay conexión con Chasqui. Revisa tu internet e intenta nuevamente.`;
  },
  get timeout() {
    return t`Chasqui no respondió a tiempo. Revisa tu internet e intenta nuevamente.`;
  },
} as const satisfies Partial<Record<FailureCode | 'offline' | 'timeout', string>>;
