import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { User } from '#domain/accounts/account.entity';
import { Email } from '#domain/emails/email.entity';
import { Session } from '#domain/sign-in/session.entity';
import { PushSubscription } from '#domain/web-pushes/web-push.entity';
import { type ApiConfiguration, readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi, testPassword, unlimited } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const newPassword = 'otra-clave-mas-larga';
let api: TestApi;
let env: ApiConfiguration;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url });
  api = await TestApi.start(env, { rateLimitPoints: { ...unlimited, passwordChecksPerPerson: 3 } });
});
afterAll(() => api?.close());

/** Another browser of the same person. */
async function otherBrowser(email: string, userAgent = iphone): Promise<TestBrowser> {
  const browser = api.visitor();
  await browser.send('POST', '/api/auth/login', { email, password: testPassword }, { 'user-agent': userAgent });
  return browser;
}
const login = (email: string, password: string) => api.visitor().send('POST', '/api/auth/login', { email, password });
const sessionsOf = async (browser: TestBrowser, query = '') =>
  (await browser.send('GET', `/api/account/sessions${query}`)).body;
const me = async (browser: TestBrowser) => (await browser.send('GET', '/api/auth/me')).status;

/** Connects a page; resolves, once connected, to what resolves when the server hangs up. */
async function connect({ cookie }: TestBrowser): Promise<{ hungUp: Promise<string>; isConnected: () => boolean }> {
  const socket = io(api.url, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { cookie },
  });
  const hungUp = new Promise<string>((resolve) => socket.on('disconnect', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve);
    socket.on('connect_error', reject);
  });
  return { hungUp, isConnected: () => socket.connected };
}

describe('own data', () => {
  const change = (browser: TestBrowser, body: object) => browser.send('PUT', '/api/account', body);

  it('own data is changed by the rules of sign-up, and omitted fields are deleted', async () => {
    const { browser, user } = await api.person();
    const before = await browser.send('GET', '/api/account');
    expect(before.body).toMatchObject({
      email: user.email,
      name: 'Carmen Rojas',
      phone: null,
      birthDate: '1990-05-17',
    });
    const given = { name: ' Carmen Rojas Choque ', phone: '+34 600 000 000', city: 'Madrid', occupation: 'autonomo' };
    const changed = await change(browser, given);
    expect(changed.body).toEqual({ ...before.body, ...given, name: 'Carmen Rojas Choque' });
    expect((await browser.send('GET', '/api/auth/me')).body.user).toMatchObject({ city: 'Madrid' });
    const emptied = await change(browser, { name: 'Carmen', phone: '' });
    expect(emptied.body).toEqual({ ...before.body, name: 'Carmen', phone: null, city: null, occupation: null });
  });

  it('own data are refused with the sentences of the sign-up form', async () => {
    const { browser } = await api.person();
    for (const name of ['', 'C', '123', 'www.evil.example']) {
      const refused = await change(browser, { name });
      expectFailure(refused, 400, 'invalid_input');
      const { email: _none, ...body } = { name, email: 'x@example.com', password: testPassword, acceptedTerms: true };
      const atSignUp = await api.visitor().send('POST', '/api/auth/register', { ...body, email: 'x@example.com' });
      expect(refused.body.fields).toEqual(atSignUp.body.fields);
    }
    expectFailure(await change(browser, { name: 'Carmen', occupation: 'rey' }), 400, 'invalid_input');
  });

  it('own data cannot change e-mail address, role or anybody else’s account', async () => {
    const { browser, user } = await api.person();
    const other = await api.person();
    await change(browser, {
      name: 'Yo',
      id: other.user.id,
      email: 'yo@example.com',
      role: 'admin',
      birthDate: '2000-01-01',
    });
    const rows = await api.database.fork().find(User, { id: { $in: [user.id, other.user.id] } });
    const kept = { role: 'user', birthDate: '1990-05-17' };
    expect(rows.find(({ id }) => id === user.id)).toMatchObject({ ...kept, name: 'Yo', email: user.email });
    expect(rows.find(({ id }) => id === other.user.id)).toMatchObject({ ...kept, name: 'Carmen Rojas' });
  });
});

describe('the own password', () => {
  const change = (browser: TestBrowser, current: string, password = newPassword) =>
    browser.send('PUT', '/api/account/password', { current, password });

  it('a password changed on a page ends all other sessions and their connections, keeps this one and says so by e-mail', async () => {
    const { browser, user } = await api.person();
    const other = await otherBrowser(user.email);
    const bystander = await api.person();
    const [kept, ended] = [await connect(browser), await connect(other)];
    expect((await change(browser, testPassword)).status).toBe(204);
    expect(await ended.hungUp).toBe('io server disconnect');
    expect(kept.isConnected()).toBe(true);
    expect([await me(browser), await me(other), await me(bystander.browser)]).toEqual([200, 401, 200]);
    expectFailure(await login(user.email, testPassword), 401, 'invalid_credentials');
    expect((await login(user.email, newPassword)).status).toBe(200);
    const emails = await api.database.fork().find(Email, { userId: user.id, kind: 'password_changed' });
    expect(emails.map(({ data }) => data)).toMatchObject([{ changedAt: expect.any(String), keptSession: true }]);
  });

  it('a password is changed by who knows the current one, to one that sign-up would take', async () => {
    const { browser, user } = await api.person();
    expectFailure(await change(browser, 'mala'), 422, 'wrong_password');
    const short = await change(browser, testPassword, 'corta');
    expectFailure(short, 400, 'invalid_input');
    expect(short.body.fields).toEqual({ password: 'La contraseña debe tener al menos 8 caracteres' });
    const own = await change(browser, testPassword, 'Carmen-Rojas-1990');
    expect(own.body.problems).toEqual({ password: { code: 'password_personal' } });
    expect((await login(user.email, testPassword)).status).toBe(200);
    expect(await api.database.fork().count(Email, { userId: user.id, kind: 'password_changed' })).toBe(0);
  });

  it('a page left open is no place to guess the password: after some tries even the right one waits', async () => {
    const { browser } = await api.person();
    const guesses = await Promise.all([1, 2, 3, 4].map(() => change(browser, 'mala')));
    expect(guesses.map(({ status }) => status).sort()).toEqual([422, 422, 422, 429]);
    expectFailure(await change(browser, testPassword), 429, 'too_many_requests');
  });

  it('a right password forgets the wrong ones typed before it', async () => {
    const { browser } = await api.person();
    for (const password of [newPassword, testPassword]) {
      const current = password === newPassword ? testPassword : newPassword;
      expectFailure(await change(browser, 'mala'), 422, 'wrong_password');
      expectFailure(await change(browser, 'mala'), 422, 'wrong_password');
      expect((await change(browser, current, password)).status).toBe(204);
    }
  });

  it('a password changed twice at the same instant is changed once, with one e-mail', async () => {
    const { browser, user } = await api.person();
    const passwords = ['primera-clave-larga', 'segunda-clave-larga'];
    const answers = await Promise.all(passwords.map((password) => change(browser, testPassword, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422]);
    expect(await api.database.fork().count(Email, { userId: user.id })).toBe(1);
  });
});

describe('own sessions', () => {
  it('lists the own active sessions with their devices, the current one separately', async () => {
    const { browser, user } = await api.person();
    await api.person();
    await otherBrowser(user.email);
    const left = await otherBrowser(user.email);
    await left.send('POST', '/api/auth/logout');
    const { current, items, nextCursor } = await sessionsOf(browser);
    expect(current).toMatchObject({ browser: null, system: null });
    expect(items).toEqual([
      {
        ...{ id: expect.any(String), browser: 'Safari', system: 'iPhone' },
        ...{ createdAt: expect.any(String), lastSeenAt: expect.any(String) },
      },
    ]);
    expect(nextCursor).toBeNull();
  });

  it('own sessions come in pages', async () => {
    const { browser, user } = await api.person();
    for (let more = 0; more < 3; more += 1) await otherBrowser(user.email);
    const first = await sessionsOf(browser, '?limit=2');
    const second = await sessionsOf(browser, `?limit=2&cursor=${first.nextCursor}`);
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([2, 1, null]);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(3);
  });

  it('a session says when it was last used, to the minute', async () => {
    const { browser, user } = await api.person();
    const before = new Date(Date.now() - 600_000);
    await api.database.fork().nativeUpdate(Session, { userId: user.id }, { createdAt: before, lastSeenAt: before });
    expect(await me(browser)).toBe(200);
    const { current } = await sessionsOf(browser);
    expect(new Date(current.lastSeenAt).getTime()).toBeGreaterThan(user.createdAt.getTime());
    expect(current.createdAt).toBe(before.toISOString());
    const { lastSeenAt } = await api.database.fork().findOneOrFail(Session, { userId: user.id });
    await me(browser);
    expect((await api.database.fork().findOneOrFail(Session, { userId: user.id })).lastSeenAt).toEqual(lastSeenAt);
  });

  it('a session that is ended refuses its next request and its connection is closed at once', async () => {
    const { browser, user } = await api.person();
    const other = await otherBrowser(user.email);
    const [kept, ended] = [await connect(browser), await connect(other)];
    const [{ id }] = (await sessionsOf(browser)).items;
    expect((await browser.send('DELETE', `/api/account/sessions/${id}`)).status).toBe(204);
    expect(await ended.hungUp).toBe('io server disconnect');
    expect([await me(other), await me(browser), kept.isConnected()]).toEqual([401, 200, true]);
    expectFailure(await browser.send('DELETE', `/api/account/sessions/${id}`), 404, 'not_found');
  });

  it('sessions are ended by who typed the password lately; this page and its connection go on under another cookie', async () => {
    const { browser, user } = await api.person();
    await otherBrowser(user.email);
    const page = await connect(browser);
    const before = new Date(Date.now() - 660_000);
    await api.database.fork().nativeUpdate(Session, { userId: user.id }, { createdAt: before });
    const [{ id }] = (await sessionsOf(browser)).items;
    const end = () => browser.send('DELETE', `/api/account/sessions/${id}`);
    const refused = await end();
    expectFailure(refused, 403, 'second_factor_stale');
    expect(refused.body).toMatchObject({ app: false, passkey: false });
    expectFailure(await browser.send('POST', '/api/account/end-other-sessions'), 403, 'second_factor_stale');
    const prove = (password: string) => browser.send('POST', '/api/account/second-factor/prove', { password });
    expectFailure(await prove('otra clave'), 422, 'wrong_password');
    const { cookie } = browser;
    expect((await prove(testPassword)).status).toBe(204);
    expect(browser.cookie).not.toBe(cookie);
    expectFailure(
      await Object.assign(api.visitor(), { cookie }).send('DELETE', `/api/account/sessions/${id}`),
      403,
      'second_factor_stale',
    );
    expect([(await end()).status, page.isConnected()]).toEqual([204, true]);
  });

  it('a session is ended by its own person alone', async () => {
    const { browser } = await api.person();
    const other = await api.person();
    const { current } = await sessionsOf(other.browser);
    expectFailure(await browser.send('DELETE', `/api/account/sessions/${current.id}`), 404, 'not_found');
    expect(await me(other.browser)).toBe(200);
  });

  it('ends all other sessions of the person, and no one else’s', async () => {
    const { browser, user } = await api.person();
    const others = [await otherBrowser(user.email), await otherBrowser(user.email)];
    const bystander = await api.person();
    const pages = await Promise.all(others.map(connect));
    expect((await browser.send('POST', '/api/account/end-other-sessions')).status).toBe(204);
    await Promise.all(pages.map(({ hungUp }) => hungUp));
    expect(await Promise.all([browser, ...others, bystander.browser].map(me))).toEqual([200, 401, 401, 200]);
    expect((await sessionsOf(browser)).items).toEqual([]);
  });
});

describe('notifications on a browser', () => {
  const subscription = {
    endpoint: 'https://fcm.googleapis.com/fcm/send/abc',
    p256dh: testEnvironment.PUSH_PUBLIC_KEY,
    auth: 'AAAAAAAAAAAAAAAAAAAAAA',
  };
  const on = (browser: TestBrowser, body: object = subscription) => browser.send('PUT', '/api/account/push', body);
  const seen = async (browser: TestBrowser) => (await browser.send('GET', '/api/account/push')).body;

  it('notifications are turned on and off for the own browser alone, and end with its session', async () => {
    const { browser, user } = await api.person();
    const other = await otherBrowser(user.email);
    const off = { publicKey: testEnvironment.PUSH_PUBLIC_KEY, endpoint: null, failing: false };
    expect(await seen(browser)).toEqual(off);
    expect((await on(browser)).body).toEqual({ ...off, endpoint: subscription.endpoint });
    expect((await on(other, { ...subscription, endpoint: `${subscription.endpoint}2` })).status).toBe(200);
    expect((await browser.send('DELETE', '/api/account/push')).status).toBe(204);
    expect([await seen(browser), (await seen(other)).endpoint]).toEqual([off, `${subscription.endpoint}2`]);
    const count = () => api.database.fork().count(PushSubscription, { userId: user.id });
    expect(await count()).toBe(1);
    await other.send('POST', '/api/auth/logout');
    expect(await count()).toBe(0);
  });

  it('rejects push subscriptions of unknown services, with invalid keys, or without VAPID keys of ours', async () => {
    const { browser } = await api.person();
    expectFailure(await on(browser, { ...subscription, endpoint: 'file:///etc/passwd' }), 400, 'invalid_input');
    expectFailure(await on(browser, { ...subscription, auth: 'x' }), 400, 'invalid_input');
    for (const endpoint of [
      'https://a:b@fcm.googleapis.com/fcm/send/abc',
      // In the sandbox too: it would delete the sandbox's data.
      'http://127.0.0.1:5201/sandbox/reset',
      'http://169.254.169.254/latest',
    ])
      expectFailure(await on(browser, { ...subscription, endpoint }), 422, 'push_service_unknown');
    const mute = await TestApi.start({ ...env, push: { ...env.push, publicKey: null } });
    try {
      const person = await mute.person();
      expectFailure(await on(person.browser), 503, 'notifications_unavailable');
      expect((await seen(person.browser)).publicKey).toBeNull();
    } finally {
      await mute.close();
    }
  });
});
