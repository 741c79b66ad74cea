import { setTimeout as pause } from 'node:timers/promises';

/** Pauses between two questions, in ms: each is half as long again as the one before, so that long waits leave the processors alone. */
const shortestPauseMs = 30;
const longestPauseMs = 300;

/**
 * Waits until `read` gives something, asking again and again; for facts without an event. Errors while
 * asking (a killed server) are waited out too. @throws after `withinMs` with the last thing seen.
 */
export async function until<Result>(
  what: string,
  read: () => Promise<Result | null | undefined | false>,
  withinMs = 30_000,
): Promise<Result> {
  const deadline = Date.now() + withinMs;
  let last: unknown;
  let pauseMs = shortestPauseMs;
  while (Date.now() < deadline) {
    try {
      const result = await read();
      if (result !== null && result !== undefined && result !== false) return result;
      last = result;
    } catch (error) {
      last = error;
    }
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
  }
  throw new Error(`waited ${withinMs} ms in vain until ${what}; last: ${last}`);
}
