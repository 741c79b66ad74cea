import { z } from 'zod';
import { rateSources } from '../../rates/sources.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { timestamp } from './values.ts';

/** Details of a source's failure: the HTTP status, or the field that changed. */
export const sourceFailureFacts = { status: z.int().optional(), field: z.string().optional() };

/** Why a source gave nothing: a code with its facts, and the same as a Spanish sentence. */
const sourceFailureView = z.object({ code: z.string(), ...sourceFailureFacts, sentence: z.string() });
export type SourceFailureView = z.infer<typeof sourceFailureView>;

/** How a source has been doing over the runs of the last seven days. A run in which its circuit was open is no attempt. */
export const sourceHealthView = z.object({
  source: z.enum(rateSources),
  name: z.string(),
  /** `working`: its last attempt gave figures. `failing`: it did not. `circuit_open`: paused after several failures. */
  status: z.enum(['working', 'failing', 'circuit_open', 'never_asked']),
  lastSuccessAt: timestamp.nullable(),
  lastAskedAt: timestamp.nullable(),
  /** Of the last attempt, all requests together, in ms. */
  latencyMs: z.int().nullable(),
  attempts: z.int(),
  failures: z.int(),
  /** Why its last attempt failed; null when it did not. */
  lastFailure: sourceFailureView.nullable(),
});
export type SourceHealthView = z.infer<typeof sourceHealthView>;

export const rateSourceHealthEndpoints = {
  rateSources: endpoint({
    ...adminRoutes.rateSources,
    summary: 'Salud de las fuentes de precios y tasas',
    access: 'admin',
    response: z.object({ sources: z.array(sourceHealthView), lastRunAt: timestamp.nullable() }),
  }),
};
