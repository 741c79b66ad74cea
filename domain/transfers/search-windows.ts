import { hourMs } from '#core/time/time';

/** Hours of the time windows by which the search is indexed; the function `search_windows` of the database has the same. */
const lengths = [1, 8, 64, 512, 4096] as const;

/** Target number of windows per query: with fewer and longer ones, much more than the requested range would be read. */
const targetKeys = 8;
/** Maximum number of the longest windows; more do not narrow the search. */
const maxKeys = 16;

/** Adjacent time windows of one length. */
export interface SearchWindow {
  /** Start of the first one. */
  readonly from: Date;
  /** The windows as indexed. */
  readonly keys: readonly number[];
}

/** A few windows that cover the time from `since` to `until`, and often some before it; null if that needs too many. */
export function windowOf(since: Date, until: Date): SearchWindow | null {
  const wanted = until.getTime() - since.getTime();
  const level = Math.min(
    lengths.findLastIndex((hours) => hours * hourMs * targetKeys < wanted) + 1,
    lengths.length - 1,
  );
  const length = (lengths[level] as number) * hourMs;
  const first = Math.floor(since.getTime() / length);
  const count = Math.floor(until.getTime() / length) - first + 1;
  if (count > maxKeys) return null;
  return {
    from: new Date(first * length),
    keys: Array.from({ length: count }, (_, index) => (first + index) * 8 + level),
  };
}

/** The range of newest transfers read so far, and the number of matches in it. */
export interface Looked {
  readonly newest: Date;
  readonly until: Date;
  readonly matches: number;
}

/** Minimum and maximum of the next range relative to the previous one. */
const growth = { least: 1, most: 64 } as const;

/**
 * The start of the next range, such that it should contain about twice the `missing` matches, and some more, at the
 * frequency so far.
 */
export function lookNext({ newest, until, matches }: Looked, missing: number): Date {
  const factor = Math.min(growth.most, Math.max(growth.least, (2 * missing + 5) / (matches + 1)));
  return new Date(until.getTime() - (newest.getTime() - until.getTime()) * factor);
}
