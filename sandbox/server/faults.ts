/** Fault injection: the next n matching requests to Stripe, the bank or a price site get an error, no response or a late one. */
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';

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
    /** Waits `delayMs` before executing, with the idempotency key in use meanwhile. */
    'slow',
  ]),
  status: z.int().min(400).max(599).default(500),
  delayMs: z.int().min(0).max(120_000).default(1000),
});
export type FaultRequest = z.infer<typeof faultSchema>;
export type Fault = FaultRequest & { id: string };

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

const SETTING = 'faults';

/** Faults not yet used up, oldest first. */
export function listFaults(context: SandboxContext): Fault[] {
  return context.storage.setting<Fault[]>(SETTING, []);
}

export function addFault(context: SandboxContext, request: FaultRequest): Fault {
  const fault = { ...request, id: newId('fault_') };
  context.storage.setSetting(SETTING, [...listFaults(context), fault]);
  return fault;
}

export function clearFaults(context: SandboxContext): void {
  context.storage.setSetting(SETTING, []);
}

/** The first fault that matches this request; one of its uses is taken. Must not run in a transaction: it makes its own. */
export function matchFault(context: SandboxContext, method: string, path: string): Fault | undefined {
  const faults = listFaults(context);
  const matched = faults.find(
    (fault) => (!fault.method || fault.method === method) && new RegExp(fault.path).test(path),
  );
  if (!matched) return undefined;
  matched.times -= 1;
  const left = faults.filter(({ times }) => times > 0);
  context.storage.transaction(() => context.storage.setSetting(SETTING, left));
  return matched;
}
