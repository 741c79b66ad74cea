import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { User } from '#domain/accounts/account.entity';
import { Session } from '#domain/sign-in/session.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { rateLimitRules } from '../access/rate-limit-rules.ts';
import { TestApi, testPassword } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';

let api: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url, PUBLIC_URL: 'https://chasqui.example' });
  api = await TestApi.start(env, {
    rateLimitPoints: { signInsPerEmailAndNetwork: 3, signInsPerNetwork: 8, signUpsPerNetwork: 6 },
  });
});

afterAll(() => api?.close());

const account = () => ({
  name: 'Juana',
  email: `${randomUUID()}@example.com`,
  password: testPassword,
  acceptedTerms: true,
});

describe('an account', () => {
  it('an account is opened, signs in by any spelling of its address, and stays the only one with it', async () => {
    const browser = api.visitor();
    const given = account();
    const opened = await browser.send('POST', '/api/auth/register', { ...given, phone: '+34 600 000 000' });
    expect(opened.body.user).toMatchObject({
      email: given.email,
      role: 'user',
      phone: '+34 600 000 000',
      birthDateKnown: false,
    });
    const me = await browser.send('GET', '/api/auth/me');
    expect(me.body).toEqual(opened.body);
    const upper = ` ${given.email.toUpperCase()} `;
    expectFailure(
      await api.visitor().send('POST', '/api/auth/register', { ...given, email: upper }),
      409,
      'email_taken',
    );
    expect((await api.visitor().send('POST', '/api/auth/login', { email: upper, password: testPassword })).status).toBe(
      200,
    );
  });

  it('sign-up rejects a common password with an error on that field', async () => {
    const given = { ...account(), password: 'Password1' };
    const refused = await api.visitor().send('POST', '/api/auth/register', given);
    expectFailure(refused, 400, 'invalid_input');
    expect(refused.body.problems).toEqual({ password: { code: 'password_breached' } });
    expect(await api.database.fork().count(User, { email: given.email })).toBe(0);
  });

  it('an account is not opened twice at the same instant', async () => {
    const given = account();
    const answers = await Promise.all([1, 2].map(() => api.visitor().send('POST', '/api/auth/register', given)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await api.database.fork().count(User, { email: given.email })).toBe(1);
  });
});

describe('the language of a person', () => {
  const open = async (given: object, acceptLanguage?: string) => {
    const headers: Record<string, string> = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage };
    const browser = api.visitor();
    const answer = await browser.send('POST', '/api/auth/register', { ...account(), ...given }, headers);
    return { browser, locale: answer.body.user?.locale, id: answer.body.user?.id };
  };

  it('the language of a new account is the page’s, whatever the browser prefers', async () => {
    expect((await open({ locale: 'en' }, 'es-BO')).locale).toBe('en');
  });

  it.each([
    ['en-US,en;q=0.9', 'en'],
    ['fr-FR, es;q=0.5, en;q=0.8', 'en'],
    ['es-BO, en;q=0.9', 'es'],
    ['de, fr', 'es'],
    ['*', 'es'],
    ['%00; q=x', 'es'],
  ])('the language of an account opened with "Accept-Language: %s" alone is %s', async (header, locale) => {
    await api.database.fork().execute(`delete from rate_limit where key like 'signUps%'`);
    expect((await open({}, header)).locale).toBe(locale);
  });

  it('the language is changed by the person alone, and another browser of theirs reads it', async () => {
    const { browser, user } = await api.person();
    const bystander = await api.person();
    const changed = await browser.send('PUT', '/api/auth/locale', { locale: 'en' });
    expect([changed.status, changed.body.user.locale]).toEqual([200, 'en']);
    expect((await browser.send('GET', '/api/auth/me')).body).toEqual(changed.body);
    const other = api.visitor();
    const entered = await other.send('POST', '/api/auth/login', { email: user.email, password: testPassword });
    expect(entered.body.user.locale).toBe('en');
    expect((await bystander.browser.send('GET', '/api/auth/me')).body.user.locale).toBe('es');
  });

  it('the language is changed sixty times an hour at most', async () => {
    const { browser } = await api.person();
    const change = () => browser.send('PUT', '/api/auth/locale', { locale: 'en' });
    const answers = await Promise.all(Array.from({ length: rateLimitRules.localeChangesPerPerson.points }, change));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expectFailure(await change(), 429, 'too_many_requests');
  });
});

describe('a session', () => {
  it('a session travels in a cookie that scripts and other sites cannot use, and is stored as a hash', async () => {
    const { user } = await api.person();
    const answer = await api.visitor().send('POST', '/api/auth/login', { email: user.email, password: testPassword });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-chasqui_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const secret = cookie.slice(23, 66);
    expect(JSON.stringify(answer.body)).not.toContain(secret);
    const session = await api.database.fork().findOneOrFail(Session, { id: answer.body.token });
    expect(session.tokenHash).toMatch(/^[0-9a-f]{64}$/);
    expect(session.expiresAt.getTime() - session.createdAt.getTime()).toBe(12 * 3_600_000);
  });

  it('a session lasts 30 days with "remember me"', async () => {
    const { user } = await api.person();
    const login = { email: user.email, password: testPassword, remember: true };
    const answer = await api.visitor().send('POST', '/api/auth/login', login);
    expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=2592000;');
  });

  it('a session ends for good at sign-out, without touching the others', async () => {
    const { browser, user } = await api.person();
    const other = api.visitor();
    await other.send('POST', '/api/auth/login', { email: user.email, password: testPassword });
    const { cookie } = browser;
    const left = await browser.send('POST', '/api/auth/logout');
    expect(left.status).toBe(204);
    expect(left.headers.getSetCookie()[0]).toMatch(/^__Host-chasqui_session=; .*Expires=Thu, 01 Jan 1970/);
    browser.cookie = cookie;
    expectFailure(await browser.send('GET', '/api/auth/me'), 401, 'unauthenticated');
    expect((await other.send('GET', '/api/auth/me')).status).toBe(200);
    expect((await browser.send('POST', '/api/auth/logout')).status).toBe(204);
  });

  it('a session is worth nothing once expired', async () => {
    const { browser, user } = await api.person();
    await api.database.fork().nativeUpdate(Session, { userId: user.id }, { expiresAt: new Date(Date.now() - 1) });
    expectFailure(await browser.send('GET', '/api/auth/me'), 401, 'unauthenticated');
  });

  it('a session has the role that the database says now', async () => {
    const { browser, user } = await api.person('admin');
    expect((await browser.send('GET', '/api/admin/stats')).status).toBe(200);
    await api.database.fork().nativeUpdate(User, { id: user.id }, { role: 'user' });
    expectFailure(await browser.send('GET', '/api/admin/stats'), 403, 'forbidden');
  });
});

// Last: from here on this address is shut out.
describe('guessing', () => {
  const guess = (email: string, password = 'mala') =>
    api.visitor().send('POST', '/api/auth/login', { email, password });

  it('a sign-in says the same of a wrong password and an unknown address, and is refused after a few tries', async () => {
    const { user } = await api.person();
    const unknown = await guess('nadie@example.com');
    const wrong = await guess(user.email);
    expectFailure(wrong, 401, 'invalid_credentials');
    expect(wrong.body).toEqual(unknown.body);
    // At the same instant: a limit that looked first and counted later would let all of them in.
    const more = await Promise.all([1, 2, 3, 4].map(() => guess(user.email)));
    expect(more.map(({ status }) => status).sort()).toEqual([401, 401, 429, 429]);
    const shut = await guess(user.email, testPassword);
    expectFailure(shut, 429, 'too_many_requests');
    expect(Number(shut.headers.get('retry-after'))).toBeGreaterThan(800);
  });

  it('sign-ins and sign-ups are counted per network address too', async () => {
    const guesses = [];
    for (let tries = 0; tries < 8; tries += 1) guesses.push((await guess(`${randomUUID()}@example.com`)).status);
    expect(guesses.at(0)).toBe(401);
    expect(guesses.at(-1)).toBe(429);
    const accounts = [];
    for (let tries = 0; tries < 7; tries += 1) {
      accounts.push((await api.visitor().send('POST', '/api/auth/register', account())).status);
    }
    expect(accounts.at(-1)).toBe(429);
  });
});
