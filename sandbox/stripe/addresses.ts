/** Postal addresses and where they are used: billing details and shipping. */
import type Stripe from 'stripe';
import { z } from 'zod';
import { emptyable, text } from '../server/parameters.ts';

const address = z.strictObject({
  city: emptyable(text()).optional(),
  country: emptyable(text(2)).optional(),
  line1: emptyable(text()).optional(),
  line2: emptyable(text()).optional(),
  postal_code: emptyable(text()).optional(),
  state: emptyable(text()).optional(),
});
export const billingDetails = z.strictObject({
  address: emptyable(address).optional(),
  email: emptyable(text(512)).optional(),
  name: emptyable(text()).optional(),
  phone: emptyable(text()).optional(),
  tax_id: emptyable(text()).optional(),
});
export const shipping = z.strictObject({
  address,
  name: text(),
  carrier: text().optional(),
  phone: text().optional(),
  tracking_number: text().optional(),
});

/** All six fields, null where absent. */
function addressFrom(input: z.infer<typeof address> | null | undefined): Stripe.Address {
  const { city = null, country = null, line1 = null, line2 = null, postal_code = null, state = null } = input ?? {};
  return { city, country, line1, line2, postal_code, state };
}

export function billingFrom(input: z.infer<typeof billingDetails> | undefined): Stripe.PaymentMethod.BillingDetails {
  return {
    address: addressFrom(input?.address),
    email: input?.email ?? null,
    name: input?.name ?? null,
    phone: input?.phone ?? null,
    tax_id: input?.tax_id ?? null,
  };
}

export function shippingFrom(input: z.infer<typeof shipping> | null | undefined): Stripe.PaymentIntent.Shipping | null {
  if (!input) return null;
  const { name, carrier = null, phone = null, tracking_number = null } = input;
  return { address: addressFrom(input.address), carrier, name, phone, tracking_number };
}
