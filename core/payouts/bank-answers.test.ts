import { expect, test } from 'vitest';
import { bankRejectionCodes, type RejectionClass, rejectionClassNames, rejectionClassOf } from './bank-answers.ts';

/** Said again here, so that a change of a code is a decision. */
const table: Readonly<Record<Exclude<RejectionClass, 'unknown'>, readonly string[]>> = {
  account: ['account_not_found', 'account_closed', 'account_blocked', 'name_mismatch', 'invalid_account'],
  person: ['compliance_hold', 'beneficiary_not_allowed', 'beneficiary_deceased'],
  own: ['insufficient_funds', 'daily_limit', 'daily_limit_reached'],
};

test.each(Object.entries(table).flatMap(([about, codes]) => codes.map((code) => [code, about] as const)))(
  'the rejection %s is about the %s',
  (code, about) => {
    expect(rejectionClassOf(code)).toBe(about);
  },
);

test('the table of rejections has no other code and no other class', () => {
  expect(Object.values(table).flat().sort()).toEqual([...bankRejectionCodes].sort());
  expect([...Object.keys(table), 'unknown'].sort()).toEqual([...rejectionClassNames].sort());
});

test.each(['refused', '', 'INSUFFICIENT_FUNDS', 'constructor', '__proto__', 'toString'])(
  'a rejection with the unknown code %j is explained by nothing',
  (code) => {
    expect(rejectionClassOf(code)).toBe('unknown');
  },
);
