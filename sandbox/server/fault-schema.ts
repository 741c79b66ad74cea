/** Schema of injected faults: how one API request of a simulator fails. */
import { z } from 'zod';

export const faultSchema = z.strictObject({
  /** Regular expression over the path, as `^/v1/payment_intents$`. */
  path: z.string().max(200).default('.').refine(isPattern, 'not a regular expression'),
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  /** How many matching requests fail. */
  times: z.int().min(1).max(10_000).default(1),
  kind: z.enum([
    /** Responds `status` without executing; nothing is stored under the idempotency key. */
    'error',
    /** Fails while executing: nothing is kept but the failure, which the same idempotency key gets from then on. */
    'stored_error',
    /** Never responds and does not execute. */
    'timeout',
    /** Closes the connection without executing. */
    'drop',
    /** Executes, then responds `status`; the same idempotency key later gets the true response. */
    'do_then_error',
    /** Executes, then never responds. */
    'do_then_timeout',
    /** Executes, then closes the connection. */
    'do_then_drop',
    /** Waits `delayMs` before executing, with the idempotency key in use during that time. */
    'slow',
  ]),
  status: z.int().min(400).max(599).default(500),
  /** Stripe's error code, as `lock_timeout` (429) or `balance_insufficient` (400). */
  code: z.string().max(100).optional(),
  /** Stripe's header `stripe-should-retry`, which overrules the SDK's own decision to repeat a call. */
  shouldRetry: z.boolean().optional(),
  /** Whether a failure with a status is an HTML page, as a proxy sends, and not an answer of the simulator's own. */
  page: z.boolean().default(false),
  delayMs: z.int().min(0).max(120_000).default(1000),
});
export type FaultRequest = z.infer<typeof faultSchema>;
export type Fault = FaultRequest & { id: string };

/** One API request as fault injection sees it. */
export interface ApiCall {
  method: string;
  /** With the simulator's prefix, as `/v1/refunds`. */
  path: string;
  idempotencyKey: string | null;
}
/** Returns the fault for an API request, or undefined to handle it normally. */
export type Interceptor = (call: ApiCall) => z.input<typeof faultSchema> | undefined;

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
