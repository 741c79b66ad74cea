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
