import { expect, test } from 'vitest';
import { accountEnding, isSameAccount, isSameCi, isSamePerson, sameBy } from './same.ts';

const juana = { bankName: 'Banco Unión', bankAccount: '10000012345678', ci: '4567890' };

test.each([
  [{ ...juana, bankAccount: '1000-0012 345678' }, true],
  [{ ...juana, bankAccount: '10000012345679' }, false],
  [{ ...juana, bankName: 'BancoSol' }, false],
])('the account %o is the same as one without spaces and hyphens at the same bank: %s', (other, expected) => {
  expect(isSameAccount(juana, other)).toBe(expected);
});

test.each([
  ['4567890 LP', true],
  ['LP 4567890', true],
  ['4567890lp', true],
  ['4 567 890', true],
  ['4567891', false],
  ['4567890-1B', false],
  ['E-4567890', false],
])('the identity number %j is 4567890: %s', (ci, expected) => {
  expect(isSameCi(ci, '4567890')).toBe(expected);
});

test.each([
  [{ name: 'MAMANI ROSA', ci: '4567890 LP' }, true],
  [{ name: 'Rosá  Mamani', ci: '4567890' }, true],
  [{ name: 'Rosa Mamani Quispe', ci: '4567890' }, false],
  [{ name: 'Rosa Mamani', ci: '4567891' }, false],
])('%o is Rosa Mamani with the identity number 4567890: %s', (other, expected) => {
  expect(isSamePerson({ name: 'Rosa Mamani', ci: '4567890' }, other)).toBe(expected);
});

test('two recipients with one account are the same by it, also when the identity number is the same too', () => {
  expect(sameBy(juana, { ...juana })).toBe('account');
  expect(sameBy(juana, { ...juana, bankAccount: '99' })).toBe('ci');
  expect(sameBy(juana, { ...juana, bankAccount: '99', ci: '1234567' })).toBeNull();
});

test('an account is known by its last four digits, however they are grouped', () => {
  expect(accountEnding('4010-2233-11')).toBe('3311');
  expect(accountEnding('123')).toBe('123');
});
