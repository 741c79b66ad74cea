/**
 * Fault injection: the next n matching requests to Stripe, the bank or a price site get an error, no response or a late
 * one.
 */
import type { SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';
import { type ApiCall, type Fault, type FaultRequest, faultSchema } from './fault-schema.ts';

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

/**
 * The fault for this request: the interceptor's, or the first stored one that matches, which is counted down. Must not
 * run in a transaction: it opens its own.
 */
export function matchFault(context: SandboxContext, call: ApiCall): FaultRequest | undefined {
  const chosen = context.interceptor?.(call);
  if (chosen) return faultSchema.parse(chosen);
  const faults = listFaults(context);
  const matched = faults.find(
    ({ method, path }) => (!method || method === call.method) && new RegExp(path).test(call.path),
  );
  if (!matched) return undefined;
  matched.times -= 1;
  const left = faults.filter(({ times }) => times > 0);
  context.storage.transaction(() => context.storage.setSetting(SETTING, left));
  return matched;
}
