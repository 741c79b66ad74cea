/** `expand`: replaces ids by their objects, at most four levels deep. */

import type { Call } from '../context.ts';
import { invalidRequest } from '../server/errors.ts';
import type { Kind } from '../storage.ts';
import { findTransaction } from './balance.ts';
import { checkExpansion } from './permissions.ts';

type Target = Kind | 'refunds';

/** Expandable fields by object. */
const EXPANDABLE: Record<string, Record<string, Target>> = {
  payment_intent: { latest_charge: 'charge', payment_method: 'payment_method', customer: 'customer', review: 'review' },
  charge: {
    balance_transaction: 'balance_transaction',
    failure_balance_transaction: 'balance_transaction',
    payment_intent: 'payment_intent',
    customer: 'customer',
    refunds: 'refunds',
    review: 'review',
  },
  refund: {
    balance_transaction: 'balance_transaction',
    failure_balance_transaction: 'balance_transaction',
    charge: 'charge',
    customer: 'customer',
    payment_intent: 'payment_intent',
    payment_method: 'payment_method',
  },
  dispute: { charge: 'charge', payment_intent: 'payment_intent' },
  'radar.early_fraud_warning': { charge: 'charge', payment_intent: 'payment_intent' },
  review: { charge: 'charge', payment_intent: 'payment_intent' },
  payment_method: { customer: 'customer' },
  payout: { balance_transaction: 'balance_transaction', failure_balance_transaction: 'balance_transaction' },
};
const DEPTH_MAX = 4;

type Loose = Record<string, unknown>;

function fetchObject(call: Call, kind: Kind, id: string): unknown {
  if (kind === 'balance_transaction') return findTransaction(call.context, id);
  return call.context.storage.find(kind, id);
}

function refundsOf(call: Call, chargeId: string): Loose {
  const { data, hasMore } = call.context.storage.list('refund', { equal: { charge: chargeId }, limit: 10 });
  return { object: 'list', data, has_more: hasMore, url: `/v1/charges/${chargeId}/refunds` };
}

function expandField(call: Call, object: Loose, path: string[], whole: string): void {
  const [field, ...rest] = path;
  if (field === undefined) return;
  if (object.object === 'list') {
    if (field !== 'data') throw notExpandable(whole);
    for (const item of object.data as Loose[]) expandField(call, item, rest, whole);
    return;
  }
  const sources = String(object.object) === 'balance_transaction' && field === 'source';
  const target = sources ? sourceKind(object.source) : EXPANDABLE[String(object.object)]?.[field];
  if (!target) throw notExpandable(whole);
  checkExpansion(call, target === 'refunds' ? 'refund' : target);
  if (target === 'refunds') object[field] ??= refundsOf(call, String(object.id));
  else if (typeof object[field] === 'string') object[field] = fetchObject(call, target, object[field]) ?? object[field];
  const value = object[field];
  if (value !== null && typeof value === 'object') expandField(call, value as Loose, rest, whole);
}

function sourceKind(id: unknown): Kind {
  if (String(id).startsWith('du_')) return 'dispute';
  if (String(id).startsWith('po_')) return 'payout';
  return String(id).startsWith('re_') ? 'refund' : 'charge';
}

function notExpandable(path: string): Error {
  const message = `This property cannot be expanded (${path}).`;
  return invalidRequest(message, { param: 'expand' });
}

/** A copy of the object with these paths expanded. Throws StripeError for a path that names nothing expandable. */
export function expanded<T extends object>(call: Call, object: T, paths: string[] | undefined): T {
  if (!paths || paths.length === 0) return object;
  const copy = structuredClone(object) as Loose;
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length - (steps[0] === 'data' ? 1 : 0) > DEPTH_MAX) {
      throw invalidRequest(`You cannot expand more than ${DEPTH_MAX} levels of a property.`, { param: 'expand' });
    }
    expandField(call, copy, steps, path);
  }
  return copy as T;
}
