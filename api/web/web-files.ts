import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type Response } from 'express';
import { requestedLanguage } from './asked-language.ts';
import type { Pages } from './pages.ts';

/** Paths that belong to the server and never to a page. */
const serverPath = /^\/(api|ops|socket\.io)(\/|$)/;

/**
 * Serves the files of the built web app from `directory`, and its pages. Files with a hash in their name are cached for
 * a year; everything else is revalidated. Browsers that accept brotli get the build's compressed files. Any other path
 * is a page, unknown ones with status 404. Private pages are excluded from search engines.
 */
export function serveWebFiles(
  app: NestExpressApplication,
  { directory, pages, secure }: { directory: string; pages: Pages; secure: boolean },
): void {
  const files = express.static(directory, {
    index: false,
    redirect: false,
    setHeaders: (response, path) => {
      const hashed = path.startsWith(join(directory, 'assets'));
      response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      // It rules pages; a hundred scripts, styles and fonts need not carry it.
      if (hashed) response.removeHeader('Content-Security-Policy');
      // Stripe's card form is a frame of another origin, which loads our font to look like the page around it.
      if (path.endsWith('.woff2')) response.setHeader('Access-Control-Allow-Origin', '*');
      response.vary('Accept-Encoding');
      if (!path.endsWith('.br')) return;
      response.type(extname(path.slice(0, -'.br'.length)));
      response.setHeader('Content-Encoding', 'br');
    },
  });

  /** Answers with a file of the directory, or its compressed copy; calls `next` if it does not exist. */
  function answerFile(path: string, request: Request, response: Response, next: NextFunction) {
    const requestedUrl = request.url;
    const copy = request.acceptsEncodings('br') && isInside(path) && existsSync(join(directory, `${path}.br`));
    request.url = copy ? `${path}.br` : path;
    files(request, response, (error?: unknown) => {
      request.url = requestedUrl;
      next(error);
    });
  }

  function answerPage(request: Request, response: Response) {
    const { path, canonical, english, ...page } = pages.find(request.path);
    const document = english && requestedLanguage(request, secure) === 'en' ? english : page.document;
    const brotli = request.acceptsEncodings('br') === 'br';
    response.setHeader('Cache-Control', 'no-cache');
    response.vary('Accept-Encoding');
    if (english) response.vary('Accept-Language, Cookie');
    response.setHeader('ETag', `"${document.tag}${brotli ? '-br' : ''}"`);
    if (brotli) response.setHeader('Content-Encoding', 'br');
    if (canonical) response.setHeader('Link', `<${canonical}>; rel="canonical"`);
    else response.setHeader('X-Robots-Tag', 'noindex');
    if (path === null) response.status(404);
    response.type('html').send(brotli ? document.brotli : document.plain);
  }

  app.use((request: Request, response: Response, next: NextFunction) => {
    if (request.path.startsWith('/api/')) response.setHeader('X-Build', pages.build);
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || serverPath.test(request.path)) return next();
    if (request.path === '/robots.txt') return void response.type('text').send(pages.robots);
    if (request.path === '/sitemap.xml') return void response.type('application/xml').send(pages.siteMap);
    answerFile(request.path, request, response, (error?: unknown) => {
      if (error) return next(error);
      // A missing asset must not be answered with a page: the browser would read HTML as a script.
      if (request.path.startsWith('/assets/') || !request.accepts('html')) return next();
      answerPage(request, response);
    });
  });
}

/** Plain names only: whatever else a path may hold is for the static server to judge. */
const isInside = (path: string) => /^(\/[\w-]+(\.[\w-]+)*)+$/.test(path);
