import { describe, expect, test } from 'vitest';
import { Failure, failureCodes, failures } from './failures.ts';

/** Sentences the product specification gives without a full stop. */
const asSpecified = ['El monto mínimo para enviar es de 10 USD/EUR'];

describe.each(failureCodes)('%s', (code) => {
  const { status, message } = failures[code];

  test('has a client or server error status', () => {
    expect(Number.isInteger(status) && status >= 400 && status <= 599).toBe(true);
  });

  test('has a sentence for people', () => {
    expect(message).toMatch(/^[A-ZÁÉÍÓÚÑ]/);
    if (!asSpecified.includes(message)) expect(message).toMatch(/[.?]$/);
    // No program words, no English, nobody is shouted at.
    expect(message).not.toMatch(/[_!¡{}]|undefined|null|error code|\b(the|invalid|please|not found)\b/i);
  });

  test('thrown, it carries both', () => {
    const failure = new Failure(code);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).toMatchObject({ code, status, message, details: {} });
  });
});

test('codes are words joined by underscores, and no two failures say the same', () => {
  for (const code of failureCodes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(new Set(failureCodes.map((code) => failures[code].message)).size).toBe(failureCodes.length);
});

test('a failure may say more', () => {
  const failure = new Failure('invalid_input', { fields: { amount: 'x' } }, 'Otra frase.');
  expect(failure).toMatchObject({ message: 'Otra frase.', status: 400, details: { fields: { amount: 'x' } } });
});
