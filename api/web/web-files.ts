import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type Response } from 'express';

/** Paths that belong to the server and never to a page. */
const serverPath = /^\/(api|ops|socket\.io)(\/|$)/;

/**
 * Serves the built web app from `directory`: names with a hash never change and are kept for a year, everything else is
 * asked for again; a path that is no file is a page, and every page starts from index.html.
 */
export function serveWebFiles(app: NestExpressApplication, directory: string): void {
  const index = join(directory, 'index.html');
  const files = express.static(directory, {
    index: false,
    setHeaders: (response, path) => {
      const hashed = path.startsWith(join(directory, 'assets'));
      response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.use((request: Request, response: Response, next: NextFunction) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || serverPath.test(request.path)) return next();
    files(request, response, (error?: unknown) => {
      if (error) return next(error);
      // A missing asset must not be answered with a page: the browser would read HTML as a script.
      const isPage = !request.path.startsWith('/assets/') && request.accepts('html') && existsSync(index);
      if (!isPage) return next();
      response.setHeader('Cache-Control', 'no-cache');
      response.sendFile(index);
    });
  });
}
