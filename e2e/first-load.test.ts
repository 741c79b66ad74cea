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
  const assets = join(root, 'dist/web/client/assets');
  const start = load(await readFile(join(root, 'dist/web/pages/terms.html'), 'utf8'));
  const first = start('link[rel=modulepreload]')
    .toArray()
    .map((link) => basename(start(link).attr('href') ?? ''));
  const entry = first.find((file) => file.startsWith('entry.client-')) ?? '';
  const [sentences = ''] = /failure-sentences-[\w-]+\.js/.exec(await readFile(join(assets, entry), 'utf8')) ?? [];
  const files = new Set([sentences]);
  let bytes = 0;
  // A set is walked in the order of insertion, what is added on the way included.
  for (const file of files) {
    const path = join(assets, file);
    bytes += (await stat(existsSync(`${path}.br`) ? `${path}.br` : path)).size;
    const { module } = parseSync(file, await readFile(path, 'utf8'));
    const imported = module.staticImports.map(({ moduleRequest }) => basename(moduleRequest.value));
    for (const next of imported) if (!first.includes(next)) files.add(next);
  }
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThan(6000);
});
