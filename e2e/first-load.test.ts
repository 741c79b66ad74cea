import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'cheerio';
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
