import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '@react-router/dev/config';
import { load } from 'cheerio';
import { build, defaultClientConditions, type Rolldown } from 'vite';
import { paths, publicPages } from './src/lib/paths.ts';

type RouteManifest = Parameters<NonNullable<Config['buildEnd']>>[0]['reactRouterConfig']['routes'];
type RouteManifestEntry = RouteManifest[string];

/** A page as the api reads it (api/web/pages.ts). */
interface ListedPage {
  /** ":id" stands for one part of an address. */
  readonly path: string;
  /** Its HTML file below "pages"; private pages share one. */
  readonly file: string;
  readonly isPublic: boolean;
  /** Unknown where cards are not those of the simulator. */
  readonly sandboxOnly: boolean;
  /** SHA-256 of its inline scripts, for the content security policy. */
  readonly scriptHashes: readonly string[];
}

/** HTML of every page that is not prerendered, in each language. */
const fallback = 'app.html';
const englishFallback = 'app.en.html';
const fallbacks = [fallback, englishFallback];

/**
 * Moves the HTML of the build out of the folder of public files, into "pages", and lists the pages in "pages.json": the api
 * serves them under their addresses, with a content security policy of their own.
 */
export async function listPages(routes: RouteManifest, buildDirectory: string): Promise<void> {
  const client = join(buildDirectory, 'client');
  const pages = join(buildDirectory, 'pages');
  await mkdir(pages, { recursive: true });
  // One after another, as entry.server.tsx renders them.
  const starts = (await readFile(join(client, '__spa-fallback.html'), 'utf8')).split(/(?=<!DOCTYPE html>)/);
  await rm(join(client, '__spa-fallback.html'));
  if (starts.length !== fallbacks.length)
    throw new Error(`${starts.length} documents for the pages that are not prerendered`);
  for (const [index, file] of fallbacks.entries()) await writeFile(join(pages, file), starts[index] ?? '');
  for (const { path, file } of publicPages) await rename(join(client, path, 'index.html'), join(pages, file));
  const figures = await scriptOfFirstFigures();
  for (const { file } of [...publicPages, ...fallbacks.map((file) => ({ file }))])
    await paintFirst(join(pages, file), figures);
  const listed = Object.values(routes).filter(
    ({ id, path, index }) => id !== 'root' && path !== '*' && (index || path !== undefined),
  );
  const fallbackHashes = (await Promise.all(fallbacks.map((file) => hashesOf(join(pages, file))))).flat();
  const list: ListedPage[] = await Promise.all(
    listed.map(async (route) => {
      const path = `/${route.path ?? ''}`;
      const page = publicPages.find((known) => known.path === path);
      // The English page is English for every reader.
      const file = page?.file ?? (path === paths.fixedStripe ? englishFallback : fallback);
      return {
        path,
        file,
        isPublic: page !== undefined,
        sandboxOnly: isSandboxOnly(route, routes),
        scriptHashes: page ? await hashesOf(join(pages, file)) : [...new Set(fallbackHashes)],
      };
    }),
  );
  const starting = { fallback, englishFallback, fallbackHashes: [...new Set(fallbackHashes)] };
  await writeFile(
    join(buildDirectory, 'pages.json'),
    JSON.stringify({ build: await buildOf(join(pages, fallback)), ...starting, pages: list }, null, 1),
  );
}

/** Pages of the simulator stand below the route that refuses them elsewhere. */
function isSandboxOnly(route: RouteManifestEntry, routes: RouteManifest): boolean {
  const parent = route.parentId ? routes[route.parentId] : undefined;
  return parent !== undefined && (parent.file.endsWith('/sandbox-only.tsx') || isSandboxOnly(parent, routes));
}

/**
 * Scripts come after what the page is painted with: its HTML, styles and fonts. React Router has no option for it. Before all of that a
 * page with places for figures asks for them.
 */
async function paintFirst(file: string, figures: string): Promise<void> {
  const page = load(await readFile(file, 'utf8'));
  page('link[rel=modulepreload]').attr('fetchpriority', 'low');
  if (page('[data-first-figure]').length > 0) page('meta[charset]').after(`<script>${figures}</script>`);
  await writeFile(file, page.html());
}

/** The script that fills in those places, of one file and with as little as it needs. */
async function scriptOfFirstFigures(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['chasqui-source', ...defaultClientConditions] },
    build: {
      write: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('src/app/first-figures.ts', import.meta.url)),
        treeshake: { moduleSideEffects: false },
        output: { format: 'iife' },
      },
    },
  })) as Rolldown.RolldownOutput;
  return output[0].code.trim();
}

async function hashesOf(file: string): Promise<string[]> {
  const page = load(await readFile(file, 'utf8'));
  const inline = page('script:not([src])').toArray();
  return [
    ...new Set(
      inline.map((script) =>
        createHash('sha256')
          .update(page(script).html() ?? '')
          .digest('base64'),
      ),
    ),
  ];
}

/** The hash in the name of the router's list of files, by which a page knows its own build (web/src/lib/build.ts). */
async function buildOf(file: string): Promise<string> {
  const [, build] = /\/assets\/manifest-([\w-]+)\.js/.exec(await readFile(file, 'utf8')) ?? [];
  if (!build) throw new Error(`${file} names no list of files`);
  return build;
}
