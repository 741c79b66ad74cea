import type { IncomingHttpHeaders } from 'node:http';
import type { ApiConfiguration } from '#platform/configuration/api';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method only reads, so that another site causing it changes nothing. */
export function isSafeMethod(method: string | undefined): boolean {
  return safeMethods.has(method ?? 'GET');
}

/** Names of the machine itself: no other site can be reached, or make itself reached, under them. */
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a request comes from our own pages, or from no browser at all: browsers always tell at least one of
 * `Sec-Fetch-Site` and `Origin` with a request that changes something, and pages cannot forge either. In production only the
 * public URL's origin is ours: any domain can be pointed at our address, and its name is the Host header then. Elsewhere the
 * page may come from any host name the request itself was sent to.
 */
export function isFromOurPages(
  headers: IncomingHttpHeaders,
  env: Pick<ApiConfiguration, 'publicUrl' | 'production'>,
): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') return false;
  if (headers.origin === undefined) return true;
  if (!URL.canParse(headers.origin)) return false;
  const origin = new URL(headers.origin);
  const ours = new URL(env.publicUrl);
  if (origin.origin === ours.origin || isSameLoopback(origin, ours)) return true;
  return !env.production && origin.host !== '' && origin.host === headers.host;
}

function isSameLoopback(origin: URL, ours: URL): boolean {
  const isLoopback = loopbackNames.has(origin.hostname) && loopbackNames.has(ours.hostname);
  return isLoopback && origin.protocol === ours.protocol && origin.port === ours.port;
}
