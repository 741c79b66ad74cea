/** The browser side: Stripe's script and the sandbox's own pages, files that are built elsewhere. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import express, { type Response, Router } from 'express';

/** The folder of the nearest package.json: the same whether this file runs from source or from dist. */
function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('No package.json above the sandbox');
    folder = above;
  }
  return folder;
}

/** Where `build.ts` of the browser part puts its output. */
const PAGES_FOLDER = join(packageRoot(), 'dist/sandbox/browser');

function headers(response: Response): void {
  // The script is loaded by pages of another origin, and must be the current one after each build.
  response.set({ 'cache-control': 'no-cache', 'cross-origin-resource-policy': 'cross-origin' });
}

/** The router for everything that is no API. */
export function staticFiles(): Router {
  const router = Router();
  router.use(express.static(PAGES_FOLDER, { extensions: ['html'], setHeaders: headers }));
  return router;
}
