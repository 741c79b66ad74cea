/**
 * Which Host headers the sandbox answers. Its control routes have no password, so a web page whose name was pointed at this
 * machine (DNS rebinding) must not reach them: to the browser it is then of the sandbox's own origin, and only the Host header
 * tells the two apart.
 */
import type { NextFunction, Request, RequestHandler, Response } from 'express';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
/** The simulated services, which programs call with a key of theirs or read only. */
const SIMULATED_API = /^\/(v1|bank|prices)(\/|$)/;

export interface HostCheckOptions {
  /** The sandbox as browsers reach it; its host name is answered like the local ones. */
  publicUrl?: string | undefined;
  /** Name under which the product's processes reach the sandbox, as in a network of containers: simulated services only. */
  serviceHost?: string | undefined;
}

/** The name in a Host header in lower case, without its port. */
function hostNameOf(host: string | undefined): string {
  return (host ?? '').toLowerCase().replace(/:\d+$/, '');
}

/** Answers 403 to requests whose Host header is none of the sandbox's names. */
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

/** Keeps every page of the sandbox out of other sites' frames, where a click could be taken for another. */
export function noFraming(_: Request, response: Response, next: NextFunction): void {
  response.set('content-security-policy', "frame-ancestors 'none'");
  next();
}
