import { type Attributes, context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { BullMQOtel } from 'bullmq-otel';
import type { TracingConfiguration } from '../configuration/variables.ts';
import { attributeNames, ownSpan, setTracing } from './tracing.ts';

/** Spans of this process go to `exporter` from now on. Resolves, once closed, when the last of them were sent or given up. */
export function startTracing(
  service: 'api' | 'worker',
  { ratio, url }: TracingConfiguration,
  exporter: SpanExporter = new OTLPTraceExporter({ url: `${url.replace(/\/$/, '')}/v1/traces` }),
): { telemetry: BullMQOtel; close(): Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `chasqui-${service}` }),
    sampler: new ParentBasedSampler({ root: ownRoots(new TraceIdRatioBasedSampler(ratio)) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: withoutDetails(exporter), scheduledDelayMillis: 1_000 })],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  setTracing(ratio);
  return {
    telemetry: new BullMQOtel(),
    close: async () => {
      setTracing(undefined);
      await provider.shutdown().catch(() => {});
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}

/** BullMQ's workers would begin a trace each time they look for a job. */
function ownRoots(sampler: TraceIdRatioBasedSampler): Sampler {
  const none = new AlwaysOffSampler();
  return {
    shouldSample: (from, traceId, _name, _kind, attributes) =>
      attributes[ownSpan] === undefined ? none.shouldSample() : sampler.shouldSample(from, traceId),
    toString: () => 'OwnRoots',
  };
}

const kept: ReadonlySet<string> = new Set(attributeNames);

/** Messages of errors and ids of jobs stay here: deny by default. */
function withoutDetails(exporter: SpanExporter): SpanExporter {
  const only = (attributes: Attributes = {}) =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => kept.has(name)));
  const bare = (span: ReadableSpan): ReadableSpan =>
    Object.create(span, {
      attributes: { value: only(span.attributes) },
      events: { value: span.events.map((event) => ({ ...event, attributes: only(event.attributes) })) },
      status: { value: { code: span.status.code } },
    });
  return {
    export: (spans, done) => exporter.export(spans.map(bare), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
