/** Bundles the browser files of the sandbox: the classic script /stripe.js, its frames and the control pages. */
import { readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type InlineConfig, type Plugin } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Output folder, from which the sandbox serves. */
export const browserOutDir = fileURLToPath(new URL('../../dist/sandbox/browser', import.meta.url));

/** Ignores the product's Vite configuration and .env files. */
const own: InlineConfig = {
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
};

/** One classic script without imports: a script tag on another origin loads it. */
export function stripeScript(outDir: string): InlineConfig {
  return {
    ...own,
    root: here,
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2024',
      sourcemap: true,
      lib: { entry: `${here}stripe/stripe.ts`, formats: ['iife'], name: 'chasquiSandbox', fileName: () => 'stripe.js' },
    },
  };
}

/** Puts title and content of a control page into the common frame and marks the page's own link as current. */
function framed(root: string): Plugin {
  return {
    name: 'framed',
    transformIndexHtml: {
      order: 'pre',
      handler: async (html, { filename }) => {
        const page = basename(filename, '.html');
        const [, title = '', main = ''] = /<title>(.*)<\/title>\s*(.*)/s.exec(html) ?? [];
        const link = page === 'index' ? 'href="/"' : `href="/${page}.html"`;
        return (await readFile(`${root}/frame.html`, 'utf8'))
          .replace('{{title}}', title)
          .replace('{{page}}', page)
          .replace(link, `${link} aria-current="page"`)
          .replace('{{main}}', () => main);
      },
    },
  };
}

/** The control pages, plain HTML with assets, served from the root. */
export function controlPages(outDir: string): InlineConfig {
  const root = `${here}pages`;
  return {
    ...own,
    root,
    plugins: [framed(root)],
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2024',
      rolldownOptions: { input: ['index', 'stripe', 'bank', 'mail'].map((page) => `${root}/${page}.html`) },
    },
  };
}

/** Builds the pages shown in frames on other origins. */
export function framePages(outDir: string): InlineConfig {
  const root = `${here}frames`;
  return {
    ...own,
    root,
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2024',
      // Every form is loaded separately, and a single file starts sooner than several.
      modulePreload: false,
      rolldownOptions: {
        input: ['elements-frame', 'onramp-frame', 'three-d-secure-frame'].map((page) => `${root}/${page}.html`),
      },
    },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await rm(browserOutDir, { recursive: true, force: true });
  await build(stripeScript(browserOutDir));
  await build(framePages(browserOutDir));
  await build(controlPages(browserOutDir));
}
