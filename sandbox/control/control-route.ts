/** Common to all control routes: who may use them, how they read and how they refuse. */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';

export class ControlError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * The control routes have no password, so no page of another origin may use them: a browser tells its origin on every unsafe
 * request. Programs send none and pass.
 */
export function sameOriginOnly(request: Request, response: Response, next: NextFunction): void {
  const origin = request.get('origin');
  const site = request.get('sec-fetch-site');
  const own = `${request.protocol}://${request.get('host')}`;
  const foreign = (origin !== undefined && origin !== own) || site === 'cross-site';
  if (!foreign) {
    next();
    return;
  }
  response.status(403).json({ code: 'forbidden', message: 'Only the sandbox’s own pages may do this.' });
}

export interface ControlCall<B> {
  context: SandboxContext;
  params: Record<string, string>;
  body: B;
}

/** A control route: body read by `schema`, run in one transaction, answered as JSON. `changed` wakes what became due. */
export function controlRoute<B, R extends object>(
  context: SandboxContext,
  changed: () => void,
  schema: z.ZodType<B>,
  run: (call: ControlCall<B>) => R,
): RequestHandler {
  return (request, response) => {
    const read = schema.safeParse(request.body ?? {});
    if (!read.success) throw new ControlError(400, 'invalid', z.prettifyError(read.error));
    const params = request.params as Record<string, string>;
    const result = context.storage.transaction(() => run({ context, params, body: read.data }));
    changed();
    response.json(result);
  };
}

export const anyBody = z.unknown();

/** Whole numbers and filters from a query string. */
export function readQuery<T>(request: Request, schema: z.ZodType<T>): T {
  const read = schema.safeParse(request.query);
  if (!read.success) throw new ControlError(400, 'invalid', z.prettifyError(read.error));
  return read.data;
}
