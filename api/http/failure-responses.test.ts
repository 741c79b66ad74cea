import { describe, expect, test } from 'vitest';
import { Failure, failureCodes } from '#core/contracts/failures';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { failureDetails } from '#core/contracts/http/failure-details';
import { failureResponseOf, failureResponses } from './failure-responses.ts';

/** Messages the product specification gives without a full stop. */
const asSpecified = ['El monto mínimo para enviar es de 10 USD/EUR'];

describe.each(failureCodes)('the answer to %s', (code) => {
  const { status, message } = failureResponses[code];

  test('the answer to a failure has a client or server error status', () => {
    expect(Number.isInteger(status) && status >= 400 && status <= 599).toBe(true);
  });

  test('the answer to a failure gives every figure of its message as data too', () => {
    if (/\d|una hora/.test(message)) expect(Object.keys(failureDetails[code].shape)).not.toEqual([]);
  });

  test('the answer to a failure has a Spanish message for people, without technical terms', () => {
    expect(message).toMatch(/^[A-ZÁÉÍÓÚÑ]/);
    if (!asSpecified.includes(message)) expect(message).toMatch(/[.?]$/);
    expect(message).not.toMatch(/[_!¡{}]|undefined|null|error code|\b(the|invalid|please|not found)\b/i);
  });
});

test('no two failures have the same message', () => {
  expect(new Set(failureCodes.map((code) => failureResponses[code].message)).size).toBe(failureCodes.length);
});

test('the message of already_decided names who decided, and what', () => {
  const said = (status: 'rejected' | 'pending', decidedBy: string) => {
    const transaction = { status } as AdminTransferView;
    return failureResponseOf(new Failure('already_decided', { transaction, decidedBy })).message;
  };
  expect(said('rejected', 'Ana')).toBe('Ana ya rechazó esta transferencia.');
  expect(said('pending', 'you')).toBe('Ya aprobaste esta transferencia.');
});
