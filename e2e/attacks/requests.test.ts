import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { fileBytesMax, fileNameMax } from '#core/files/upload';
import { readApiConfiguration } from '#platform/configuration/api';
import { type OwnedThings, ownEverything } from '../../api/testing/owned-things.ts';
import { type EndpointName, requestFixtures } from '../../api/testing/request-fixtures.ts';
import { testPassword } from '../../api/testing/test-api.ts';
import { expectFailure, TestApp, table } from '../../api/testing/test-app.ts';
import type { TestBrowser } from '../../api/testing/test-browser.ts';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { eicar, FakeClamd } from '../../infra/testing/fake-clamd.ts';

// What a hostile browser or program may send. Ids of other people, by every caller: api/access/authorisation.test.ts. Other sites, methods,
// sizes and encodings, on every endpoint: api/http/every-endpoint.test.ts. Frames and scripts: api/web/web.test.ts.

/** An endpoint with a body for each kind of caller. Every endpoint has the same parser. */
const ofEachAccess = ['register', 'createPaymentIntent', 'setRate'] as const satisfies readonly EndpointName[];

let app: TestApp;
let clamd: FakeClamd;
let owned: OwnedThings;
let userId: string;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  clamd = await FakeClamd.start();
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url, CLAMAV_URL: clamd.url }));
  const idOf = async (browser: TestBrowser): Promise<string> =>
    (await browser.send('GET', '/api/auth/me')).body.user.id;
  userId = await idOf(app.sender);
  const things = { ids: app.ids, userId, adminId: await idOf(app.admin), text: 'Rosa Choque' };
  owned = await ownEverything(app.api.database, things);
});
afterAll(async () => {
  await app?.close();
  await clamd?.close();
});

const rows = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  app.api.database.fork().execute(sql, values) as Promise<Row[]>;

describe('another site', () => {
  it('a form of another site is refused, also by a browser that names no origin', async () => {
    const forms = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    for (const name of ofEachAccess) {
      const endpoint = endpoints[name];
      for (const type of forms) {
        const answer = await app
          .allowed(endpoint)
          .request(endpoint.method, app.pathOf(name), { 'content-type': type }, JSON.stringify(app.bodyOf(name)));
        expectFailure(answer, 415, 'unsupported_media_type');
      }
    }
  });

  it('the session’s cookie is not sent with what other sites cause, and no script can read it', async () => {
    const { user } = await app.api.person();
    const answer = await app.api
      .visitor()
      .send('POST', '/api/auth/login', { email: user.email, password: testPassword });
    const [session = ''] = answer.headers.getSetCookie().filter((line) => line.startsWith('chasqui_session='));
    expect(session).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect(session).toContain('; Path=/');
    expect(session).not.toMatch(/domain/i);
  });
});

describe('a planted session', () => {
  it('a session cookie that was planted before signing in opens nothing afterwards', async () => {
    const { user } = await app.api.person();
    const planted = `chasqui_session=${randomBytes(32).toString('base64url')}`;
    const victim = app.api.visitor();
    victim.cookie = planted;
    await victim.send('POST', '/api/auth/login', { email: user.email, password: testPassword });
    expect((await victim.send('GET', '/api/auth/me')).status).toBe(200);
    expect(victim.cookie).not.toBe(planted);
    const attacker = app.api.visitor();
    attacker.cookie = planted;
    expectFailure(await attacker.send('GET', '/api/auth/me'), 401, 'unauthenticated');
  });

  it('signing in over another’s session creates a separate one and leaves the other unchanged', async () => {
    const [first, second] = [await app.api.person(), await app.api.person()];
    const attacker = first.browser.cookie;
    const shared = app.api.visitor();
    shared.cookie = attacker;
    await shared.send('POST', '/api/auth/login', { email: second.user.email, password: testPassword });
    expect((await shared.send('GET', '/api/auth/me')).body.user.id).toBe(second.user.id);
    expect((await first.browser.send('GET', '/api/auth/me')).body.user.id).toBe(first.user.id);
  });
});

describe('fields that the server alone decides', () => {
  it('an account is made as a sender’s, whatever the request says of its role, id or state', async () => {
    const visitor = app.api.visitor();
    const id = '0199b2d0-0000-7000-8000-00000000000d';
    const wanted = {
      id,
      role: 'admin',
      adminRole: 'owner',
      admin_role: 'owner',
      emailProvenAt: '2026-01-01',
      blockedAt: null,
    };
    const { body } = await visitor.send('POST', '/api/auth/register', {
      ...requestFixtures.register.body?.(app.ids),
      ...wanted,
    });
    expect(body.user).toMatchObject({ role: 'user', adminRole: null });
    expect(body.user.id).not.toBe(id);
    const more = { name: 'Rosa Choque', city: 'Sucre', email: 'otra@example.com', ...wanted };
    await visitor.send('PUT', '/api/account', more);
    const [row] = await rows('select * from app_user where id = ?', [body.user.id]);
    expect(row).toMatchObject({ name: 'Rosa Choque', email: body.user.email, role: 'user', admin_role: null });
  });

  it('a transfer is priced, owned and paid as the server says, whatever the request says of it', async () => {
    const body = { amount: '10', currency: 'usd', recipientId: app.ids.recipientId };
    const wanted = {
      ...{
        userId: '0199b2d0-0000-7000-8000-00000000000d',
        user_id: 'x',
        id: app.ids.transferId,
        state: 'completed',
        rate: '99.00',
      },
      ...{
        bolivianos: '99999.00',
        bolivianosMinor: '9999900',
        fee: '0.00',
        feeMinor: '0',
        paidAt: '2026-01-01T00:00:00Z',
      },
      ...{ takesBetterRate: true, quoteExpiresAt: '2999-01-01T00:00:00Z', status: 'succeeded', amount_minor: '1' },
    };
    const opened = await app.sender.send('POST', '/api/new-account/create-payment-intent', { ...body, ...wanted });
    const honest = await app.sender.send('POST', '/api/quote', { amount: '10', currency: 'usd' });
    const [row] = await rows<Record<string, unknown>>('select * from transfer where id = ?', [opened.body.transferId]);
    expect(row).toMatchObject({ user_id: userId, state: 'awaiting_payment', amount_minor: '1000', paid_at: null });
    expect(opened.body.transferId).not.toBe(app.ids.transferId);
    expect(opened.body.quote.bolivianos).toBe(honest.body.bolivianos);
  });

  it('a recipient stays its owner’s and unchecked, whatever the request says of it', async () => {
    const wanted = {
      userId: 'x',
      user_id: 'x',
      id: app.ids.otherRecipientId,
      nameCheck: 'match',
      confirmedAt: '2026-01-01',
    };
    const sample = requestFixtures.updateRecipient.body?.(app.ids);
    await app.sender.send('PUT', `/api/recipients/${app.ids.recipientId}`, { ...sample, ...wanted, city: 'Potosí' });
    const found = await rows<{ id: string; user_id: string }>(
      "select id, user_id from recipient where city = 'Potosí'",
    );
    expect(found).toEqual([{ id: app.ids.recipientId, user_id: userId }]);
  });
});

describe('names of properties that objects have of themselves', () => {
  const polluting = [
    '{"__proto__":{"polluted":"yes","role":"admin"}',
    '{"constructor":{"prototype":{"polluted":"yes"}}',
    '{"userDetails":{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}',
  ];

  const pollutedBody = (start: string, name: EndpointName) =>
    start + JSON.stringify(app.bodyOf(name)).replace(/^\{/, ',').replace(/^,\}/, '}');

  it('no body adds a property to other objects', async () => {
    for (const name of ofEachAccess) {
      const endpoint = endpoints[name];
      const browser = app.allowed(endpoint);
      const { cookie } = browser;
      for (const start of polluting) {
        const headers = { 'content-type': 'application/json', origin: app.api.url };
        const body = pollutedBody(start, name);
        const { status } = await browser.request(endpoint.method, app.pathOf(name), headers, body);
        expect(status, name).toBeLessThan(500);
      }
      // Restore the cookie: signing in or up changed the user.
      if (endpoint.access === 'public') browser.cookie = cookie;
    }
    expect([({} as { polluted?: string }).polluted, ({} as { role?: string }).role]).toEqual([undefined, undefined]);
  });

  it.each(table.flatMap(([name, { body }]) => (body ? [[name, body] as const] : [])))(
    '%s takes no such name from its body',
    (name, schema) => {
      for (const start of polluting) {
        const taken = schema.parse(JSON.parse(pollutedBody(start, name)));
        expect(Object.keys(taken as object)).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/^(__proto__|constructor)$/)]),
        );
      }
      expect([({} as { polluted?: string }).polluted, ({} as { role?: string }).role]).toEqual([undefined, undefined]);
    },
  );

  it('no query pollutes prototypes, and an id such as `__proto__` is not found', async () => {
    for (const query of ['__proto__[polluted]=yes', 'constructor[prototype][polluted]=yes', '__proto__.polluted=yes']) {
      expect((await app.sender.send('GET', `/api/transactions?${query}`)).status).toBe(200);
    }
    for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expectFailure(await app.sender.send('GET', `/api/transactions/${id}`), 400, 'invalid_input');
      expectFailure(await app.visitor.send('GET', `/api/rate/${id}`), 400, 'invalid_input');
    }
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});

describe('headers', () => {
  it('a line break in what a person types reaches no header: it is refused where one line is meant', async () => {
    const injected = 'Rosa\r\nBcc: todos@example.com';
    const answers = await Promise.all([
      app.visitor.send('POST', '/api/auth/register', { ...requestFixtures.register.body?.(app.ids), name: injected }),
      app.sender.send('PUT', '/api/account', { name: injected }),
      app.visitor.send('POST', '/api/auth/recover', { email: 'rosa@example.com\r\nBcc: todos@example.com' }),
      app.sender.send('POST', '/api/recipients', {
        ...requestFixtures.createRecipient.body?.(app.ids),
        name: injected,
      }),
    ]);
    for (const answer of answers) expectFailure(answer, 400, 'invalid_input');
  });

  it('a line break in an address becomes part of no answer’s header', async () => {
    for (const path of [
      '/ops/queues?a=%0d%0aSet-Cookie:%20a=b',
      '/login%0d%0aSet-Cookie:%20a=b',
      '/api/rate/%0d%0aX-Evil:1',
    ]) {
      const { headers } = await app.visitor.request('GET', path, { accept: 'text/html' });
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.has('x-evil')).toBe(false);
    }
  });
});

describe('addresses of other sites', () => {
  it('no answer leads to another site, whatever the address, the query or the Host header says', async () => {
    const paths = [
      ...[
        '//evil.example',
        '//evil.example/..',
        '/%2Fevil.example',
        '/%5Cevil.example',
        '/\\evil.example',
        '/.//evil.example',
      ],
      ...[
        '/en//evil.example/',
        '/login//evil.example/',
        '/login?next=//evil.example',
        '/login/?next=https://evil.example',
      ],
      ...[
        '/ops/queues',
        '/ops/queues//evil.example',
        '/ops/queues?next=https://evil.example',
        '/ops/queues/..//evil.example',
      ],
      ...['/assets//evil.example/', '/api//evil.example/', '/api/docs//evil.example', '/terms//'],
    ];
    for (const path of paths) {
      const answer = await fetch(`${app.api.url}${path}`, { redirect: 'manual', headers: { accept: 'text/html' } });
      await answer.body?.cancel();
      const location = answer.headers.get('location');
      if (location !== null) expect(new URL(location, app.api.url).origin, path).toBe(app.api.url);
      expect(answer.headers.get('refresh')).toBeNull();
    }
  });
});

describe('what browsers and proxies keep', () => {
  it('no answer with something of a person may be kept by a browser or a proxy', async () => {
    const reading = table.filter(([, { method, access }]) => method === 'GET' && access !== 'public');
    const kept: string[] = [];
    for (const [name, endpoint] of reading) {
      const answer = await app.call(name, app.allowed(endpoint));
      if (!answer.headers.get('cache-control')?.includes('no-store')) kept.push(name);
    }
    expect(kept).toEqual([]);
  });
});

describe('uploaded files', () => {
  const send = (name: string, type: string, bytes: Buffer) =>
    app.sender.send('POST', `/api/complaints/${owned.complaintId}/files`, {
      name,
      type,
      data: bytes.toString('base64'),
    });
  const pdf = (rest: string | Buffer = '') => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(rest)]);

  it('rejects a file whose content does not match its type', async () => {
    const page = Buffer.from('<html><script>alert(1)</script></html>');
    const wrong: [string, Buffer][] = [
      ['application/pdf', page],
      ['image/png', pdf()],
      ['image/jpeg', Buffer.from('GIF89a')],
      ['application/pdf', Buffer.concat([page, pdf()])],
      ['application/pdf', gzipSync(pdf())],
      ['image/png', Buffer.alloc(0)],
      ['image/svg+xml', page],
      ['text/html', page],
    ];
    for (const [type, bytes] of wrong) expectFailure(await send('recibo.pdf', type, bytes), 400, 'invalid_input');
  });

  it('a file with a virus is refused, and nothing of it is kept', async () => {
    const ofReport = () => rows('select id from attachment where complaint_id = ?', [owned.complaintId]);
    const before = await ofReport();
    const refused = await send('recibo.pdf', 'application/pdf', pdf(eicar));
    expectFailure(refused, 400, 'invalid_input');
    expect(refused.body.problems).toEqual({ data: { code: 'proof_infected' } });
    expect(clamd.files.at(-1)?.equals(pdf(eicar))).toBe(true);
    expect(await ofReport()).toEqual(before);
  });

  it('a file that is two things at once is only ever downloaded, as the type that was checked', async () => {
    const polyglot = pdf('<html><script>alert(1)</script></html>');
    const { body } = await send('recibo.html', 'application/pdf', polyglot);
    const { id } = body.files.at(-1);
    const { headers } = await app.sender.send('GET', `/api/files/${id}`);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''recibo.html.pdf");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  it('a file that is too large, or packed, is refused before it is read', async () => {
    expectFailure(await send('recibo.pdf', 'application/pdf', pdf(Buffer.alloc(fileBytesMax))), 400, 'invalid_input');
    const path = `/api/complaints/${owned.complaintId}/files`;
    const bomb = gzipSync(Buffer.alloc(30_000_000, ' '));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', origin: app.api.url };
    expectFailure(await app.sender.request('POST', path, headers, bomb), 415, 'unsupported_media_type');
    const huge = { 'content-type': 'application/json', origin: app.api.url };
    expectFailure(await app.sender.request('POST', path, huge, Buffer.alloc(3_000_001, ' ')), 413, 'body_too_large');
  });

  it('stores an image of enormous dimensions unchanged without decoding it', async () => {
    // 60,000 x 60,000 pixels would be 14 GB.
    const header = Buffer.from('89504e470d0a1a0a0000000d49484452' + '0000ea600000ea600802000000', 'hex');
    const before = process.memoryUsage().rss;
    expect((await send('foto.png', 'image/png', header)).status).toBe(201);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  it('a file name cannot inject a path or a header: it is encoded in the response, and invalid names are rejected', async () => {
    const { body } = await send('../../etc/passwd"; x="', 'application/pdf', pdf('path'));
    const { headers } = await app.sender.send('GET', `/api/files/${body.files.at(-1).id}`);
    expect(headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd%22%3B%20x%3D%22.pdf",
    );
    for (const name of ['a\r\nX-Evil: 1', 'a\0.pdf', '\u202efdp.exe', '\ud800.pdf', 'x'.repeat(fileNameMax + 1)]) {
      expectFailure(await send(name, 'application/pdf', pdf(name)), 400, 'invalid_input');
    }
  });
});

it('the api never failed unexpectedly and logged nothing personal', () => app.expectQuietLog());
