import { startOfReferenced } from './reference.ts';

/** Interpretations of a search besides its text. */
export interface SearchMeanings {
  /** A number without separators between its digits, "+591 7123-4567" as "59171234567"; null if it is not a number. */
  readonly number: string | null;
  /** An amount as "1291.40", or its whole part and a point, "1291."; null if it is not an amount. */
  readonly amount: string | null;
  /**
   * The transfers whose ids begin as was written, from the first possible id to the last; null when it is no id. `whole`: all that was written names
   * one transfer, by its id or by its reference.
   */
  readonly ids: { readonly first: string; readonly last: string; readonly whole: boolean } | null;
}

/** Fewer characters would be found in nearly every number. */
const shortestNumber = 3;
/** The digits of an id that a receipt's number once showed; fewer are no id. */
const shortestId = 8;
const longestId = 32;

/** Reads a search of transfers, written in any of the ways in which our pages show numbers. */
export function readSearch(text: string): SearchMeanings {
  const amount = amountIn(text);
  // "123.45" is only an amount: its digits without the point occur in many accounts.
  const hasCents = amount !== null && !amount.endsWith('.');
  return { number: hasCents ? null : numberIn(text), amount, ids: idsIn(text) };
}

function numberIn(text: string): string | null {
  if (!/^[A-Za-z0-9\s+().#/-]+$/.test(text)) return null;
  const joined = text.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
  return /\d/.test(joined) && joined.length >= shortestNumber ? joined : null;
}

/** "1.291,40", "1,291.40", "1291,4", "Bs 1.291", "$ 100": a comma or a point before one or two digits is the decimal one. */
function amountIn(text: string): string | null {
  const bare = text.replace(/bs\.?|bob|us\$|usd|eur|[$€\s]/gi, '');
  const match =
    /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/.exec(bare) ?? /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(bare);
  if (!match?.[1]) return null;
  const whole = match[1].replace(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  return `${whole}.${match[2]?.padEnd(2, '0') ?? ''}`;
}

/** An id or its beginning, or a reference; receipts once showed the first eight digits of an id as "CHQ-1A2B3C4D". */
function idsIn(text: string): SearchMeanings['ids'] {
  const start = startOfReferenced(text);
  if (start)
    return { first: uuid(start.padEnd(longestId, '0')), last: uuid(start.padEnd(longestId, 'f')), whole: true };
  const digits = text.trim().toLowerCase().replace(/^chq-/, '').replaceAll('-', '');
  if (digits.length < shortestId || digits.length > longestId || !/^[0-9a-f]+$/.test(digits)) return null;
  const [first, last] = [uuid(digits.padEnd(longestId, '0')), uuid(digits.padEnd(longestId, 'f'))];
  return { first, last, whole: digits.length === longestId };
}

function uuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
