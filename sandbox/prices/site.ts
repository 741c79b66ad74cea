/** The parts of a simulated price site. Each site has its own file and answers in the format of the real one. */
import { z } from 'zod';
import type { ApiResponse } from '../server/respond.ts';
import { formatMinor, formatRate, parseMinor, type Rate } from './figures.ts';
import type { Market } from './market.ts';

export interface SiteRequest {
  query: unknown;
  body: unknown;
  header(name: string): string | undefined;
  market: Market;
  /** Milliseconds since the epoch, sandbox time. */
  now: number;
}

export interface SiteRoute {
  method: 'GET' | 'POST';
  /** Matches the path below the site's prefix. */
  path: RegExp;
  respond(request: SiteRequest): ApiResponse;
}

export interface Site {
  routes: SiteRoute[];
  /** Replacement in every response in mode `changed_shape`: a field or class is renamed. */
  changedShape: [pattern: RegExp, replacement: string];
}

/** An amount in a site's request ("100", "100.00", 100.5), in minor units. */
export const amount = z.coerce.string().transform((text, context) => {
  const minor = parseMinor(text);
  if (minor === null) {
    context.addIssue({ code: 'custom', message: 'not an amount' });
    return z.NEVER;
  }
  return minor;
});

export const sendCurrency = z.enum(['USD', 'EUR']);

/** Money as the JSON number these sites use. */
export function money(minor: bigint): number {
  return Number(formatMinor(minor));
}

/** A rate as the JSON number these sites use. */
export function figure(rate: Rate): number {
  return Number(formatRate(rate));
}

/** The number format of Bolivian pages: "11,60". */
export function withComma(rate: Rate, digits = 2): string {
  return figure(rate).toFixed(digits).replace('.', ',');
}

export function page(text: string, type = 'text/html; charset=utf-8'): ApiResponse {
  return { status: 200, body: text, headers: { 'content-type': type } };
}

export function refusal(status: number, body: object | string): ApiResponse {
  return { status, body };
}

/** The page of a bot protection. */
export function blocked(status: number): string {
  return `<html><head><title>${status}</title></head><body><p>Please enable JS and disable any ad blocker</p></body></html>`;
}
