import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { SandboxRefused } from '../../sandbox/testing/control-client.ts';
import { CallFailed } from '../api-client.ts';

/** How long a server may be away, in ms. */
const awayMsMax = 10 * 60_000;
/** Between two tries, in ms: longer each time, so that many who wait for a server that comes back do not keep it from coming back. */
const shortestPauseMs = 100;
const longestPauseMs = 5_000;

/** Repeats a call while its server does not answer, as a user would. @throws what the server refuses. */
export async function persistently<Result>(act: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + awayMsMax;
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await act();
    } catch (error) {
      if (isRefusal(error)) throw error;
      if (Date.now() > deadline) throw new Error(`the server did not answer in ${awayMsMax} ms`, { cause: error });
    }
    await pause(pauseMs);
  }
}

/**
 * The same for calls that may be refused, because others were first or an earlier call succeeded but its answer was
 * lost.
 */
export async function allowed(act: () => Promise<unknown>): Promise<void> {
  try {
    await persistently(act);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    expect([400, 402, 404, 409, 422], error.message).toContain(error.status);
  }
}

function isRefusal(error: unknown): error is CallFailed | SandboxRefused {
  return (error instanceof CallFailed || error instanceof SandboxRefused) && error.status < 500 && error.status !== 429;
}
