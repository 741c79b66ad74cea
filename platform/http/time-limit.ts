/**
 * Runs a call with a signal that ends it after `ms`, the reading of its answer included. Unlike `AbortSignal.timeout` the signal never fires
 * after the call has ended: each that does makes an error with its stack, which costs as much as a statement. @throws DOMException
 * `TimeoutError`, where the call passes the signal's reason on.
 */
export async function withinTime<Result>(ms: number, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException('it took too long', 'TimeoutError')), ms);
  try {
    return await call(limit.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits at most `ms` for something that cannot be cancelled, then continues without it. @throws DOMException
 * `TimeoutError` where it took longer.
 */
export function answeredWithin<Result>(ms: number, pending: Promise<Result>): Promise<Result> {
  return withinTime(ms, (late) =>
    Promise.race([
      pending,
      new Promise<never>((_, reject) => {
        late.addEventListener('abort', () => reject(late.reason));
      }),
    ]),
  );
}
