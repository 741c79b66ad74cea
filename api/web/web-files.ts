import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
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
    chooseEncoding(request, response, directory);
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

/** Scripts and styles as the build names them. */
const compressible = /^\/assets\/[\w.-]+\.(js|css)$/;
/** The smallest first: a browser lists what it reads without preferring any. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Sends a script or style in the compressed form that the build left beside it, if there is one the browser reads. */
function chooseEncoding(request: Request, response: Response, directory: string): void {
  const { path } = request;
  if (!compressible.test(path)) return;
  response.vary('Accept-Encoding');
  const chosen = encodings.find(
    ([encoding, ending]) => request.acceptsEncodings(encoding) && existsSync(join(directory, `${path}${ending}`)),
  );
  if (!chosen) return;
  const [encoding, ending] = chosen;
  response.setHeader('Content-Encoding', encoding);
  response.type(extname(path));
  request.url = `${path}${ending}`;
}
