/**
 * The routes of the simulated price sites: `/prices/<site>/<path of the real site>`. They need no key, like the real
 * ones.
 */
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import type { SandboxContext } from '../context.ts';
import { type ApiResponse, respond } from '../server/respond.ts';
import { bcb, bcbList, ecb } from './central-banks.ts';
import { binanceP2p, criptoYa, dolarApi } from './dollar-boards.ts';
import { distorted, marketAt } from './market.ts';
import { priceModes, type SiteName, siteNames } from './modes.ts';
import { moneyGram } from './moneygram.ts';
import { remitly } from './remitly.ts';
import { ria } from './ria.ts';
import { blocked, type Site } from './site.ts';
import { westernUnion } from './western-union.ts';
import { wise } from './wise.ts';

const SITES: Record<SiteName, Site> = {
  ...{ westernUnion, moneyGram, ria, remitly, wise },
  ...{ bcb, bcbList, dolarApi, criptoYa, binanceP2p, ecb },
};

/** Rates in percent of the true ones: the first is obviously wrong, the second plausible. */
const DISTORTION = { absurd_value: 1000n, wrong_value: 133n };

const NOT_FOUND: ApiResponse = { status: 404, body: { message: 'Not Found' } };

function reshaped({ body, ...rest }: ApiResponse, [pattern, replacement]: Site['changedShape']): ApiResponse {
  if (typeof body === 'string') return { ...rest, body: body.replaceAll(pattern, replacement) };
  return { ...rest, body: JSON.parse(JSON.stringify(body).replaceAll(pattern, replacement)) as object };
}

function siteResponse(context: SandboxContext, name: SiteName, request: Request): ApiResponse {
  const site = SITES[name];
  const route = site.routes.find(({ method, path }) => method === request.method && path.test(request.path));
  if (!route) return NOT_FOUND;
  const now = context.clock.millis();
  const market = marketAt(now);
  const mode = priceModes(context)[name];
  const usual = route.respond({
    query: request.query,
    body: request.body,
    header: (header) => request.get(header),
    market: mode in DISTORTION ? distorted(market, DISTORTION[mode as keyof typeof DISTORTION]) : market,
    now,
  });
  return mode === 'changed_shape' ? reshaped(usual, site.changedShape) : usual;
}

function siteRouter(context: SandboxContext, name: SiteName, log: Logger): Router {
  const router = Router();
  router.use(express.json({ limit: '64kb' }), async (request, response) => {
    const execute = (fails: boolean): ApiResponse => {
      if (fails) return { status: 500, body: blocked(500) };
      try {
        return siteResponse(context, name, request);
      } catch (error) {
        log.error({ err: error }, 'price site failure');
        return { status: 500, body: blocked(500) };
      }
    };
    const path = request.baseUrl + request.path;
    await respond(
      context,
      response,
      { method: request.method, path, idempotencyKey: null, execute, failure: ({ status }) => blocked(status) },
      () => {},
    );
  });
  return router;
}

/** The router for `/prices`. */
export function pricesRouter(context: SandboxContext, log: Logger): Router {
  const router = Router();
  for (const name of siteNames) router.use(`/${name}`, siteRouter(context, name, log));
  router.use((error: unknown, _: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    response.status(400).json({ message: 'Bad Request' });
  });
  return router;
}
