import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until `read` gives something, asking again every 50 ms; for facts without an event. Errors while
 * asking (a killed server) are waited out too. @throws after `withinMs` with the last thing seen.
 */
export async function until<Result>(
  what: string,
  read: () => Promise<Result | null | undefined | false>,
  withinMs = 20_000,
): Promise<Result> {
  const deadline = Date.now() + withinMs;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const result = await read();
      if (result !== null && result !== undefined && result !== false) return result;
      last = result;
    } catch (error) {
      last = error;
    }
    await pause(50);
  }
  throw new Error(`waited ${withinMs} ms in vain until ${what}; last: ${last}`);
}
