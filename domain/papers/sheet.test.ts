import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { Sheet } from './sheet.ts';

const seal = { url: 'https://chasqui.example/verificar/ABCD', code: 'ABCD-EFGH', lines: ['Comprueba este papel.'] };

/** The text of each page of a paper with this many lines before its notes and its seal. */
async function pagesOf(lines: number): Promise<string[]> {
  const sheet = new Sheet({ title: 'Estado de cuenta', language: 'es', footer: 'Chasqui', landscape: true });
  sheet.body(Array.from({ length: lines }, (_, line) => `Renglón ${line}`).join('\n'));
  sheet.seal(seal, 'Las notas de este papel.');
  const pdf = await getDocumentProxy(new Uint8Array(await sheet.end(new Date(0))));
  return (await extractText(pdf)).text;
}

test('the seal is on one page with the notes above it, on the previous page if both fit there', async () => {
  const papers = await Promise.all([10, 21, 22, 23, 24, 25, 26, 27, 28, 29].map(pagesOf));
  expect(papers.map((pages) => pages.length)).toEqual(expect.arrayContaining([1, 2]));
  expect(papers[0]).toHaveLength(1);
  for (const pages of papers) {
    const last = pages.at(-1);
    expect(last).toContain('ABCD-EFGH');
    expect(last).toContain('Las notas de este papel.');
  }
});
