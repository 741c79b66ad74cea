import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  brandOf,
  cvcLengthOf,
  digitsOf,
  formatCvc,
  formatExpiry,
  formatNumber,
  passesLuhn,
  problemOfCvc,
  problemOfExpiry,
  problemOfNumber,
} from './card-rules.ts';

const digits = (max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: max }).map((list) => list.join(''));

describe('a card number', () => {
  it.each([
    ['4242424242424242', 'visa', '4242 4242 4242 4242'],
    ['5555555555554444', 'mastercard', '5555 5555 5555 4444'],
    ['2223003122003222', 'mastercard', '2223 0031 2200 3222'],
    ['378282246310005', 'amex', '3782 822463 10005'],
    ['6011111111111117', 'discover', '6011 1111 1111 1117'],
    ['3056930009020004', 'diners', '3056 9300 0902 0004'],
    ['36227206271667', 'diners', '3622 720627 1667'],
    ['3566002020360505', 'jcb', '3566 0020 2036 0505'],
    ['6200000000000005', 'unionpay', '6200 0000 0000 0005'],
  ])('card number %s is recognised as %s, formatted as %s and valid', (number, brand, written) => {
    expect(brandOf(number)).toBe(brand);
    expect(formatNumber(number)).toBe(written);
    expect(problemOfNumber(written)).toBeNull();
  });

  it('a card number is reported as incomplete or as invalid', () => {
    expect(problemOfNumber('')).toBe('incomplete_number');
    expect(problemOfNumber('4242 4242 4242 424')).toBe('incomplete_number');
    expect(problemOfNumber('4242 4242 4242 4241')).toBe('invalid_number');
  });

  it('formatting a card number twice changes nothing and keeps the order of its digits', () => {
    fc.assert(
      fc.property(digits(25), (text) => {
        const once = formatNumber(text);
        expect(formatNumber(once)).toBe(once);
        expect(text.startsWith(digitsOf(once))).toBe(true);
      }),
    );
  });

  it('a card number with any one digit changed is invalid', () => {
    const card = '4242424242424242';
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
        const wrong = `${card.slice(0, at)}${(Number(card[at]) + by) % 10}${card.slice(at + 1)}`;
        expect(passesLuhn(wrong)).toBe(false);
      }),
    );
  });
});

describe('an expiry date', () => {
  const now = new Date(2026, 10, 21);

  it.each([
    ['1', '1'],
    ['12', '12'],
    ['123', '12 / 3'],
    ['1234', '12 / 34'],
    ['4', '04'],
    ['434', '04 / 34'],
    ['1/34', '01 / 34'],
    ['12/2034', '12 / 34'],
    ['12 / 34', '12 / 34'],
    ['2034-12', '12 / 34'],
    ['122034', '12 / 34'],
  ])('typed expiry "%s" is formatted as "%s"', (typed, written) => {
    expect(formatExpiry(typed)).toBe(written);
    expect(formatExpiry(written)).toBe(written);
  });

  it.each([
    ['', 'incomplete_expiry'],
    ['12 / 3', 'incomplete_expiry'],
    ['13', 'invalid_expiry_month'],
    ['00 / 30', 'invalid_expiry_month'],
    ['10 / 26', 'invalid_expiry_month_past'],
    ['12 / 25', 'invalid_expiry_year_past'],
    ['01 / 99', 'invalid_expiry_year'],
    ['11 / 26', null],
    ['12 / 34', null],
  ])('expiry "%s" in November 2026 has the problem %s', (text, problem) => {
    expect(problemOfExpiry(text, now)).toBe(problem);
  });
});

describe('a security code', () => {
  it('a security code has three digits, four on American Express', () => {
    expect(cvcLengthOf('4242')).toBe(3);
    expect(cvcLengthOf('3782')).toBe(4);
    expect(formatCvc('12345', '4242')).toBe('123');
    expect(formatCvc('1a2b3c45', '3782')).toBe('1234');
    expect(problemOfCvc('123', '3782')).toBe('incomplete_cvc');
    expect(problemOfCvc('123', '4242')).toBeNull();
  });
});
