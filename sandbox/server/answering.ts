/** The way of every request: faults before, idempotency, one transaction, faults after. Shared by all doors. */
import type { Response } from 'express';
import type { SandboxContext } from '../context.ts';
import { type Fault, takeFault } from './faults.ts';

export interface Answer {
  status: number;
  /** A text is sent as it is: a page, unless the headers say otherwise. */
  body: object | string;
  headers?: Record<string, string>;
}

export interface Work {
  method: string;
  path: string;
  /** Executes the request; `stored_error` asks for a failure that is remembered. */
  execute: (failWhileExecuting: boolean) => Answer;
  /** The body for an injected failure. */
  failure: (status: number) => object | string;
  /** Holds something for the time of execution, and gives it back; false refuses with its own answer. */
  begin?: () => Answer | undefined;
  end?: () => void;
}

function send(response: Response, answer: Answer): void {
  if (response.destroyed) return;
  response
    .status(answer.status)
    .set(answer.headers ?? {})
    .send(answer.body);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Faults that keep the request from being executed. Returns whether one did. */
function strikesBefore(response: Response, fault: Fault | undefined, work: Work): boolean {
  switch (fault?.kind) {
    case 'error':
      send(response, { status: fault.status, body: work.failure(fault.status) });
      return true;
    case 'drop':
      response.socket?.destroy();
      return true;
    case 'timeout':
      return true;
    default:
      return false;
  }
}

function sendWithFault(response: Response, answer: Answer, fault: Fault | undefined, work: Work): void {
  switch (fault?.kind) {
    case 'do_then_error':
      send(response, { status: fault.status, body: work.failure(fault.status) });
      return;
    case 'do_then_drop':
      response.socket?.destroy();
      return;
    case 'do_then_timeout':
      return;
    default:
      send(response, answer);
  }
}

/** Answers one request. `changed` is called when something may have become due. */
export async function answer(
  context: SandboxContext,
  response: Response,
  work: Work,
  changed: () => void,
): Promise<void> {
  const fault = takeFault(context, work.method, work.path);
  if (strikesBefore(response, fault, work)) return;
  const refused = work.begin?.();
  if (refused) return send(response, refused);
  try {
    if (fault?.kind === 'slow') await delay(fault.delayMs);
    const done = work.execute(fault?.kind === 'stored_error');
    changed();
    sendWithFault(response, done, fault, work);
  } finally {
    work.end?.();
  }
}
