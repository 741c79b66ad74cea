import { BlockList, isIP } from 'node:net';

/** Non-public IPv4 addresses (IANA's special-purpose registry, multicast and reserved ranges). */
const notPublic = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv4');

/** Public IPv6 addresses: global unicast without IPv4-mapped and documentation ranges. */
const publicIPv6 = new BlockList();
publicIPv6.addSubnet('2000::', 3, 'ipv6');
const notPublicIPv6 = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublicIPv6.addSubnet(network, prefix, 'ipv6');

/**
 * Whether an IP address is on the public internet, not on our network or a neighbouring one. False for an invalid
 * address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !notPublic.check(address, 'ipv4');
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return publicIPv6.check(address, 'ipv6') && !notPublicIPv6.check(address, 'ipv6');
}
