import type { Endpoint } from './endpoint.ts';

/** How to address an endpoint: all that a browser needs to call it. */
export type Route = Pick<Endpoint, 'method' | 'path'>;

/**
 * Method and path of the endpoints that pages need before a sign-in, without schemas: a page that calls the api need not load the
 * validation library. Others are in sender-routes.ts, account-routes.ts and admin-routes.ts. The contracts of the same names
 * (endpoints.ts) add who may call, what is sent and what is answered.
 */
export const routes = {
  register: { method: 'POST', path: '/api/auth/register' },
  login: { method: 'POST', path: '/api/auth/login' },
  recoverPassword: { method: 'POST', path: '/api/auth/recover' },
  recoveryLink: { method: 'POST', path: '/api/auth/recovery-link' },
  resetPassword: { method: 'POST', path: '/api/auth/reset' },
  logout: { method: 'POST', path: '/api/auth/logout' },
  me: { method: 'GET', path: '/api/auth/me' },
  setLocale: { method: 'PUT', path: '/api/auth/locale' },
  emailLink: { method: 'POST', path: '/api/auth/email-link' },
  useEmailLink: { method: 'POST', path: '/api/auth/email-link/use' },
  getRates: { method: 'GET', path: '/api/rate' },
  getRate: { method: 'GET', path: '/api/rate/{currency}' },
  quote: { method: 'POST', path: '/api/quote' },
  rateSeries: { method: 'GET', path: '/api/rate/{currency}/history' },
  bankBoard: { method: 'GET', path: '/api/bank-board' },
  arrivalTimes: { method: 'GET', path: '/api/arrival-times' },
  exchangeRates: { method: 'GET', path: '/api/exchange-rates' },
  scraper: { method: 'GET', path: '/api/scraper' },
  scraperFor: { method: 'GET', path: '/api/scraper/{currency}/{amount}' },
  updateRates: { method: 'POST', path: '/api/update-rates' },
  paymentConfig: { method: 'GET', path: '/api/payments/config' },
  helpContact: { method: 'GET', path: '/api/help/contact' },
  live: { method: 'GET', path: '/api/health/live' },
  ready: { method: 'GET', path: '/api/health/ready' },
  reportClientError: { method: 'POST', path: '/api/client-errors' },
} as const satisfies Record<string, Route>;
