import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAllowedUrl, post } from './post.ts';

/** A server that never answers. */
const silent = createServer(() => {});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/events`;
});
afterAll(async () => {
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

describe('where events may be sent', () => {
  test.each([
    ['https://partner.example/hook', true],
    ['https://partner.example:8443/hook?a=b', true],
    ['https://93.184.216.34/', true],
    ['http://partner.example/', false],
    ['https://user:secret@partner.example/', false],
    ['https://partner.example/#x', false],
    ['https://localhost/', false],
    ['https://intranet/', false],
    ['https://db.internal/', false],
    ['https://printer.local/', false],
    ['https://127.0.0.1/', false],
    ['https://2130706433/', false],
    ['https://0x7f.1/', false],
    ['https://10.0.0.8/', false],
    ['https://169.254.169.254/latest/meta-data', false],
    ['https://[::1]/', false],
    ['https://[::ffff:10.0.0.1]/', false],
    ['https://[fd00::1]/', false],
    ['ftp://partner.example/', false],
    ['partner.example', false],
  ])('outside of the sandbox events may be sent to %s: %s', (address, allowed) => {
    expect(isAllowedUrl(address, { anywhere: false })).toBe(allowed);
  });

  test('a host name that resolves to a private address is not called, whatever it resolved to before', async () => {
    const lookups: string[] = [];
    const leadsTo = (addresses: readonly string[]) => (host: string) => {
      lookups.push(host);
      return Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
    };
    const send = (addresses: readonly string[]) =>
      post('https://partner.example/', { body: '{}', headers: {}, anywhere: false, resolveName: leadsTo(addresses) });
    expect(await send(['127.0.0.1'])).toEqual({ error: 'address' });
    expect(await send(['93.184.216.34', '10.0.0.8'])).toEqual({ error: 'address' });
    expect(await send([])).toEqual({ error: 'connection' });
    expect(lookups).toEqual(['partner.example', 'partner.example', 'partner.example']);
    expect(await post(url, { body: '{}', headers: {}, anywhere: false })).toEqual({ error: 'address' });
  });

  test('an attempt without an answer times out', async () => {
    expect(await post(url, { body: '{}', headers: {}, anywhere: true, waitMs: 50 })).toEqual({ error: 'timeout' });
  });
});
