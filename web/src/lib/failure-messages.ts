import { t } from '@lingui/core/macro';
import type { FailureCode } from '#core/contracts/failures';

type Sentences = typeof import('./failure-sentences.ts').failureSentences;
let sentences: Partial<Sentences> = {};
let fieldTexts: Readonly<Record<string, (() => string) | undefined>> = {};

/** Loads the sentences of all failures. Without them the api's own are shown. */
export async function loadFailureSentences(): Promise<void> {
  const loaded = await import('./failure-sentences.ts');
  sentences = loaded.failureSentences;
  fieldTexts = loaded.refusedFieldTexts;
}

/** What to show of a failure that the api answered with `code`; `message` is the api's own sentence. */
export const failureSentence = (
  code: FailureCode,
  message: string,
  details: Readonly<Record<string, unknown>>,
): string => (sentences[code] as ((details: unknown) => string) | undefined)?.(details) ?? message;

/** What to show at a field that only the server can judge; undefined for other problems. */
export const refusedFieldText = (code: string): string | undefined => fieldTexts[code]?.();

/** Messages of failures that the browser notices by itself, before or without an answer of the server. */
export const failureMessages = {
  get onramp_not_started() {
    return t`No se pudo inicializar el pago. Por favor, inténtalo de nuevo.`;
  },
  get crypto_unavailable() {
    return t`La compra de criptomonedas no está disponible por el momento.`;
  },
  get rate_changed() {
    return t`La tasa cambió mientras preparabas tu envío. Revisa el nuevo monto y acepta otra vez.`;
  },
  get payments_paused() {
    return t`Pausamos los envíos en esta moneda porque no tenemos una tasa reciente del mercado. Vuelve a intentarlo en unas horas.`;
  },
  get rate_unavailable() {
    return t`Tasa no disponible por el momento. Intenta más tarde.`;
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
