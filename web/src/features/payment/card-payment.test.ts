import type { StripeElements, StripeError } from '@stripe/stripe-js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { confirmCard, findIncompleteField, findOutcome, recordPayment } from './card-payment.ts';

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

const wait = async () => undefined;

/** Answers the calls one after another, and remembers which they were. */
function serverAnswering(...answers: (object | Error)[]) {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    calls.push(address.split('/').at(-1) ?? '');
    const answer = answers.shift();
    if (!answer || answer instanceof Error) throw answer ?? new Error('unexpected call');
    const { httpStatus = 'code' in answer ? 409 : 200, ...body } = answer as { httpStatus?: number };
    return Response.json(body, { status: httpStatus });
  });
  return calls;
}

afterEach(() => vi.unstubAllGlobals());

describe('recordPayment', () => {
  it('a payment is confirmed once, after waiting while it is processed and the connection is down', async () => {
    const calls = serverAnswering(
      { status: 'processing' },
      new TypeError('Failed to fetch'),
      { status: 'succeeded' },
      { transaction: { id: 't1' } },
    );
    expect(await recordPayment('pi_1', { wait })).toEqual({ id: 't1' });
    expect(calls).toEqual(['pi_1', 'pi_1', 'pi_1', 'confirm-transaction']);
  });

  it('recording a payment gives up at once when the payment is not made', async () => {
    const calls = serverAnswering({ status: 'requires_payment_method' });
    await expect(recordPayment('pi_1', { wait })).rejects.toThrow('requires_payment_method');
    expect(calls).toHaveLength(1);
  });

  it('recording a payment gives up when nobody answers for a while', async () => {
    const calls = serverAnswering(...Array.from({ length: 9 }, () => new TypeError('Failed to fetch')));
    await expect(recordPayment('pi_1', { wait })).rejects.toMatchObject({ gaveUp: 'status' });
    expect(calls).toHaveLength(5);
  });

  it('recording a payment says when it was the confirmation that failed', async () => {
    serverAnswering({ status: 'succeeded' }, { code: 'payment_not_completed', message: 'x' });
    await expect(recordPayment('pi_1', { wait })).rejects.toMatchObject({ gaveUp: 'confirmation' });
  });

  it('recording a payment asks while the provider processes it, says so once, and stops when the page goes', async () => {
    const calls = serverAnswering(
      ...Array.from({ length: 12 }, (_, call) => ({ status: call % 2 ? 'processing' : 'requires_action' })),
      { status: 'succeeded' },
      { transaction: { id: 't1' } },
    );
    const onProcessing = vi.fn();
    expect(await recordPayment('pi_1', { wait, onProcessing })).toEqual({ id: 't1' });
    expect(calls).toHaveLength(14);
    expect(onProcessing).toHaveBeenCalledTimes(1);
    serverAnswering({ status: 'processing' });
    const leaving = new AbortController();
    const leave = async () => leaving.abort();
    await expect(recordPayment('pi_1', { wait: leave, signal: leaving.signal })).rejects.toThrow(/abort/i);
  });
});

describe('findOutcome', () => {
  const { signal } = new AbortController();

  it.each([
    ['succeeded', 'held'],
    ['processing', 'held'],
    ['requires_payment_method', 'declined'],
    ['requires_action', 'declined'],
    ['canceled', 'gone'],
  ])('a payment intent with the status "%s" has the outcome "%s"', async (status, outcome) => {
    serverAnswering({ status });
    expect(await findOutcome('pi_1', { wait, signal })).toBe(outcome);
  });

  it('the outcome of a payment is asked for until the server answers', async () => {
    const down = Array.from({ length: 20 }, () => new TypeError('Failed to fetch'));
    const calls = serverAnswering(...down, { status: 'succeeded' });
    expect(await findOutcome('pi_1', { wait, signal })).toBe('held');
    expect(calls).toHaveLength(21);
  });

  it('the outcome of a card that may still be asked is asked for until it is final', async () => {
    const calls = serverAnswering(
      { status: 'requires_payment_method' },
      { status: 'requires_action' },
      { code: 'too_many_requests', message: 'x', httpStatus: 429 },
      { status: 'succeeded' },
    );
    expect(await findOutcome('pi_1', { wait, signal, final: true })).toBe('held');
    expect(calls).toHaveLength(4);
  });

  it('the outcome of a payment is no longer asked for when the server refuses to say', async () => {
    serverAnswering({ code: 'not_found', message: 'x' });
    await expect(findOutcome('pi_1', { wait, signal })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('the outcome of a payment is no longer asked for when the page goes', async () => {
    serverAnswering(new TypeError('Failed to fetch'));
    const leaving = new AbortController();
    const leave = async () => leaving.abort();
    await expect(findOutcome('pi_1', { wait: leave, signal: leaving.signal })).rejects.toThrow(/abort/i);
  });
});
