/** The bank's door: `/bank/v1/payouts`. */
import express, { type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import type { SandboxContext } from '../context.ts';
import { type Answer, answer } from '../server/answering.ts';
import { BankError, bankMode, createPayout, findPayout, payoutSchema } from './payouts.ts';

export interface BankDoorOptions {
  context: SandboxContext;
  key: string;
  log: Logger;
}

function checkKey(request: Request, key: string): void {
  if (request.headers.authorization !== `Bearer ${key}`) {
    throw new BankError(401, 'unauthorized', 'Missing or wrong bank key.');
  }
}

function order(context: SandboxContext, request: Request): Answer {
  const key = request.get('idempotency-key');
  if (!key || key.length > 255) throw new BankError(400, 'idempotency_key_required', 'Send an Idempotency-Key.');
  const read = payoutSchema.safeParse(request.body);
  if (!read.success) {
    const issue = read.error.issues[0];
    const field = issue?.path.join('.') || 'body';
    throw new BankError(422, 'invalid_payout', `${field}: ${issue?.message ?? 'invalid'}`);
  }
  const { payout, created } = createPayout(context, read.data, key);
  return { status: created ? 201 : 200, body: payout };
}

function read(context: SandboxContext, request: Request): Answer {
  const payout = findPayout(context, String(request.params.externalId));
  if (!payout) throw new BankError(404, 'not_found', 'No payout has this externalId.');
  return { status: 200, body: payout };
}

function answerOf(error: unknown, log: Logger): Answer {
  if (error instanceof BankError) return { status: error.status, body: error.body() };
  log.error({ err: error }, 'bank failure');
  return { status: 500, body: { code: 'internal', message: 'The bank failed.' } };
}

/** The router for `/bank`. */
export function bankRouter({ context, key, log }: BankDoorOptions): Router {
  const router = Router();
  const handle = (run: typeof order) => async (request: Request, response: Response) => {
    const { slowMs } = bankMode(context);
    if (slowMs > 0) await new Promise((resolve) => setTimeout(resolve, slowMs));
    const execute = (fails: boolean): Answer => {
      try {
        checkKey(request, key);
        if (fails) throw new BankError(500, 'internal', 'An injected failure of the sandbox.');
        return context.storage.transaction(() => run(context, request));
      } catch (error) {
        return answerOf(error, log);
      }
    };
    const work = {
      method: request.method,
      path: request.baseUrl + request.path,
      execute,
      failure: (status: number) => ({
        code: status === 429 ? 'too_many_requests' : 'internal',
        message: 'An injected failure of the sandbox.',
      }),
    };
    await answer(context, response, work, () => {});
  };
  router.post('/v1/payouts', express.json({ limit: '64kb' }), handle(order));
  router.get('/v1/payouts/:externalId', handle(read));
  router.use((_, response) => {
    response.status(404).json(new BankError(404, 'not_found', 'The bank has no such address.').body());
  });
  router.use((error: unknown, _: Request, response: Response, next: () => void) => {
    if (response.headersSent) return next();
    const bad = typeof error === 'object' && error !== null && 'status' in error && Number(error.status) < 500;
    const answered = bad ? { status: 400, body: { code: 'invalid_body', message: 'Not JSON.' } } : answerOf(error, log);
    response.status(answered.status).json(answered.body);
  });
  return router;
}
