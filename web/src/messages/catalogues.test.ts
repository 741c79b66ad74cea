import { expect, test } from 'vitest';
import { loadEnglish } from '../lib/language.ts';

const catalogues = import.meta.glob<Record<string, unknown>>('./en/*.po', { eager: true, import: 'messages' });

test('a Spanish text that several features show has the same English in all of them', async () => {
  const english = await loadEnglish('all');
  for (const [file, messages] of Object.entries(catalogues)) {
    for (const [id, text] of Object.entries(messages)) expect([file, id, text]).toEqual([file, id, english[id]]);
  }
});

test('every catalogue is loaded with the public pages or with all others', async () => {
  const ids = Object.values(catalogues).flatMap((messages) => Object.keys(messages));
  expect(Object.keys(await loadEnglish('all')).toSorted()).toEqual([...new Set(ids)].toSorted());
});
