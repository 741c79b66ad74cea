import { expect } from 'vitest';
import { SandboxRefused } from '../../sandbox/testing/control-client.ts';
import { CallFailed } from '../api-client.ts';
import { until } from '../until.ts';

/** How long a server may be away, in ms. */
const awayMsMax = 180_000;

/** Repeats a call while its server does not answer, as a user would. @throws what the server refuses. */
export async function persistently<Result>(act: () => Promise<Result>): Promise<Result> {
  let refusal: unknown;
  const answer = await until(
    'the server answers',
    async () => {
      try {
        return { result: await act() };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusal = error;
        return {};
      }
    },
    awayMsMax,
  );
  if ('result' in answer) return answer.result as Result;
  throw refusal;
}

/** The same for what may be refused, because others were first or an earlier call was carried out though its answer was lost. */
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
