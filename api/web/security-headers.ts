import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { ApiConfiguration } from '#platform/configuration/api';
import { queueBoardPath } from '../queue-board/queue-board.ts';
import type { Pages } from './pages.ts';

/**
 * What a page of ours may load and call: itself, and Stripe or its simulator, by configuration. All pages may, because a document keeps its
 * policy while the router shows other pages in it, the one with the card form among them. Of inline scripts only those that the build put into
 * the page, by their hashes. Only the queue dashboard's page sets a base. Styles may be inline because the component library sets its variables that way.
 */
export function securityHeadersOf(env: ApiConfiguration, pages: Pages): SecurityHeaders {
  const secure = env.publicUrl.startsWith('https:');
  const stripe = stripeSources(env);
  const make = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...stripe.scripts, ({ url }) => inlineScripts(url, pages)],
        frameSrc: ["'self'", ...stripe.frames],
        connectSrc: ["'self'", ...stripe.calls],
        imgSrc: ["'self'", 'data:', ...stripe.images],
        styleSrc: ["'self'", "'unsafe-inline'"],
        fontSrc: ["'self'", 'data:'],
        workerSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: [({ url }) => (isQueueBoard(url) ? "'self'" : "'none'")],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: secure ? [] : null,
      },
    },
    strictTransportSecurity: secure,
    xFrameOptions: { action: 'deny' },
    // Stripe's 3-D Secure windows report back to the page that opened them.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  // All that they depend on are the scripts of the page and whether it is the queue dashboard's, so they are made once for each.
  const made = new Map<string, Headers>();
  // API calls have no page and share one set of headers.
  const ofCalls = headersFrom(make, callsPath);
  return (url) => {
    if (url.startsWith(callsPath)) return ofCalls;
    const isSecret = hasSecret(url);
    const key = `${isQueueBoard(url)} ${isSecret} ${inlineScripts(url, pages)}`;
    let headers = made.get(key);
    if (!headers) {
      headers = { ...headersFrom(make, url), ...(isSecret && { 'Referrer-Policy': 'no-referrer' }) };
      made.set(key, headers);
    }
    return headers;
  };
}

type Headers = Readonly<Record<string, string>>;
/** The headers of the answer to a request for an address. */
export type SecurityHeaders = (url: string) => Headers;

/** Sets them on every answer. */
export function setSecurityHeaders(headersOf: SecurityHeaders): RequestHandler {
  return (request, response, next) => {
    const headers = headersOf(request.url);
    for (const name in headers) response.setHeader(name, headers[name] as string);
    next();
  };
}

/** The headers that a handler sets on a response. @throws what it fails with */
function headersFrom(make: ReturnType<typeof helmet>, url: string): Headers {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name] = value;
    },
    removeHeader: () => {},
  };
  make({ url } as IncomingMessage, response as unknown as ServerResponse, (error?: unknown) => {
    if (error) throw error;
  });
  return headers;
}

const callsPath = '/api/';

const isQueueBoard = (url = '') => url.startsWith(queueBoardPath);

/** Hashes of the inline scripts of the page at the address of a request, as the policy writes them. */
function inlineScripts(url = '', pages: Pages): string {
  const { scriptHashes } = pages.find(pathOf(url)).document;
  return scriptHashes.map((hash) => `'sha256-${hash}'`).join(' ');
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? '';

/** Whether the address of a page carries a secret, which no referrer may tell. */
function hasSecret(url: string): boolean {
  const path = pathOf(url);
  return secretPages.includes(path) || path.toLowerCase().startsWith(trackingPages);
}

/** Their addresses carry a secret: no link on them sends a referrer to another site. */
const secretPages = ['/recuperar', '/correo', '/seguimiento'];
/** These addresses carry the secret too, from before it moved behind the "#". */
const trackingPages = '/seguimiento/';

/** Where Stripe's crypto onramp has its script and its frame; allowed where USDC is sold. */
const onramp = 'https://crypto-js.stripe.com';

function stripeSources({
  stripe,
  crypto,
}: ApiConfiguration): Record<'scripts' | 'frames' | 'calls' | 'images', string[]> {
  const own = [stripe.scriptUrl, stripe.apiUrl].filter((url) => url !== undefined).map((url) => new URL(url).origin);
  if (stripe.scriptUrl) return { scripts: own, frames: own, calls: own, images: own };
  const sold = crypto.walletAddress === undefined ? [] : [onramp];
  return {
    scripts: ['https://js.stripe.com', 'https://*.js.stripe.com', ...sold],
    frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com', ...sold],
    calls: ['https://api.stripe.com', ...own],
    images: ['https://*.stripe.com'],
  };
}
