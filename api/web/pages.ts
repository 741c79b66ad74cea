import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { companyPlaceholder } from '#core/contracts/company';
import type { ApiConfiguration } from '#platform/configuration/api';

/** A page as the build of the web app lists it (web/page-list.ts). */
interface ListedPage {
  readonly path: string;
  readonly file: string;
  readonly isPublic: boolean;
  readonly sandboxOnly: boolean;
  readonly scriptHashes: readonly string[];
}

/** The build's manifest of all pages. */
interface PageList {
  readonly build: string;
  /** HTML of private pages and of addresses that are no page. */
  readonly fallback: string;
  /** The same in English. */
  readonly englishFallback: string;
  readonly fallbackHashes: readonly string[];
  readonly pages: readonly ListedPage[];
}

/** HTML as sent: plain, and compressed with brotli. */
export interface Document {
  readonly plain: Buffer;
  readonly brotli: Buffer;
  /** Changes with the content. */
  readonly tag: string;
  /** SHA-256 of its inline scripts, which its content security policy has to name. */
  readonly scriptHashes: readonly string[];
}

export interface Page {
  /** Null where there is no such page: its status is 404. */
  readonly path: string | null;
  /** Its address for search engines; null: it is not for them. */
  readonly canonical: string | null;
  readonly document: Document;
  /** The same in English, of pages with one address in all languages. */
  readonly english: Document | null;
}

/** The pages of the product, and which of them search engines may index. */
export interface Pages {
  /** The build id, by which a page detects that it is outdated. */
  readonly build: string;
  /** The page at a path, whatever its case and with or without a final slash. */
  find(path: string): Page;
  /** The texts of robots.txt and sitemap.xml. */
  readonly robots: string;
  readonly siteMap: string;
}

const nothingBuilt: PageList = { build: '', fallback: '', englishFallback: '', fallbackHashes: [], pages: [] };

/** Reads the pages of a build in `directory`; none without a build. Sandbox-only pages are left out elsewhere. */
export function readPages(directory: string, { publicUrl, mode, company }: ApiConfiguration): Pages {
  const file = join(directory, 'pages.json');
  const list: PageList = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : nothingBuilt;
  const companyText = escapeAttribute(JSON.stringify(company));
  const documents = new Map<string, Document>();
  const read = (name: string, scriptHashes: readonly string[]) => {
    const known = documents.get(name);
    if (known) return known;
    const html = name ? readFileSync(join(directory, 'pages', name), 'utf8') : '';
    // A function, because "$&" in a replacement string would insert the match.
    const filled = html.replaceAll('{{PUBLIC_URL}}', publicUrl).replaceAll(companyPlaceholder, () => companyText);
    const document = documentOf(filled, scriptHashes);
    documents.set(name, document);
    return document;
  };
  const english = read(list.englishFallback, list.fallbackHashes);
  const unknown: Page = {
    ...{ path: null, canonical: null, english },
    document: read(list.fallback, list.fallbackHashes),
  };
  const found = list.pages
    .filter(({ sandboxOnly }) => mode === 'sandbox' || !sandboxOnly)
    .map((page) => ({
      path: page.path,
      canonical: page.isPublic ? `${publicUrl}${page.path}` : null,
      document: read(page.file, page.scriptHashes),
      english: page.isPublic ? null : english,
    }));
  const isFixed = ({ path }: { path: string }) => !path.includes(':');
  // As the router of the web app reads addresses.
  const fixed = new Map(found.filter(isFixed).map((page) => [addressOf(page.path), page]));
  const others = found
    .filter((page) => !isFixed(page))
    .map((page) => ({ page, pattern: new RegExp(`^${page.path.replace(/:\w+/g, '[^/]+')}/?$`, 'i') }));
  const indexed = found.flatMap(({ canonical }) => canonical ?? []);
  return {
    build: list.build,
    find: (path) => fixed.get(addressOf(path)) ?? others.find(({ pattern }) => pattern.test(path))?.page ?? unknown,
    robots: `User-agent: *\nDisallow: /api/\nDisallow: /ops/\n\nSitemap: ${publicUrl}/sitemap.xml\n`,
    siteMap: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...indexed.map((url) => `  <url><loc>${url}</loc></url>`),
      '</urlset>\n',
    ].join('\n'),
  };
}

/** A path without its final slash, in small letters. */
const addressOf = (path: string) => path.replace(/\/$/, '').toLowerCase();

/** A text as the value of an HTML attribute in double quotes. */
const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

function documentOf(html: string, scriptHashes: readonly string[]): Document {
  const plain = Buffer.from(html);
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  let compressed: Buffer | undefined;
  return {
    plain,
    // Compressing all pages takes most of a second, so it is done on first request.
    get brotli() {
      compressed ??= brotliCompressSync(plain);
      return compressed;
    },
    tag,
    scriptHashes,
  };
}
