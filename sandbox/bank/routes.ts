/** The routes of the simulated bank: `/bank/v1/` `payouts`, `returns`, `statements` and `name-inquiries`. */
import express, { type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';
import { type ApiResponse, respond } from '../server/respond.ts';
import { answerName, nameInquirySchema } from './names.ts';
import { BankError, bankMode, createPayout, findPayout, payoutSchema } from './payouts.ts';
import { listReturns } from './returns.ts';
import { statementOf } from './statements.ts';

export interface BankRouterOptions {
  context: SandboxContext;
  /** The API key; by default bank_sandbox. */
  key?: string | undefined;
  log: Logger;
}

function checkKey(request: Request, key: string): void {
  if (request.headers.authorization !== `Bearer ${key}`) {
    throw new BankError(401, 'unauthorized', 'Missing or wrong bank key.');
  }
}

/** Key and body of a POST. Throws BankError when either is wrong. */
function readPost<Body>(request: Request, shape: z.ZodType<Body>, code: string): { key: string; body: Body } {
  const key = request.get('idempotency-key');
  if (!key || key.length > 255) throw new BankError(400, 'idempotency_key_required', 'Send an Idempotency-Key.');
  const read = shape.safeParse(request.body);
  if (read.success) return { key, body: read.data };
  const issue = read.error.issues[0];
  throw new BankError(422, code, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`);
}

function create(context: SandboxContext, request: Request): ApiResponse {
  const { key, body } = readPost(request, payoutSchema, 'invalid_payout');
  const { payout, created } = createPayout(context, body, key);
  return { status: created ? 201 : 200, body: payout };
}

function read(context: SandboxContext, request: Request): ApiResponse {
  const payout = findPayout(context, String(request.params.externalId));
  if (!payout) throw new BankError(404, 'payout_not_found', 'No payout has this externalId.');
  return { status: 200, body: payout };
}

function askName(context: SandboxContext, request: Request): ApiResponse {
  const { body } = readPost(request, nameInquirySchema, 'invalid_inquiry');
  return { status: 200, body: answerName(body, bankMode(context).names) };
}

function returns(context: SandboxContext, request: Request): ApiResponse {
  const { after } = request.query;
  return { status: 200, body: listReturns(context, after === undefined ? undefined : String(after)) };
}

const statementQuery = z.object({ day: z.iso.date(), format: z.enum(['camt053', 'csv']).default('camt053') });

function statement(context: SandboxContext, request: Request): ApiResponse {
  const read = statementQuery.safeParse({ ...request.query, day: request.params.day });
  if (!read.success) throw new BankError(400, 'invalid_statement', 'Send a day and a format: camt053 or csv.');
  const { day, format } = read.data;
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/xml';
  return { status: 200, body: statementOf(context, day, format), headers: { 'content-type': type } };
}

function failureResponse(error: unknown, log: Logger): ApiResponse {
  if (error instanceof BankError) return { status: error.status, body: error.body() };
  log.error({ err: error }, 'bank failure');
  return { status: 500, body: { code: 'internal', message: 'The bank failed.' } };
}

/** The router for `/bank`. */
export function bankRouter({ context, key = 'bank_sandbox', log }: BankRouterOptions): Router {
  const router = Router();
  const handle = (run: typeof create) => async (request: Request, response: Response) => {
    const { slowMs } = bankMode(context);
    if (slowMs > 0) await new Promise((resolve) => setTimeout(resolve, slowMs));
    const execute = (failWhileExecuting: boolean): ApiResponse => {
      try {
        checkKey(request, key);
        if (failWhileExecuting) throw new BankError(500, 'internal', 'An injected failure of the sandbox.');
        return context.storage.transaction(() => run(context, request));
      } catch (error) {
        return failureResponse(error, log);
      }
    };
    const apiRequest = {
      method: request.method,
      path: request.baseUrl + request.path,
      idempotencyKey: request.get('idempotency-key') ?? null,
      execute,
      failure: ({ status }: { status: number }) => ({
        code: status === 429 ? 'too_many_requests' : 'internal',
        message: 'An injected failure of the sandbox.',
      }),
    };
    await respond(context, response, apiRequest, () => {});
  };
  router.post('/v1/payouts', express.json({ limit: '64kb' }), handle(create));
  router.get('/v1/payouts/:externalId', handle(read));
  router.post('/v1/name-inquiries', express.json({ limit: '64kb' }), handle(askName));
  router.get('/v1/returns', handle(returns));
  router.get('/v1/statements/:day', handle(statement));
  router.use((_, response) => {
    response.status(404).json(new BankError(404, 'not_found', 'The bank has no such address.').body());
  });
  router.use((error: unknown, _: Request, response: Response, next: () => void) => {
    if (response.headersSent) return next();
    const bad = typeof error === 'object' && error !== null && 'status' in error && Number(error.status) < 500;
    const failure = bad
      ? { status: 400, body: { code: 'invalid_body', message: 'Not JSON.' } }
      : failureResponse(error, log);
    response.status(failure.status).json(failure.body);
  });
  return router;
}
