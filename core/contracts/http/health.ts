import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';

const health = z.object({ status: z.enum(['ok', 'error', 'shutting_down']) }).loose();

export const healthEndpoints = {
  live: endpoint({
    ...routes.live,
    summary: 'El proceso responde',
    access: 'public',
    response: health,
  }),
  ready: endpoint({
    ...routes.ready,
    summary: 'La base de datos y las colas responden',
    access: 'public',
    response: health,
  }),
};
