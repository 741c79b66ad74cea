import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Both networks of a caller. */
interface Networks {
  readonly counted: string;
  readonly kept: string | null;
}

/** Cache per request: the network is needed several times, and Express parses the address on every access. */
const known = new WeakMap<object, Networks>();

/**
 * The network a call comes from, as limits count it: an IPv4 address, or the first 64 bits of an IPv6 address, because
 * providers hand those out whole: one customer has all the addresses behind them.
 */
export function networkOf(request: { ip?: string | undefined }): string {
  return networksOf(request).counted;
}

/**
 * The caller's network as it is stored: the first 24 bits of an IPv4 address, 48 of an IPv6 address; null without an
 * address.
 */
export function keptNetworkOf(request: { ip?: string | undefined }): string | null {
  return networksOf(request).kept;
}

function networksOf(request: { ip?: string | undefined }): Networks {
  let networks = known.get(request);
  if (!networks) {
    networks = networksBehind(request.ip);
    known.set(request, networks);
  }
  return networks;
}

function networksBehind(ip: string | undefined): Networks {
  if (ip === undefined || !ipaddr.isValid(ip)) return { counted: 'unknown', kept: null };
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) {
    const [first, second, third] = address.octets;
    return { counted: address.toString(), kept: `${first}.${second}.${third}.0/24` };
  }
  const start = (parts: number) => address.parts.slice(0, parts).map((part) => part.toString(16));
  return {
    counted: `${start(4).join(':')}::/64`,
    kept: `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`)}/48`,
  };
}

/**
 * The caller's address of a request that Express does not see, by the rule of its `request.ip`: the peer address of the
 * last trusted proxy.
 */
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
