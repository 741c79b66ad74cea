import { t } from '@lingui/core/macro';
import type { ComponentType, ReactNode } from 'react';
import type { SendCurrency } from '#core/money/money';
import type { Offer, PreparedPayment } from '../../data/payments.ts';
import { belowMinimum } from '../../lib/sending-draft.ts';
import type { BreakdownLabels } from '../shared/breakdown.tsx';
import type { CardMethod } from './card-method.tsx';
import type { OpenFailure } from './payment-reducer.ts';

/** What a sender typed into a payment page. */
export interface EnteredAmount {
  readonly amount: string;
  readonly currency: SendCurrency;
}

/** What makes a payment page this page and no other: everything else is the same for all of them. */
export interface CheckoutPlan {
  /** In the language of the document. */
  readonly words: () => PaymentWords;
  /** How the figures under the amount are called, where not as everywhere. */
  readonly labels?: BreakdownLabels;
  /** One card after the other, or the card form beside the amount. */
  readonly arrangement: 'steps' | 'beside';
  readonly currencies: 'both' | 'USD';
  /** Lines of text that stand where the card form will be. */
  readonly explanation?: () => { readonly title: string; readonly points: readonly string[] };
  /** How the card is asked; Stripe's Payment Element unless given. */
  readonly method?: CardMethod;
  /** The payment after the amount. */
  readonly Payment: ComponentType<CheckoutPaymentProps>;
  /** What the success card names the payment by, instead of the transfer's reference. */
  readonly named?: (payment: PreparedPayment) => { readonly label: string; readonly name: string };
  /** Shown under the amount. */
  readonly example?: (entered: EnteredAmount) => ReactNode;
}

export interface CheckoutPaymentProps {
  plan: CheckoutPlan;
  offer: Offer;
  /** Back to the amount. */
  onEdit: () => void;
  /** To another payment, after this one. */
  onAgain: () => void;
}

/** What each way to pay says its own way (specification, sections 2 and 8). All else is the same everywhere. */
export interface PaymentWords {
  /** On the button that pays. */
  readonly pay: (amount: string) => string;
  /** Toast when the payment could not be prepared. The dialog has none: on a phone it would lie over the dialog's own alert. */
  readonly notStarted?: readonly [title: string, message: string];
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
  notStarted: [t`Error en el pago`, t`No se pudo iniciar el proceso de pago. Por favor, intente nuevamente.`],
  notPrepared: t`No se pudo inicializar el pago. Por favor, inténtalo de nuevo.`,
});

/** Why a payment could not be opened. */
export const failureText = (failure: OpenFailure): string =>
  'message' in failure ? failure.message : t`No pudimos inicializar el servicio de pago. Por favor, intenta de nuevo.`;
