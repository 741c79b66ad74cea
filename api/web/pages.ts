import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiConfiguration } from '#platform/configuration/api';

/** A page as the build of the web app lists it (web/src/app/page-addresses.ts). */
interface ListedPage {
  readonly path: string;
  readonly file: string | null;
  readonly sandboxOnly: boolean;
}

export interface Page {
  /** Its address for search engines; null: it is not for them. */
  readonly canonical: string | null;
  /** HTML prerendered by the build, with the public URL filled in; null: the page starts from index.html. */
  readonly html: string | null;
}

/** The pages of the product, and which of them search engines may index. */
export interface Pages {
  /** The page at a path, whatever its case and with or without a final slash; null: there is none. */
  find(path: string): Page | null;
  /** The texts of robots.txt and sitemap.xml. */
  readonly robots: string;
  readonly siteMap: string;
}

/** Reads the pages of a build in `directory`; none without a build. Sandbox-only pages are left out elsewhere. */
export function readPages(directory: string, { publicUrl, mode }: ApiConfiguration): Pages {
  const built = join(directory, '.pages');
  const list = join(built, 'list.json');
  const listed: ListedPage[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  const pages = listed
    .filter(({ sandboxOnly }) => mode === 'sandbox' || !sandboxOnly)
    .map(({ path, file }) => ({
      // As the router of the web app reads addresses.
      pattern: new RegExp(`^${path.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?$`, 'i'),
      canonical: file && `${publicUrl}${path}`,
      html: file && readFileSync(join(built, `${file}.html`), 'utf8').replaceAll('{{PUBLIC_URL}}', publicUrl),
    }));
  const indexed = pages.flatMap(({ canonical }) => canonical ?? []);
  return {
    find: (path) => pages.find(({ pattern }) => pattern.test(path)) ?? null,
    robots: `User-agent: *\nDisallow: /api/\nDisallow: /ops/\n\nSitemap: ${publicUrl}/sitemap.xml\n`,
    siteMap: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...indexed.map((url) => `  <url><loc>${url}</loc></url>`),
      '</urlset>\n',
    ].join('\n'),
  };
}
