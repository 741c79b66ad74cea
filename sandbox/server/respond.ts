/** Executes one API request of a simulator and applies the injected fault that matches it. */
import type { Response } from 'express';
import type { SandboxContext } from '../context.ts';
import { matchFault } from './fault-injection.ts';
import type { ApiCall, FaultRequest } from './fault-schema.ts';

export interface ApiResponse {
  status: number;
  /** Text is sent unchanged: HTML, unless the headers say otherwise. */
  body: object | string;
  headers?: Record<string, string>;
}

export interface ApiRequest extends ApiCall {
  /**
   * Executes the request. With `failWhileExecuting` it must fail, and the failure is stored under its idempotency key.
   */
  execute: (failWhileExecuting: boolean) => ApiResponse;
  /** The body of an injected failure. */
  failure: (fault: FaultRequest) => object | string;
  /**
   * Runs before execution and takes the idempotency key. A response is the first one under this key: nothing is
   * executed.
   */
  begin?: () => ApiResponse | undefined;
  /** Runs after execution, unless `begin` returned a response. */
  end?: () => void;
}

function send(response: Response, { status, headers, body }: ApiResponse): void {
  if (response.destroyed) return;
  response
    .status(status)
    .set(headers ?? {})
    .send(body);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function sendFailure(response: Response, fault: FaultRequest, request: ApiRequest): void {
  const { status, shouldRetry, page } = fault;
  if (shouldRetry !== undefined) response.set('stripe-should-retry', String(shouldRetry));
  const html = `<!doctype html><title>${status}</title><h1>${status}</h1><hr>proxy`;
  send(response, { status, body: page ? html : request.failure(fault) });
}

/** Applies a fault that keeps the request from being executed. Returns whether there was one. */
function failBeforeExecuting(response: Response, fault: FaultRequest | undefined, request: ApiRequest): boolean {
  switch (fault?.kind) {
    case 'error':
      sendFailure(response, fault, request);
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

function sendWithFault(
  response: Response,
  result: ApiResponse,
  fault: FaultRequest | undefined,
  request: ApiRequest,
): void {
  switch (fault?.kind) {
    case 'do_then_error':
      sendFailure(response, fault, request);
      return;
    case 'do_then_drop':
      response.socket?.destroy();
      return;
    case 'do_then_timeout':
      return;
    default:
      send(response, result);
  }
}

/**
 * Executes `request` and sends its response. `changed` is called after execution, when something may have become due.
 */
export async function respond(
  context: SandboxContext,
  response: Response,
  request: ApiRequest,
  changed: () => void,
): Promise<void> {
  const { method, path, idempotencyKey } = request;
  const fault = matchFault(context, { method, path, idempotencyKey });
  if (failBeforeExecuting(response, fault, request)) return;
  const replayed = request.begin?.();
  if (replayed) return sendWithFault(response, replayed, fault, request);
  try {
    if (fault?.kind === 'slow') await delay(fault.delayMs);
    const result = request.execute(fault?.kind === 'stored_error');
    changed();
    sendWithFault(response, result, fault, request);
  } finally {
    request.end?.();
  }
}
