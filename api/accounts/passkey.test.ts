import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockAccounts } from '#domain/account-oversight/operator-accounts';
import { User } from '#domain/accounts/account.entity';
import { Email } from '#domain/emails/email.entity';
import { WebauthnChallenge } from '#domain/sign-in/second-factor.entity';
import { type ApiConfiguration, readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi, testPassword, unlimited } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';
import { VirtualAuthenticator } from '../testing/virtual-authenticator.ts';

let api: TestApi;
let env: ApiConfiguration;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  env = { ...readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }), adminsNeedFactor: true };
  api = await TestApi.start(env, { rateLimitPoints: { ...unlimited, factorCodesPerPerson: 3 } });
});
afterAll(() => api?.close());

const device = () => new VirtualAuthenticator(env.publicUrl);
const post = (browser: TestBrowser, path: string, body: unknown = {}) => browser.send('POST', path, body);
const password = testPassword;
const start = (browser: TestBrowser) => post(browser, '/api/account/passkeys/options', { password });
const add = async (browser: TestBrowser, key = device(), name = 'Mi teléfono') =>
  post(browser, '/api/account/passkeys', { name, passkey: key.create((await start(browser)).body) });
const options = async (browser: TestBrowser, secondStep = false) =>
  (await post(browser, '/api/auth/passkey/options', { secondStep })).body;
const signIn = (browser: TestBrowser, passkey: unknown) => post(browser, '/api/auth/passkey', { passkey });
const login = (browser: TestBrowser, email: string) => post(browser, '/api/auth/login', { email, password });
const me = async (browser: TestBrowser) => (await browser.send('GET', '/api/auth/me')).status;
const view = async (browser: TestBrowser) => (await browser.send('GET', '/api/account/second-factor')).body;
const age = (userId: string) =>
  api.database
    .fork()
    .execute("update session set factor_at = now() - interval '11 minutes' where user_id = ?", [userId]);

/** A person with a passkey. */
async function owner(role: 'user' | 'admin' = 'user') {
  const { browser, user } = await api.person(role);
  const key = device();
  const added = await add(browser, key);
  expect(added.status).toBe(200);
  return { browser, user, key, recoveryCodes: added.body.recoveryCodes as string[] };
}

const emails = async (userId: string) =>
  (
    await api.database.fork().find(Email, { userId, kind: 'second_factor_changed' }, { orderBy: { createdAt: 'asc' } })
  ).map(({ data }) => data.change);
const audited = async (userId: string) =>
  (await api.database
    .fork()
    .execute('select kind, detail from audit_entry where subject = ? order by id', [userId])) as {
    kind: string;
    detail: string;
  }[];

describe('creating', () => {
  it('the first passkey turns two-step verification on, ends the other sessions and is announced by e-mail', async () => {
    const { browser, user } = await api.person();
    const other = api.visitor();
    await login(other, user.email);
    expectFailure(
      await post(browser, '/api/account/passkeys/options', { password: 'otra clave' }),
      422,
      'wrong_password',
    );
    const { recoveryCodes } = (await add(browser)).body;
    expect(recoveryCodes).toHaveLength(10);
    expect(await view(browser)).toEqual({
      since: null,
      recoveryCodesLeft: 10,
      passkeys: [{ id: expect.any(String), name: 'Mi teléfono', createdAt: expect.any(String), lastUsedAt: null }],
    });
    expect([await me(browser), await me(other)]).toEqual([200, 401]);
    const refused = await login(api.visitor(), user.email);
    expectFailure(refused, 401, 'second_factor_required');
    expect(refused.body).toMatchObject({ app: false, passkey: true });
    expect((await add(browser)).body).toEqual({ recoveryCodes: null });
    expect(await emails(user.id)).toEqual(['passkey_added', 'passkey_added']);
  });

  it('a passkey is stored once, for one account, from our own pages, with user verification, and for an unused challenge', async () => {
    const { browser, key } = await owner();
    const other = await api.person();
    const send = (passkey: unknown) => post(other.browser, '/api/account/passkeys', { name: 'Otra', passkey });
    const made = async (signing = {}, one = device()) => one.create((await start(other.browser)).body, signing);
    expectFailure(await send(await made({}, key)), 409, 'passkey_exists');
    expectFailure(await send(await made({ origin: 'https://chasqui.evil' })), 422, 'passkey_refused');
    expectFailure(await send(await made({ rpID: 'chasqui.evil' })), 422, 'passkey_refused');
    expectFailure(await send(await made({ verified: false })), 422, 'passkey_refused');
    // Challenges of a sign-in without a password, of another person, used up by a wrong answer, and expired.
    const user = { id: 'AAAA' };
    expectFailure(await send(device().create({ ...(await options(other.browser)), user })), 422, 'passkey_refused');
    const theirs = (await start(browser)).body;
    other.browser.challengeCookie = browser.challengeCookie;
    expectFailure(await send(device().create(theirs)), 422, 'passkey_refused');
    const used = (await start(other.browser)).body;
    expectFailure(await send(device().create({ ...used, challenge: 'A'.repeat(43) })), 422, 'passkey_refused');
    expectFailure(await send(device().create(used)), 422, 'passkey_refused');
    const late = await made();
    await api.database.fork().nativeUpdate(WebauthnChallenge, { creatorId: other.user.id }, { expiresAt: new Date() });
    expectFailure(await send(late), 422, 'passkey_refused');
    expect((await view(other.browser)).passkeys).toEqual([]);
    expect((await send(await made())).status).toBe(200);
  });

  it('an account has ten passkeys at most', async () => {
    const { browser } = await owner();
    for (let count = 1; count < 10; count++) await add(browser);
    expectFailure(await start(browser), 422, 'too_many_passkeys');
  });
});

describe('signing in', () => {
  it('a passkey alone opens a session that has proven the second factor, each answer once', async () => {
    const { user, key } = await owner('admin');
    const browser = api.visitor();
    const answer = key.prove(await options(browser));
    const entered = await signIn(browser, answer);
    expect(entered.body).toMatchObject({ user: { email: user.email } });
    expect(entered.body).not.toHaveProperty('mustSetUp');
    expect((await browser.send('GET', '/api/admin/stats')).status).toBe(200);
    expectFailure(await post(browser, `/api/admin/transactions/${randomUUID()}/approve`), 404, 'not_found');
    expectFailure(await signIn(browser, answer), 422, 'passkey_refused');
    expect((await view(browser)).passkeys[0].lastUsedAt).toEqual(expect.any(String));
    const failed = (await audited(user.id)).filter(({ kind }) => kind === 'sign_in_failed');
    expect(failed.map(({ detail }) => detail)).toEqual(['{"reason":"passkey_refused"}']);
  });

  it('an answer for another site, without the person verified, for another browser or from an unknown passkey opens nothing', async () => {
    const { user, key } = await owner();
    const browser = api.visitor();
    for (const signing of [{ origin: 'https://chasqui.evil' }, { rpID: 'chasqui.evil' }, { verified: false }])
      expectFailure(await signIn(browser, key.prove(await options(browser), signing)), 422, 'passkey_refused');
    const answer = key.prove(await options(browser));
    expectFailure(await signIn(api.visitor(), answer), 422, 'passkey_refused');
    const stranger = device();
    stranger.create({ challenge: '', user: { id: Buffer.from(user.id).toString('base64url') } });
    expectFailure(await signIn(browser, stranger.prove(await options(browser))), 422, 'passkey_refused');
    const forged = { ...stranger.prove(await options(browser)), id: answer.id, rawId: answer.rawId };
    expectFailure(await signIn(browser, forged), 422, 'passkey_refused');
    expect(await me(browser)).toBe(401);
  });

  it('a passkey whose counter went back is refused as a copy, and the audit log says so', async () => {
    const { user, key } = await owner();
    const browser = api.visitor();
    expect((await signIn(browser, key.prove(await options(browser), { counter: 5 }))).status).toBe(200);
    for (const counter of [5, 4, 0])
      expectFailure(await signIn(browser, key.prove(await options(browser), { counter })), 422, 'passkey_refused');
    expect((await signIn(browser, key.prove(await options(browser), { counter: 6 }))).status).toBe(200);
    expect((await audited(user.id)).filter(({ kind }) => kind === 'passkey_copied')).toHaveLength(3);
  });

  it('a passkey or a recovery code is the second step after the password, and wrong ones are bounded', async () => {
    const { user, key, recoveryCodes } = await owner();
    const other = await owner();
    const browser = api.visitor();
    expectFailure(await post(browser, '/api/auth/passkey/options', { secondStep: true }), 401, 'sign_in_expired');
    await login(browser, user.email);
    const step = (body: unknown) => post(browser, '/api/auth/second-step', body);
    const challenge = await options(browser, true);
    expect(challenge.allowCredentials).toHaveLength(1);
    expectFailure(await step({ passkey: other.key.prove(challenge) }), 422, 'passkey_refused');
    expectFailure(await step({ code: '000000' }), 422, 'second_factor_wrong');
    expect((await step({ passkey: key.prove(await options(browser, true)) })).status).toBe(200);
    expect(await me(browser)).toBe(200);
    const second = api.visitor();
    await login(second, user.email);
    expect((await post(second, '/api/auth/second-step', { code: recoveryCodes[0] })).status).toBe(200);
    const guesser = api.visitor();
    await login(guesser, user.email);
    for (const _ of [1, 2, 3]) await post(guesser, '/api/auth/second-step', { code: '000000' });
    const late = key.prove(await options(guesser, true));
    expectFailure(await post(guesser, '/api/auth/second-step', { passkey: late }), 429, 'too_many_requests');
  });

  it('a blocked account and one whose password strangers may know are not entered by a passkey', async () => {
    const blocked = await owner();
    await api.database.fork().nativeUpdate(User, { id: blocked.user.id }, { blockedAt: new Date() });
    const browser = api.visitor();
    expectFailure(await signIn(browser, blocked.key.prove(await options(browser))), 403, 'account_blocked');
    const locked = await owner();
    await api.database.transaction((em) => lockAccounts(em, [locked.user.email], new Date()));
    expectFailure(await signIn(browser, locked.key.prove(await options(browser))), 422, 'passkey_refused');
  });
});

describe('changing', () => {
  const remove = (browser: TestBrowser, id: string) =>
    post(browser, `/api/account/passkeys/${id}/remove`, { password });
  const prove = async (browser: TestBrowser, key: VirtualAuthenticator) =>
    post(browser, '/api/account/second-factor/prove', {
      passkey: key.prove((await post(browser, '/api/account/second-factor/prove/options')).body),
    });

  it('an admin sets up a passkey as the second factor they need, and steps up with it', async () => {
    const { browser, user } = await api.person('admin');
    await api.setFactorAt(user, null);
    expectFailure(await browser.send('GET', '/api/admin/stats'), 403, 'second_factor_missing');
    const key = device();
    await add(browser, key);
    expect((await browser.send('GET', '/api/admin/stats')).status).toBe(200);
    await age(user.id);
    const approve = () => post(browser, `/api/admin/transactions/${randomUUID()}/approve`);
    expectFailure(await approve(), 403, 'second_factor_stale');
    expectFailure(await prove(browser, (await owner()).key), 422, 'passkey_refused');
    expect((await prove(browser, key)).status).toBe(204);
    expectFailure(await approve(), 404, 'not_found');
  });

  it('adding and removing need the second factor proven lately; the last one takes the recovery codes along', async () => {
    const { browser, user, key } = await owner();
    const [{ id }] = (await view(browser)).passkeys;
    await age(user.id);
    expectFailure(await start(browser), 403, 'second_factor_stale');
    expectFailure(await remove(browser, id), 403, 'second_factor_stale');
    await prove(browser, key);
    const stranger = await owner();
    expectFailure(await remove(stranger.browser, id), 404, 'not_found');

    const { secret } = (await post(browser, '/api/account/second-factor/start', { password })).body;
    const confirmed = await post(browser, '/api/account/second-factor/confirm', { code: generateSync({ secret }) });
    expect(confirmed.body).toEqual({ recoveryCodes: null });
    expect((await remove(browser, id)).status).toBe(204);
    expect(await view(browser)).toMatchObject({ passkeys: [], recoveryCodesLeft: 10 });
    const visitor = api.visitor();
    expectFailure(await signIn(visitor, key.prove(await options(visitor))), 422, 'passkey_refused');
    await post(browser, '/api/account/second-factor/remove', { password });
    expect(await view(browser)).toEqual({ since: null, passkeys: [], recoveryCodesLeft: 0 });
    expect((await login(api.visitor(), user.email)).status).toBe(200);
    expect(await emails(user.id)).toEqual(['passkey_added', 'app_added', 'passkey_removed', 'removed']);
  });
});
