import { describe, expect, test } from 'vitest';
import { referenceOf } from './reference.ts';
import { readSearch } from './search.ts';

describe('an amount that is searched for', () => {
  test.each([
    ['100', '100.'],
    ['100.00', '100.00'],
    ['100,00 EUR', '100.00'],
    ['$ 100,00', '100.00'],
    ['$1,291.40', '1291.40'],
    ['Bs 1.291,40', '1291.40'],
    ['BOB 1,291.40', '1291.40'],
    ['1.291', '1291.'],
    ['1,291', '1291.'],
    ['1291,4', '1291.40'],
    ['12.345.678,90', '12345678.90'],
    ['0,50', '0.50'],
    ['007', '7.'],
  ])('an amount that is searched for may be written %s', (text, amount) => {
    expect(readSearch(text).amount).toBe(amount);
  });

  test.each(['', 'Rosa', '12.34.56', '1.2345', '1,2,3', '100%', '-5', '1.291,40,1', '+591 71234567x'])(
    'an id that is searched for is not %s',
    (text) => {
      expect(readSearch(text).amount).toBeNull();
    },
  );
});

describe('a number that is searched for', () => {
  test.each([
    ['+591 7123-4567', '59171234567'],
    ['10000 0123 45678', '10000012345678'],
    ['4567890 LP', '4567890lp'],
    ['BU-000481', 'bu000481'],
    ['TR 012345678901234', 'tr012345678901234'],
  ])('a number that is searched for may be written %s', (text, number) => {
    expect(readSearch(text).number).toBe(number);
  });

  test.each(['Rosa', '7', '12', '100%', '123.45', '123,45', '1,291.40'])(
    'an amount that is searched for is not %s',
    (text) => {
      expect(readSearch(text).number).toBeNull();
    },
  );
});

describe('an id that is searched for', () => {
  const id = '1a2b3c4d-7dec-41d0-a765-00a0c91e6bf6';

  test.each([
    [id, id, id],
    [id.toUpperCase(), id, id],
    ['CHQ-1A2B3C4D', '1a2b3c4d-0000-0000-0000-000000000000', '1a2b3c4d-ffff-ffff-ffff-ffffffffffff'],
    ['1a2b3c4d-7', '1a2b3c4d-7000-0000-0000-000000000000', '1a2b3c4d-7fff-ffff-ffff-ffffffffffff'],
  ])('an id that is searched for may be written %s', (text, first, last) => {
    expect(readSearch(text).ids).toMatchObject({ first, last });
  });

  test.each(['1a2b3c4', 'chq-1a2b3c4', `${id}0`, 'Rosa Mamani', '1a2b3c4g'])(
    'a number that is searched for is not %s',
    (text) => {
      expect(readSearch(text).ids).toBeNull();
    },
  );
});

describe('a search for one transfer alone', () => {
  const id = '0a2b3c4d-7dec-41d0-a765-00a0c91e6bf6';

  test.each([id, id.replaceAll('-', ''), referenceOf(id), ` ${referenceOf(id).replace('TR', 'tr ')} `])(
    'is %s',
    (text) => {
      const { ids } = readSearch(text);
      expect(ids?.whole).toBe(true);
      expect([ids && ids.first <= id, ids && id <= ids.last]).toEqual([true, true]);
    },
  );

  test.each([
    id.slice(0, -1),
    'CHQ-1A2B3C4D',
    referenceOf(id).slice(0, -1),
    referenceOf(id).slice(2),
    'TR999999999999999',
  ])('is not %s', (text) => {
    expect(readSearch(text).ids?.whole ?? false).toBe(false);
  });
});
