/** A name in the one form in which it is stored, compared and screened: full-width, bold and similar letters become plain ones (Unicode NFKC). */
export const nameForm = (name: string) => name.normalize('NFKC');

/** Alphabets that have letters that look like those of another one. */
const lookAlikeAlphabets = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];

/** Whether a word has letters of more than one alphabet, which only look like a name. */
export function mixesAlphabets(name: string): boolean {
  return name.split(/\s+/u).some((word) => {
    const letters = word.match(/\p{L}/gu) ?? [];
    return lookAlikeAlphabets.some((one) => letters.some((l) => one.test(l)) && !letters.every((l) => one.test(l)));
  });
}

/** Letters of the longest word, and of the longest name of a single word, that is not taken for several that were joined. */
const longestWord = 14;
const longestSingle = 10;
/** Initials and words of one letter, as in "J. R. Ortega y Gasset". */
const maxSingleLetters = 3;

/**
 * Whether a sanctions list can be expected to recognise a name: words of the letters a to z, with accents, hyphens, apostrophes and a full stop
 * at the end. A person checks every other name.
 */
export function isPlainName(name: string): boolean {
  const form = nameForm(name);
  // Marks that are part of no letter.
  if (/\p{M}/u.test(form)) return false;
  const words = form.normalize('NFD').replace(/\p{M}/gu, '').trim().split(/\s+/u);
  if (!words.every((word) => /^[a-z]+(?:['’-][a-z]+)*\.?$/i.test(word))) return false;
  const parts = words.flatMap((word) => word.replace('.', '').split(/['’-]/));
  const longest = Math.max(...parts.map((part) => part.length));
  const singleLetters = parts.filter((part) => part.length === 1).length;
  return singleLetters <= maxSingleLetters && longest <= (parts.length === 1 ? longestSingle : longestWord);
}
