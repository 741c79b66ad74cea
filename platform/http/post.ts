import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { DeliveryError } from '#core/webhooks/events';
import { isPublicAddress } from './public-address.ts';

/** Longest time for an attempt, from looking the name up to the status of the answer, in ms. */
const timeoutMs = 10_000;

/** What came of an attempt: the status of the answer, or why there is none. */
export type PostResult = { readonly status: number } | { readonly error: Exclude<DeliveryError, 'status'> };

class AddressError extends Error {}

/** Looks a name up as the system does. */
const resolveSystem = (host: string): Promise<LookupAddress[]> => lookup(host, { all: true });

/** Names are looked up by the connection itself, so that an answer that changes meanwhile cannot lead elsewhere. */
function publicLookup(resolveName: typeof resolveSystem): LookupFunction {
  return (host, { all }, callback) => {
    resolveName(host).then(
      (found) => {
        const [first] = found;
        if (!first) callback(new Error('the name leads nowhere'), '');
        else if (found.some(({ address }) => !isPublicAddress(address))) callback(new AddressError(), '');
        else if (all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}

/** Whether events may be sent to an address at all: HTTPS, on a host that can be public. In the sandbox also HTTP, anywhere. */
export function isAllowedUrl(text: string, { anywhere }: { anywhere: boolean }): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.hash) return false;
  if (anywhere) return url.protocol === 'https:' || url.protocol === 'http:';
  if (url.protocol !== 'https:') return false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return isPublicAddress(host);
  return /\.[a-z][a-z0-9-]*$/i.test(host) && !/\.(localhost|local|internal|home|lan|test|invalid|onion)$/i.test(host);
}

/**
 * Posts a body, JSON unless the headers say otherwise. No redirect is followed, nothing of the answer's body is kept, and outside of the sandbox no address is called that is not
 * public, whatever the name leads to. Never throws.
 */
export function post(
  text: string,
  {
    body,
    headers,
    anywhere,
    waitMs = timeoutMs,
    resolveName = resolveSystem,
  }: {
    readonly body: string | Buffer;
    readonly headers: Readonly<Record<string, string>>;
    readonly anywhere: boolean;
    readonly waitMs?: number;
    readonly resolveName?: typeof resolveSystem;
  },
): Promise<PostResult> {
  if (!isAllowedUrl(text, { anywhere })) return Promise.resolve({ error: 'address' });
  const url = new URL(text);
  const signal = AbortSignal.timeout(waitMs);
  return new Promise((end) => {
    const options = {
      ...{ method: 'POST', signal, agent: false as const, ...(!anywhere && { lookup: publicLookup(resolveName) }) },
      headers: { 'content-type': 'application/json', ...headers, 'content-length': String(Buffer.byteLength(body)) },
    };
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
      end({ status: response.statusCode ?? 0 });
      // Nobody reads what comes after the status.
      response.destroy();
    });
    request.on('error', (error) => {
      end({ error: error instanceof AddressError ? 'address' : signal.aborted ? 'timeout' : 'connection' });
    });
    request.end(body);
  });
}
