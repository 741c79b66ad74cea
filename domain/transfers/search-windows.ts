import { hourMs } from '#core/time/time';

/** Hours of the stretches of time by which the search is indexed; the function `search_windows` of the database has the same. */
const lengths = [1, 8, 64, 512, 4096] as const;

/** About so many stretches are asked for at once: with fewer and longer ones much more would be looked at than was wanted. */
const usualKeys = 8;
/** Of the longest ones; more are no narrowing. */
const mostKeys = 16;

/** Whole stretches of time of one length that lie beside each other. */
export interface SearchWindow {
  /** Where the first of them begins. */
  readonly from: Date;
  /** The stretches as the index has them. */
  readonly keys: readonly number[];
}

/** Few stretches that cover the time from `since` to `until`, and often some before it; null where that needs too many. */
export function windowOf(since: Date, until: Date): SearchWindow | null {
  const wanted = until.getTime() - since.getTime();
  const level = Math.min(lengths.findLastIndex((hours) => hours * hourMs * usualKeys < wanted) + 1, lengths.length - 1);
  const length = (lengths[level] as number) * hourMs;
  const first = Math.floor(since.getTime() / length);
  const count = Math.floor(until.getTime() / length) - first + 1;
  if (count > mostKeys) return null;
  return {
    from: new Date(first * length),
    keys: Array.from({ length: count }, (_, index) => (first + index) * 8 + level),
  };
}

/** How many of the newest were looked at, from when to when, and how many of them matched. */
export interface Looked {
  readonly newest: Date;
  readonly until: Date;
  readonly matches: number;
}

/** How many times as much as until now is looked at next, at least and at most. */
const growth = { least: 1, most: 64 } as const;

/** Until when to look next so that about twice the `missing` matches are found, and some, if they are as frequent as until now. */
export function lookNext({ newest, until, matches }: Looked, missing: number): Date {
  const factor = Math.min(growth.most, Math.max(growth.least, (2 * missing + 5) / (matches + 1)));
  return new Date(until.getTime() - (newest.getTime() - until.getTime()) * factor);
}
