/** What all control routes share: same-origin check, parsing of input and errors. */
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
 * The control routes have no password, so pages of other origins are refused: browsers send Origin or Sec-Fetch-Site.
 * Programs send neither and pass.
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

/**
 * A control route: parses the body by `schema`, runs in one transaction and responds JSON. `changed` is called after
 * the commit.
 */
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

/** Parses the query string; throws ControlError when it is invalid. */
export function readQuery<T>(request: Request, schema: z.ZodType<T>): T {
  const read = schema.safeParse(request.query);
  if (!read.success) throw new ControlError(400, 'invalid', z.prettifyError(read.error));
  return read.data;
}
