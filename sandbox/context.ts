/** What every simulator needs (state, time, delayed tasks), and the API request in progress. */
import { Clock } from './clock.ts';
import { DelayedTasks } from './delayed-tasks.ts';
import type { Interceptor } from './server/fault-schema.ts';
import { Storage } from './storage.ts';

export interface SandboxContext {
  storage: Storage;
  clock: Clock;
  tasks: DelayedTasks;
  /** This server as a browser reaches it, without a trailing slash. */
  publicUrl: string;
  /** How long a balance transaction, an asynchronous refund or an onramp delivery takes, in milliseconds. */
  asyncDelayMs: number;
  /** Decides about each API request before it is handled; for tests that run a simulator in their own process. */
  interceptor?: Interceptor | undefined;
}

export interface ContextOptions {
  /** Folder of the state file; absent keeps state in memory. */
  dataDir?: string;
  /** This server as a browser reaches it; by default http://localhost:<port>. */
  publicUrl?: string;
  /** How long a balance transaction, an asynchronous refund or an onramp delivery takes, in milliseconds. */
  asyncDelayMs?: number;
  /** Where sandbox time begins; by default now, or where stored state ended. */
  beginAt?: Date;
}

const ASYNC_DELAY_MS = 1000;

/** Throws when the data folder cannot be written. */
export function createContext(options: ContextOptions): SandboxContext {
  const storage = new Storage(options.dataDir);
  const clock = new Clock(storage);
  if (options.beginAt) clock.begin(options.beginAt);
  return {
    storage,
    clock,
    tasks: new DelayedTasks(storage, clock),
    publicUrl: options.publicUrl ?? '',
    asyncDelayMs: options.asyncDelayMs ?? ASYNC_DELAY_MS,
  };
}

/** What a restricted key may do, by resource; `write` includes `read`. */
export type Permissions = Readonly<Record<string, 'read' | 'write'>>;

/** One API request (or one delayed task) in progress, inside one transaction. */
export interface Call {
  context: SandboxContext;
  /** As events carry it; both null for delayed tasks and control routes. */
  request: { id: string | null; idempotency_key: string | null };
  key: 'secret' | 'publishable' | 'none';
  /** Of a restricted key; absent: everything of its kind is allowed. */
  permissions?: Permissions;
}

/** A call without an API request: a delayed task or a control route. */
export function internalCall(context: SandboxContext): Call {
  return { context, request: { id: null, idempotency_key: null }, key: 'none' };
}
