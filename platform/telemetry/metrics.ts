import { Counter, Gauge, Histogram } from 'prom-client';

// Metrics of each process's own work, in the registry of prom-client. Labels are routes, names and outcomes defined in
// the code, never an id, an address or any other input of a request. Database figures:
// domain/monitoring/figure-metrics.ts.

/** Histogram buckets for response times, in seconds: from a read of memory to the longest tolerable wait. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `route`: as the contract writes it; `status`: 2xx to 5xx, or `aborted` by the caller. */
export const requestDuration = new Histogram({
  name: 'chasqui_http_request_duration_seconds',
  help: 'Answered HTTP requests by route.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets,
});

/** `outcome`: completed, or failed (it may be tried again). */
export const jobDuration = new Histogram({
  name: 'chasqui_job_duration_seconds',
  help: 'Jobs run by a worker; each attempt counts separately.',
  labelNames: ['queue', 'job', 'outcome'] as const,
  buckets,
});

/** `outcome`: the result of the attempt (domain/provider-calls/attempt.ts), or `error` without a certain answer. */
export const operationDuration = new Histogram({
  name: 'chasqui_operation_duration_seconds',
  help: 'Attempts at effects on cards and bank.',
  labelNames: ['kind', 'outcome'] as const,
  buckets,
});

/** `call`: method and path without ids; `outcome`: 2xx to 5xx, or `error`: no answer. */
export const providerCallDuration = new Histogram({
  name: 'chasqui_provider_call_duration_seconds',
  help: 'Calls of Stripe and of the bank.',
  labelNames: ['provider', 'call', 'outcome'] as const,
  buckets,
});

/** `kind`: job or push; `outcome`: rows that were carried, or batches that failed (of jobs they are carried again, of pushes not). */
export const outboxRows = new Counter({
  name: 'chasqui_outbox_rows_total',
  help: 'Rows of the outbox that this process handed to queues and browsers, and batches that it could not.',
  labelNames: ['kind', 'outcome'] as const,
});

export const liveConnections = new Gauge({
  name: 'chasqui_live_connections',
  help: 'Browsers that are connected to this process.',
});

/** 200 as `2xx`. */
export function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

/** Runs `work` and reports its duration in seconds, with its result or error. */
export async function timed<Result>(
  work: () => Promise<Result>,
  observe: (seconds: number, ended: { result: Result } | { error: unknown }) => void,
): Promise<Result> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  try {
    const result = await work();
    observe(seconds(), { result });
    return result;
  } catch (error) {
    observe(seconds(), { error });
    throw error;
  }
}
