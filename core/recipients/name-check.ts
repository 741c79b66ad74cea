/** The bank's answer about the holder of an account. */
export const nameCheckStatuses = {
  pending: 'Not answered yet; it is attempted until it is, or until the attempts are used up.',
  match: 'The account is in the name that the sender typed.',
  close: 'The names are alike but not the same.',
  different: 'The account is in another name.',
  unsupported: 'The bank of the account does not say whose it is.',
  unavailable: 'The bank did not answer any of the attempts.',
  withdrawn: 'Name or account were changed, or the recipient removed, before the bank answered.',
} as const;

export type NameCheckStatus = keyof typeof nameCheckStatuses;
export const nameCheckStatusNames = Object.keys(nameCheckStatuses) as [NameCheckStatus, ...NameCheckStatus[]];

/** Attempts after which a check is given up until its sender asks again: about half a minute after the first. */
export const maxNameCheckAttempts = 6;

/** Checks per sender in 24 hours, so that accounts cannot be enumerated to learn their holders. */
export const maxNameChecksPerDay = 20;

/** Whether the sender must confirm the name before paying because the bank gives another account holder. */
export function needsConfirmation(check: { status: NameCheckStatus; confirmed: boolean } | null): boolean {
  return check?.status === 'different' && !check.confirmed;
}

/** The words of a name without accents and capitals. */
export function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}]+/u).filter((word) => word !== '');
}

/** Words that banks and people leave out of surnames: "de la Cruz", "vda. de Choque", "Mamani y Quispe". */
const particles: ReadonlySet<string> = new Set(['de', 'del', 'la', 'las', 'los', 'y', 'e', 'o', 'da', 'dos', 'vda']);

/**
 * Compares the name that a sender typed with the name an account is in, by how people in Bolivia are called: one or more given names, the
 * father's and the mother's surname. Banks write surnames first or last, and leave out what does not fit.
 * - `match`: the same words in any order, or one of the two lacks second surname or further given names.
 * - `close`: one word differs, or a few letters do; not the given name that was typed first.
 */
export function compareNames(typed: string, bank: string): 'match' | 'close' | 'different' {
  const [ours, theirs] = [significant(typed), significant(bank)];
  const [short, long] = ours.length <= theirs.length ? [ours, theirs] : [theirs, ours];
  const same = short.length - unmatched(short, long, (a, b) => a === b).length;
  if (short.length > 1 && same === short.length && (long.length === same || isShortened(short, long))) return 'match';
  const left = unmatched(ours, theirs, isLike);
  const matched = ours.length - left.length;
  const missing = short.length - matched;
  const givenNameDiffers = left.includes(0);
  if (missing === 0 && matched > 0) return 'close';
  return missing === 1 && matched > 1 && !givenNameDiffers ? 'close' : 'different';
}

const significant = (name: string) => wordsOf(name).filter((word) => !particles.has(word));

/** The positions of words without a counterpart among the others. */
function unmatched(
  words: readonly string[],
  others: readonly string[],
  alike: (a: string, b: string) => boolean,
): number[] {
  const free = [...others];
  const take = (word: string, same: (a: string, b: string) => boolean) => {
    const found = free.findIndex((other) => same(word, other));
    if (found >= 0) free.splice(found, 1);
    return found >= 0;
  };
  // Match equal words first, so that a similar word cannot take their counterpart.
  const rest = words.map((_, index) => index).filter((index) => !take(words[index] ?? '', (a, b) => a === b));
  return rest.filter((index) => !take(words[index] ?? '', alike));
}

/** Whether `short`, whose words all occur in `long`, consists of its first surname and given names. */
function isShortened(short: readonly string[], long: readonly string[]): boolean {
  const surnamesLast = {
    given: long.slice(0, Math.max(1, long.length - 2)),
    surname: long.at(-Math.min(2, long.length - 1)),
  };
  const surnamesFirst = { given: long.slice(2), surname: long[0] };
  const has = ({ given, surname }: typeof surnamesLast, givenName: string | undefined) =>
    given.includes(givenName ?? '') && short.includes(surname ?? '');
  // With the surname first in both, a short name proves nothing: any two words of the long one would match.
  return has(surnamesLast, short[0]) || has(surnamesFirst, short[0]) || has(surnamesLast, short.at(-1));
}

/** Whether two words can be one: an initial, or a letter more, less or other (two in long words). */
function isLike(a: string, b: string): boolean {
  if (a.length === 1 || b.length === 1) return a[0] === b[0];
  const most = Math.min(a.length, b.length) < 4 ? 0 : Math.min(a.length, b.length) < 8 ? 1 : 2;
  return Math.abs(a.length - b.length) <= most && distance(a, b) <= most;
}

/** Letters to change, add or leave out from one word to the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const changed = (row[j] ?? 0) + (b[j] === letter ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** What a sender may see of the name of an account: the first letter of each word, whatever the bank hides itself. */
export function maskName(name: string): string {
  const words =
    name
      .normalize('NFC')
      .toUpperCase()
      .match(/\p{L}[\p{L}\p{M}*]*/gu) ?? [];
  return words.map((word) => `${[...word][0]}***`).join(' ');
}
