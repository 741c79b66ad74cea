import { describe, expect, it } from 'vitest';
import { addressOf, networkOf } from './network.ts';

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::3', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('the address %s is counted as the network %s', (ip, network) => {
    expect(networkOf({ ip })).toBe(network);
  });

  it('callers without an address are counted together', () => {
    expect(networkOf({})).toBe(networkOf({ ip: 'nonsense' }));
  });
});

describe('addressOf', () => {
  const proxies = new Set(['127.0.0.1', '10.0.0.1']);
  const addressFrom = (remoteAddress: string | undefined, forwarded?: string) =>
    addressOf({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }, (hop) => proxies.has(hop));

  it('the address of a live connection is the peer of the last trusted proxy, never a value from the caller', () => {
    expect(addressFrom('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7');
    expect(addressFrom('127.0.0.1', '198.51.100.1, 203.0.113.7, 10.0.0.1')).toBe('203.0.113.7');
    expect(addressFrom('127.0.0.1', '10.0.0.1')).toBe('10.0.0.1');
    expect(addressFrom('127.0.0.1')).toBe('127.0.0.1');
    expect(addressFrom(undefined)).toBeUndefined();
  });
});
