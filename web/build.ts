// Builds the web app into dist/web, then prerenders the public pages into HTML files and lists all pages, both in
// dist/web/.pages, for the api, which fills in its public URL (api/web/pages.ts).
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Manifest } from 'vite';
import { compressFiles } from './compressed.ts';
import { findPageChunks } from './shared-chunks.ts';

const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
const outDir = fileURLToPath(new URL('../dist/web', import.meta.url));
const prerenderDir = fileURLToPath(new URL('../dist/web-prerender', import.meta.url));

/** How Vite asks for a script in the shell. */
const shellScript =
  /\s*<(?:script type="module"|link rel="modulepreload") crossorigin (?:src|href)="([^"]+)">(?:<\/script>)?/g;

type Prerender = typeof import('./src/prerender.tsx');
type PublicPage = Prerender['publicPages'][number];

const groups = await findPageChunks(configFile);
await build({
  configFile,
  logLevel: 'warn',
  build: { rolldownOptions: { output: { codeSplitting: { groups } } } },
});
await build({
  configFile,
  logLevel: 'warn',
  // One bundle: two copies of React or of a context would not share state.
  ssr: { noExternal: true },
  build: {
    outDir: prerenderDir,
    ssr: 'src/prerender.tsx',
    copyPublicDir: false,
    manifest: false,
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
const { prerenderPage, publicPages, pageAddresses } = (await import(
  pathToFileURL(`${prerenderDir}/prerender.js`).href
)) as Prerender;
const manifest = JSON.parse(await readFile(`${outDir}/.vite/manifest.json`, 'utf8')) as Manifest;
const shell = await readFile(`${outDir}/index.html`, 'utf8');
// The server fills the pages in and compresses them itself.
await compressFiles(outDir);
await mkdir(`${outDir}/.pages`);
for (const page of publicPages) {
  await writeFile(`${outDir}/.pages/${page.file}.html`, pageHtml(page, await prerenderPage(page.path)));
}
await writeFile(`${outDir}/.pages/list.json`, JSON.stringify(pageAddresses));
await rm(prerenderDir, { recursive: true });

/** The shell with the page in it, its styles asked for at once, its scripts behind the first paint, and what it says of itself. */
function pageHtml(page: PublicPage, content: string): string {
  const { path, module, title, description } = page;
  const { styles, scripts } = filesOf(module);
  const links = styles
    .filter((file) => !shell.includes(`"/${file}"`))
    .map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`);
  // The entry first: hydrate.js starts with it.
  const first = [...shell.matchAll(shellScript)].map(([, file]) => file);
  const all = new Set([...first, ...scripts.map((file) => `/${file}`)]);
  const hydrate = `<script defer src="/hydrate.js" data-scripts="${[...all].join(' ')}"></script>`;
  return shell
    .replace(/<title>[^<]*<\/title>/, `<title>${title} · Chasqui</title>`)
    .replace(/(<meta\s+name="description"\s+content=")[^"]*/, (_, start: string) => start + description)
    .replace(shellScript, '')
    .replace('</head>', () => `${[...links, ...preview(page), hydrate].join('\n    ')}\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root" data-prerendered="${path}">${content}</div>`);
}

/** Where the page is, and how it looks where somebody shares it. Only whole addresses count there; the server knows its own. */
function preview({ path, title, description }: PublicPage): string[] {
  const address = `{{PUBLIC_URL}}${path}`;
  const properties = {
    type: 'website',
    site_name: 'Chasqui',
    locale: 'es_BO',
    url: address,
    title,
    description,
    image: '{{PUBLIC_URL}}/preview.png',
    'image:width': '1200',
    'image:height': '630',
    'image:alt': 'Chasqui: envía dinero a Bolivia',
  };
  return [
    `<link rel="canonical" href="${address}">`,
    ...Object.entries(properties).map(([name, content]) => `<meta property="og:${name}" content="${content}">`),
    '<meta name="twitter:card" content="summary_large_image">',
  ];
}

/** Styles and scripts of a route's module with all it imports, and the styles of what it loads as soon as it is rendered. */
function filesOf(module: string): { styles: string[]; scripts: string[] } {
  const styles = new Set<string>();
  const scripts = new Set<string>();
  const seen = new Set<string>();
  const visit = (key: string, isLater: boolean) => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    for (const file of chunk.css ?? []) styles.add(file);
    if (!isLater) scripts.add(chunk.file);
    for (const next of chunk.imports ?? []) visit(next, isLater);
    if (key === module) for (const next of chunk.dynamicImports ?? []) visit(next, true);
  };
  visit(module, false);
  return { styles: [...styles], scripts: [...scripts] };
}
