/** Serves the test page from a separate origin, like the product's pages. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const figtree = fileURLToPath(
  import.meta.resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
);

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

export interface PageServer {
  /** Without a trailing slash. `/` and `/vuelta` are the page. */
  url: string;
  close: () => Promise<void>;
}

/** Bundles the page and serves it with a strict Content-Security-Policy: scripts from two origins, no inline styles. */
export async function servePage(sandboxUrl: string): Promise<PageServer> {
  const root = fileURLToPath(new URL('.', import.meta.url));
  const outDir = await mkdtemp(join(tmpdir(), 'sandbox-page-'));
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    root,
    // React's warnings must fail the tests.
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2024',
      minify: false,
      rolldownOptions: { input: join(root, 'page.html') },
    },
  });
  const policy = [
    `default-src 'self'`,
    `script-src 'self' ${sandboxUrl}`,
    `connect-src 'self' ${sandboxUrl}`,
    `frame-src ${sandboxUrl}`,
    `style-src 'self'`,
    `img-src 'self' data:`,
  ].join('; ');
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/page-font.woff2') {
      // As the product's fonts: frames of other origins may read it.
      response.writeHead(200, { 'content-type': 'font/woff2', 'access-control-allow-origin': '*' });
      return response.end(await readFile(figtree));
    }
    const file = pathname === '/' || pathname === '/vuelta' ? '/page.html' : pathname;
    const body = await readFile(join(outDir, file)).catch(() => null);
    if (!body) return response.writeHead(404).end();
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
