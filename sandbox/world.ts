/** What every part of the sandbox stands on, and who is asking. */
import type { Clock } from './clock.ts';
import type { Schedule } from './schedule.ts';
import type { Storage } from './storage.ts';

export interface World {
  storage: Storage;
  clock: Clock;
  schedule: Schedule;
  /** This server as a browser reaches it, without a trailing slash. */
  publicUrl: string;
  /** How long asynchronous things take by themselves, in milliseconds. */
  settleMs: number;
}

/** One request (or one scheduled task) at work in the world, inside one transaction. */
export interface Call {
  world: World;
  /** As events carry it; both null for what happens by itself. */
  request: { id: string | null; idempotency_key: string | null };
  key: 'secret' | 'publishable' | 'none';
}

/** A call by nobody: the passage of time, or the control page. */
export function callByItself(world: World): Call {
  return { world, request: { id: null, idempotency_key: null }, key: 'none' };
}
