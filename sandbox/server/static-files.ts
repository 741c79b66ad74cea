/** Serves the built browser files: Stripe's script and the control pages. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import express, { type Response, Router } from 'express';

/** The folder of the nearest package.json, the same from source and from dist. */
function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('No package.json above the sandbox');
    folder = above;
  }
  return folder;
}

/** Output folder of `browser/build.ts`. */
const PAGES_FOLDER = join(packageRoot(), 'dist/sandbox/browser');

function headers(response: Response): void {
  // Pages of another origin load the script, and it must be current after each build.
  response.set({ 'cache-control': 'no-cache', 'cross-origin-resource-policy': 'cross-origin' });
}

/** The router for all paths that belong to no API. */
export function staticFiles(): Router {
  const router = Router();
  router.use(express.static(PAGES_FOLDER, { extensions: ['html'], setHeaders: headers }));
  return router;
}
