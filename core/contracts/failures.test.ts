import { expect, test } from 'vitest';
import { Failure, failureCodes } from './failures.ts';
import { invalidInput } from './invalid-input.ts';

test('failure codes are lower-case words joined by underscores', () => {
  for (const code of failureCodes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

test('a failure is an error with its code, and details for the caller', () => {
  expect(new Failure('not_found')).toBeInstanceOf(Error);
  expect(new Failure('not_found')).toMatchObject({ code: 'not_found', message: 'not_found', details: {} });
  expect(invalidInput({ city: 'city_required' })).toMatchObject({
    code: 'invalid_input',
    details: { fields: { city: 'Ciudad es requerida' }, problems: { city: { code: 'city_required' } } },
  });
});
