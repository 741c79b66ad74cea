import type { Stripe } from 'stripe';
import type { PasswordCost } from '#domain/accounts/passwords';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { Database } from '#platform/database/database';
import type { Logger } from '#platform/logging';
import type { QueueConnection } from '#platform/queues/queues';
import type { RateLimits } from './access/rate-limits.ts';

/** Tokens of the resources opened once at start-up. */
export const ENV = Symbol('env');
export const STRIPE = Symbol('stripe');
export const LOG = Symbol('log');
export const STOPPING = Symbol('stopping');
export const RATE_RUN_WAIT_MS = Symbol('rate run wait');
export const PASSWORD_COST = Symbol('cost of passwords');

/** The dependencies of the api, which its caller also closes. */
export interface Parts {
  readonly env: ApiConfiguration;
  readonly database: Database;
  readonly stripe: Stripe;
  readonly log: Logger;
  readonly queueConnection: QueueConnection;
  /** Aborted when shutdown begins: from then on clients should use other replicas. */
  readonly stopping: AbortSignal;
  readonly rateLimits: RateLimits;
  /** How long a forced update waits for its result. */
  readonly rateRunWaitMs?: number;
  /** The usual one when absent. */
  readonly passwordCost?: PasswordCost;
}
