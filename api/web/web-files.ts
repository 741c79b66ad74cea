import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type Response } from 'express';

/** Paths that belong to the server and never to a page. */
const serverPath = /^\/(api|ops|socket\.io)(\/|$)/;

/**
 * Serves the built web app from `directory`: names with a hash never change and are kept for a year, everything else is
 * asked for again; a path that is no file is a page. A page that was drawn while building has an HTML file of its own name
 * ("terms.html"), for its bare address; every other address starts from index.html. Where a brotli copy lies beside a file, browsers that can read it get it.
 * `publicUrl` is where search engines are to look for drawn pages, under whichever name they came.
 */
export function serveWebFiles(app: NestExpressApplication, directory: string, publicUrl: string): void {
  const files = express.static(directory, {
    index: false,
    redirect: false,
    setHeaders: (response, path) => {
      const hashed = path.startsWith(join(directory, 'assets'));
      response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      // It rules pages; a hundred scripts, styles and fonts need not carry it.
      if (hashed) response.removeHeader('Content-Security-Policy');
      response.vary('Accept-Encoding');
      if (!path.endsWith('.br')) return;
      response.type(extname(path.slice(0, -'.br'.length)));
      response.setHeader('Content-Encoding', 'br');
    },
  });

  /** Answers with a file of the directory, or its copy; calls `next` when there is none. */
  function answerFile(path: string, request: Request, response: Response, next: NextFunction) {
    const asked = request.url;
    const copy = request.acceptsEncodings('br') && isInside(path) && existsSync(join(directory, `${path}.br`));
    request.url = copy ? `${path}.br` : path;
    files(request, response, (error?: unknown) => {
      request.url = asked;
      next(error);
    });
  }

  app.use((request: Request, response: Response, next: NextFunction) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || serverPath.test(request.path)) return next();
    answerFile(request.path, request, response, (error?: unknown) => {
      if (error) return next(error);
      // A missing asset must not be answered with a page: the browser would read HTML as a script.
      if (request.path.startsWith('/assets/') || !request.accepts('html')) return next();
      const drawn = `${request.path === '/' ? '/home' : request.path.replace(/\/$/, '')}.html`;
      const isDrawn = !request.url.includes('?') && isInside(drawn) && existsSync(join(directory, drawn));
      const page = isDrawn ? drawn : '/index.html';
      if (isDrawn) response.setHeader('Link', `<${publicUrl}${request.path.replace(/(.)\/$/, '$1')}>; rel="canonical"`);
      answerFile(page, request, response, next);
    });
  });
}

/** Plain names only: whatever else a path may hold is for the static server to judge. */
const isInside = (path: string) => /^(\/[\w-]+(\.[\w-]+)*)+$/.test(path);
