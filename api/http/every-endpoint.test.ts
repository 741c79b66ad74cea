import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureCodes } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import { User } from '#domain/accounts/account.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { type EndpointName, requestFixtures, sampleRecipient } from '../testing/request-fixtures.ts';
import { expectFailure, TestApp, table } from '../testing/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
});

afterAll(() => app?.close());

const changing = table.filter(([, endpoint]) => endpoint.method !== 'GET');
const withBody = table.filter(([, endpoint]) => endpoint.body);
const withParams = table.filter(([, endpoint]) => endpoint.params);
const withQuery = table.filter(([, endpoint]) => endpoint.query);

const base64 = (text: string) => Buffer.from(text).toString('base64url');

describe('a correct call is answered, and unknown fields of its body are ignored', () => {
  it.each(table)(
    'a correct call of %s is answered, and unknown fields of its body are ignored',
    async (name, endpoint) => {
      const body = app.bodyOf(name);
      const unknown = { unknown: 'x', role: 'admin', id: randomUUID(), ['__proto__']: { role: 'admin' } };
      // Others still need the sample's recipient.
      const other = { ...sampleRecipient, bankAccount: '777-000-111', saveAnyway: true };
      const fresh = async () => ({ id: (await app.sender.send('POST', '/api/recipients', other)).body.id });
      const path = app.pathOf(name, name === 'deleteRecipient' ? await fresh() : undefined);
      const answer = await app.allowed(endpoint).send(endpoint.method, path, body && { ...unknown, ...body });
      const success = endpoint.status ?? (endpoint.response ? 200 : 204);
      expect(answer.status, JSON.stringify(answer.body)).toBe(requestFixtures[name].status ?? success);
      if (name === 'register') expect(answer.body.user.role).toBe('user');
      // The visitor stays one.
      app.visitor.cookie = '';
    },
  );
});

// Who may call what: api/access/authorisation.test.ts.
describe('who calls', () => {
  it('a refused call is logged with its code and the id of who called', async () => {
    const before = app.api.logged.length;
    const { body } = await app.sender.send('GET', '/api/auth/me');
    expectFailure(await app.sender.send('GET', '/api/admin/stats'), 403, 'forbidden');
    expectFailure(await app.api.visitor().send('GET', '/api/admin/stats'), 401, 'unauthenticated');
    const lines = () => app.api.logged.slice(before).map((line) => JSON.parse(line));
    const refusals = () => lines().flatMap(({ refused, personId }) => (refused ? [[refused, personId]] : []));
    await expect.poll(refusals, { interval: 5 }).toEqual([
      ['forbidden', body.user.id],
      ['unauthenticated', undefined],
    ]);
  });

  // One guard reads the cookie of all endpoints.
  it('a call whose cookie is no session answers 401', async () => {
    const stranger = app.api.visitor();
    for (const secret of ['', 'x', 'A'.repeat(43), `${'A'.repeat(43)}%00`]) {
      stranger.cookie = `chasqui_session=${secret}`;
      expectFailure(await app.call('me', stranger), 401, 'unauthenticated');
    }
  });

  it('an admin without a role may nothing', async () => {
    const { browser, user } = await app.api.person('admin');
    await app.api.database.fork().nativeUpdate(User, { id: user.id }, { adminRole: null });
    expectFailure(await app.call('adminStats', browser), 403, 'forbidden');
  });

  it('support sees people and transfers with their personal data masked', async () => {
    const { browser } = await app.api.person('admin', 'Eva Choque', 'support');
    const { body } = await browser.send('GET', '/api/admin/transactions');
    expect(body.items[0]).toMatchObject({ user_email: expect.stringMatching(/^u•••@example\.com$/) });
    expect(body.items[0].recipient_details).toMatchObject({ ci: '•••90', phone: '•••67', address: '•••' });
    const { body: people } = await browser.send('GET', '/api/admin/users');
    const { body: one } = await browser.send('GET', `/api/admin/users/${people.items[0].id}`);
    expect(one.user).toMatchObject({ birthDate: null, email: people.items[0].email });
    expect(JSON.stringify([body, people, one])).not.toContain(sampleRecipient.bankAccount);
  });
});

describe('a call caused by another site is refused', () => {
  it.each(changing)('a call of %s caused by another site is refused', async (name, endpoint) => {
    const foreign = { origin: 'https://evil.example' };
    expectFailure(await app.call(name, app.allowed(endpoint), foreign), 403, 'wrong_origin');
  });

  // One guard compares the headers of all endpoints (origin.test.ts).
  it('every sign that a call was caused by another site is enough to refuse it', async () => {
    const foreign: Record<string, string>[] = [
      { origin: 'null' },
      { origin: '' },
      { origin: `${app.api.url}.evil.example` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) {
      expectFailure(await app.call('logout', app.sender, headers), 403, 'wrong_origin');
    }
  });
});

describe('a path called with another method answers 405 with its methods', () => {
  it.each(table)('the path of %s called with another method answers 405 with its methods', async (name, endpoint) => {
    const served = new Set<string>(table.filter(([, { path }]) => path === endpoint.path).map(([, one]) => one.method));
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !served.has(one))) {
      const answer = await app.allowed(endpoint).send(method, app.pathOf(name));
      expectFailure(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...served].sort());
    }
  });
});

describe('a body that is no JSON object of a reasonable size is refused', () => {
  const json = { 'content-type': 'application/json' };
  const sendRaw = (name: EndpointName, body: string | Buffer, headers: Record<string, string> = json) => {
    const endpoint = endpoints[name];
    return app.allowed(endpoint).request(endpoint.method, app.pathOf(name), headers, body);
  };
  const textOf = (name: EndpointName) => JSON.stringify(app.bodyOf(name));

  it.each(withBody)('a body of %s that is no JSON object of a reasonable size is refused', async (name, endpoint) => {
    const text = textOf(name);
    expectFailure(await sendRaw(name, text.slice(0, -1)), 400, 'malformed_body');
    expectFailure(await sendRaw(name, text, { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
    const more = (value: string) => `${text.slice(0, -1)},"more":${value}}`;
    const tooLong = more(`"${'x'.repeat(endpoint.bodyBytesMax ?? 100_000)}"`);
    expectFailure(await sendRaw(name, tooLong), 413, 'body_too_large');
    expectFailure(await sendRaw(name, '[]'), 400, 'invalid_input');
    const deep = text.replace(/}$/, `,"userDetails":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    expect((await sendRaw(name, deep)).status).toBeLessThan(500);
    app.visitor.cookie = '';
  });

  // All endpoints have the same parser.
  it('a body that is broken in any way is refused', async () => {
    const broken = ['{', '{"a":}', 'amount=1', '"text"', '12', 'null', Buffer.from([0xff, 0xfe, 0])];
    for (const body of broken) expectFailure(await sendRaw('createRecipient', body), 400, 'malformed_body');
  });

  it('a body of any other type, charset or encoding is refused', async () => {
    const foreignTypes = ['text/html', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    const foreignHeaders = [
      ...foreignTypes.map((type) => ({ 'content-type': type })),
      ...['klingon', 'utf-7', 'utf-16'].map((charset) => ({ 'content-type': `application/json; charset=${charset}` })),
      { ...json, 'content-encoding': 'klingon' },
      { ...json, 'content-encoding': 'gzip' },
    ];
    const text = textOf('createRecipient');
    for (const headers of foreignHeaders) {
      expectFailure(await sendRaw('createRecipient', text, headers), 415, 'unsupported_media_type');
    }
  });
});

describe('a malformed id is refused', () => {
  const wrong = [
    'x',
    '0',
    '-1',
    'null',
    '%00',
    'pi_%00',
    '9'.repeat(500),
    "'--",
    '%F0%9F%92%A9',
    // A day that PostgreSQL does not have.
    '0000-01-01',
    randomUUID().slice(1),
  ];

  it.each(withParams)('a malformed id in the path of %s is refused', async (name, endpoint) => {
    for (const param of Object.keys(endpoint.params?.shape ?? {})) {
      const send = (value: string) =>
        app.allowed(endpoint).send(endpoint.method, app.pathOf(name, { [param]: value }), app.bodyOf(name));
      for (const value of wrong) {
        const answer = await send(value);
        expectFailure(answer, 400, 'invalid_input');
        expect(Object.keys(answer.body.fields)).toEqual([param]);
      }
      expectFailure(await send('%E0%A4%A'), 404, 'not_found');
    }
  });
});

describe('an invalid query is refused', () => {
  const wrong: Record<string, readonly string[]> = {
    limit: ['0', '-1', '101', '1.5', 'abc', '', '1e9', '9'.repeat(400), '%00'],
    cursor: [
      'x',
      '%00',
      '""',
      'A'.repeat(201),
      base64('-5'),
      base64(`x ${randomUUID()}`),
      base64(`2026-01-01T00:00:00.000Z ${'x'.repeat(36)}`),
      base64(`+275760-09-13T00:00:00.000Z ${randomUUID()}`),
    ],
    search: ['%00', 'a%00b', 'x'.repeat(101)],
    recipient: ['', 'present', 'Missing'],
    progress: ['x', '', 'Under_way', '%00'],
    status: ['x', '', '%00', 'in_review'],
    currency: ['BOB', '', '%00'],
    amount: ['x', '', '0', '-1', '1e3', '10.001', '%00', '9'.repeat(400)],
    days: ['x', '', '0', '31', '-30', '30.0', '%00'],
    cause: ['x', '', '%00', 'Charge_missing'],
    reason: ['x', '', '%00', 'Dispute_lost'],
    older_than_hours: ['x', '', '0', '2', '24.0', '-24', '%00'],
    assigned: ['x', '', 'Me', '%00'],
    view: ['x', '', 'To_decide', '%00'],
    from: ['x', '', '2026-02-30', '1999-12-31', '275760-09-13', '%00'],
    to: ['x', '', '2026-02-30', '2100-01-01', '275760-09-13', '%00'],
    least: ['x', '', '0', '-1', '1e3', '10.001', '%00', '9'.repeat(400)],
    most: ['x', '', '0', '-1', '1e3', '10.001', '%00', '9'.repeat(400)],
    bank: ['%00', 'a%00b', 'x'.repeat(101)],
    actor: ['x', '', '%00', randomUUID().slice(1)],
    kind: ['x', '', '%00', 'Signed_in'],
    subject: ['%00', 'a%00b', 'x'.repeat(101)],
    sender: ['x', '', '%00', randomUUID().slice(1)],
    language: ['fr', '', 'ES', '%00'],
  };

  it.each(withQuery)('an invalid query of %s is refused', async (name, endpoint) => {
    const ask = (query: string) => app.allowed(endpoint).send('GET', `${app.pathOf(name)}?${query}`);
    for (const field of Object.keys(endpoint.query?.shape ?? {})) {
      const values = wrong[field];
      if (!values) throw new Error(`no attack on the query's ${field}`);
      for (const value of [...values, `1&${field}=2`]) {
        const answer = await ask(`${field}=${value}`);
        expectFailure(answer, 400, 'invalid_input');
        expect(Object.keys(answer.body.fields)).toEqual([field]);
      }
    }
    expect((await ask('more=1&__proto__=x&limit=1')).status).toBe(requestFixtures[name].status ?? 200);
  });
});

describe('paths outside the contract', () => {
  it('any other path under /api answers 404', async () => {
    for (const path of ['/api', '/api/', '/api/x', '/api/admin', '/api/recipients/a/b', '/api/__proto__', '/api/%00']) {
      expectFailure(await app.sender.send('GET', path), 404, 'not_found');
      expectFailure(await app.sender.send('POST', path, {}), 404, 'not_found');
    }
  });

  it('a request with two Host headers answers 400', async () => {
    const { hostname, port } = new URL(app.api.url);
    const answers = [['localhost'], ['localhost', 'evil.example']].map(async (hosts) => {
      const request = get({
        host: hostname,
        port,
        path: '/api/rate',
        headers: hosts.flatMap((host) => ['Host', host]),
      });
      const [response] = await once(request, 'response');
      response.resume();
      return response.statusCode;
    });
    expect(await Promise.all(answers)).toEqual([200, 400]);
  });

  it('an idle connection stays open for longer than the 60 seconds that proxies keep theirs', async () => {
    const { headers } = await fetch(`${app.api.url}/api/rate`);
    expect(Number(/^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(60);
  });

  it('the queue dashboard is for admins only', async () => {
    const board = '/ops/queues/api/queues';
    expectFailure(await app.visitor.send('GET', board), 401, 'unauthenticated');
    expectFailure(await app.sender.send('GET', board), 403, 'forbidden');
    const pause = await app.admin.send('PUT', `${board}/sweeps/pause`, undefined, { origin: 'https://evil.example' });
    expectFailure(pause, 403, 'wrong_origin');
    const page = await app.visitor.request('GET', '/ops/queues', { accept: 'text/html' });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/login?next=%2Fops%2Fqueues']);
    const list = await app.admin.send('GET', board);
    expect(list.body.queues.map(({ name }: { name: string }) => name)).toContain('decisions');
    const { body, headers } = await app.admin.request('GET', '/ops/queues');
    // Its page sets a base URL for its files.
    expect(headers.get('content-security-policy')).toContain("base-uri 'self';");
    for (const part of ['Chasqui', '/mark.svg', '"url":"/admin"']) expect(body).toContain(part);
    // Content that our CSP blocks would log an error in the console.
    expect(body).not.toContain('googleapis');
    // As the panel: in the language that the browser asks for, unless another was chosen.
    expect(body).toContain('<html lang="es"');
    const inEnglish = { 'accept-language': 'en-GB', accept: 'text/html' };
    const english = await app.admin.request('GET', '/ops/queues', inEnglish);
    for (const part of ['<html lang="en"', '"lng":"en-US"', 'Chasqui · queues']) expect(english.body).toContain(part);
    const cookie = `${app.admin.cookie}; language=es`;
    const chosen = await app.admin.request('GET', '/ops/queues', { ...inEnglish, cookie });
    for (const part of ['<html lang="es"', '"lng":"es-ES"', 'Chasqui · colas']) expect(chosen.body).toContain(part);
  });

  it('the OpenAPI document describes every endpoint', async () => {
    const { body } = await app.visitor.send('GET', '/api/docs-json');
    for (const [name, { path, method }] of table) expect(body.paths[path][method.toLowerCase()].operationId).toBe(name);
    const { schemas } = body.components;
    expect(Object.keys(schemas)).toEqual(failureCodes.map((code) => `failure_${code}`));
    expect(schemas.failure_too_many_alerts.properties).toMatchObject({ code: { const: 'too_many_alerts' }, most: {} });
    const { responses } = body.paths['/api/rate-alerts'].post;
    expect(responses[422].content['application/json'].schema.oneOf).toContainEqual({
      $ref: '#/components/schemas/failure_too_many_alerts',
    });
    expect((await app.visitor.request('GET', '/api/docs')).body).toContain('swagger');
  });
});

it('the api never failed unexpectedly and logged nothing personal', () => app.expectQuietLog());
