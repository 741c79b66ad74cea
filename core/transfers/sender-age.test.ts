import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ageOn, minimumAge } from './sender-age.ts';

const at = (text: string) => new Date(text);

test.each([
  ['2000-06-15', '2018-06-14T23:59:59.999Z', 17],
  ['2000-06-15', '2018-06-15T00:00:00.000Z', 18],
  ['2000-12-31', '2018-12-31T00:00:00.000Z', 18],
  ['2000-12-31', '2019-01-01T00:00:00.000Z', 18],
  ['2000-01-01', '2017-12-31T23:59:59.999Z', 17],
])('the age of a sender born %s is on %s: %i', (birthDate, day, age) => {
  expect(ageOn(birthDate, at(day))).toBe(age);
});

test.each([
  ['2018-02-28T23:59:59.999Z', 17],
  ['2018-03-01T00:00:00.000Z', 18],
  ['2020-02-28T23:59:59.999Z', 19],
  ['2020-02-29T00:00:00.000Z', 20],
])('the age of a sender born on 29 February 2000 is on %s: %i', (day, age) => {
  expect(ageOn('2000-02-29', at(day))).toBe(age);
});

test('the age of a sender rises by one exactly on each birthday', () => {
  const dates = fc.date({ min: at('1900-01-01'), max: at('2020-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(dates, fc.integer({ min: 1, max: 110 }), (birth, years) => {
      const birthday = new Date(Date.UTC(birth.getUTCFullYear() + years, birth.getUTCMonth(), birth.getUTCDate()));
      const eve = new Date(birthday.getTime() - 1);
      const birthDate = birth.toISOString().slice(0, 10);
      expect(ageOn(birthDate, birthday)).toBe(years);
      expect(ageOn(birthDate, eve)).toBe(years - 1);
    }),
  );
});

test('senders are adults', () => {
  expect(minimumAge).toBe(18);
});
