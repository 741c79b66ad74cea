import type { IncomingMessage } from 'node:http';
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
export function securityHeaders(env: ApiConfiguration, pages: Pages): RequestHandler {
  const secure = env.publicUrl.startsWith('https:');
  const stripe = stripeSources(env);
  const headers = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...stripe.scripts, (request) => inlineScripts(request, pages)],
        frameSrc: ["'self'", ...stripe.frames],
        connectSrc: ["'self'", ...stripe.calls],
        imgSrc: ["'self'", 'data:', ...stripe.images],
        styleSrc: ["'self'", "'unsafe-inline'"],
        fontSrc: ["'self'", 'data:'],
        workerSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: [({ url }) => (url?.startsWith(queueBoardPath) ? "'self'" : "'none'")],
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
  return (request, response, next) =>
    headers(request, response, (error?: unknown) => {
      if (secretPages.includes(request.path) || request.path.toLowerCase().startsWith(trackingPages))
        response.setHeader('Referrer-Policy', 'no-referrer');
      next(error);
    });
}

/** Hashes of the inline scripts of the page at the address of a request, as the policy writes them. */
function inlineScripts({ url = '' }: IncomingMessage, pages: Pages): string {
  const { scriptHashes } = pages.find(url.split('?', 1)[0] ?? '').document;
  return scriptHashes.map((hash) => `'sha256-${hash}'`).join(' ');
}

/** Their addresses carry a secret: no link on them sends a referrer to another site. */
const secretPages = ['/recuperar', '/correo', '/seguimiento'];
/** So does each of these, from before the secret stood behind the "#". */
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
