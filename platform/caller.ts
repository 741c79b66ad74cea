import { AsyncLocalStorage } from 'node:async_hooks';

/** Who a call of the api comes from, for what is written about it on the way. */
export interface Caller {
  /** The signed-in person; null for visitors. */
  readonly personId: string | null;
  readonly role: string | null;
  /** The part of the address that is kept. */
  readonly network: string | null;
  /** The secret by which the browser is known (domain/sign-in/known-device.entity.ts); never written down as it is. */
  readonly device?: string | null;
  /** Kinds of what was written about this call. */
  readonly written: Set<string>;
}

const callers = new AsyncLocalStorage<Caller>();

/** Runs `work`, and everything it waits for, as that caller's. */
export function runFor<Result>(caller: Caller, work: () => Result): Result {
  return callers.run(caller, work);
}

/** Who the current call comes from; undefined in jobs and commands. */
export function currentCaller(): Caller | undefined {
  return callers.getStore();
}
