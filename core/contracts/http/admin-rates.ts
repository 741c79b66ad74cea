import { z } from 'zod';
import { guardRails } from '../../rates/guard-rails.ts';
import { line } from '../text.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { rateView } from './rates.ts';
import { adminRateInput, currency, currencyInput, id, pageOf, pageQuery, rateText, timestamp } from './values.ts';

const changeId = z.string().regex(/^[1-9]\d{0,17}$/);

/** A request to change a rate, and its outcome. The newest activated one of a currency is in force. */
export const rateChangeView = z.object({
  id: changeId,
  /** When it was requested, and by whom: the specification's `date` and `setBy`. */
  date: timestamp,
  setBy: z.string(),
  /** The account behind `setBy`: it cannot confirm its own request. Names are not unique, ids are. */
  setById: id,
  currency,
  rate: rateText,
  /** In force when it was requested; null for a currency's first rate. */
  previousRate: rateText.nullable(),
  state: z.enum(['awaiting_confirmation', 'scheduled', 'activated', 'declined', 'cancelled', 'expired']),
  reason: z.string().nullable(),
  /** Why a second person has to agree; empty when one admin is enough. */
  guardRails: z.array(z.enum(guardRails)),
  /** When it expires unconfirmed; null unless it awaits confirmation. */
  expiresAt: timestamp.nullable(),
  /** The admin who confirmed, declined or cancelled it. */
  decidedBy: z.string().nullable(),
  decidedAt: timestamp.nullable(),
  /** When it is wanted in force; null: at once. */
  activateAt: timestamp.nullable(),
  activatedAt: timestamp.nullable(),
});
export type RateChangeView = z.infer<typeof rateChangeView>;

const managedCurrency = z.object({
  /** Null while the currency has no rate, not even a derived one. */
  inForce: rateView.nullable(),
  /** The current market rate (median of fresh sources) and each source; null without a fresh source. */
  reference: z
    .object({
      rate: rateText,
      sources: z.array(z.object({ name: z.string(), rate: rateText, observedAt: timestamp })),
    })
    .nullable(),
  /** Reference less our margin, two decimals, rounded down; null without a reference. */
  proposal: rateText.nullable(),
  /** The best live competitor's rate, fees aside. */
  bestCompetitor: z.object({ name: z.string(), rate: rateText }).nullable(),
  /** Awaiting confirmation or its hour; at most one per currency. */
  openChange: rateChangeView.nullable(),
});

/** The data for an admin's decision. Percentages have two decimals. */
export const rateManagementView = z.object({
  currencies: z.object({ USD: managedCurrency, EUR: managedCurrency }),
  marginPercent: z.string(),
  maxStepPercent: z.string(),
});
export type RateManagementView = z.infer<typeof rateManagementView>;

const outcome = z.object({ change: rateChangeView, inForce: rateView.nullable() });
const params = z.object({ id: changeId });

export const adminRateEndpoints = {
  setRate: endpoint({
    ...adminRoutes.setRate,
    summary: 'Fija la tasa de una moneda, ahora o a una hora; si choca con un límite, espera a una segunda persona',
    access: 'admin',
    freshFactor: true,
    audit: 'rate_proposed',
    body: z.object({
      rate: adminRateInput,
      currency: currencyInput.default('USD'),
      /** Needed when a guard-rail is hit or the change is scheduled. */
      reason: line(300).optional(),
      /** In the future, at most 30 days from now. */
      activateAt: z.iso.datetime().optional(),
      /** Sent by older clients and not read: the signed-in admin is recorded. */
      adminEmail: z.unknown().optional(),
    }),
    response: outcome,
    status: 201,
    failures: ['rate_reason_required', 'rate_change_open'],
  }),
  confirmRateChange: endpoint({
    ...adminRoutes.confirmRateChange,
    summary: 'Confirma como segunda persona un cambio de tasa',
    access: 'admin',
    freshFactor: true,
    audit: 'rate_confirmed',
    params,
    response: outcome,
    failures: ['not_found', 'rate_change_closed', 'second_person_needed', 'role_too_new'],
  }),
  declineRateChange: endpoint({
    ...adminRoutes.declineRateChange,
    summary: 'Descarta un cambio de tasa que espera confirmación o su hora',
    access: 'admin',
    audit: 'rate_declined',
    params,
    response: outcome,
    failures: ['not_found', 'rate_change_closed'],
  }),
  rateHistory: endpoint({
    ...adminRoutes.rateHistory,
    summary: 'Historia de los cambios de tasa: quién, cuándo y por qué',
    access: 'admin',
    query: pageQuery.extend({ currency: currencyInput.optional() }),
    response: pageOf(rateChangeView),
  }),
  rateManagement: endpoint({
    ...adminRoutes.rateManagement,
    summary: 'Tasas, referencia del mercado, propuesta y cambios abiertos',
    access: 'admin',
    response: rateManagementView,
  }),
};
