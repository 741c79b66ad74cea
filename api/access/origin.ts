import type { IncomingHttpHeaders } from 'node:http';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method only reads, so that another site causing it changes nothing. */
export function isSafeMethod(method: string | undefined): boolean {
  return safeMethods.has(method ?? 'GET');
}

/**
 * Whether a request comes from our own pages, or from no browser at all: browsers always tell at least one of
 * `Sec-Fetch-Site` and `Origin` with a request that changes something, and pages cannot forge either.
 */
export function isFromOurPages(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') return false;
  if (headers.origin === undefined) return true;
  if (!URL.canParse(headers.origin)) return false;
  const { host } = new URL(headers.origin);
  return host !== '' && (host === headers.host || host === new URL(publicUrl).host);
}
