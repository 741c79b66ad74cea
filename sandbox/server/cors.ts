/**
 * CORS for the merchant's pages, which call Stripe's API and answer challenges from their own origin. No cookies are
 * involved.
 */
import type { NextFunction, Request, Response } from 'express';

/** @param origins that may call; absent means any. */
export function cors(origins: string[] | undefined) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const origin = request.get('origin');
    if (origin && (!origins || origins.includes(origin))) {
      response.set({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'Request-Id, Stripe-Version',
        vary: 'Origin',
      });
      if (request.method === 'OPTIONS') {
        response
          .set({
            'access-control-allow-methods': 'GET, POST, DELETE',
            'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, Stripe-Version',
            'access-control-max-age': '300',
          })
          .status(204)
          .end();
        return;
      }
    }
    next();
  };
}
