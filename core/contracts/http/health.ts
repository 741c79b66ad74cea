import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const health = z.object({ status: z.enum(['ok', 'error', 'shutting_down']) }).loose();

export const healthEndpoints = {
  live: endpoint({
    method: 'GET',
    path: '/api/health/live',
    summary: 'El proceso responde',
    access: 'public',
    response: health,
  }),
  ready: endpoint({
    method: 'GET',
    path: '/api/health/ready',
    summary: 'La base de datos y las colas responden',
    access: 'public',
    response: health,
  }),
};
