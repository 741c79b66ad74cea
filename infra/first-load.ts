import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './paths.ts';

const built = join(root, 'dist/web');
const client = join(built, 'client');

/** The most that a page may load before it can be used: compressed bytes and requests of scripts. */
export const budgets: Readonly<Record<string, FirstLoad>> = {
  '/': { bytes: 150_000, requests: 15 },
  '/landing2': { bytes: 150_000, requests: 15 },
  '/login': { bytes: 150_000, requests: 15 },
  '/terms': { bytes: 150_000, requests: 15 },
  '/dashboard': { bytes: 272_000, requests: 25 },
  '/dashboard/envios': { bytes: 272_000, requests: 25 },
  '/dashboard/destinatarios': { bytes: 272_000, requests: 25 },
  '/dashboard/tasas': { bytes: 272_000, requests: 25 },
  '/admin': { bytes: 272_000, requests: 25 },
  '/stripe-pago': { bytes: 222_000, requests: 25 },
  '/verificar': { bytes: 190_000, requests: 25 },
};

/** The scripts that a page loads initially, compressed as sent, without those loaded later on demand. */
export interface FirstLoad {
  readonly bytes: number;
  readonly requests: number;
}

/** What React Router's build says of its files. */
interface RouterManifest {
  readonly url: string;
  readonly entry: { readonly module: string; readonly imports: readonly string[] };
  readonly routes: Readonly<
    Record<
      string,
      {
        readonly id: string;
        readonly parentId?: string;
        readonly path?: string;
        readonly index?: boolean;
        readonly module: string;
        readonly imports: readonly string[];
      } & Readonly<Record<`client${string}Module` | 'hydrateFallbackModule', string | undefined>>
    >
  >;
}

/** The first load of the page at a path, as routes.ts writes it ("/recibo/:id"). */
export async function firstLoad(path: string): Promise<FirstLoad> {
  const manifest = await readManifest();
  const { routes } = manifest;
  const page = Object.values(routes).find((route) => (path === '/' ? route.index : `/${route.path}` === path));
  if (!page) throw new Error(`no route for ${path}`);
  const scripts = new Set([manifest.url, manifest.entry.module, ...manifest.entry.imports]);
  for (
    let route = page as (typeof routes)[string] | undefined;
    route;
    route = route.parentId ? routes[route.parentId] : undefined
  ) {
    const parts = [
      route.module,
      ...route.imports,
      route.clientLoaderModule,
      route.clientActionModule,
      route.clientMiddlewareModule,
      route.hydrateFallbackModule,
    ];
    for (const file of parts) if (file) scripts.add(file);
  }
  let bytes = 0;
  for (const script of scripts) {
    const file = join(client, script);
    bytes += (await stat(existsSync(`${file}.br`) ? `${file}.br` : file)).size;
  }
  return { bytes, requests: scripts.size };
}

async function readManifest(): Promise<RouterManifest> {
  // Files of earlier builds are in the same directory.
  const html = await readFile(join(built, 'pages/app.html'), 'utf8');
  const [path] = /\/assets\/manifest-[\w-]+\.js/.exec(html) ?? [];
  if (!path) throw new Error('the web app is not built');
  const text = await readFile(join(client, path), 'utf8');
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}
