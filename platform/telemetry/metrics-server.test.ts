import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { jobDuration, timed } from './metrics.ts';
import { serveMetrics } from './metrics-server.ts';

const log = pino({ level: 'silent' });
let server: Awaited<ReturnType<typeof serveMetrics>>;
afterEach(() => server.close());

const ask = async (path: string, init?: RequestInit) => {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

test('counters are served only at /metrics, even when the database figures cannot be read', async () => {
  server = await serveMetrics({ host: '127.0.0.1', port: 0 }, () => Promise.reject(new Error('down')), log);
  const labels = { queue: 'payouts', job: 'counted-here' };
  const counted = (work: () => Promise<void>) =>
    timed(work, (seconds, ended) =>
      jobDuration.observe({ ...labels, outcome: 'result' in ended ? 'completed' : 'failed' }, seconds),
    );
  await counted(async () => {});
  await expect(counted(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  const { status, type, text } = await ask('/metrics');
  expect([status, type]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)]);
  for (const outcome of ['completed', 'failed'])
    expect(text).toMatch(
      new RegExp(
        `^chasqui_job_duration_seconds_count\\{queue="payouts",job="counted-here",outcome="${outcome}"\\} 1$`,
        'm',
      ),
    );
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect((await ask('/')).status).toBe(404);
  expect((await ask('/metrics', { method: 'POST' })).status).toBe(404);
});
