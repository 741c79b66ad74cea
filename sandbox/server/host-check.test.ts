/**
 * A web page whose host name resolves to this machine (DNS rebinding) sends its own name as Host and must be refused.
 */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ publicUrl: 'https://sandbox.example.org:8443', serviceHost: 'sandbox' });
});
afterAll(() => sandbox.close());

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
}

/** Sends a request whose Host header says `host`, whatever the address it goes to. */
async function requestAs(host: string, path: string, { method = 'GET', headers = {} }: RequestOptions = {}) {
  const sent = request({ port: sandbox.port, host: '127.0.0.1', method, path, headers: { ...headers, host } });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const controlPaths = ['/', '/mail.html', '/sandbox/mail', '/sandbox/state', '/challenge'];
const simulatorPaths = [
  '/v1/payment_intents',
  '/bank/v1/payouts/none',
  '/prices/dolarApi/v1/estado',
  '/watchman/v2/search',
];

describe('the sandbox’s Host check', () => {
  it.each([
    ...[
      'evil.example',
      'evil.example:3001',
      'localhost.evil.example',
      'localhost@evil.example',
      '127.0.0.1.evil.example',
    ],
    ...['192.168.1.7:3001', '[::2]:3001', 'sandbox.example.org.evil.example', ' ', ':3001'],
  ])('every path of the sandbox is refused when the Host is "%s"', async (host) => {
    for (const path of [...controlPaths, ...simulatorPaths]) {
      const { status, body } = await requestAs(host, path);
      expect({ path, status }).toEqual({ path, status: 403 });
      expect(JSON.parse(body)).toMatchObject({ code: 'forbidden_host', error: { type: 'invalid_request_error' } });
    }
  });

  it('a change of the sandbox is refused when Origin and Host name the same foreign site', async () => {
    const headers = { origin: 'http://evil.example', 'content-type': 'application/json' };
    expect((await requestAs('evil.example', '/sandbox/reset', { method: 'POST', headers })).status).toBe(403);
  });

  it.each([
    'localhost',
    'LocalHost:3001',
    '127.0.0.1:3001',
    '[::1]:3001',
    'sandbox.example.org:8443',
    'sandbox.example.org',
  ])('control routes and simulators answer when the Host is "%s"', async (host) => {
    expect((await requestAs(host, '/sandbox/mail')).status).toBe(200);
    expect((await requestAs(host, '/prices/dolarApi/v1/estado')).status).toBe(200);
  });

  it('only the simulated APIs, never control routes or pages, answer under the service name of the container network', async () => {
    const key = { authorization: 'Bearer sk_test_sandbox' };
    expect((await requestAs('sandbox:3001', '/v1/payment_intents', { headers: key })).status).toBe(200);
    expect((await requestAs('sandbox:3001', '/bank/v1/payouts/none')).status).toBe(401);
    expect((await requestAs('sandbox:3001', '/prices/dolarApi/v1/estado')).status).toBe(200);
    expect((await requestAs('sandbox:3001', '/watchman/v2/search?name=Rosa')).status).toBe(200);
    for (const path of [...controlPaths, '/v1x', '/sandbox/stripe/payment_intents/pi_1/challenge']) {
      expect({ path, status: (await requestAs('sandbox:3001', path)).status }).toEqual({ path, status: 403 });
    }
  });

  it('the refusal of a Host says which variables name further hosts', async () => {
    const { body } = await requestAs('evil.example', '/v1/payment_intents');
    expect(JSON.parse(body).error.message).toMatch(/SANDBOX_PUBLIC_URL.*SANDBOX_SERVICE_HOST/);
  });
});

describe('the sandbox’s pages', () => {
  it.each(['/', '/challenge', '/sandbox/mail', '/nothing-here'])(
    'the sandbox page %s cannot be shown in a frame of another site',
    async (path) => {
      const { headers } = await requestAs('localhost', path);
      expect(headers['content-security-policy']).toBe("frame-ancestors 'none'");
    },
  );

  it.each(['/elements-frame.html', '/onramp-frame.html', '/three-d-secure-frame.html'])(
    'the sandbox page %s, which belongs to a merchant’s page, can be shown in a frame',
    async (path) => {
      const { headers } = await requestAs('localhost', path);
      expect(headers['content-security-policy']).toBeUndefined();
    },
  );
});
