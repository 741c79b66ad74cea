import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { realApiEnvironment, testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';

let api: TestApi;
let webDirectory: string;
/** Of the api with real keys: personal data is encrypted with another key than the sandbox's. */
let realDatabaseUrl: string;

beforeAll(async () => {
  webDirectory = await mkdtemp(join(tmpdir(), 'chasqui-web-'));
  await mkdir(join(webDirectory, 'client/assets'), { recursive: true });
  await mkdir(join(webDirectory, 'pages'));
  await writeFile(join(webDirectory, 'client/assets/index-a1b2c3.js'), 'export {};');
  await writeFile(join(webDirectory, 'client/assets/index-a1b2c3.js.br'), brotliCompressSync('export {};'));
  await writeFile(join(webDirectory, 'client/assets/figtree-a1b2c3.woff2'), 'font');
  await writeFile(join(webDirectory, 'client/mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(webDirectory, 'pages/app.html'), '<!doctype html><title>Chasqui</title>');
  await writeFile(join(webDirectory, 'pages/app.en.html'), '<!doctype html><title>Chasqui</title><p>Loading</p>');
  await writeFile(
    join(webDirectory, 'pages/home.html'),
    '<!doctype html><html data-company="{{COMPANY}}"><title>Chasqui</title><h1>Inicio</h1>',
  );
  await writeFile(
    join(webDirectory, 'pages/terms.html'),
    '<!doctype html><title>Términos</title><link rel="canonical" href="{{PUBLIC_URL}}/terms">',
  );
  const page = (path: string, file = 'app.html', sandboxOnly = false) => ({
    ...{ path, file, isPublic: file !== 'app.html', sandboxOnly },
    scriptHashes: [`hash-of-${file}`],
  });
  const pages = [
    page('/', 'home.html'),
    page('/terms', 'terms.html'),
    page('/dashboard'),
    page('/recibo/:id'),
    page('/test-login', 'app.html', true),
  ];
  const fallbacks = { fallback: 'app.html', englishFallback: 'app.en.html', fallbackHashes: ['hash-of-app.html'] };
  const list = { build: 'b1', ...fallbacks, pages };
  await writeFile(join(webDirectory, 'pages.json'), JSON.stringify(list));
  const databaseUrl = (await createTestDatabase()).url;
  realDatabaseUrl = (await createTestDatabase()).url;
  const env = { ...testEnvironment, DATABASE_URL: databaseUrl, LISTEN_ADDRESS: '127.0.0.1' };
  api = await TestApi.start(readApiConfiguration(env), { webDirectory });
});

afterAll(async () => {
  await api?.close();
  await rm(webDirectory, { recursive: true, force: true });
});

const get = (path: string, accept = 'text/html,*/*') => api.visitor().request('GET', path, { accept });

describe('the web app', () => {
  it('the web app answers every page with HTML that is never cached', async () => {
    for (const path of ['/', '/dashboard', '/dashboard?envio=1', '/recibo/1', '/Recibo/1/', '/test-login']) {
      const page = await get(path);
      expect([path, page.status, page.headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
      expect(page.body).toContain('<title>Chasqui</title>');
    }
  });

  it.each([
    ['en-GB,en;q=0.9', undefined, true],
    ['fr-FR, es;q=0.5, en;q=0.8', undefined, true],
    ['es-BO,en;q=0.9', undefined, false],
    ['de', undefined, false],
    ['en', 'language=es', false],
    ['es', 'a=b; language=en', true],
    ['en', 'language=xx', true],
  ])(
    'a page without a fixed language is English or Spanish for "%s" and the cookie "%s"',
    async (acceptLanguage, cookie, english) => {
      for (const path of ['/dashboard', '/no/such/page']) {
        const headers = { accept: 'text/html', 'accept-language': acceptLanguage, ...(cookie && { cookie }) };
        const page = await api.visitor().request('GET', path, headers);
        expect([path, page.body.includes('Loading'), page.headers.get('vary')]).toEqual([
          path,
          english,
          'Accept-Encoding, Accept-Language, Cookie',
        ]);
      }
      const page = await api.visitor().request('GET', '/', { accept: 'text/html', 'accept-language': acceptLanguage });
      expect([page.body.includes('Inicio'), page.headers.get('vary')]).toEqual([true, 'Accept-Encoding']);
    },
  );

  it('the web app answers 404 with the start of the app where there is no page', async () => {
    for (const path of [
      '/apis',
      '/no/such/page',
      '/dashboard/x',
      '/recibo',
      '/app.html',
      '/pages/home.html',
      '/pages.json',
    ]) {
      const page = await get(path);
      expect([path, page.status, page.headers.get('x-robots-tag')]).toEqual([path, 404, 'noindex']);
      expect(page.body).toContain('<title>Chasqui</title>');
    }
  });

  it('the web app has no sandbox pages with the keys of a real Stripe account, and names the configured company', async () => {
    const company = {
      COMPANY_NAME: 'Envíos "Chasqui" & <Cía> $&',
      COMPANY_FUNDS_ES: 'Aparte.',
      COMPANY_FUNDS_EN: 'Apart.',
    };
    const env = readApiConfiguration({ ...realApiEnvironment, ...company, DATABASE_URL: realDatabaseUrl });
    const real = await TestApi.start(env, { webDirectory });
    try {
      const statusOf = async (path: string) =>
        (await real.visitor().request('GET', path, { accept: 'text/html' })).status;
      expect([await statusOf('/test-login'), await statusOf('/terms')]).toEqual([404, 200]);
      const { body, headers } = await real.visitor().request('GET', '/', { accept: 'text/html' });
      expect(JSON.parse(load(body)('html').attr('data-company') ?? '')).toMatchObject({
        ...{ isDemonstration: true, name: company.COMPANY_NAME, license: null },
        funds: { es: 'Aparte.', en: 'Apart.' },
      });
      // Nothing of Stripe's onramp where no USDC is sold.
      expect(headers.get('content-security-policy')).not.toContain('crypto-js');
    } finally {
      await real.close();
    }
  });

  it('the web app lists public pages for search engines and excludes all others', async () => {
    const robots = await get('/robots.txt', '*/*');
    expect(robots.headers.get('content-type')).toContain('text/plain');
    const siteMap = /^Sitemap: (\S+)$/m.exec(robots.body)?.[1] ?? '';
    const places = await get(new URL(siteMap).pathname, '*/*');
    expect(places.headers.get('content-type')).toContain('application/xml');
    const origin = new URL(siteMap).origin;
    expect([...places.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place)).toEqual([
      `${origin}/`,
      `${origin}/terms`,
    ]);
    for (const path of ['/dashboard', '/recibo/1', '/test-login']) {
      expect((await get(path)).headers.get('x-robots-tag'), path).toBe('noindex');
    }
    for (const path of ['/', '/terms', '/terms?utm_source=x']) {
      expect((await get(path)).headers.get('x-robots-tag'), path).toBeNull();
    }
  });

  it('the web app has files with a hash in their name cached for a year, and the others revalidated', async () => {
    const script = await get('/assets/index-a1b2c3.js');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(script.headers.get('x-content-type-options')).toBe('nosniff');
    expect(script.headers.has('content-security-policy')).toBe(false);
    expect((await get('/mark.svg')).headers.get('cache-control')).toBe('no-cache');
  });

  it('the web app lets the frames of other origins read its fonts, and nothing else', async () => {
    const allowed = async (path: string) => (await get(path)).headers.get('access-control-allow-origin');
    expect(await allowed('/assets/figtree-a1b2c3.woff2')).toBe('*');
    expect(await allowed('/assets/index-a1b2c3.js')).toBeNull();
  });

  it('the web app serves a prerendered page from its own file, with any query', async () => {
    for (const path of ['/terms', '/terms/']) {
      const page = await get(path);
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      expect(page.body).toContain('<title>Términos</title>');
      expect(page.body).toMatch(/<link rel="canonical" href="http:\/\/localhost:\d+\/terms">/);
      expect(page.headers.get('content-type')).toContain('text/html');
    }
    expect((await get('/')).body).toContain('<h1>Inicio</h1>');
    const linked = await get('/terms?utm_source=x');
    expect(linked.body).toContain('<title>Términos</title>');
    expect(linked.headers.get('link')).toMatch(/^<http:\/\/localhost:\d+\/terms>; rel="canonical"$/);
  });

  it('the web app sends the brotli file of the build to browsers that accept it, with a Vary header and its own ETag', async () => {
    const fetchAs = (encoding: string, path: string) =>
      api.visitor().request('GET', path, { accept: 'text/html,*/*', 'accept-encoding': encoding });
    for (const [path, type] of [
      ['/assets/index-a1b2c3.js', 'text/javascript'],
      ['/dashboard', 'text/html'],
    ] as const) {
      const copy = await fetchAs('gzip, br', path);
      const plain = await fetchAs('gzip', path);
      for (const [answer, encoding] of [
        [copy, 'br'],
        [plain, null],
      ] as const) {
        expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding]);
        expect(answer.headers.get('content-type')).toContain(type);
        expect(answer.headers.get('vary')).toContain('Accept-Encoding');
      }
      expect(copy.body).toBe(plain.body);
      expect(copy.headers.get('etag')).not.toBe(plain.headers.get('etag'));
      const again = await api.visitor().request('GET', path, {
        accept: 'text/html,*/*',
        'accept-encoding': 'gzip, br',
        // As a browser asks; this client would refuse every cache on its way.
        'cache-control': 'max-age=0',
        'if-none-match': copy.headers.get('etag') ?? '',
      });
      expect(again.status).toBe(304);
    }
  });

  it('the web app sends no referrer from the page whose address carries a secret', async () => {
    expect((await get('/recuperar')).headers.get('referrer-policy')).toBe('no-referrer');
    expect((await get('/login')).headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  });

  it('the web app never answers a page where a script, an api call or another method was meant', async () => {
    for (const path of ['/assets/index-old.js', '/api/nothing', '/api', '/ops', '/ops/nothing', '/socket.io']) {
      expect((await get(path)).body, path).not.toContain('<title>Chasqui</title>');
    }
    expectFailure(await get('/assets/index-old.js'), 404, 'not_found');
    expectFailure(await api.visitor().send('POST', '/dashboard', {}), 404, 'not_found');
    expectFailure(await get('/dashboard', 'application/json'), 404, 'not_found');
    for (const path of ['/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/package.json', '/.env', '/%00']) {
      const { body } = await get(path);
      expect(JSON.stringify(body)).not.toContain('devDependencies');
    }
  });
});

describe('a page and its server', () => {
  it('a TRACE request gets nothing of itself back', async () => {
    const request = httpRequest(`${api.url}/api/rate`, { method: 'TRACE', headers: { 'x-secret': 'not-told' } }).end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    expect([answer.statusCode, await text(answer)]).toEqual([405, expect.not.stringContaining('not-told')]);
  });

  it('listens only on LISTEN_ADDRESS', async () => {
    // All of 127.0.0.0/8 is this machine on Linux.
    await expect(fetch(api.url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed');
  });

  it('every answer of the api names the build that the server has', async () => {
    expect((await api.visitor().request('GET', '/api/auth/me', {})).headers.get('x-build')).toBe('b1');
  });

  it('an error in a browser is logged with its kind, places, page and build, and answered with nothing', async () => {
    const report = { kind: 'TypeError', frames: ['app-x.js:1:2'], page: '/recibo/:id', build: 'b1' };
    expect((await api.visitor().send('POST', '/api/client-errors', report)).status).toBe(204);
    expect(api.logged.some((line) => line.includes('an error in a browser') && line.includes('app-x.js:1:2'))).toBe(
      true,
    );
    const withAddress = { ...report, page: '/recibo/1?correo=ana@example.com' };
    expectFailure(await api.visitor().send('POST', '/api/client-errors', withAddress), 400, 'invalid_input');
  });
});

describe('answers of the api', () => {
  const documents = (encoding: string) =>
    api.visitor().request('GET', '/api/docs-json', { 'accept-encoding': encoding });

  it('answers of the api are compressed in the encoding that the caller prefers', async () => {
    const plain = await documents('identity');
    expect(plain.headers.get('content-encoding')).toBe(null);
    for (const [encodings, used] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const answer = await documents(encodings);
      expect(answer.headers.get('content-encoding')).toBe(used);
      expect(answer.headers.get('vary')).toContain('Accept-Encoding');
      expect(answer.body).toEqual(plain.body);
    }
  });

  it('answers of the api are not compressed when they are short, nor are sockets', async () => {
    for (const path of ['/api/health/live', '/socket.io/?EIO=4&transport=polling']) {
      const answer = await api.visitor().request('GET', path, { 'accept-encoding': 'gzip, br' });
      expect([path, answer.status, answer.headers.get('content-encoding')]).toEqual([path, 200, null]);
    }
  });
});

describe('what a page may load', () => {
  const policyOf = async (of: TestApi) => {
    const policy = (await of.visitor().request('GET', '/', {})).headers.get('content-security-policy') ?? '';
    return new Map(policy.split(';').map((line): [string, string] => [line.split(' ')[0] ?? '', line]));
  };

  it('no page and no answer of the api may be framed, by either header that says so', async () => {
    for (const path of ['/', '/dashboard', '/api/rate', '/api/nothing']) {
      const { headers } = await api.visitor().request('GET', path, {});
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  });

  it('a page may load what is ours, and the simulated Stripe in the sandbox', async () => {
    const policy = await policyOf(api);
    expect(policy.get('script-src')).toBe(
      "script-src 'self' http://localhost:9 http://127.0.0.1:9 'sha256-hash-of-home.html'",
    );
    expect(policy.get('connect-src')).toContain('http://127.0.0.1:9');
    expect(policy.get('worker-src')).toBe("worker-src 'self'");
    for (const [directive, own] of [
      ['default-src', "'self'"],
      ['object-src', "'none'"],
      ['base-uri', "'none'"],
      ['frame-ancestors', "'none'"],
      ['form-action', "'self'"],
      ['script-src-attr', "'none'"],
    ] as const)
      expect(policy.get(directive)).toBe(`${directive} ${own}`);
    expect(policy.has('upgrade-insecure-requests')).toBe(false);
  });

  it('a page may load what is ours and Stripe’s own with real keys, over https only', async () => {
    const CRYPTO_WALLET_ADDRESS = '4Nd1mYvE7bQjH6kWn3xRzTgUaPcDfSsVwLqJhKtMoBpX';
    const env = readApiConfiguration({ ...realApiEnvironment, CRYPTO_WALLET_ADDRESS, DATABASE_URL: realDatabaseUrl });
    const other = await TestApi.start(env, { webDirectory });
    try {
      const policy = await policyOf(other);
      expect(policy.get('script-src')).toBe(
        "script-src 'self' https://js.stripe.com https://*.js.stripe.com https://crypto-js.stripe.com 'sha256-hash-of-home.html'",
      );
      expect(policy.get('frame-src')).toContain('https://crypto-js.stripe.com');
      expect(policy.get('frame-src')).toContain('https://hooks.stripe.com');
      expect(policy.get('connect-src')).toBe("connect-src 'self' https://api.stripe.com");
      expect(policy.has('upgrade-insecure-requests')).toBe(true);
      const { headers } = await other.visitor().request('GET', '/', {});
      expect(headers.get('strict-transport-security')).toContain('max-age=');
      expect(headers.has('x-powered-by')).toBe(false);
      // A cookie that another host of the domain can set chooses no language.
      const inLanguage = async (cookie: string) =>
        (await other.visitor().request('GET', '/dashboard', { accept: 'text/html', cookie })).body.includes('Loading');
      expect(await inLanguage('__Host-language=en')).toBe(true);
      expect(await inLanguage('language=en')).toBe(false);
    } finally {
      await other.close();
    }
  });
});
