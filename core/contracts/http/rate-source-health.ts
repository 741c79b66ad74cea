import { z } from 'zod';
import { rateSources } from '../../rates/sources.ts';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { timestamp } from './values.ts';

/** How a source has been doing over the runs of the last seven days. A run in which its circuit was open is no attempt. */
export const sourceHealthView = z.object({
  source: z.enum(rateSources),
  name: z.string(),
  /** `working`: its last attempt gave figures. `failing`: it did not. `circuit_open`: not asked for a while after several failures. */
  status: z.enum(['working', 'failing', 'circuit_open', 'never_asked']),
  lastSuccessAt: timestamp.nullable(),
  lastAskedAt: timestamp.nullable(),
  /** Of the last attempt, all requests together, in ms. */
  latencyMs: z.int().nullable(),
  attempts: z.int(),
  failures: z.int(),
  /** Why its last attempt failed: a code and a Spanish sentence; null when it did not. */
  lastFailure: z.object({ code: z.string(), sentence: z.string() }).nullable(),
});
export type SourceHealthView = z.infer<typeof sourceHealthView>;

export const rateSourceHealthEndpoints = {
  rateSources: endpoint({
    ...routes.rateSources,
    summary: 'Salud de las fuentes de precios y tasas',
    access: 'admin',
    response: z.object({ sources: z.array(sourceHealthView), lastRunAt: timestamp.nullable() }),
  }),
};
