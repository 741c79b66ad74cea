import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test.each([
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['169.254.169.254', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['1.1.1.1', true],
  ['93.184.216.34', true],
  ['::', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:1.1.1.1', false],
  ['64:ff9b::7f00:1', false],
  ['fc00::1', false],
  ['fd12:3456::1', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['ff02::1', false],
  ['2001:db8::1', false],
  ['2002:7f00:1::', false],
  ['2001:0:53aa:64c::', false],
  ['2606:4700:4700::1111', true],
  ['localhost', false],
  ['', false],
])('of the address %s it is known whether it is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
