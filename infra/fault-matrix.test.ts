import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test('every test that the fault matrix names exists, and every cell names one of them', async () => {
  const page = await readFile('docs/fault-matrix.md', 'utf8');
  const named = [...page.matchAll(/^(\d+)\. `(.+)`$/gm)].map(([, number = '', title = '']) => ({ number, title }));
  expect(named.length).toBeGreaterThan(0);
  let sources = '';
  for await (const file of glob(['{web,e2e,domain}/**/*.test.{ts,tsx}'])) sources += await readFile(file, 'utf8');
  expect(named.filter(({ title }) => !sources.includes(title))).toEqual([]);
  const rows = page.split('\n').filter((line) => /^\| (?!event|---)/.test(line));
  const cells = rows.flatMap((row) => row.split('|').slice(2, -1));
  const known = new Set(named.map(({ number }) => number));
  const unproven = cells.filter((cell) => {
    const numbers = [...cell.matchAll(/\[(\d+)\]/g)].map(([, number = '']) => number);
    return cell.trim() !== '–' && (numbers.length === 0 || numbers.some((number) => !known.has(number)));
  });
  expect(unproven).toEqual([]);
});
