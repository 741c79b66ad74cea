import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { senderRoutes } from './sender-routes.ts';
import { adminRateInput, currency, currencyInput, id, pageOf, pageQuery, rateText, timestamp } from './values.ts';

/** "Avísame cuando 1 EUR >= 13,20 Bs": fires once, by e-mail and in open browsers. */
export const rateAlertView = z.object({
  id,
  currency,
  /** The rate that is waited for. */
  rate: rateText,
  createdAt: timestamp,
  firedAt: timestamp.nullable(),
  /** The rate that fired it. */
  firedRate: rateText.nullable(),
});
export type RateAlertView = z.infer<typeof rateAlertView>;

/** Alerts that one person may have waiting at a time. */
export const maxWaitingAlerts = 10;

export const rateAlertEndpoints = {
  listRateAlerts: endpoint({
    ...senderRoutes.listRateAlerts,
    summary: 'Tus alertas de tasa, las más recientes primero',
    access: 'sender',
    query: pageQuery,
    response: pageOf(rateAlertView),
  }),
  createRateAlert: endpoint({
    ...senderRoutes.createRateAlert,
    summary: 'Pide un aviso para cuando la tasa llegue a un valor',
    access: 'sender',
    body: z.object({ currency: currencyInput, rate: adminRateInput }),
    response: rateAlertView,
    status: 201,
    failures: ['alert_already_met', 'too_many_alerts', 'rate_unavailable'],
  }),
  deleteRateAlert: endpoint({
    ...senderRoutes.deleteRateAlert,
    summary: 'Borra una alerta',
    access: 'sender',
    params: z.object({ id }),
    failures: ['not_found'],
  }),
};
