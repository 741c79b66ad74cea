import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * The network a call comes from, as limits count it: an IPv4 address, or the first 64 bits of an IPv6 address, because
 * providers hand those out whole: one customer has all the addresses behind them.
 */
export function networkOf(request: { ip?: string | undefined }): string {
  const { ip } = request;
  if (ip === undefined || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** The network a call comes from, as it is kept: the first 24 bits of an IPv4 address, 48 of an IPv6 address; null when there is none. */
export function keptNetworkOf({ ip }: { ip?: string | undefined }): string | null {
  if (ip === undefined || !ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`)}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`)}/48`;
}

/** The caller's address of a request that Express does not see, by the rule of its `request.ip`: what the last trusted proxy was called from. */
export function addressOf(
  { socket, headers }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  trusts: (address: string, hop: number) => boolean,
): string | undefined {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const hops = [socket.remoteAddress ?? '', ...forwarded.map((hop) => hop.trim()).reverse()].filter(
    (hop) => hop !== '',
  );
  return hops.find((hop, index) => !trusts(hop, index)) ?? hops.at(-1);
}
