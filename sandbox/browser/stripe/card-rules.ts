/** Card validation and formatting in the browser: brand, grouping, checksum, expiry. Pure; the time is an argument. */

export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown';
export type CardField = 'number' | 'expiry' | 'cvc';

/** Codes of Stripe.js' own `validation_error`s, those a card form can produce. */
export type CardProblem =
  | 'incomplete_number'
  | 'invalid_number'
  | 'incomplete_expiry'
  | 'invalid_expiry_month'
  | 'invalid_expiry_month_past'
  | 'invalid_expiry_year'
  | 'invalid_expiry_year_past'
  | 'incomplete_cvc';

export interface Expiry {
  /** 1 to 12. */
  month: number;
  /** Four digits. */
  year: number;
}

interface BrandRule {
  brand: CardBrand;
  name: string;
  prefix: RegExp;
  /** Numbers of digits a card of this brand may have, ascending. */
  lengths: number[];
  groups: number[];
  cvcLength: number;
}

const FOURS = [4, 4, 4, 4, 3];

const BRAND_RULES: BrandRule[] = [
  { brand: 'visa', name: 'Visa', prefix: /^4/, lengths: [16], groups: FOURS, cvcLength: 3 },
  {
    brand: 'mastercard',
    name: 'Mastercard',
    prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    groups: FOURS,
    cvcLength: 3,
  },
  { brand: 'amex', name: 'American Express', prefix: /^3[47]/, lengths: [15], groups: [4, 6, 5], cvcLength: 4 },
  {
    brand: 'diners',
    name: 'Diners Club',
    prefix: /^3(0[0-5]|[689])/,
    lengths: [14, 16],
    groups: [4, 6, 4],
    cvcLength: 3,
  },
  { brand: 'discover', name: 'Discover', prefix: /^6(011|4[4-9]|5)/, lengths: [16], groups: FOURS, cvcLength: 3 },
  { brand: 'jcb', name: 'JCB', prefix: /^35(2[89]|[3-8])/, lengths: [16], groups: FOURS, cvcLength: 3 },
  { brand: 'unionpay', name: 'UnionPay', prefix: /^62/, lengths: [16, 17, 18, 19], groups: FOURS, cvcLength: 3 },
];

const UNKNOWN: BrandRule = {
  brand: 'unknown',
  name: '',
  prefix: /^/,
  lengths: [16],
  groups: FOURS,
  cvcLength: 3,
};

/** An expiry further in the future than this is invalid, as in Stripe.js. */
const EXPIRY_YEARS_MAX = 50;

function ruleOf(digits: string): BrandRule {
  return BRAND_RULES.find((rule) => rule.prefix.test(digits)) ?? UNKNOWN;
}

/** The digits of a typed or pasted text. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

export function brandOf(number: string): CardBrand {
  return ruleOf(digitsOf(number)).brand;
}

/** The brand's display name; empty while the brand is unknown. */
export function brandName(number: string): string {
  return ruleOf(digitsOf(number)).name;
}

/** How many digits the security code of this card has. */
export function cvcLengthOf(number: string): number {
  return ruleOf(digitsOf(number)).cvcLength;
}

/** Groups a card number as it is printed (4-4-4-4, Amex 4-6-5), cut to the brand's longest length. */
export function formatNumber(text: string): string {
  const rule = ruleOf(digitsOf(text));
  const digits = digitsOf(text).slice(0, rule.lengths.at(-1));
  const groups = digits.length > 14 && rule.brand === 'diners' ? FOURS : rule.groups;
  const parts: string[] = [];
  let from = 0;
  for (const size of groups) {
    if (from >= digits.length) break;
    parts.push(digits.slice(from, from + size));
    from += size;
  }
  return parts.join(' ');
}

/**
 * Formats an expiry as `MM / AA`. Understands `1/34`, `12/2034`, `2034-12` (what browsers fill in) and plain digits.
 * The separator is added with the first digit of the year, so that it can be deleted.
 */
export function formatExpiry(text: string): string {
  const iso = /^\s*(\d{4})-(\d{1,2})\s*$/.exec(text);
  if (iso) return `${iso[2]!.padStart(2, '0')} / ${iso[1]!.slice(2)}`;
  const short = /^\s*(\d)\s*[/.-]\s*(\d*)/.exec(text);
  let digits = short ? `0${short[1]}${short[2]}` : digitsOf(text);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`;
  const month = digits.slice(0, 2);
  const year = digits.slice(2, digits.startsWith('20', 2) ? 6 : 4);
  if (year === '') return month;
  return `${month} / ${year.length === 4 ? year.slice(2) : year}`;
}

export function formatCvc(text: string, number: string): string {
  return digitsOf(text).slice(0, cvcLengthOf(number));
}

/** The Luhn checksum of card numbers. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let value = Number(digits[digits.length - 1 - i]);
    if (i % 2 === 1) value = value > 4 ? value * 2 - 9 : value * 2;
    sum += value;
  }
  return sum % 10 === 0;
}

/** True when the number has as many digits as its brand can have, so that it can be validated. */
export function isNumberFull(number: string): boolean {
  const digits = digitsOf(number);
  return ruleOf(digits).lengths.at(-1) === digits.length;
}

export function problemOfNumber(number: string): CardProblem | null {
  const digits = digitsOf(number);
  if (!ruleOf(digits).lengths.includes(digits.length)) return 'incomplete_number';
  return passesLuhn(digits) ? null : 'invalid_number';
}

/** Month and year, or null while the text is not a whole expiry. */
export function parseExpiry(text: string): Expiry | null {
  const digits = digitsOf(text);
  if (digits.length !== 4) return null;
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) };
}

export function problemOfExpiry(text: string, now: Date): CardProblem | null {
  const digits = digitsOf(text);
  if (digits.length >= 2 && (Number(digits.slice(0, 2)) < 1 || Number(digits.slice(0, 2)) > 12)) {
    return 'invalid_expiry_month';
  }
  const expiry = parseExpiry(text);
  if (!expiry) return 'incomplete_expiry';
  if (expiry.year < now.getFullYear()) return 'invalid_expiry_year_past';
  if (expiry.year > now.getFullYear() + EXPIRY_YEARS_MAX) return 'invalid_expiry_year';
  const monthNow = now.getMonth() + 1;
  return expiry.year === now.getFullYear() && expiry.month < monthNow ? 'invalid_expiry_month_past' : null;
}

export function problemOfCvc(cvc: string, number: string): CardProblem | null {
  return digitsOf(cvc).length === cvcLengthOf(number) ? null : 'incomplete_cvc';
}
