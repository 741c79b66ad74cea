import { z } from 'zod';
import { payoutRails, stopCauseNames, stopScopeNames } from '../../money-stops/money-stop.ts';
import { fieldSentences } from '../field-problems.ts';
import { paragraph } from '../text.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { id, timestamp } from './values.ts';

/** A stop of captures, payouts or both. */
export const moneyStopView = z.object({
  id,
  version: z.int(),
  scope: z.enum(stopScopeNames),
  /** Of payouts only; null: every rail. */
  rail: z.enum(payoutRails).nullable(),
  /** As a person wrote it; null where the system set it. */
  reason: z.string().nullable(),
  /** Why the system set it; null where a person did. */
  cause: z.enum(stopCauseNames).nullable(),
  /** Null: the system. */
  set_by: z.string().nullable(),
  set_by_id: id.nullable(),
  set_at: timestamp,
  /** The request to lift it that a second person has to confirm, or null. */
  lift: z
    .object({ reason: z.string(), requested_by: z.string(), requested_by_id: id, requested_at: timestamp })
    .nullable(),
});
export type MoneyStopView = z.infer<typeof moneyStopView>;

const params = z.object({ id });
const reason = paragraph(500).min(1, fieldSentences.reason_required);
const answer = z.object({ stops: z.array(moneyStopView) });

/** Setting a stop asks for no fresh second factor, since seconds count; lifting one does, since it lets money move. */
export const moneyStopEndpoints = {
  moneyStops: endpoint({
    ...adminRoutes.moneyStops,
    summary: 'Las paradas de dinero activas, la más antigua primero',
    access: 'admin',
    response: answer,
  }),
  setMoneyStop: endpoint({
    ...adminRoutes.setMoneyStop,
    summary: 'Para los cobros, los pagos o todo; lo que libera o devuelve dinero sigue',
    access: 'admin',
    audit: 'money_stop_set',
    body: z
      .object({ scope: z.enum(stopScopeNames), rail: z.enum(payoutRails).nullable().default(null), reason })
      .refine(({ scope, rail }) => rail === null || scope === 'payouts', {
        path: ['rail'],
        error: fieldSentences.rail_without_payouts,
      }),
    response: answer,
    failures: ['money_stop_active'],
  }),
  requestLift: endpoint({
    ...adminRoutes.requestLift,
    summary: 'Pide levantar una parada; se levanta cuando otra persona lo confirma',
    access: 'admin',
    freshFactor: true,
    audit: 'money_stop_lift_requested',
    params,
    body: z.object({ reason }),
    response: answer,
    failures: ['not_found', 'money_stop_lifted', 'lift_already_requested'],
  }),
  confirmLift: endpoint({
    ...adminRoutes.confirmLift,
    summary: 'La segunda persona levanta la parada; lo que esperaba sigue enseguida',
    access: 'admin',
    freshFactor: true,
    audit: 'money_stop_lifted',
    params,
    response: answer,
    failures: ['not_found', 'money_stop_lifted', 'lift_not_requested', 'own_request', 'role_too_new'],
  }),
  declineLift: endpoint({
    ...adminRoutes.declineLift,
    summary: 'Retira o rechaza el pedido de levantar una parada; la parada sigue',
    access: 'admin',
    audit: 'money_stop_lift_declined',
    params,
    response: answer,
    failures: ['not_found', 'money_stop_lifted', 'lift_not_requested'],
  }),
};
