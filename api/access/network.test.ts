import { describe, expect, it } from 'vitest';
import { networkOf } from './network.ts';

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
