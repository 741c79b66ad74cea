import { AsyncLocalStorage } from 'node:async_hooks';

/** The caller of an api call, for audit entries and logs. */
export interface Caller {
  /** The signed-in person; null for visitors. */
  readonly personId: string | null;
  readonly role: string | null;
  /** The part of the address that is kept. */
  readonly network: string | null;
  /** The secret that identifies the browser (domain/sign-in/known-device.entity.ts); never stored unhashed. */
  readonly device?: string | null;
  /** Kinds of audit entries already written for this call. */
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
