import { t } from '@lingui/core/macro';
import { belowMinimum } from '../../lib/sending-draft.ts';
import type { OpenFailure } from './payment-reducer.ts';

/** What each way to pay says its own way (specification, sections 2 and 8). All else is the same everywhere. */
export interface PaymentWords {
  /** On the button that pays. */
  readonly pay: (amount: string) => string;
  /** Toast when the payment could not be prepared. */
  readonly notStarted: readonly [title: string, message: string];
  /** Above why it could not. */
  readonly notPrepared: string;
  /** The provider is not done yet: shown while it is asked again and again. */
  readonly processing: string;
  /** The provider's own word for how the payment stands instead of paid. */
  readonly notMade: (status: string) => string;
  /** Held by the card, but not written down from here: which call gave up. */
  readonly unrecorded: Readonly<Record<'status' | 'confirmation', string>>;
  /** Of no amount, and of a text that is none. */
  readonly amountProblem: Readonly<Record<'none' | 'malformed', string>>;
}

/** The words of the dialog, in the language of the document. */
export function dialogWords(): PaymentWords {
  const notRecorded = t`El pago fue recibido pero hubo un problema al registrarlo. Por favor, contacta a soporte.`;
  return {
    pay: (amount) => t`Pagar ${amount}`,
    notStarted: [t`Error en el pago`, t`No se pudo iniciar el proceso de pago. Por favor, intente nuevamente.`],
    notPrepared: t`No se pudo cargar el formulario de pago`,
    processing: t`Tu pago está siendo procesado.`,
    notMade: () => t`Tu pago no fue exitoso, por favor intenta nuevamente.`,
    unrecorded: { status: notRecorded, confirmation: notRecorded },
    amountProblem: {
      none: belowMinimum(),
      malformed: t`Escribe un monto válido, por ejemplo 100 o 99,50`,
    },
  };
}

/** The words of the payment pages. */
export const pageWords = (): PaymentWords => ({
  ...dialogWords(),
  pay: (amount) => t`Pagar ahora ${amount}`,
  notPrepared: t`No se pudo inicializar el pago. Por favor, inténtalo de nuevo.`,
});

/** Why a payment could not be opened. */
export const failureText = (failure: OpenFailure): string =>
  'message' in failure ? failure.message : t`No pudimos inicializar el servicio de pago. Por favor, intenta de nuevo.`;
