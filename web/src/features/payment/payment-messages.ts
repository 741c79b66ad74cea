import { failureMessages } from '../../lib/failure-messages.ts';
import { formatTime } from '../../lib/format/dates.ts';
import type { CallFailureCode } from '../../lib/http.ts';
import { type BreakdownLabels, spanishBreakdown } from '../shared/breakdown.tsx';
import type { CardProblem } from './payment-reducer.ts';

/** Everything the payment path says to a person, in one language. */
export interface PaymentMessages {
  readonly locale: 'es' | 'en';
  readonly breakdown: BreakdownLabels;
  readonly recipient: string;
  readonly preparing: string;
  readonly recording: string;
  /** The provider is not done yet: shown while it is asked again and again. */
  readonly processing: string;
  readonly keptUntil: (iso: string) => string;
  readonly pay: (amount: string) => string;
  readonly paying: string;
  readonly cancel: string;
  readonly retry: string;
  readonly change: string;
  /** Toast when the payment could not be prepared. */
  readonly notStarted: readonly [title: string, message: string];
  /** Toast when the quote ran out before paying and the payment is opened anew. */
  readonly renewed: readonly [title: string, message: string];
  readonly notPrepared: string;
  readonly formNotLoaded: string;
  readonly nothingCharged: string;
  /** Above the message of what went wrong with the card. */
  readonly cardProblem: string;
  /** What was wrong with the card, where the provider has no message for its holder. */
  readonly problem: Readonly<Record<CardProblem['code'], string>>;
  /** Held by the card, but not written down from here: which call gave up. */
  readonly unrecorded: Readonly<Record<'status' | 'confirmation', string>>;
  readonly unrecordedAdvice: string;
  /** The answer about the card got lost, and the server is being asked. */
  readonly checking: { readonly title: string; readonly message: string };
  /** Nobody can say whether the card accepted. */
  readonly unknown: string;
  /** The session ended after the card was asked: it accepted, or nobody knows. */
  readonly sessionEnded: Readonly<Record<'title' | 'held' | 'unknown' | 'signIn', string>>;
  /** The provider's own word for how the payment stands instead of paid. */
  readonly notMade: (status: string) => string;
  readonly backToPanel: string;
  /** The message of a failure of our own server. */
  readonly failure: (code: CallFailureCode, message: string) => string;
  readonly rateChanged: {
    readonly message: string;
    readonly before: string;
    readonly now: string;
    readonly same: (amount: string) => string;
    readonly accept: string;
  };
  /** While paying: how the accepted rate stands to today's. */
  readonly rateNotice: {
    readonly worse: (keptUntilIso: string) => string;
    readonly title: string;
    readonly better: (rateLine: string, arrives: string) => string;
    readonly use: string;
    readonly carryOn: (keptUntilIso: string) => string;
    readonly movedAgain: string;
    /** After the message of why the better rate could not be taken. */
    readonly stillYours: string;
  };
}

const notRecorded = 'El pago fue recibido pero hubo un problema al registrarlo. Por favor, contacta a soporte.';

export const spanish: PaymentMessages = {
  locale: 'es',
  breakdown: spanishBreakdown,
  recipient: 'Para',
  preparing: 'Preparando tu pago...',
  recording: 'Registrando tu pago...',
  processing: 'Tu pago está siendo procesado.',
  keptUntil: (iso) => `Te guardamos esta tasa hasta las ${formatTime(iso)}.`,
  pay: (amount) => `Pagar ${amount}`,
  paying: 'Procesando pago...',
  cancel: 'Cancelar',
  retry: 'Reintentar',
  change: 'Cambiar los datos',
  notStarted: ['Error en el pago', 'No se pudo iniciar el proceso de pago. Por favor, intente nuevamente.'],
  renewed: ['Tu tasa venció', 'No se cobró nada. Preparamos el pago otra vez: revísalo y escribe tu tarjeta de nuevo.'],
  notPrepared: 'No se pudo cargar el formulario de pago',
  formNotLoaded: 'No pudimos inicializar el servicio de pago. Por favor, intenta de nuevo.',
  nothingCharged: 'No se cobró nada.',
  cardProblem: 'Ocurrió un error al procesar el pago',
  problem: {
    declined: 'Error en el pago',
    unexpected: 'Ocurrió un error inesperado',
    form_broke: 'Ocurrió un error inesperado. Por favor, inténtalo de nuevo.',
  },
  unrecorded: { status: notRecorded, confirmation: notRecorded },
  unrecordedAdvice:
    'No pagues otra vez. Seguimos comprobándolo por nuestra cuenta y tu envío aparecerá en tus transacciones.',
  checking: {
    title: 'Comprobando tu pago',
    message:
      'Se perdió la respuesta de tu tarjeta y no sabemos si aceptó. No pagues otra vez: lo comprobamos en cuanto haya conexión.',
  },
  unknown: 'No pudimos comprobar si tu tarjeta aceptó el pago.',
  sessionEnded: {
    title: 'Tu sesión terminó',
    held: 'Tu tarjeta aceptó y tu envío está a salvo: sigue su curso. No pagues otra vez. Inicia sesión de nuevo para seguirlo.',
    unknown:
      'Todavía no sabemos si tu tarjeta aceptó el pago. No pagues otra vez: inicia sesión de nuevo y mira cómo quedó tu envío.',
    signIn: 'Iniciar sesión',
  },
  notMade: () => 'Tu pago no fue exitoso, por favor intenta nuevamente.',
  backToPanel: 'Volver al panel',
  failure: (_code, message) => message,
  rateChanged: {
    get message() {
      return failureMessages.rate_changed;
    },
    before: 'Antes',
    now: 'Ahora',
    same: (amount) => `Pagas lo mismo: ${amount}, comisión incluida.`,
    accept: 'Aceptar y continuar',
  },
  rateNotice: {
    worse: (iso) => `La tasa bajó. Tu tasa aceptada se mantiene hasta las ${formatTime(iso)}.`,
    title: 'Hay una tasa mejor',
    better: (rateLine, arrives) => `Ahora ${rateLine}: por lo mismo que pagas llegarían ${arrives}.`,
    use: 'Usar la nueva tasa',
    carryOn: (iso) => `Si prefieres seguir, tu tasa aceptada se mantiene hasta las ${formatTime(iso)}.`,
    movedAgain: 'La tasa volvió a moverse.',
    stillYours: 'Puedes pagar con la tasa que ya aceptaste.',
  },
};

/** As in the dialog, with what the payment pages say their own way. */
export const spanishPage: PaymentMessages = {
  ...spanish,
  pay: (amount) => `Pagar ahora ${amount}`,
  notPrepared: 'No se pudo inicializar el pago. Por favor, inténtalo de nuevo.',
};
