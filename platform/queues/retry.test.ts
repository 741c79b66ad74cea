import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { UnrecoverableError } from 'bullmq';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { classifyError, NonRetryableError } from './retry.ts';

test.each([
  ['our own verdict', new NonRetryableError('no recipient')],
  ['data of another shape', z.string().safeParse(1).error],
  [
    'a request Stripe calls wrong',
    new Stripe.errors.StripeInvalidRequestError({ type: 'invalid_request_error', message: 'no' }),
  ],
])('%s is never tried again', (_name, error) => {
  expect(classifyError(error)).toBeInstanceOf(UnrecoverableError);
});

test.each([
  ['a lost connection', new Error('read ECONNRESET')],
  ['an outage of Stripe', new Stripe.errors.StripeAPIError({ type: 'api_error', message: 'down' })],
  [
    'a request whose key Stripe has in use',
    new Stripe.errors.StripeIdempotencyError({
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: '',
    }),
  ],
  [
    'an address that Stripe does not have',
    new Stripe.errors.StripeInvalidRequestError({ type: 'invalid_request_error', statusCode: 404, message: '' }),
  ],
  ['something that is no error at all', 'thrown'],
])('%s is tried again', (_name, error) => {
  expect(classifyError(error)).not.toBeInstanceOf(UnrecoverableError);
});

test('what a database error says about people stays out of the queue', () => {
  const cause = Object.assign(new Error("insert ... values ('rosa@example.com')"), { code: '23505' });
  const settled = classifyError(new UniqueConstraintViolationException(cause));
  expect(`${settled.message}${settled.stack}`).not.toContain('rosa@example.com');
  expect(settled.message).toBe('UniqueConstraintViolationException (23505)');
});
