import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectBank } from '#domain/providers/bank';
import { connectWatchman } from '#domain/providers/watchman';
import { Collector } from '#domain/rate-sources/collector';
import { sources } from '#domain/rate-sources/sources/index';
import { sendToBrowser } from '#domain/web-pushes/push-service';
import { isAllowedUrl, post } from '#platform/http/post';
import { isPublicAddress } from '#platform/http/public-address';
import { createStripe } from '#platform/stripe';
import { testEnvironment } from '../../infra/testing/environment.ts';

// Servers that our processes call, and which lead them elsewhere. Addresses that partners and browsers give: platform/http/post.test.ts and
// domain/notifications/web-push.test.ts; those that the operator gives: platform/configuration/mode-rule.test.ts.

/** Servers that ours must never call: foreign ones, or ones inside our network. */
let inside: Server;
let redirecting: Server;
let url = '';
const reached: string[] = [];
const redirected: string[] = [];

const listen = (server: Server) =>
  new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );

beforeAll(async () => {
  inside = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const target = await listen(inside);
  redirecting = createServer((request, response) => {
    redirected.push(request.url ?? '');
    request.resume();
    // 307 and 308 keep method and body: personal data would go along.
    const status = [301, 302, 307, 308][redirected.length % 4] as number;
    response.writeHead(status, { location: `${target}/latest/meta-data`, 'stripe-should-retry': 'false' }).end();
  });
  url = await listen(redirecting);
});
afterAll(async () => {
  for (const server of [inside, redirecting]) {
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  }
});

const subscription = {
  p256dh: 'BEkiQkZEuJwc6PkskNICAn6Sat8-oRB58CiwmS4HwN0wto_bzeurY_ChA-2HEsNF0gaen1Tr3g0cJHWuFpfD_AY',
  auth: 'AAAAAAAAAAAAAAAAAAAAAA',
};
const push = {
  ...{ publicKey: testEnvironment.PUSH_PUBLIC_KEY, privateKey: testEnvironment.PUSH_PRIVATE_KEY },
  ...{ subject: 'https://chasqui.example', hosts: [], anywhere: true },
};

/** One call of each client that speaks to another company's server. */
const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  Stripe: () =>
    createStripe({ secretKey: 'sk_test_sandbox', apiUrl: url, requestsPerSecond: 20 } as never).balance.retrieve(),
  'the bank': () => {
    const bank = connectBank({ apiUrl: url, apiKey: 'key', statementFormat: 'csv', completionWindowMs: 0 });
    return bank.find('0b5a4a34-7f0b-4c7e-9d4b-1f2f0a1d9c11');
  },
  'the list service': () => connectWatchman(url).search('Rosa Mamani', 0.9),
  'a source of rates': async () => {
    const collector = new Collector({ sourcesUrl: url, publicUrl: url, pause: () => Promise.resolve() });
    const [source] = sources;
    if (!source) throw new Error('no source');
    return collector.collect(source, null);
  },
  'a partner’s server': () => post(`${url}/events`, { body: '{}', headers: {}, anywhere: true }),
  'a push service': () =>
    sendToBrowser(push, { endpoint: `${url}/send/1`, ...subscription }, { text: {} as never, key: 'k', ttlMs: 60_000 }),
};

describe('a redirect', () => {
  it.each(Object.entries(calls))(
    'a redirect of %s is not followed, whichever of the four it is',
    async (_who, call) => {
      const before = redirected.length;
      for (let status = 0; status < 4; status += 1) await call().catch(() => undefined);
      expect(redirected.length - before).toBeGreaterThanOrEqual(4);
      expect(reached).toEqual([]);
    },
  );
});

describe('addresses inside of our network', () => {
  const forms = [
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0',
      '0.0.0.0',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
    ],
    ...['169.254.169.254', '100.64.0.1', '224.0.0.1', '255.255.255.255', '[::]', '[::1]', '[fd00::1]', '[fe80::1]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::127.0.0.1]', '①②⑦.⓪.⓪.①'],
  ];

  it.each(forms)('no partner’s address may be written as %s', (host) => {
    expect(isAllowedUrl(`https://${host}/`, { anywhere: false })).toBe(false);
  });

  it('addresses of the internet are public', () => {
    for (const address of ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'])
      expect(isPublicAddress(address)).toBe(true);
  });
});
