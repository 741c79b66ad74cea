/** Failures on order: the next n requests that match get no, a wrong, or a lost answer. Used by Stripe's, the bank's and the price sites' doors. */
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';

export const faultSchema = z.strictObject({
  /** Regular expression over the path, as `^/v1/payment_intents$`. */
  path: z.string().max(200).default('.').refine(isPattern, 'not a regular expression'),
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  /** How many matching requests it strikes. */
  times: z.int().min(1).max(10_000).default(1),
  kind: z.enum([
    /** Answers `status` at once; nothing is done, nothing is remembered under the idempotency key. */
    'error',
    /** Fails while executing: nothing is done, but the failure is what the same idempotency key gets for ever. */
    'stored_error',
    /** Never answers; nothing is done. */
    'timeout',
    /** Cuts the connection; nothing is done. */
    'drop',
    /** Does it, then answers `status`; the same idempotency key later gets the true answer. */
    'do_then_error',
    /** Does it, then never answers. */
    'do_then_timeout',
    /** Does it, then cuts the connection. */
    'do_then_drop',
    /** Waits `delayMs` before doing it, the idempotency key being in use meanwhile. */
    'slow',
  ]),
  status: z.int().min(400).max(599).default(500),
  delayMs: z.int().min(0).max(120_000).default(1000),
});
export type FaultOrder = z.infer<typeof faultSchema>;
export type Fault = FaultOrder & { id: string };

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

const SETTING = 'faults';

/** Faults still to strike, oldest first. */
export function listFaults(context: SandboxContext): Fault[] {
  return context.storage.setting<Fault[]>(SETTING, []);
}

export function addFault(context: SandboxContext, order: FaultOrder): Fault {
  const fault = { ...order, id: newId('fault_') };
  context.storage.setSetting(SETTING, [...listFaults(context), fault]);
  return fault;
}

export function clearFaults(context: SandboxContext): void {
  context.storage.setSetting(SETTING, []);
}

/** The fault that strikes this request, used up by one. Must not run in a transaction: it makes its own. */
export function takeFault(context: SandboxContext, method: string, path: string): Fault | undefined {
  const faults = listFaults(context);
  const struck = faults.find(
    (fault) => (!fault.method || fault.method === method) && new RegExp(fault.path).test(path),
  );
  if (!struck) return undefined;
  struck.times -= 1;
  const left = faults.filter(({ times }) => times > 0);
  context.storage.transaction(() => context.storage.setSetting(SETTING, left));
  return struck;
}
