import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { expectFailure, TestApp } from '../testing/test-app.ts';
import { readBody } from './bodies.ts';

// A request is refused by its headers, before its body is read.

let app: TestApp;
const sockets: Socket[] = [];
beforeAll(async () => {
  const { url } = await createTestDatabase();
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url, TRUST_PROXY: '127.0.0.1' }));
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => app?.close());

/** Sends the head of a request and nothing of its body. */
function sendHead(method: string, path: string, headers: Readonly<Record<string, string>> = {}): Socket {
  const { hostname, port, host, origin } = new URL(app.api.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  // The server may close it with a reset.
  socket.on('error', () => undefined);
  const lines = Object.entries({ host, origin, 'content-type': 'application/json', ...headers });
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  return socket;
}

const statusOf = async (socket: Socket) => {
  const answer = await new Promise((resolve) => socket.once('data', resolve));
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1]);
};

const seconds = Math.floor(Date.now() / 1000);
const signatureAt = (time: number) => `t=${time},v1=${'0'.repeat(64)}`;

test.each<[string, string, string, number, Record<string, string>?]>([
  ['POST', '/api/admin/reconciliation/statements', 'without a session', 401],
  ['GET', '/api/admin/reconciliation/statements', 'which no endpoint serves', 405],
  ['POST', '/api/stripe/webhook', 'without a signature', 400],
  ['POST', '/api/stripe/webhook', 'with what is no signature', 400, { 'stripe-signature': `t=${seconds},v1=0` }],
  ['POST', '/api/stripe/webhook', 'with an old signature', 400, { 'stripe-signature': signatureAt(seconds - 600) }],
  ['POST', '/api/stripe/webhook', 'with a later signature', 400, { 'stripe-signature': signatureAt(seconds + 600) }],
])('%s %s %s is answered before its body is sent', async (method, path, _, status, headers = {}) => {
  expect(await statusOf(sendHead(method, path, { 'content-length': '1000000', ...headers }))).toBe(status);
});

test('a large body of many values is refused before it is parsed', async () => {
  const post = (data: string) => {
    const headers = { 'content-type': 'application/json' };
    return app.admin.request('POST', '/api/admin/reconciliation/statements', headers, `{"data":${data}}`);
  };
  // Parsed, it would be what no endpoint takes, and not malformed.
  expectFailure(await post(`[${'[],'.repeat(30_000)}[]]`), 400, 'malformed_body');
  expectFailure(await post(`[${'[],'.repeat(9_000)}[]]`), 400, 'invalid_input');
  expectFailure(
    await post(`"${Buffer.from('no es un extracto'.repeat(10_000)).toString('base64')}"`),
    422,
    'statement_unreadable',
  );
});

test('the connection of a client that keeps sending after its response is closed', async () => {
  const socket = sendHead('POST', '/api/auth/login', { 'transfer-encoding': 'chunked' });
  const chunk = `${(1_000_000).toString(16)}\r\n${' '.repeat(1_000_000)}\r\n`;
  let sent = 0;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const send = () => {
    while (!socket.destroyed && sent < 100 && socket.write(chunk)) sent += 1;
  };
  socket.on('drain', send);
  send();
  expect(await statusOf(socket)).toBe(413);
  await closed;
  expect(sent).toBeLessThan(100);
});

test('limits how much of rejected bodies is read per network', async () => {
  const length = 10_000_000;
  const body = Buffer.alloc(length, 0x20);
  const post = async () => {
    const headers = { 'content-length': `${length}`, 'x-forwarded-for': '203.0.113.9' };
    const socket = sendHead('POST', '/api/admin/reconciliation/statements', headers);
    const status = await statusOf(socket);
    socket.write(body);
    // A client that is not cut off may go on with the next request.
    socket.write('GET /api/health/live HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const next = await Promise.race([
      statusOf(socket),
      new Promise((resolve) => socket.once('close', () => resolve('cut'))),
    ]);
    return [status, next];
  };
  const outcomes = [await post(), await post(), await post(), await post()];
  expect(outcomes[0]).toEqual([401, 200]);
  expect(outcomes.at(-1)).toEqual([401, 'cut']);
});

test('large bodies that arrive together are parsed in turns of their own', async () => {
  const body = Buffer.from(JSON.stringify({ data: 'A'.repeat(100_000) }));
  const headers = { 'content-type': 'application/json', 'content-length': `${body.length}` };
  let turn = 0;
  const count = () => {
    turn += 1;
    if (turn < 1_000) setImmediate(count);
  };
  count();
  const read = async () => {
    const request = Object.assign(Readable.from([body]), { headers }) as unknown as IncomingMessage;
    await readBody(request, endpoints.importStatement);
    return turn;
  };
  expect(new Set(await Promise.all([read(), read(), read()])).size).toBe(3);
});
