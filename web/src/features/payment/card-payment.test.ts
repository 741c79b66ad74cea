import type { StripeElements, StripeError } from '@stripe/stripe-js';
import { describe, expect, it } from 'vitest';
import { confirmCard, findIncompleteField } from './card-payment.ts';

const answering = (error: Partial<StripeError> | undefined) => async () =>
  (error ? { error } : { paymentIntent: {} }) as Awaited<ReturnType<Parameters<typeof confirmCard>[0]>>;
const unexpected = { code: 'unexpected' };

describe('confirmCard', () => {
  it.each([
    ['nothing wrong', undefined, { kind: 'held' }],
    [
      'a decline',
      { type: 'card_error', message: 'Fondos insuficientes.' },
      { kind: 'declined', problem: { code: 'declined', message: 'Fondos insuficientes.' } },
    ],
    ['a decline without a message', { type: 'card_error' }, { kind: 'declined', problem: { code: 'declined' } }],
    [
      'an error of the provider without the status of the payment',
      { type: 'api_error', message: 'boom' },
      { kind: 'unknown', problem: unexpected },
    ],
    [
      'an error of the provider with the status of the payment',
      { type: 'invalid_request_error', payment_intent: { status: 'requires_payment_method' } },
      { kind: 'declined', problem: unexpected },
    ],
    [
      'a failed 3-D Secure check',
      {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        message: 'No pudimos autenticar tu tarjeta.',
        payment_intent: { status: 'requires_payment_method' },
      },
      { kind: 'declined', problem: { code: 'declined', message: 'No pudimos autenticar tu tarjeta.' } },
    ],
    [
      'a payment that another tab made',
      { type: 'invalid_request_error', payment_intent: { status: 'requires_capture' } },
      { kind: 'held' },
    ],
    [
      'a payment that ran out',
      { type: 'invalid_request_error', payment_intent: { status: 'canceled' } },
      { kind: 'gone' },
    ],
  ])('the confirmation of a card understands %s', async (_what, error, outcome) => {
    expect(await confirmCard(answering(error as Partial<StripeError>))).toEqual(outcome);
  });

  it('the confirmation of a card does not claim to know the outcome when the provider breaks while confirming', async () => {
    const breaks = () => Promise.reject(new Error('IntegrationError'));
    expect(await confirmCard(breaks)).toEqual({ kind: 'unknown', problem: { code: 'form_broke' } });
  });
});

describe('findIncompleteField', () => {
  const withFields = (submit: () => Promise<{ error?: Partial<StripeError> }>) =>
    findIncompleteField({ elements: { submit } as unknown as StripeElements });
  const message = 'El número de tu tarjeta está incompleto.';

  it.each([
    ['complete', async () => ({}), null],
    [
      'incomplete',
      async () => ({ error: { type: 'validation_error', message } as const }),
      { code: 'declined', message },
    ],
    ['refused by the provider', async () => ({ error: { type: 'api_error' } as const }), unexpected],
    ['broken', () => Promise.reject(new Error('IntegrationError')), { code: 'form_broke' }],
  ])('a card form that is %s', async (_what, submit, problem) => {
    expect(await withFields(submit)).toEqual(problem);
  });
});
