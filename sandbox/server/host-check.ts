/**
 * Which Host headers the sandbox answers. Its control routes have no password, and a web page whose host name resolves
 * to this machine (DNS rebinding) counts as same-origin in the browser: only the Host header shows the difference.
 */
import type { NextFunction, Request, RequestHandler, Response } from 'express';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
/** The simulated services, which programs call. */
const SIMULATED_API = /^\/(v1|bank|prices|watchman)(\/|$)/;

export interface HostCheckOptions {
  /** The sandbox's address for browsers; its host name is accepted like the local ones. */
  publicUrl?: string | undefined;
  /** Host name under which the product's processes call the simulated services, as in a container network. */
  serviceHost?: string | undefined;
}

/** The host name of a Host header in lower case, without the port. */
function hostNameOf(host: string | undefined): string {
  return (host ?? '').toLowerCase().replace(/:\d+$/, '');
}

/** Answers 403 to requests whose Host header is not one of the sandbox's names. */
export function hostCheck({ publicUrl, serviceHost }: HostCheckOptions): RequestHandler {
  const ownHosts = new Set(publicUrl ? [...LOCAL_HOSTS, new URL(publicUrl).hostname] : LOCAL_HOSTS);
  return (request: Request, response: Response, next: NextFunction): void => {
    const host = hostNameOf(request.headers.host);
    const isService = serviceHost !== undefined && host === serviceHost.toLowerCase();
    if (ownHosts.has(host) || (isService && SIMULATED_API.test(request.path))) {
      next();
      return;
    }
    const message =
      'The sandbox does not answer under this host name. SANDBOX_PUBLIC_URL names the address for browsers, SANDBOX_SERVICE_HOST the host name for programs.';
    // Stripe's SDK recognises a failure by the `error` key; the other callers read `code` and `message`.
    const error = { type: 'invalid_request_error', message };
    response.status(403).json({ code: 'forbidden_host', message, error });
  };
}

/** Pages that belong into frames: the card form and the bank's question on pages of the merchant. */
const FRAMED = new Set(['/elements-frame.html', '/onramp-frame.html', '/three-d-secure-frame.html']);

/** Forbids other sites to show the sandbox's pages in a frame (clickjacking), but for those made for it. */
export function noFraming(request: Request, response: Response, next: NextFunction): void {
  if (!FRAMED.has(request.path)) response.set('content-security-policy', "frame-ancestors 'none'");
  next();
}
