import { afterEach, expect, it, vi } from 'vitest';
import { clientError } from '#core/contracts/http/client-errors';
import { describe as describeError } from './client-errors.ts';
import { call, noteCause } from './http.ts';

afterEach(() => vi.unstubAllGlobals());

it('an error is reported by its kind and its places in our files, without message, address or ids', () => {
  const error = new TypeError('Carmen Rojas has no account 1234567');
  error.stack = `TypeError: Carmen Rojas has no account 1234567
    at pay (https://chasqui.example/assets/dashboard-D3a1_x.js:1:2345)
    at https://other.example/tracker.js:1:1
    at async https://chasqui.example/assets/app-B_J.js:2:9`;
  noteCause({});
  const report = describeError(error, '/recibo/0199b2d0-0000-4000-8000-0000000000f0');
  expect(report).toEqual({
    kind: 'TypeError',
    frames: ['dashboard-D3a1_x.js:1:2345', 'app-B_J.js:2:9'],
    page: '/recibo/:id',
    build: '',
  });
  expect(clientError.parse(report)).toEqual(report);
});

it('an error deep in our files is reported with as many places as the contract takes', () => {
  const error = new Error('x');
  error.stack = Array.from(
    { length: 40 },
    (_, line) => `at f (https://chasqui.example/assets/app.js:${line + 1}:1)`,
  ).join('\n');
  expect(clientError.parse(describeError(error, '/')).frames).toHaveLength(12);
});

it.each([
  ['a text', 'string'],
  [undefined, 'undefined'],
  [{ name: 'Carmen' }, 'object'],
])('a thrown %j is reported by its type alone', (thrown, kind) => {
  const report = describeError(thrown, '/una página que nadie conoce');
  expect(clientError.parse(report)).toMatchObject({ kind, frames: [], page: '/*', build: '' });
});

it('an error is reported with the request or push before it, whose ids the server has too', async () => {
  let traceparent = '';
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Record<string, string> }) => {
    traceparent = headers.traceparent ?? '';
    return new Response('{}', { headers: { 'x-request-id': '7K3M9QXD2F4T' } });
  });
  const traces = new Set<string | undefined>();
  for (const _ of [1, 2]) {
    await call('getRates');
    const { requestId, traceId } = clientError.parse(describeError(new Error('x'), '/'));
    expect([requestId, traceId]).toEqual(['7K3M9QXD2F4T', expect.stringMatching(/^[0-9a-f]{32}$/)]);
    // What the server takes for the trace that goes on (platform/telemetry/tracing.ts).
    expect(traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    traces.add(traceId);
  }
  expect(traces.size).toBe(2);
  noteCause({ requestId: 'OF-THE-PUSH' });
  const { requestId, traceId } = clientError.parse(describeError(new Error('x'), '/'));
  expect([requestId, traceId]).toEqual(['OF-THE-PUSH', undefined]);
});
