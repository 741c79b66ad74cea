import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { failureCodes } from '../failures.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints, failureView } from './endpoints.ts';
import { failureDetails } from './failure-details.ts';

const all = Object.entries<Endpoint>(endpoints);

describe.each(all)('%s', (_, endpoint) => {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);

  test('an endpoint names in its path exactly the parameters it reads', () => {
    expect(Object.keys(endpoint.params?.shape ?? {})).toEqual(inPath);
    expect(endpoint.path.replace(/\{\w+\}/g, '')).toMatch(/^\/api(\/[a-z-]*)+$/);
  });

  test('an endpoint takes a body only where its method has one, and a query only to read', () => {
    if (endpoint.body) expect(['POST', 'PUT']).toContain(endpoint.method);
    if (endpoint.query) expect(endpoint.method).toBe('GET');
  });

  test('an endpoint has a Spanish description', () => {
    expect(endpoint.summary).toMatch(/^[A-ZÁÉÍÓÚ].*[^.]$/);
  });

  test('an endpoint answers with a status of success, 204 only without a body', () => {
    const status = endpoint.status ?? (endpoint.response ? 200 : 204);
    expect(endpoint.response || endpoint.answersFile ? [200, 201] : [204]).toContain(status);
  });

  test('an endpoint lists each failure once', () => {
    expect(new Set(endpoint.failures).size).toBe(endpoint.failures?.length ?? 0);
    if (inPath.includes('id')) expect(endpoint.failures).toContain('not_found');
  });

  test('the input and output of an endpoint convert to JSON Schema', () => {
    for (const taken of [endpoint.params, endpoint.query, endpoint.body]) {
      if (taken) expect(z.toJSONSchema(taken, { io: 'input', unrepresentable: 'throw' })).toBeTypeOf('object');
    }
    if (endpoint.response) {
      expect(z.toJSONSchema(endpoint.response, { io: 'output', unrepresentable: 'throw' })).toBeTypeOf('object');
    }
  });
});

test('no two endpoints share method and path, whatever their parameters are called', () => {
  const calls = all.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
  expect(new Set(calls).size).toBe(calls.length);
});

test('an admin path is for admins and nothing else is', () => {
  for (const [name, { path, access }] of all) {
    expect(path.startsWith('/api/admin/'), name).toBe(access === 'admin');
  }
});

test('every admin endpoint that changes something or serves a file has an audit kind', () => {
  for (const [name, { method, access, answersFile, audit }] of all) {
    if (access === 'admin') expect(audit !== undefined, name).toBe(method !== 'GET' || answersFile === true);
  }
});

test('endpoints open to everybody are only sign-in, password reset, prices, the card form, tracking links, papers, help, health and reports of errors', () => {
  const open = all.filter(([, { access }]) => access === 'public').map(([name]) => name);
  expect(open.sort()).toEqual(
    [
      ...[
        'register',
        'login',
        'secondStep',
        'passkeyOptions',
        'passkeySignIn',
        'logout',
        'recoverPassword',
        'recoveryLink',
        'resetPassword',
        'emailLink',
        'useEmailLink',
        'getRates',
        'getRate',
        'quote',
        'paymentConfig',
        'cryptoConfig',
        'live',
        'ready',
      ],
      ...[
        'exchangeRates',
        'scraper',
        'scraperFor',
        'rateSeries',
        'bankBoard',
        'arrivalTimes',
        'helpContact',
        'reportClientError',
      ],
      // Anyone with the link can track a transfer, and anyone with a paper can check it.
      ...['readTracking', 'confirmReceived', 'checkPaper', 'checkPaperFile'],
    ].sort(),
  );
});

test('every path of the specification has its endpoint', () => {
  const calls = all.map(([, { method, path }]) => `${method} ${path}`);
  expect(calls).toEqual(
    expect.arrayContaining([
      'GET /api/rate',
      'GET /api/rate/{currency}',
      'POST /api/quote',
      'GET /api/dashboard',
      'GET /api/transactions',
      'GET /api/recipients',
      'POST /api/new-account/create-payment-intent',
      'GET /api/new-account/payment-status/{paymentIntentId}',
      'POST /api/new-account/confirm-transaction',
      'POST /api/create-onramp-session',
      'POST /api/auth/login',
      'POST /api/auth/register',
      'GET /api/admin/transactions',
      'GET /api/admin/users',
      'GET /api/admin/stats',
      'GET /api/admin/exchange-rate/history',
      'POST /api/admin/exchange-rate',
      'POST /api/admin/transactions/{id}/approve',
      'POST /api/admin/transactions/{id}/reject',
      'POST /api/admin/refresh',
    ]),
  );
});

test('the body of a failure has its code, its message and the details of that code, nothing else', () => {
  for (const code of failureCodes) {
    const body = { code, message: 'Un mensaje.' };
    const isBare = failureDetails[code].safeParse({}).success;
    expect(failureView.safeParse(body).success, code).toBe(isBare);
    expect(failureView.safeParse({ ...body, invented: 1 }).success, code).toBe(false);
  }
  expect(failureView.safeParse({ code: 'too_many_alerts', message: '', most: 10 }).success).toBe(true);
  expect(failureView.safeParse({ code: 'made_up', message: '' }).success).toBe(false);
  expect(z.toJSONSchema(failureView)).toBeTypeOf('object');
});

describe('texts people type', () => {
  const register = { name: 'Ana', email: 'ana@chasqui.test', password: '12345678', acceptedTerms: true };
  const texts: [string, z.ZodType, Record<string, unknown>, string[]][] = [
    ['register', endpoints.register.body, register, ['name', 'email', 'phone', 'city']],
    ['login', endpoints.login.body, { email: 'ana@chasqui.test', password: 'x' }, ['email']],
    ['reject', endpoints.reject.body, {}, ['reason']],
    ['adminUsers', endpoints.adminUsers.query, {}, ['search']],
    ['adminTransfers', endpoints.adminTransfers.query, {}, ['search']],
    ['listTransfers', endpoints.listTransfers.query, {}, ['search']],
  ];
  const fields = texts.flatMap(([name, schema, valid, names]) =>
    names.map((field) => ({ name, schema, valid, field })),
  );

  // PostgreSQL cannot store U+0000: without a rejection here it would be a 500.
  test.each(fields)('$name refuses U+0000 in $field, at any place', ({ schema, valid, field }) => {
    expect(schema.safeParse(valid).success).toBe(true);
    for (const text of ['\u0000', 'a\u0000b', '\u0000ab', 'ab\u0000', 'a\u0000@chasqui.test']) {
      expect(schema.safeParse({ ...valid, [field]: text }).success).toBe(false);
    }
  });

  test('a reason may have several lines', () => {
    expect(endpoints.reject.body.parse({ reason: ' uno\r\n\tdos\n' })).toEqual({ reason: 'uno\r\n\tdos' });
  });
});

describe('ids', () => {
  test('ids are written in lower case, whatever case they come in', () => {
    const id = 'F81D4FAE-7DEC-41D0-A765-00A0C91E6BF6';
    expect(endpoints.approve.params.parse({ id })).toEqual({ id: id.toLowerCase() });
  });

  test.each(['', '1', '../etc/passwd', 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6 ', "'; drop table transfer; --"])(
    '%j is no id',
    (id) => {
      expect(endpoints.approve.params.safeParse({ id }).success).toBe(false);
    },
  );

  test('ids of payments are Stripe’s', () => {
    const { params } = endpoints.paymentStatus;
    expect(params.safeParse({ paymentIntentId: 'pi_3Abc_x' }).success).toBe(true);
    for (const paymentIntentId of ['', 'pi_', 'ch_1', 'pi_1/../x', 'pi_1\n', `pi_${'a'.repeat(101)}`]) {
      expect(params.safeParse({ paymentIntentId }).success).toBe(false);
    }
  });
});

describe('creating an account', () => {
  const { body } = endpoints.register;
  const ana = { name: 'Ana', email: ' Ana@Chasqui.TEST ', password: '12345678', acceptedTerms: true };
  const complaint = (change: object) => body.safeParse({ ...ana, ...change }).error?.issues[0]?.message;

  test('the body that creates an account keeps the e-mail in lower case and takes no role', () => {
    expect(body.parse({ ...ana, role: 'admin' })).toEqual({ ...ana, email: 'ana@chasqui.test' });
  });

  test.each([
    [{ name: 'A' }, 'Nombre debe tener al menos 2 caracteres'],
    [{ name: undefined }, 'Nombre requerido'],
    [{ name: 'Gana 500 USD en http://evil.example' }, 'Escribe solo el nombre, sin enlaces ni los signos / y @'],
    [{ name: 'Entra a Www.evil.example' }, 'Escribe solo el nombre, sin enlaces ni los signos / y @'],
    [{ name: 'evil.example/premio' }, 'Escribe solo el nombre, sin enlaces ni los signos / y @'],
    [{ name: 'gana@evil.example' }, 'Escribe solo el nombre, sin enlaces ni los signos / y @'],
    [{ email: undefined }, 'Correo electrónico requerido'],
    [{ email: 'ana' }, 'Correo electrónico inválido'],
    [{ email: `${'a'.repeat(250)}@b.bo` }, 'Correo electrónico inválido'],
    [{ password: '1234567' }, 'La contraseña debe tener al menos 8 caracteres'],
    [{ password: 'x'.repeat(201) }, 'Usa como máximo 200 caracteres'],
    [{ password: undefined }, 'Contraseña requerida'],
    [{ acceptedTerms: false }, 'Debes aceptar los términos y condiciones para continuar'],
    [{ acceptedTerms: undefined }, 'Debes aceptar los términos y condiciones para continuar'],
  ])('an account with %j is refused: %s', (change, sentence) => {
    expect(complaint(change)).toBe(sentence);
  });
});

test('a confirmation is read for the payment’s id alone, whatever an older client sends along', () => {
  const paymentIntentId = 'pi_1';
  const parsed = endpoints.confirmTransaction.body.parse({ paymentIntentId, amount: {}, currency: 7, userId: [] });
  expect(parsed.paymentIntentId).toBe(paymentIntentId);
});
