import { expect, it } from 'vitest';
import { outcomeOf, readReturnAddress, withoutSecret } from './return-address.ts';

it.each([
  ['payment_intent=pi_1', 'pi_1', null],
  ['payment_intent_client_secret=pi_2_secret_abc', 'pi_2', null],
  ['payment_intent=pi_1&from=%2Fstripe-redirect%3Famount%3D50', 'pi_1', '/stripe-redirect?amount=50'],
  ['payment_intent=pi_1&from=https%3A%2F%2Fevil.example', 'pi_1', null],
  ['payment_intent=pi_1&from=%2F%2Fevil.example', 'pi_1', null],
  ['payment_intent=pi_1%2F..%2Fx', null, null],
  ['', null, null],
])('the payment intent and the page before are read from the return address %j', (search, paymentIntentId, from) => {
  expect(readReturnAddress(new URLSearchParams(search))).toEqual({ paymentIntentId, from });
});

it('the return address without its secret keeps the payment intent and the page before', () => {
  const search = new URLSearchParams('payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x&from=%2Fstripe');
  expect(withoutSecret(readReturnAddress(search))).toBe('/payment-success?payment_intent=pi_1&from=%2Fstripe');
  expect(withoutSecret({ paymentIntentId: null, from: null })).toBe('/payment-success');
});

it.each([
  ['succeeded', 'succeeded'],
  ['processing', 'processing'],
  ['requires_action', 'processing'],
  ['requires_payment_method', 'failed'],
  ['canceled', 'wrong'],
  ['something_new', 'wrong'],
])('a payment that is %s is %s', (status, outcome) => {
  expect(outcomeOf(status)).toBe(outcome);
});
