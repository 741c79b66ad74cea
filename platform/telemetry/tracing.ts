import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

// Spans of a request and its consequences, through outbox, queue and operations. Nothing is recorded unless
// `start-tracing.ts` configures an exporter. Names and attributes are those of the code (`attributeNames`), never input
// of a person.

let isTracing = false;
/** Share of the traces that are kept whole. */
let keptShare = 0;

/** Sets the sampled share of traces once there is a provider; undefined turns tracing off. */
export function setTracing(share: number | undefined): void {
  isTracing = share !== undefined;
  keptShare = share ?? 0;
}

/** Marks the spans of our own: with nothing that led to them only they begin a trace, and not what libraries do by themselves. */
export const ownSpan = 'chasqui.part';

/** Attributes that leave the process; all others, as messages of errors, stay. */
export const attributeNames = [
  ownSpan,
  'chasqui.request_id',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'bullmq.queue.name',
  'bullmq.queue.operation',
  'bullmq.job.name',
  'exception.type',
] as const;

interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'consumer' | 'internal';
  /** What led to it, from a row; else what runs now. Null: nothing did. */
  readonly parent?: string | null | undefined;
  readonly attributes?: Attributes;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** A span that was begun, and what runs in it. */
export interface BegunSpan {
  run<Result>(work: () => Result): Result;
  end(name?: string, attributes?: Attributes, failed?: boolean): void;
}

const tracer = () => trace.getTracer('chasqui');

/** Begins a span that the caller must end; undefined without tracing. */
export function beginSpan(
  name: string,
  { kind = 'internal', parent, attributes }: SpanOptions = {},
): BegunSpan | undefined {
  if (!isTracing) return undefined;
  const from = parent === undefined ? context.active() : contextOf(parent);
  const span = tracer().startSpan(name, { kind: kinds[kind], attributes: { ...attributes, [ownSpan]: kind } }, from);
  const inside = trace.setSpan(from, span);
  return {
    run: (work) => context.with(inside, work),
    end: (name, attributes, failed) => {
      if (name) span.updateName(name);
      if (attributes) span.setAttributes(attributes);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Runs `work` in its own span. @throws what the work throws. */
export async function traced<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  const span = beginSpan(name, options);
  if (!span) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(undefined, { 'exception.type': error instanceof Error ? error.name : typeof error }, true);
    throw error;
  }
}

/** What runs now, as a row or job carries it (W3C Trace Context); undefined outside of any span. */
export function currentTraceparent(): string | undefined {
  if (!isTracing) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** The trace that runs now, for log lines. */
export function currentTraceId(): string | undefined {
  return isTracing ? trace.getActiveSpan()?.spanContext().traceId : undefined;
}

/** The trace that the data of a job or push carries. */
export function traceparentIn(data: unknown): string | undefined {
  const traceparent = (data as { traceparent?: unknown } | null | undefined)?.traceparent;
  return typeof traceparent === 'string' ? traceparent : undefined;
}

/** The id of that trace. */
export function traceIdIn(data: unknown): string | undefined {
  return traceparentIn(data)?.slice(3, 35);
}

/**
 * The caller's trace, used as the parent of our spans. Sampling is decided here and at random: neither the caller's
 * flag nor a chosen id may flood the collector or hide calls from it. Null without a valid W3C Trace Context (version
 * 00).
 */
export function traceOfCaller(traceparent: string | readonly string[] | undefined): string | null {
  const [, ids] = /^00-((?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16})-[\da-f]{2}$/.exec(String(traceparent)) ?? [];
  return ids === undefined ? null : `00-${ids}-${Math.random() < keptShare ? '01' : '00'}`;
}

/** Runs `work` as part of the trace that a row carries. */
export function runInTrace<Result>(traceparent: string | undefined, work: () => Result): Result {
  return isTracing && traceparent ? context.with(contextOf(traceparent), work) : work();
}

function contextOf(traceparent: string | null) {
  return traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
}
