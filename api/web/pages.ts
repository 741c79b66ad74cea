import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiConfiguration } from '#platform/configuration/api';

/** As the build of the web app wrote them down (web/src/app/page-addresses.ts). */
interface ListedPage {
  readonly path: string;
  readonly file: string | null;
  readonly sandboxOnly: boolean;
}

export interface Page {
  /** Where search engines are to look for it; null: nowhere. */
  readonly canonical: string | null;
  /** Drawn while building, and told here where it is; null: it starts from index.html. */
  readonly html: string | null;
}

/** What the product's addresses are, and which of them everybody may find. */
export interface Pages {
  /** The page at a path, written as people write it; null: there is none. */
  find(path: string): Page | null;
  /** For search engines: what they may read and where to begin. */
  readonly robots: string;
  readonly siteMap: string;
}

/** Reads what the build left in `directory`, without the sandbox's pages outside the sandbox. No build, no pages. */
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
  const places = pages.flatMap(({ canonical }) => canonical ?? []);
  return {
    find: (path) => pages.find(({ pattern }) => pattern.test(path)) ?? null,
    robots: `User-agent: *\nDisallow: /api/\nDisallow: /ops/\n\nSitemap: ${publicUrl}/sitemap.xml\n`,
    siteMap: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...places.map((place) => `  <url><loc>${place}</loc></url>`),
      '</urlset>\n',
    ].join('\n'),
  };
}
