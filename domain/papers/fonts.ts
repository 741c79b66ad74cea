import fonts from './fonts.json' with { type: 'json' };

/** The fonts of papers: static instances of the product's fonts (decision 30). */
export const fontBytes = {
  regular: Buffer.from(fonts.regular, 'base64'),
  strong: Buffer.from(fonts.strong, 'base64'),
  heading: Buffer.from(fonts.heading, 'base64'),
};
export type Font = keyof typeof fontBytes;

/** Replacements for characters that the fonts lack. */
const alike: Readonly<Record<string, string>> = { ʼ: '’', ʻ: '‘', '\u202f': ' ' };
/** Latin Extended-A and the other characters used in documents. */
const inFonts = /[\n\u0020-\u007e\u00a0-\u017f\u2013\u2014\u2018-\u201d\u2022\u2026\u2212\u20ac]/;

/**
 * A text limited to the fonts' characters: all of Latin; other letters are decomposed or replaced by a question mark.
 */
export function printable(text: string): string {
  return [...text.normalize('NFC')]
    .map((one) => alike[one] ?? one)
    .map((one) => (inFonts.test(one) ? one : ([...one.normalize('NFKD')].find((part) => inFonts.test(part)) ?? '?')))
    .join('');
}
