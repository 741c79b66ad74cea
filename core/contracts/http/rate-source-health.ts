import { z } from 'zod';
import { rateSources } from '../../rates/sources.ts';
import { endpoint } from './endpoint.ts';
import { timestamp } from './values.ts';

/** How a source has been doing over the runs of the last seven days. */
export const sourceHealthView = z.object({
  source: z.enum(rateSources),
  name: z.string(),
  /** `working`: its last turn gave figures. `failing`: it did not. `resting`: left alone after several failures. */
  status: z.enum(['working', 'failing', 'resting', 'never_asked']),
  lastSuccessAt: timestamp.nullable(),
  lastAskedAt: timestamp.nullable(),
  /** Of the last turn that was not skipped, all requests together, in ms. */
  latencyMs: z.int().nullable(),
  turns: z.int(),
  failures: z.int(),
  /** Why its last turn failed: a code and a Spanish sentence; null when it did not. */
  lastFailure: z.object({ code: z.string(), sentence: z.string() }).nullable(),
});
export type SourceHealthView = z.infer<typeof sourceHealthView>;

export const rateSourceHealthEndpoints = {
  rateSources: endpoint({
    method: 'GET',
    path: '/api/admin/rate-sources',
    summary: 'Salud de las fuentes de precios y tasas',
    access: 'admin',
    response: z.object({ sources: z.array(sourceHealthView), lastRunAt: timestamp.nullable() }),
  }),
};
