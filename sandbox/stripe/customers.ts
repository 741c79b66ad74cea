/** Customers, as far as card payments need them. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call } from '../context.ts';
import { newId, randomText } from '../ids.ts';
import { missingObject } from '../server/errors.ts';
import { emptyable, expand, ignored, metadata, pages, text, timeRange, withMetadata } from '../server/parameters.ts';
import { emit } from './events.ts';
import { type Page, pageOf } from './lists.ts';
import { resolveMethod } from './payment-methods.ts';

const fields = {
  ...expand,
  description: emptyable(text()).optional(),
  email: emptyable(text(512)).optional(),
  name: emptyable(text(256)).optional(),
  phone: emptyable(text(20)).optional(),
  metadata: metadata.optional(),
  preferred_locales: ignored.optional(),
};
export const createParameters = z.strictObject({ ...fields, payment_method: text().optional() });
export const updateParameters = z.strictObject(fields);

export function createCustomer(call: Call, input: z.infer<typeof createParameters>): Stripe.Customer {
  const { storage, clock } = call.context;
  const customer: Stripe.Customer = {
    id: newId('cus_').slice(0, 18),
    object: 'customer',
    address: null,
    balance: 0,
    created: clock.seconds(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: input.description ?? null,
    discount: null,
    email: input.email ?? null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: withMetadata({}, input.metadata),
    name: input.name ?? null,
    phone: input.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  storage.insert('customer', customer, {});
  emit(call, 'customer.created', customer);
  if (input.payment_method) {
    const method = { ...resolveMethod(call, input.payment_method, 'payment_method'), customer: customer.id };
    storage.save('payment_method', method);
    emit(call, 'payment_method.attached', method);
  }
  return customer;
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrieveCustomer(call: Call, id: string): Stripe.Customer {
  const customer = call.context.storage.find('customer', id);
  if (!customer) throw missingObject('customer', id);
  return customer;
}

export function updateCustomer(call: Call, id: string, input: z.infer<typeof updateParameters>): Stripe.Customer {
  const before = retrieveCustomer(call, id);
  const { description, email, name, phone } = input;
  const given = Object.entries({ description, email, name, phone }).filter(([, value]) => value !== undefined);
  const after: Stripe.Customer = {
    ...before,
    ...Object.fromEntries(given),
    metadata: withMetadata(before.metadata, input.metadata),
  };
  call.context.storage.save('customer', after);
  emit(call, 'customer.updated', after, before);
  return after;
}

export function deleteCustomer(call: Call, id: string): Stripe.DeletedCustomer {
  const customer = retrieveCustomer(call, id);
  call.context.storage.remove('customer', id);
  emit(call, 'customer.deleted', customer);
  return { id, object: 'customer', deleted: true };
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  created: timeRange.optional(),
  email: text(512).optional(),
});

export function listCustomers(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.Customer> {
  return pageOf(call.context, 'customer', '/v1/customers', input, { equal: { email: input.email } });
}
