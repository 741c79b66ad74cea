/** What every part of the sandbox needs: state, time, scheduled work; and the request in progress. */
import type { Clock } from './clock.ts';
import type { DelayedTasks } from './delayed-tasks.ts';
import type { Storage } from './storage.ts';

export interface SandboxContext {
  storage: Storage;
  clock: Clock;
  tasks: DelayedTasks;
  /** This server as a browser reaches it, without a trailing slash. */
  publicUrl: string;
  /** How long a balance transaction, an asynchronous refund or an onramp delivery takes, in milliseconds. */
  asyncDelayMs: number;
}

/** One request (or one scheduled task) in progress, inside one transaction. */
export interface Call {
  context: SandboxContext;
  /** As events carry it; both null for scheduled tasks and control routes. */
  request: { id: string | null; idempotency_key: string | null };
  key: 'secret' | 'publishable' | 'none';
}

/** A call without an API request: a scheduled task or a control route. */
export function internalCall(context: SandboxContext): Call {
  return { context, request: { id: null, idempotency_key: null }, key: 'none' };
}
