import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '#domain/accounts/passwords';
import { Email } from '#domain/emails/email.entity';
import { PendingSignIn, RecoveryCode, SecondFactor } from '#domain/sign-in/second-factor.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi, testPassword, unlimited } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let api: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url });
  api = await TestApi.start(
    { ...env, adminsNeedFactor: true },
    { rateLimitPoints: { ...unlimited, factorCodesPerPerson: 3 } },
  );
});
afterAll(() => api?.close());

/** A person with an authenticator. */
class Owner {
  constructor(
    readonly browser: TestBrowser,
    readonly userId: string,
    readonly email: string,
    readonly secret: string,
    readonly recoveryCodes: readonly string[],
  ) {}

  static async create(role: 'user' | 'admin' = 'user'): Promise<Owner> {
    const { browser, user } = await api.person(role);
    const { secret } = (await start(browser)).body;
    const confirmed = await confirm(browser, generateSync({ secret }));
    expect(confirmed.status).toBe(200);
    const owner = new Owner(browser, user.id, user.email, secret, confirmed.body.recoveryCodes);
    await owner.forgetUsedCodes();
    return owner;
  }

  /** The code that the app shows now. */
  code(): string {
    return generateSync({ secret: this.secret });
  }

  /** As if half a minute had passed since the last code. */
  async forgetUsedCodes(): Promise<void> {
    await api.database.fork().nativeUpdate(SecondFactor, { userId: this.userId }, { lastStep: 0 });
  }

  login(browser: TestBrowser = api.visitor(), password = testPassword) {
    return browser.send('POST', '/api/auth/login', { email: this.email, password });
  }

  /** A browser whose password was right. */
  async pending(): Promise<TestBrowser> {
    const browser = api.visitor();
    expectFailure(await this.login(browser), 401, 'second_factor_required');
    return browser;
  }

  async emails(): Promise<unknown[]> {
    const rows = await api.database.fork().find(Email, { userId: this.userId, kind: 'second_factor_changed' });
    return rows.map(({ data }) => (data as { change: string }).change);
  }
}

const start = (browser: TestBrowser, password = testPassword) =>
  browser.send('POST', '/api/account/second-factor/start', { password });
const confirm = (browser: TestBrowser, code: string) =>
  browser.send('POST', '/api/account/second-factor/confirm', { code });
const secondStep = (browser: TestBrowser, code: string) => browser.send('POST', '/api/auth/second-step', { code });
const me = async (browser: TestBrowser) => (await browser.send('GET', '/api/auth/me')).status;
const view = async (browser: TestBrowser) => (await browser.send('GET', '/api/account/second-factor')).body;

/** Moves timestamps of the session into the past. */
const age = (userId: string, what: 'factor_at' | 'last_seen_at' | 'created_at', minutes: number) =>
  api.database
    .fork()
    .execute(`update session set ${what} = now() - make_interval(mins => ?) where user_id = ?`, [minutes, userId]);

describe('setting up', () => {
  it('a second factor counts from the first right code on, ends the other sessions and is announced by e-mail', async () => {
    const { browser, user } = await api.person();
    const other = api.visitor();
    await other.send('POST', '/api/auth/login', { email: user.email, password: testPassword });
    expectFailure(await start(browser, 'otra clave'), 422, 'wrong_password');
    const { secret, uri } = (await start(browser)).body;
    expect(uri).toBe(`otpauth://totp/Chasqui:${encodeURIComponent(user.email)}?secret=${secret}&issuer=Chasqui`);
    expectFailure(await confirm(browser, '000000'), 422, 'second_factor_wrong');
    expect(await view(browser)).toEqual({ since: null, passkeys: [], recoveryCodesLeft: 0 });
    expect(await me(other)).toBe(200);

    const { recoveryCodes } = (await confirm(browser, generateSync({ secret }))).body;
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){6}[A-Z2-7]{4}$/);
    expect(await view(browser)).toEqual({ since: expect.any(String), passkeys: [], recoveryCodesLeft: 10 });
    expect([await me(browser), await me(other)]).toEqual([200, 401]);
    expectFailure(await start(browser), 409, 'second_factor_changed');
    const email = await api.database.fork().findOneOrFail(Email, { userId: user.id, kind: 'second_factor_changed' });
    expect(email.data).toMatchObject({ change: 'added', at: expect.any(String), recoveryCodesLeft: 10 });
  });

  it('neither the secret nor a recovery code is readable in the database or the log', async () => {
    const { secret, recoveryCodes, userId } = await Owner.create();
    const em = api.database.fork();
    const stored = JSON.stringify([
      await em.execute('select * from second_factor where user_id = ?', [userId]),
      await em.execute('select * from recovery_code where user_id = ?', [userId]),
      await em.execute('select * from mail where user_id = ?', [userId]),
      api.logged,
    ]);
    for (const hidden of [secret, ...recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])])
      expect(stored).not.toContain(hidden);
  });
});

describe('signing in', () => {
  it('a right password opens no session but the second step, which opens one and is used up by it', async () => {
    const owner = await Owner.create();
    expectFailure(await owner.login(api.visitor(), 'otra clave'), 401, 'invalid_credentials');
    const browser = await owner.pending();
    expect([browser.cookie, await me(browser)]).toEqual(['', 401]);
    const entered = await secondStep(browser, owner.code());
    expect(entered.body).toMatchObject({ user: { email: owner.email } });
    expect(await me(browser)).toBe(200);
    await owner.forgetUsedCodes();
    expectFailure(await secondStep(browser, owner.code()), 401, 'sign_in_expired');
  });

  it('a browser that planted its own pending sign-in or session cookie gets fresh ones', async () => {
    const owner = await Owner.create();
    const browser = api.visitor();
    browser.pendingCookie = `chasqui_sign_in=${'A'.repeat(43)}`;
    browser.cookie = `chasqui_session=${'B'.repeat(43)}`;
    expectFailure(await secondStep(browser, owner.code()), 401, 'sign_in_expired');
    await owner.login(browser);
    await secondStep(browser, owner.code());
    expect(browser.cookie).not.toContain('BBB');
    expect(browser.pendingCookie).toBe('chasqui_sign_in=');
    expect(await me(browser)).toBe(200);
  });

  it('a code works once, also when two browsers send it at the same time', async () => {
    const owner = await Owner.create();
    const [one, two] = [await owner.pending(), await owner.pending()];
    const code = owner.code();
    const answers = await Promise.all([secondStep(one, code), secondStep(two, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expectFailure(await secondStep(await owner.pending(), code), 422, 'second_factor_wrong');
  });

  it('a recovery code works once, however it is written, and an e-mail says so', async () => {
    const owner = await Owner.create();
    const [code = ''] = owner.recoveryCodes;
    const typed = code.toLowerCase().replaceAll('-', ' ');
    const browser = await owner.pending();
    expect((await secondStep(browser, typed)).status).toBe(200);
    expect(await view(browser)).toMatchObject({ recoveryCodesLeft: 9 });
    expectFailure(await secondStep(await owner.pending(), code), 422, 'second_factor_wrong');
    expect(await owner.emails()).toEqual(['added', 'recovery_code_used']);
  });

  it('a recovery code from before they were longer works, once', async () => {
    const owner = await Owner.create();
    const code = 'ABCD-EFGH-2345-6723';
    const codeHash = hashSecret(code.replaceAll('-', ''));
    await api.database.fork().insert(RecoveryCode, { userId: owner.userId, codeHash });
    expect((await secondStep(await owner.pending(), code)).status).toBe(200);
    expectFailure(await secondStep(await owner.pending(), code), 422, 'second_factor_wrong');
  });

  it('another person’s codes open nothing', async () => {
    const [owner, other] = [await Owner.create(), await Owner.create()];
    const browser = await owner.pending();
    expectFailure(await secondStep(browser, other.code()), 422, 'second_factor_wrong');
    expectFailure(await secondStep(browser, other.recoveryCodes[0] ?? ''), 422, 'second_factor_wrong');
  });

  it('wrong codes are bounded per account, over all sign-ins, but keep no browser out that signed in before', async () => {
    const owner = await Owner.create();
    const known = api.visitor();
    await owner.login(known);
    expect((await secondStep(known, owner.code())).status).toBe(200);
    await owner.forgetUsedCodes();
    for (const _ of [1, 2, 3]) {
      expectFailure(await secondStep(await owner.pending(), '000000'), 422, 'second_factor_wrong');
    }
    expectFailure(await secondStep(await owner.pending(), owner.code()), 429, 'too_many_requests');
    await known.send('POST', '/api/auth/logout');
    await owner.login(known);
    expect((await secondStep(known, owner.code())).status).toBe(200);
  });

  it('a pending sign-in ends after five minutes, and with a new password', async () => {
    const owner = await Owner.create();
    const late = await owner.pending();
    await api.database.fork().nativeUpdate(PendingSignIn, { userId: owner.userId }, { expiresAt: new Date() });
    expectFailure(await secondStep(late, owner.code()), 401, 'sign_in_expired');

    const browser = await owner.pending();
    const password = 'otra-clave-mas-larga';
    await owner.browser.send('PUT', '/api/account/password', { current: testPassword, password });
    expectFailure(await secondStep(browser, owner.code()), 401, 'sign_in_expired');
  });
});

describe('renewing and removing', () => {
  const change = (owner: Owner, what: 'codes' | 'remove', password = testPassword) =>
    owner.browser.send('POST', `/api/account/second-factor/${what}`, { password });

  it('new recovery codes need the password and a second factor proven lately, and the earlier ones end', async () => {
    const owner = await Owner.create();
    expectFailure(await change(owner, 'codes', 'otra clave'), 422, 'wrong_password');
    await age(owner.userId, 'factor_at', 11);
    expectFailure(await change(owner, 'codes'), 403, 'second_factor_stale');
    const typed = await owner.browser.send('POST', '/api/account/second-factor/prove', { password: testPassword });
    expectFailure(typed, 409, 'second_factor_changed');
    await owner.browser.send('POST', '/api/account/second-factor/prove', { code: owner.code() });
    const { recoveryCodes } = (await change(owner, 'codes')).body;
    expect(recoveryCodes).toHaveLength(10);
    expectFailure(await secondStep(await owner.pending(), owner.recoveryCodes[0] ?? ''), 422, 'second_factor_wrong');
    expect((await secondStep(await owner.pending(), recoveryCodes[0])).status).toBe(200);
  });

  it('a removed second factor is no longer required, and nothing of it is kept', async () => {
    const owner = await Owner.create();
    await age(owner.userId, 'factor_at', 11);
    expectFailure(await change(owner, 'remove'), 403, 'second_factor_stale');
    await owner.browser.send('POST', '/api/account/second-factor/prove', { code: owner.recoveryCodes[0] ?? '' });
    expect((await change(owner, 'remove')).status).toBe(204);
    expect((await owner.login()).status).toBe(200);
    expect(await api.database.fork().count(RecoveryCode, { userId: owner.userId })).toBe(0);
    expect(await owner.emails()).toEqual(['added', 'recovery_code_used', 'removed']);
    expectFailure(await change(owner, 'remove'), 409, 'second_factor_changed');
  });
});

describe('the secret of a session', () => {
  const cookieOf = ({ cookie }: TestBrowser) => cookie;
  /** The same browser in another tab, which sends the cookie that it has now. */
  const thief = ({ cookie }: TestBrowser) => Object.assign(api.visitor(), { cookie });
  const prove = (browser: TestBrowser, code: string) =>
    browser.send('POST', '/api/account/second-factor/prove', { code });
  const renewCodes = (browser: TestBrowser) =>
    browser.send('POST', '/api/account/second-factor/codes', { password: testPassword });
  const later = (userId: string) =>
    api.database
      .fork()
      .execute(`update session set replaced_until = replaced_until - interval '31 seconds' where user_id = ?`, [
        userId,
      ]);

  it('is another one after the second factor was proven, and the one before gains nothing and ends soon after', async () => {
    const owner = await Owner.create();
    await age(owner.userId, 'factor_at', 11);
    const stolen = thief(owner.browser);
    expect((await prove(owner.browser, owner.code())).status).toBe(204);
    expect(cookieOf(owner.browser)).not.toBe(cookieOf(stolen));
    // Calls of other tabs that are on their way: the browser has not used the new one yet.
    expect(await me(stolen)).toBe(200);
    expectFailure(await renewCodes(stolen), 403, 'second_factor_stale');
    expect((await renewCodes(owner.browser)).status).toBe(200);
    expect(await me(stolen)).toBe(200);
    await later(owner.userId);
    expect([await me(stolen), await me(owner.browser)]).toEqual([401, 200]);
  });

  it('stays good where the answer with the new one never arrived, and is replaced by the next proof', async () => {
    const owner = await Owner.create();
    await age(owner.userId, 'factor_at', 11);
    const before = cookieOf(owner.browser);
    await prove(owner.browser, owner.code());
    const lost = cookieOf(owner.browser);
    owner.browser.cookie = before;
    await later(owner.userId);
    expect(await me(owner.browser)).toBe(200);
    await owner.forgetUsedCodes();
    await age(owner.userId, 'factor_at', 1);
    expect((await prove(owner.browser, owner.code())).status).toBe(204);
    expect((await renewCodes(owner.browser)).status).toBe(200);
    expect(await me(Object.assign(api.visitor(), { cookie: lost }))).toBe(401);
  });

  it('is one for both tabs that prove the second factor at the same moment', async () => {
    const owner = await Owner.create();
    const [one, two] = [thief(owner.browser), thief(owner.browser)];
    const [code = ''] = owner.recoveryCodes;
    const answers = await Promise.all([prove(one, owner.code()), prove(two, code)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    const shared = [one, two].map(cookieOf).filter((cookie) => cookie !== cookieOf(owner.browser));
    expect(shared).toHaveLength(1);
    one.cookie = shared[0] ?? '';
    expect((await renewCodes(one)).status).toBe(200);
  });

  it('is another one after a second factor was set up and after a new password, in a cookie that lives as long', async () => {
    const { user } = await api.person();
    const browser = api.visitor();
    await browser.send('POST', '/api/auth/login', { email: user.email, password: testPassword, remember: true });
    const cookies = [cookieOf(browser)];
    const { secret } = (await start(browser)).body;
    const confirmed = await confirm(browser, generateSync({ secret }));
    const session = confirmed.headers.getSetCookie().find((line) => line.startsWith('chasqui_session='));
    expect(Number(/Max-Age=(\d+)/.exec(session ?? '')?.[1])).toBeGreaterThan(29 * 24 * 3600);
    cookies.push(cookieOf(browser));
    const changed = { current: testPassword, password: 'otra-clave-mas-larga' };
    await browser.send('PUT', '/api/account/password', changed);
    cookies.push(cookieOf(browser));
    expect(new Set(cookies).size).toBe(3);
    expect(await me(browser)).toBe(200);
  });
});

describe('admins', () => {
  const stats = (browser: TestBrowser) => browser.send('GET', '/api/admin/stats');
  /** Approves a transfer that does not exist. */
  const approve = (browser: TestBrowser) => browser.send('POST', `/api/admin/transactions/${randomUUID()}/approve`, {});
  it('an admin without a second factor can only set one up, where admins need one', async () => {
    const { browser, user } = await api.person('admin');
    await api.setFactorAt(user, null);
    const session = await browser.send('GET', '/api/auth/me');
    expect(session.body).toMatchObject({ mustSetUp: 'second_factor' });
    for (const [method, path] of [
      ['GET', '/api/admin/stats'],
      ['GET', '/api/recipients'],
      ['GET', '/api/account'],
      ['GET', '/ops/queues'],
    ] as const) {
      expectFailure(await browser.send(method, path), 403, 'second_factor_missing');
    }
    const { secret } = (await start(browser)).body;
    expect((await confirm(browser, generateSync({ secret }))).status).toBe(200);
    expect((await browser.send('GET', '/api/auth/me')).body).not.toHaveProperty('mustSetUp');
    expect((await stats(browser)).status).toBe(200);
  });

  it('a transfer is approved only when the second factor was proven within the last minutes, and with the same request after it', async () => {
    const owner = await Owner.create('admin');
    expectFailure(await approve(owner.browser), 404, 'not_found');
    await age(owner.userId, 'factor_at', 11);
    expectFailure(await approve(owner.browser), 403, 'second_factor_stale');
    expect((await stats(owner.browser)).status).toBe(200);
    const prove = (code: string) => owner.browser.send('POST', '/api/account/second-factor/prove', { code });
    expectFailure(await prove('000000'), 422, 'second_factor_wrong');
    expectFailure(await approve(owner.browser), 403, 'second_factor_stale');
    const code = owner.code();
    expect((await prove(code)).status).toBe(204);
    expectFailure(await prove(code), 422, 'second_factor_wrong');
    expectFailure(await approve(owner.browser), 404, 'not_found');
  });

  it('an admin’s idle session ends after half an hour with a reason; background requests do not extend it', async () => {
    const owner = await Owner.create('admin');
    await age(owner.userId, 'last_seen_at', 29);
    const unattended = { 'x-unattended': '1' };
    expect((await owner.browser.send('GET', '/api/admin/stats', undefined, unattended)).status).toBe(200);
    await age(owner.userId, 'last_seen_at', 31);
    const ended = await stats(owner.browser);
    expectFailure(ended, 401, 'unauthenticated');
    expect(ended.body.reason).toBe('idle');

    await age(owner.userId, 'last_seen_at', 0);
    await age(owner.userId, 'created_at', 12 * 60 + 1);
    expect((await stats(owner.browser)).body).toMatchObject({ code: 'unauthenticated', reason: 'expired' });
  });

  it('a sender is signed out later than an admin, and remembered longer than not', async () => {
    const { browser, user } = await api.person();
    await age(user.id, 'last_seen_at', 119);
    expect(await me(browser)).toBe(200);
    await age(user.id, 'last_seen_at', 121);
    expect(await me(browser)).toBe(401);
    const remembered = api.visitor();
    await remembered.send('POST', '/api/auth/login', { email: user.email, password: testPassword, remember: true });
    await age(user.id, 'last_seen_at', 13 * 24 * 60);
    expect(await me(remembered)).toBe(200);
  });

  it('an admin removes a person’s lost second factor, with a reason, and never their own', async () => {
    const [admin, owner] = [await Owner.create('admin'), await Owner.create('admin')];
    const reset = (userId: string, reason = 'Perdió su teléfono') =>
      admin.browser.send('POST', `/api/admin/users/${userId}/second-factor/reset`, { reason });
    expectFailure(await reset(admin.userId), 403, 'forbidden');
    expectFailure(await reset(owner.userId, ''), 400, 'invalid_input');
    const pending = await owner.pending();
    const { user } = (await reset(owner.userId)).body;
    expect(user).toMatchObject({ secondFactorSince: null, notes: [{ text: 'Perdió su teléfono' }] });
    expect(await me(owner.browser)).toBe(401);
    expectFailure(await secondStep(pending, owner.recoveryCodes[0] ?? ''), 401, 'sign_in_expired');
    expect((await owner.login()).status).toBe(200);
    expect(await owner.emails()).toEqual(['added', 'reset']);
    expectFailure(await reset(owner.userId), 409, 'second_factor_changed');
  });

  it('a sign-in with a new browser is announced by e-mail, one with a known browser or the first one is not', async () => {
    const { browser, user } = await api.person();
    const signIn = (by: TestBrowser) =>
      by.send(
        'POST',
        '/api/auth/login',
        { email: user.email, password: testPassword },
        { 'user-agent': 'Firefox/1 Linux' },
      );
    const announcements = () => api.database.fork().find(Email, { userId: user.id, kind: 'new_device' });
    await signIn(browser);
    expect(await announcements()).toEqual([]);
    const other = api.visitor();
    await signIn(other);
    await signIn(other);
    expect((await announcements()).map(({ data }) => data)).toMatchObject([
      { at: expect.any(String), browser: 'Firefox', system: 'Linux' },
    ]);
  });
});
