import type { Stripe } from 'stripe';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { Database } from '#platform/database/database';
import type { Logger } from '#platform/logging';
import type { Queues } from '#platform/queues/queues';
import type { RateLimits } from './access/rate-limits.ts';

/** Names under which the api's rooms ask for what is made once at start-up. */
export const ENV = Symbol('env');
export const STRIPE = Symbol('stripe');
export const LOG = Symbol('log');
export const QUEUES = Symbol('queues');
export const RATE_RUN_WAIT_MS = Symbol('rate run wait');

/** Everything the api stands on, opened by whoever starts it. */
export interface Parts {
  readonly env: ApiConfiguration;
  readonly database: Database;
  readonly stripe: Stripe;
  readonly log: Logger;
  readonly queues: Queues;
  readonly rateLimits: RateLimits;
  /** How long a forced update waits for its result. */
  readonly rateRunWaitMs?: number;
}
