import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { endpoints } from '#core/contracts/http/endpoints';
import { root } from '../infra/paths.ts';
import { freePort } from '../infra/ports.ts';
import { openPayment, payWithCard, sampleRecipient, signUp } from './api-client.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

interface Span {
  readonly traceId: string;
  readonly name: string;
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
  readonly service: string;
}

/** The spans received from the processes as a collector (OTLP as JSON over HTTP). */
const spans: Span[] = [];
const received: string[] = [];
const collector = createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString();
  received.push(text);
  for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans)
    for (const { spans: some } of scopeSpans)
      for (const span of some) spans.push({ ...span, service: resource.attributes[0].value.stringValue });
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}).listen(0, '127.0.0.1');
await new Promise((resolve) => collector.once('listening', resolve));
afterAll(() => collector.close());

const [apiPort, workerPort] = [await freePort(), await freePort()];
const app = useApp({
  env: {
    API_METRICS_LISTEN: String(apiPort),
    WORKER_METRICS_LISTEN: String(workerPort),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  },
});

const scrape = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
/** The names of all spans of a trace. */
const namesOf = (traceId: string | undefined) =>
  spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
const traceOf = (name: string) => spans.find((span) => span.name === name)?.traceId;

const confirm = 'POST /api/new-account/confirm-transaction';
const approve = 'POST /api/admin/transactions/{id}/approve';
const push = 'push transfer-changed';
const payout = 'bank POST /v1/payouts';
let personal: string[] = [];

/** As a browser sends it: its flag says not to keep the trace, which is not for it to decide. */
const browserTrace = '0af7651916cd43dd8448eb211c80319c';
const pushed: { state?: string; cause?: { requestId?: string; traceId?: string } }[] = [];

beforeAll(async () => {
  // Without Stripe's events the browser's report moves the transfer.
  await app.sandbox.deliver({ mode: 'drop' });
  const sender = await signUp(app);
  const recipientId = (await sender.call(endpoints.createRecipient, { body: sampleRecipient })).id;
  const payment = await openPayment(sender, { amount: '100.00', recipientId });
  await payWithCard(app.stack.sandboxUrl, payment);
  const socket = io(app.url(), { transports: ['websocket'], extraHeaders: { cookie: sender.cookie } });
  afterAll(() => socket.disconnect());
  socket.on('transfer:changed', ({ state }, cause) => pushed.push({ state, cause }));
  await new Promise((resolve) => socket.once('connect', () => resolve(undefined)));
  await sender.call(endpoints.confirmTransaction, {
    body: { paymentIntentId: payment.paymentIntentId },
    headers: {
      traceparent: `00-${browserTrace}-8448eb211c80319c-00`,
      baggage: 'name=Rosa',
      tracestate: 'chasqui=Rosa',
    },
  });
  const params = { id: payment.transferId };
  const reaches = (state: string) =>
    until(
      `the transfer is ${state}`,
      async () => (await sender.call(endpoints.getTransfer, { params })).state === state,
    );
  await reaches('in_review');
  await until('the names are checked', async () => {
    return (await app.admin.call(endpoints.review, { params })).review.screening.status === 'clear';
  });
  await app.admin.call(endpoints.approve, { params });
  await reaches('completed');
  await until('the spans arrive', async () => {
    const names = namesOf(traceOf(approve));
    // The operation ends after its call, and may be sent later.
    return (
      names.includes(payout) && names.includes('operation payout') && names.filter((name) => name === push).length > 1
    );
  });
  const { name, bankAccount, ci } = sampleRecipient;
  personal = [payment.transferId, payment.paymentIntentId, recipientId, name, bankAccount, ci, '@example.com', 'eyJ'];
}, 120_000);

test('what a browser asks for is one trace from its request to outbox, queue, job, Stripe and push', () => {
  expect(namesOf(browserTrace)).toEqual(
    expect.arrayContaining([
      confirm,
      'add confirmations.sync-confirmed-payment',
      'process confirmations',
      'job sync-confirmed-payment',
      'stripe GET /v1/payment_intents/{id}',
      push,
    ]),
  );
  // The browser that receives the push has the same trace for error reports.
  const { cause } = pushed.find(({ state }) => state === 'in_review') ?? {};
  expect(cause?.traceId).toBe(browserTrace);
  expect(app.stack.log('api')).toContain(`"requestId":"${cause?.requestId}","traceId":"${browserTrace}"`);
});

test('an approval is one trace from the admin to the charge, the payout at the bank and the pushes, over both processes', () => {
  const trace = traceOf(approve);
  expect(namesOf(trace)).toEqual(
    expect.arrayContaining([
      approve,
      'operation capture',
      'stripe POST /v1/payment_intents/{id}/capture',
      'operation payout',
      payout,
      push,
    ]),
  );
  expect(new Set(spans.filter(({ traceId }) => traceId === trace).map(({ service }) => service))).toEqual(
    new Set(['chasqui-api', 'chasqui-worker']),
  );
  // The log has the trace and the id of the request, which is also in the span.
  const begun = spans.find(({ name, traceId }) => name === approve && traceId === trace);
  const requestId = begun?.attributes.find(({ key }) => key === 'chasqui.request_id')?.value.stringValue;
  const line = app.stack
    .log('api')
    .split('\n')
    .find((one) => one.includes(`"traceId":"${trace}"`));
  expect(line).toContain(`"requestId":"${requestId}"`);
});

test('spans tell nothing of persons and have no ids but those of traces and requests', () => {
  const text = received.join('\n');
  for (const value of personal) expect(text).not.toContain(value);
});

describe('figures for Prometheus', () => {
  const files = (path: string) => readFileSync(join(root, 'infra/monitoring', path), 'utf8');
  const ruleFile = z.object({
    groups: z.array(
      z.object({
        name: z.string(),
        rules: z.array(
          z.strictObject({
            alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
            expr: z.string(),
            for: z
              .string()
              .regex(/^\d+[smh]$/)
              .optional(),
            labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
            annotations: z.strictObject({ summary: z.string().min(10), runbook: z.string() }),
          }),
        ),
      }),
    ),
  });
  const alerts = ruleFile.parse(parse(files('alerts.yml'))).groups.flatMap(({ rules }) => rules);
  const panels = z
    .object({
      panels: z.array(
        z.object({
          title: z.string(),
          targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).optional(),
        }),
      ),
    })
    .parse(JSON.parse(files('dashboard.json'))).panels;
  const expressions = [
    ...alerts.map(({ expr, annotations }) => ({ expr, text: annotations.summary })),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr, legendFormat }) => ({ expr, text: legendFormat }))),
  ];

  /** The metrics of an expression, and the labels that it selects or groups by. @throws for invalid PromQL. */
  function seriesOf(expression: string) {
    const text = expression.replaceAll('$__rate_interval', '5m');
    const found: { metric: string; labels: string[] }[] = [];
    const grouped: string[] = [];
    parser.parse(text).iterate({
      enter: (node) => {
        if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${text}`);
        if (node.name === 'LabelName' && node.node.parent?.name === 'GroupingLabels')
          grouped.push(text.slice(node.from, node.to));
        if (node.name !== 'VectorSelector') return;
        const identifier = node.node.getChild('Identifier');
        const matchers = [...text.slice(node.from, node.to).matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)];
        found.push({
          metric: identifier ? text.slice(identifier.from, identifier.to) : '',
          labels: matchers.map(([, label]) => label as string),
        });
      },
    });
    for (const { labels } of found) labels.push(...grouped.filter((label) => label !== 'le'));
    return { found, grouped };
  }

  test('the processes export every figure that an alert or the dashboard asks for, with its labels', async () => {
    const text = `${await scrape(apiPort)}\n${await scrape(workerPort)}`;
    const exported = new Map<string, Set<string>>([['up', new Set()]]);
    for (const [, name = '', labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
      const known = exported.get(name) ?? new Set();
      for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
      exported.set(name, known);
    }
    expect(expressions.length).toBeGreaterThan(40);
    for (const { metric, labels } of expressions.flatMap(({ expr }) => seriesOf(expr).found)) {
      expect([...exported.keys()]).toContain(metric);
      const known = exported.get(metric) ?? new Set();
      expect([metric, labels.filter((label) => !known.has(label) && !['job', 'instance'].includes(label))]).toEqual([
        metric,
        [],
      ]);
    }
    for (const [line] of text.matchAll(/^chasqui_.*$/gm))
      for (const value of personal) expect(line).not.toContain(value);
    expect(text).toContain(`route="${approve.slice(5)}",status="2xx"`);
    expect(text).toMatch(/^chasqui_operation_duration_seconds_count\{kind="capture",outcome="settled"\} 1$/m);
    expect(() => seriesOf('max by (chasqui_due_rows')).toThrow('no PromQL');
    // What a sentence or a legend names, the expression leaves.
    for (const { expr, text } of expressions)
      for (const [, label] of text.matchAll(/\{\{ *(?:\$labels\.)?([a-z]+) *\}\}/g))
        expect([...seriesOf(expr).grouped, 'job', 'instance'], text).toContain(label);
  });

  test('every alert has a section in the runbook, and every panel has a description', () => {
    const sections = [...readFileSync(join(root, 'docs/runbook.md'), 'utf8').matchAll(/^### ([A-Z]\w+)\n\n\S/gm)].map(
      ([, name]) => name,
    );
    expect(sections.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
    for (const { alert, annotations } of alerts)
      expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    for (const { title } of panels) expect(title).not.toBe('');
  });

  test('people who reach the product do not reach the figures', async () => {
    const response = await fetch(`${app.url()}/metrics`);
    expect(await response.text()).not.toContain('chasqui_http_request');
  });
});
