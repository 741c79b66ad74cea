import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, type SpanExporter } from '@opentelemetry/sdk-trace';
import { afterEach, expect, test } from 'vitest';
import { addPush, type OutboxRow, rowsWritten } from '../outbox/outbox.ts';
import { startTracing } from './start-tracing.ts';
import {
  beginSpan,
  currentTraceId,
  currentTraceparent,
  runInTrace,
  traced,
  traceOfCaller,
  traceparentIn,
} from './tracing.ts';

let close = async () => {};
afterEach(() => close());

/** What a transaction writes to the outbox for a push. */
function rowOf(data: Record<string, never>): OutboxRow {
  const em = { persist: () => {}, create: (_: unknown, row: object) => row } as never;
  addPush(em, 'rate-changed', data);
  return rowsWritten(em)[0] as OutboxRow;
}

/** Spans that leave the process. */
function start(ratio = 1) {
  const memory = new InMemorySpanExporter();
  // A shut-down exporter forgets its spans.
  const exporter: SpanExporter = { export: (spans, done) => memory.export(spans, done), shutdown: async () => {} };
  ({ close } = startTracing('worker', { url: 'http://127.0.0.1:9', ratio }, exporter));
  return async () => {
    await close();
    return memory.getFinishedSpans();
  };
}

test('nothing is traced and no row is marked unless it was said where spans go', async () => {
  expect(await traced('job', {}, async () => [currentTraceparent(), currentTraceId()])).toEqual([undefined, undefined]);
  expect(beginSpan('job')).toBeUndefined();
  expect(rowOf({}).data).toEqual({});
});

test('the work of a row continues the trace of its writer, in another process too', async () => {
  const spans = start();
  const row = await traced('request', { parent: null }, async () => rowOf({}));
  const carried = traceparentIn(row.data);
  expect(carried).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  await runInTrace(carried, () => traced('job', {}, async () => {}));
  await traced('operation', { parent: carried }, async () => {});
  await traced('sweep', { parent: null }, async () => {});
  const [request, job, operation, sweep] = await spans();
  for (const one of [job, operation]) {
    expect(one?.spanContext().traceId).toBe(request?.spanContext().traceId);
    expect(one?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  }
  expect(sweep?.spanContext().traceId).not.toBe(request?.spanContext().traceId);
});

test('no error message and no attribute outside the list leaves the process', async () => {
  const spans = start();
  const name = 'Rosa Mamani';
  const failing = traced(
    'job',
    { parent: null, attributes: { 'http.route': '/api/rate', 'bullmq.job.id': name } },
    async () => {
      trace.getActiveSpan()?.recordException(new Error(name));
      trace.getActiveSpan()?.setStatus({ code: 2, message: name });
      throw new TypeError(name);
    },
  );
  await expect(failing).rejects.toThrow(name);
  const [span] = await spans();
  expect(JSON.stringify([span?.attributes, span?.events, span?.status])).not.toContain(name);
  expect(span?.attributes).toMatchObject({ 'http.route': '/api/rate', 'exception.type': 'TypeError' });
  expect(span?.status.code).toBe(2);
});

test('a share of the traces is kept whole, and what libraries do by themselves begins none', async () => {
  const none = start(0);
  await traced('request', { parent: null }, () => traced('job', {}, async () => {}));
  expect(await none()).toEqual([]);
  const all = start();
  trace.getTracer('bullmq').startSpan('getNextJob sweeps').end();
  expect(await all()).toEqual([]);
});

test('continues a caller’s trace, and decides here whether it is sampled', async () => {
  const ids = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';
  const kept = async (ratio: number, flags: string) => {
    const spans = start(ratio);
    const answered = await traced('request', { parent: traceOfCaller(`00-${ids}-${flags}`) }, async () =>
      currentTraceId(),
    );
    expect(answered).toBe(ids.slice(0, 32));
    return (await spans()).map((span) => span.spanContext().traceId);
  };
  for (const flags of ['00', '01']) {
    expect(await kept(1, flags)).toEqual([ids.slice(0, 32)]);
    expect(await kept(0, flags)).toEqual([]);
  }
  const none = [undefined, 'x', `01-${ids}-01`, `00-${ids}-01-more`, `00-${'0'.repeat(32)}-b7ad6b7169203331-01`];
  for (const wrong of [...none, `00-${ids.toUpperCase()}-01`, `00-${ids}-01, 00-${ids}-01`])
    expect(traceOfCaller(wrong)).toBeNull();
});
