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
