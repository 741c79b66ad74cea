import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { senderRoutes } from './sender-routes.ts';
import { amountText, id, timestamp } from './values.ts';

/** The secret of a tracking link. It is sent in the body, so that no log of addresses holds it. */
const secret = z.object({ token: z.string().regex(/^[0-9a-f]{40}$/, 'El enlace no es válido') });

/** Steps of a transfer as its recipient sees them, in their order. */
export const trackingSteps = ['received', 'approved', 'sent', 'deposited'] as const;

/**
 * A transfer as the holder of its link sees it: amount and time of arrival, but nothing that reveals the sender, the
 * recipient or the account to a stranger.
 */
export const trackingView = z.object({
  /** The sender's first name. */
  sender: z.string(),
  /** The promised amount. */
  bolivianos: amountText,
  /** What of it the bank deposited and has not taken back. */
  arrived: amountText,
  /** The gain over the accepted amount through a better rate, or null. */
  gained: amountText.nullable(),
  /** Empty while no recipient is chosen. */
  bankName: z.string(),
  /** Last digits of the account. */
  accountEnding: z.string(),
  /** `delayed`: the bank has not paid, or took all of it back; `deposited_in_part`: it took a part back; `stopped`: nothing will arrive. */
  status: z.enum(['on_the_way', 'delayed', 'deposited', 'deposited_in_part', 'stopped']),
  steps: z.array(z.object({ step: z.enum(trackingSteps), at: timestamp })),
  estimatedDelivery: timestamp,
  /** When a holder of the link confirmed the deposit; null once the bank took some of that one back. */
  receivedAt: timestamp.nullable(),
});
export type TrackingView = z.infer<typeof trackingView>;

export const trackingEndpoints = {
  createTrackingLink: endpoint({
    ...senderRoutes.createTrackingLink,
    summary: 'El enlace de seguimiento de un envío propio ya pagado, para la familia; siempre el mismo',
    access: 'sender',
    params: z.object({ id }),
    response: z.object({ token: z.string() }),
    failures: ['not_found'],
  }),
  readTracking: endpoint({
    ...senderRoutes.readTracking,
    summary: 'Un envío para quien tiene su enlace de seguimiento, con los datos enmascarados',
    access: 'public',
    body: secret,
    response: trackingView,
    failures: ['not_found', 'too_many_requests'],
  }),
  confirmReceived: endpoint({
    ...senderRoutes.confirmReceived,
    summary: 'La familia dice que ya recibió el dinero; solo cuando está depositado completo, y una vez',
    access: 'public',
    body: secret,
    response: trackingView,
    failures: ['not_found', 'too_many_requests'],
  }),
};
