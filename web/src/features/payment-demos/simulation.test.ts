import { expect, it } from 'vitest';
import {
  cutCvc,
  exampleAt,
  fixed15,
  fixed696,
  fixed696WithFee,
  groupExpiry,
  groupNumber,
  inventedReference,
  problemsOf,
  simulatedCards,
} from './simulation.ts';

it.each([
  ['6.96', fixed696, '100', '696.00'],
  ['6.96 with the fee', fixed696WithFee, '100', '671.64'],
  ['15', fixed15, '100', '1447.50'],
  ['15', fixed15, '0.01', '0.00'],
  ['15', fixed15, '', null],
  ['15', fixed15, '0', null],
])('the example at the fixed rate %s brings the bolivianos of that rate', (_name, fixed, amount, bolivianos) => {
  expect(exampleAt(fixed, amount, 'USD')).toBe(bolivianos);
});

it.each([
  ['42424', '4242 4'],
  ['4242424242424242999', '4242 4242 4242 4242'],
  ['4242-x-4242', '4242 4242'],
  ['', ''],
])('the simulated card form groups the number %j as %j', (typed, shown) => {
  expect(groupNumber(typed)).toBe(shown);
  expect(groupNumber(shown)).toBe(shown);
});

it('the simulated card form writes the expiry as MM/AA and cuts the security code', () => {
  expect(['1', '12', '123', '12345', '12/34'].map(groupExpiry)).toEqual(['1', '12', '12/3', '12/34', '12/34']);
  expect(cutCvc('12a345')).toBe('123');
});

it('the simulated card form takes the two test numbers only', () => {
  const rest = { expiry: '12/34', cvc: '123' };
  for (const number of Object.values(simulatedCards)) expect(problemsOf({ number, ...rest })).toEqual({});
  expect(Object.keys(problemsOf({ number: '5555 5555 5555 4444', ...rest }))).toEqual(['number']);
  expect(Object.keys(problemsOf({ number: '', expiry: '13/34', cvc: '12' }))).toEqual(['number', 'expiry', 'cvc']);
});

it('the references of the simulated card form all have one form', () => {
  expect(inventedReference(new Uint32Array([4_294_967_295]))).toBe('REF294967295');
  expect(inventedReference(new Uint32Array([7]))).toBe('REF000000007');
});
