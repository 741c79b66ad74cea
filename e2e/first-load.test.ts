import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { load } from 'cheerio';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { budgets, firstLoad } from '../infra/first-load.ts';
import { root } from '../infra/paths.ts';

test.each(Object.entries(budgets))(
  'the first scripts of %s stay within their budget of bytes and requests',
  async (path, budget) => {
    const { bytes, requests } = await firstLoad(path);
    expect(requests).toBeGreaterThan(3);
    expect({ path, bytes: bytes <= budget.bytes || bytes, requests: requests <= budget.requests || requests }).toEqual({
      path,
      bytes: true,
      requests: true,
    });
  },
);

/** What a new connection carries in its first round trip, ten packets, less the headers of the answer. */
const firstRoundTrip = 13_900;

test.each(['home', 'landing2', 'login', 'terms', 'home.en'])(
  'the prerendered %s page is painted after one small stylesheet, which no script competes with',
  async (page) => {
    const html = load(await readFile(join(root, `dist/web/pages/${page}.html`), 'utf8'));
    const styles = html('link[rel=stylesheet]')
      .toArray()
      .map((link) => new URL(html(link).attr('href') ?? '', 'http://localhost').pathname);
    const bytes = await Promise.all(
      styles.map(async (path) => (await stat(join(root, `dist/web/client${path}.br`))).size),
    );
    expect(styles).toHaveLength(1);
    expect(bytes[0]).toBeLessThan(firstRoundTrip);
    expect(html('script[src]:not([async], [defer], [type=module])').length).toBe(0);
    const preloads = html('link[rel=modulepreload]').toArray();
    expect(preloads.length).toBeGreaterThan(3);
    expect(preloads.filter((link) => html(link).attr('fetchpriority') !== 'low')).toEqual([]);
  },
);

test('the sentences that every page loads after its start bring the files of no other page along', async () => {
  const { bytes } = await loadedAfter('terms', 'failure-sentences');
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThan(6200);
});

test.each([
  ['calculator', 45_000],
  ['toasts', 40_000],
])('the %s that the front page loads after its start contains neither schemas nor dialogs', async (part, most) => {
  const { bytes, text } = await loadedAfter('home', part);
  expect(bytes).toBeGreaterThan(3000);
  expect(bytes).toBeLessThan(most);
  expect(text).not.toMatch(/_zod\b|floating-ui/);
});

/** What a part loads besides the first scripts of a prerendered page: compressed bytes, and the text of its files. */
async function loadedAfter(page: string, part: string): Promise<{ bytes: number; text: string }> {
  const assets = join(root, 'dist/web/client/assets');
  const read = (file: string) => readFile(join(assets, file), 'utf8');
  const importsOf = (file: string, text: string) =>
    parseSync(file, text).module.staticImports.map(({ moduleRequest }) => basename(moduleRequest.value));
  const start = load(await readFile(join(root, `dist/web/pages/${page}.html`), 'utf8'));
  const first = new Set(
    start('link[rel=modulepreload]')
      .toArray()
      .map((link) => basename(start(link).attr('href') ?? '')),
  );
  // A set is iterated in insertion order, including elements added during the iteration.
  let files: string[] = [];
  for (const file of first) {
    const text = await read(file);
    files = files.concat(text.match(new RegExp(`${part}-[\\w-]+\\.js`)) ?? []);
    for (const next of importsOf(file, text)) first.add(next);
  }
  const loaded = new Set(files.slice(0, 1));
  expect(loaded.size).toBe(1);
  let [bytes, all] = [0, ''];
  for (const file of loaded) {
    const path = join(assets, file);
    bytes += (await stat(existsSync(`${path}.br`) ? `${path}.br` : path)).size;
    const text = await read(file);
    all += text;
    for (const next of importsOf(file, text)) if (!first.has(next)) loaded.add(next);
  }
  return { bytes, text: all };
}
