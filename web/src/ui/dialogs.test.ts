import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..');

async function readAll(wanted: (file: string) => boolean): Promise<Map<string, string>> {
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.tsx') && wanted(file));
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(source, file), 'utf8')] as const)),
  );
}

/** Its dialog stands for a file that does not come: e2e/accessibility.browser.test.ts. */
const byJourney = 'routes/dashboard.tsx';

const isTest = (file: string) => file.endsWith('.component.test.tsx');

/** How often each name that the pattern captures occurs. */
const countOf = (texts: Iterable<string>, pattern: RegExp) => {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(pattern)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
};

test('every dialog of the web app is opened by keyboard in a component test', async () => {
  const opening =
    /<(Modal|Drawer|Menu|Popover|HoverCard|Dialog|SideDialog|Select|MultiSelect|Autocomplete|Combobox)(?=[\s>])/g;
  const components = await readAll((file) => !isTest(file) && !file.startsWith('ui/') && file !== byJourney);
  const written = [...components].flatMap(([file, text]) => {
    const count = text.match(opening)?.length ?? 0;
    return count > 0 ? [[file, count] as const] : [];
  });
  const tests = await readAll(isTest);
  const opened = countOf(tests.values(), /expectKeyboardDialog\(\s*'([^']+)'/g);
  expect(written.filter(([file, count]) => (opened.get(file) ?? 0) < count)).toEqual([]);
  const known = new Set(written.map(([file]) => file));
  expect([...opened.keys()].filter((file) => !known.has(file))).toEqual([]);
});
