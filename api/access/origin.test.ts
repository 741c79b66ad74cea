import { describe, expect, it } from 'vitest';
import { isFromOurPages } from './origin.ts';

const production = { publicUrl: 'https://chasqui.example', production: true };
const development = { publicUrl: 'http://localhost:3000', production: false };

describe('isFromOurPages', () => {
  it('a request from the public URL’s origin or from no browser is accepted', () => {
    expect(isFromOurPages({ origin: 'https://chasqui.example', host: '10.0.0.7:3000' }, production)).toBe(true);
    expect(isFromOurPages({ host: 'chasqui.example' }, production)).toBe(true);
  });

  it.each([
    ['another host', 'https://evil.example'],
    ['another scheme', 'http://chasqui.example'],
    ['another port', 'https://chasqui.example:8443'],
    ['a longer host', 'https://chasqui.example.evil.example'],
    ['a prefix in the host', 'https://chasqui.example@evil.example'],
    ['no origin of a page', 'null'],
    ['nothing', ''],
  ])('a request from %s is refused in production, even when the Host header says the same', (_what, origin) => {
    const host = URL.canParse(origin) ? new URL(origin).host : '';
    expect(isFromOurPages({ origin, host }, production)).toBe(false);
  });

  it('a request from any loopback name is accepted in production when the public URL has one, on its own port', () => {
    const local = { publicUrl: 'http://localhost:3000', production: true };
    expect(isFromOurPages({ origin: 'http://127.0.0.1:3000' }, local)).toBe(true);
    expect(isFromOurPages({ origin: 'http://[::1]:3000' }, local)).toBe(true);
    expect(isFromOurPages({ origin: 'http://127.0.0.1:3001' }, local)).toBe(false);
    expect(isFromOurPages({ origin: 'http://localhost.evil.example:3000' }, local)).toBe(false);
  });

  it('a request from the host that it was sent to is accepted in development', () => {
    expect(isFromOurPages({ origin: 'http://192.168.1.5:3000', host: '192.168.1.5:3000' }, development)).toBe(true);
    expect(isFromOurPages({ origin: 'http://evil.example', host: '192.168.1.5:3000' }, development)).toBe(false);
  });

  it('a request that the browser says comes from another site is refused', () => {
    for (const site of ['cross-site', 'same-site']) {
      const headers = { origin: 'https://chasqui.example', 'sec-fetch-site': site };
      expect(isFromOurPages(headers, production)).toBe(false);
    }
  });
});
