/** Early fraud warnings: a card's bank reports a payment as fraud, before anybody disputes it. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call } from '../context.ts';
import { newId } from '../ids.ts';
import { missingObject } from '../server/errors.ts';
import { expand, pages, text, timeRange } from '../server/parameters.ts';
import { emit } from './events.ts';
import { type Page, pageOf } from './lists.ts';
import { behaviourOf } from './payment-methods.ts';

/** Schedules the warning of an automatically reported card shortly after authorization or charge. */
export function planFraudWarning(call: Call, charge: Stripe.Charge): void {
  const { context } = call;
  if (!charge.payment_method || !behaviourOf(context, charge.payment_method).fraudWarning) return;
  context.tasks.add('warn_of_fraud', charge.id, context.clock.millis() + context.asyncDelayMs);
}

/** Reports a charge, unless all of it was refunded or released. */
export function warnOfFraud(call: Call, chargeId: string): void {
  const charge = call.context.storage.find('charge', chargeId);
  if (!charge || charge.refunded) return;
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: newId('issfr_3'),
    object: 'radar.early_fraud_warning',
    actionable: !charge.disputed,
    charge: charge.id,
    created: call.context.clock.seconds(),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    ...(typeof charge.payment_intent === 'string' ? { payment_intent: charge.payment_intent } : {}),
  };
  call.context.storage.insert('early_fraud_warning', warning, {});
  emit(call, 'radar.early_fraud_warning.created', warning);
}

/** After a dispute or a full refund a warning is no longer actionable. */
export function endFraudWarnings(call: Call, charge: Stripe.Charge): void {
  if (!charge.refunded && !charge.disputed) return;
  const { storage } = call.context;
  for (const before of storage.list('early_fraud_warning', { equal: { charge: charge.id }, limit: 100 }).data) {
    if (!before.actionable) continue;
    const after = { ...before, actionable: false };
    storage.save('early_fraud_warning', after);
    emit(call, 'radar.early_fraud_warning.updated', after, before);
  }
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrieveFraudWarning(call: Call, id: string): Stripe.Radar.EarlyFraudWarning {
  const warning = call.context.storage.find('early_fraud_warning', id);
  if (!warning) throw missingObject('early_fraud_warning', id);
  return warning;
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  charge: text().optional(),
  created: timeRange.optional(),
  payment_intent: text().optional(),
});

export function listFraudWarnings(
  call: Call,
  input: z.infer<typeof listParameters>,
): Page<Stripe.Radar.EarlyFraudWarning> {
  return pageOf(call.context, 'early_fraud_warning', '/v1/radar/early_fraud_warnings', input, {
    equal: { charge: input.charge, payment_intent: input.payment_intent },
  });
}
