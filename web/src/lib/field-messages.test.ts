import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { type FieldSentenceCode, fieldSentences } from '#core/contracts/field-problems';
import { refusedFieldSentences } from '#core/contracts/refused-fields';
import { tooLong } from '#core/contracts/text';
import { isSpanish } from '../testing/english.ts';
import { loadEnglish, showLanguage } from './language.ts';

const general = 'Revisa este dato.';
const sentences = { ...fieldSentences, ...refusedFieldSentences };
const codes = Object.keys(sentences) as FieldSentenceCode[];

// Loaded sentences stay with their module, which other files of this process want without them.
vi.resetModules();
afterAll(() => {
  vi.resetModules();
});
const { loadFailureSentences } = await import('./failure-messages.ts');
const { fieldMessage } = await import('./field-messages.ts');
await loadFailureSentences();
const shown = codes.filter((code) => fieldMessage({ code }) !== general);

test('a form says of a wrong field word for word what its contract says', () => {
  expect(shown).toHaveLength(37);
  expect(shown.map((code) => fieldMessage({ code }))).toEqual(shown.map((code) => sentences[code]));
  expect(fieldMessage({ code: 'too_long', most: 80 })).toBe(tooLong(80));
});

test('every problem of a field is said in English on an English page', async () => {
  showLanguage('en', await loadEnglish('public'));
  onTestFinished(() => showLanguage('es'));
  const texts = [...codes, 'too_long' as const, 'required' as const].map((code) => fieldMessage({ code, most: 80 }));
  expect(texts.filter((text) => isSpanish(text))).toEqual([]);
  expect(fieldMessage({ code: 'too_long', most: 80 })).toBe('Use 80 characters at most');
});
