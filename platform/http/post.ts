import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { DeliveryError } from '#core/webhooks/events';
import { isPublicAddress } from './public-address.ts';

/** Timeout of an attempt, from the DNS lookup to the status of the answer, in ms. */
const timeoutMs = 10_000;

/** The result of an attempt: the status of the answer, or an error. */
export type PostResult = { readonly status: number } | { readonly error: Exclude<DeliveryError, 'status'> };

class AddressError extends Error {}

/** Resolves a name through the system. */
const resolveSystem = (host: string): Promise<LookupAddress[]> => lookup(host, { all: true });

/**
 * The connection itself resolves names, so that a DNS answer that changes between check and connection cannot redirect
 * it.
 */
function publicLookup(resolveName: typeof resolveSystem): LookupFunction {
  return (host, { all }, callback) => {
    resolveName(host).then(
      (found) => {
        const [first] = found;
        if (!first) callback(new Error('the name has no address'), '');
        else if (found.some(({ address }) => !isPublicAddress(address))) callback(new AddressError(), '');
        else if (all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}

/** Whether events may be sent to a URL: HTTPS, on a host that can be public. In the sandbox also HTTP, anywhere. */
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
 * Posts a body, JSON unless the headers say otherwise. Follows no redirects, discards the body of the answer, and
 * outside the sandbox only connects to public addresses, whatever the name resolves to. Never throws.
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
      // The body of the answer is not read.
      response.destroy();
    });
    request.on('error', (error) => {
      end({ error: error instanceof AddressError ? 'address' : signal.aborted ? 'timeout' : 'connection' });
    });
    request.end(body);
  });
}
