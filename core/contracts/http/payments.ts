import { z } from 'zod';
import { fieldSentences } from '../field-problems.ts';
import { paymentModes } from '../payment-mode.ts';
import { endpoint } from './endpoint.ts';
import { quoteView } from './rates.ts';
import { routes } from './routes.ts';
import { senderRoutes } from './sender-routes.ts';
import { transferView } from './transfers.ts';
import { amountInput, currencyInput, id, shownRateInput, timestamp } from './values.ts';

/** Settings for starting Stripe.js in the browser. Except in `live` mode a banner says that no card is charged. */
export const paymentConfig = z.object({
  publishableKey: z.string(),
  /** Where Stripe.js comes from when not from Stripe itself. */
  scriptUrl: z.string().nullable(),
  mode: z.enum(paymentModes),
});
export type PaymentConfig = z.infer<typeof paymentConfig>;

/** The binding quote: the offer frozen with the transfer until it expires. */
export const bindingQuoteView = quoteView.extend({ expiresAt: timestamp });

const paymentIntentId = z.string().regex(/^pi_[A-Za-z0-9_]{1,100}$/, fieldSentences.payment_malformed);
const ignored = z.unknown().optional();

/** What opening a payment asks for, whichever call does it. */
const opening = z.object({
  amount: amountInput,
  currency: currencyInput,
  /** Empty while no recipient is chosen: the transfer then waits and cannot be approved. */
  recipientId: z.union([z.literal(''), id], { error: fieldSentences.recipient_missing }).optional(),
  /** The reminder that this pays, where it is one of a repeating transfer. */
  reminderId: id.optional(),
  /** Required with the first transfer. */
  birthDate: z.iso.date(fieldSentences.birth_date_missing).optional(),
});

const opened = z.object({
  clientSecret: z.string(),
  paymentIntentId: z.string(),
  transferId: id,
  quote: bindingQuoteView,
});

const openingFailures = [
  'too_many_requests',
  'account_blocked',
  'email_unproven',
  'rate_unavailable',
  'payments_paused',
  'amount_too_small',
  'amount_too_large',
  'day_limit_reached',
  'month_limit_reached',
  'too_many_unpaid_transfers',
  'too_many_declines',
  'reminder_closed',
  'birth_date_required',
  'under_age',
  'not_found',
  'name_not_confirmed',
  'second_factor_stale',
  'idempotency_key_reused',
  'payment_not_started',
] as const;

export const paymentEndpoints = {
  paymentConfig: endpoint({
    ...routes.paymentConfig,
    summary: 'Datos públicos para cargar el formulario de tarjeta',
    access: 'public',
    response: paymentConfig,
  }),
  createPaymentIntent: endpoint({
    ...senderRoutes.createPaymentIntent,
    summary:
      'Congela la cotización, abre el envío y prepara el pago con tarjeta (cabecera Idempotency-Key recomendada)',
    access: 'sender',
    body: opening.extend({
      /** The rate the person saw. If ours differs now, 409 `rate_changed` with the new quote: nothing is silently repriced. */
      exchangeRate: shownRateInput.optional(),
      /** Sent by older clients; the server determines both and ignores these fields. */
      userDetails: ignored,
      recipientDetails: ignored,
    }),
    response: opened,
    status: 201,
    failures: [...openingFailures, 'rate_changed'],
  }),
  createDemoPayment: endpoint({
    ...senderRoutes.createDemoPayment,
    summary: 'Lo mismo con los datos mínimos, para la página de demostración; no compara la tasa mostrada',
    access: 'sender',
    body: opening,
    response: opened,
    status: 201,
    failures: openingFailures,
  }),
  resumePayment: endpoint({
    ...senderRoutes.resumePayment,
    summary: 'Retoma el pago de un envío propio que quedó sin pagar, mientras su cotización vale',
    access: 'sender',
    params: z.object({ id }),
    response: opened,
    failures: [
      'too_many_requests',
      'not_found',
      'email_unproven',
      'transfer_not_payable',
      'name_not_confirmed',
      'reminder_closed',
      'day_limit_reached',
      'month_limit_reached',
      'too_many_declines',
      'payment_not_started',
    ],
  }),
  paymentStatus: endpoint({
    ...senderRoutes.paymentStatus,
    summary: 'Estado del pago, leído de Stripe en el momento',
    access: 'sender',
    params: z.object({ paymentIntentId }),
    response: z.object({
      /** `succeeded` once the card is held: the sender's part is done. Otherwise the provider's own status. */
      status: z.string(),
      /** The status at Stripe, `requires_capture` for an authorized card. */
      providerStatus: z.string(),
    }),
    failures: ['too_many_requests', 'not_found', 'payment_provider_unavailable'],
  }),
  confirmTransaction: endpoint({
    ...senderRoutes.confirmTransaction,
    summary: 'Avisa que la tarjeta fue confirmada; el servidor lo comprueba por sí mismo',
    access: 'sender',
    body: z.object({
      paymentIntentId,
      /** Sent by older clients and not read: amounts, rate and people come from the frozen quote. */
      amount: ignored,
      currency: ignored,
      userId: ignored,
      recipientId: ignored,
      exchangeRate: ignored,
    }),
    response: z.object({ success: z.literal(true), message: z.string(), transaction: transferView }),
    failures: ['too_many_requests', 'not_found', 'payment_not_completed', 'payment_provider_unavailable'],
  }),
};
