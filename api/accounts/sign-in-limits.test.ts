import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PasswordReset } from '#domain/sign-in/password-reset.entity';
import { createResetLink, issuePasswordReset, requestPasswordReset } from '#domain/sign-in/password-reset.repository';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi, testPassword } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let api: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url, TRUST_PROXY: '127.0.0.1' });
  api = await TestApi.start(env, {
    rateLimitPoints: { signInsPerEmailAndNetwork: 2, signInsPerEmail: 5, signInsPerDevice: 3 },
  });
});
afterAll(() => api?.close());

const somewhere = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

async function signIn(email: string, password: string, by: { browser?: TestBrowser; from?: string } = {}) {
  const { browser = api.visitor(), from = somewhere() } = by;
  return browser.send('POST', '/api/auth/login', { email, password }, { 'x-forwarded-for': from });
}
const guess = async (email: string, by: Parameters<typeof signIn>[2] = {}) => (await signIn(email, 'mala', by)).status;

/** Guesses from many networks until the address is refused to browsers it does not know. */
async function guessFromEverywhere(email: string): Promise<void> {
  const statuses = [];
  for (let guesses = 0; guesses < 6; guesses += 1) statuses.push(await guess(email));
  expect(statuses.at(-1)).toBe(429);
}

describe('guesses of a password', () => {
  it('password guesses from one network keep the owner out of nothing but that network', async () => {
    const { user } = await api.person();
    const from = somewhere();
    expect([await guess(user.email, { from }), await guess(user.email, { from })]).toEqual([401, 401]);
    expectFailure(await signIn(user.email, testPassword, { from }), 429, 'too_many_requests');
    expect((await signIn(user.email, testPassword)).status).toBe(200);
  });

  it('password guesses from many networks are refused together, but not to a browser that signed in before', async () => {
    const { user, browser } = await api.person();
    await browser.send('POST', '/api/auth/logout');
    await guessFromEverywhere(user.email);
    expectFailure(await signIn(user.email, testPassword), 429, 'too_many_requests');
    expect((await signIn(user.email, testPassword, { browser })).status).toBe(200);
  });

  it('password guesses on a known browser are counted for it alone', async () => {
    const { user, browser } = await api.person();
    const statuses = [];
    for (let guesses = 0; guesses < 4; guesses += 1) statuses.push(await guess(user.email, { browser }));
    expect(statuses).toEqual([401, 401, 401, 429]);
    expectFailure(await signIn(user.email, testPassword, { browser }), 429, 'too_many_requests');
    expect((await signIn(user.email, testPassword)).status).toBe(200);
  });

  it('a browser known to another account does not let password guesses through', async () => {
    const { user } = await api.person();
    const { browser } = await api.person();
    await guessFromEverywhere(user.email);
    expectFailure(await signIn(user.email, testPassword, { browser }), 429, 'too_many_requests');
  });

  it('password guesses do not keep out a person who reset the password, and browsers from before are no longer known', async () => {
    const { user, browser: before } = await api.person();
    const at = new Date();
    const resetId = await api.database.transaction(async (em) => {
      requestPasswordReset(em, { email: user.email, at });
      await em.flush();
      return (await em.findOneOrFail(PasswordReset, { email: user.email })).id;
    });
    await api.database.transaction((em) => issuePasswordReset(em, resetId, at));
    const token = await api.database.transaction((em) => createResetLink(em, resetId, at));
    await guessFromEverywhere(user.email);
    const browser = api.visitor();
    const password = 'otra-clave-mas-larga';
    expect((await browser.send('POST', '/api/auth/reset', { token, password })).status).toBe(204);
    expect((await signIn(user.email, password, { browser })).status).toBe(200);
    expectFailure(await signIn(user.email, password, { browser: before }), 429, 'too_many_requests');
  });

  it('distinguishes password guesses from sign-ins of a known browser by an HttpOnly cookie', async () => {
    const { user } = await api.person();
    const cookies = (await signIn(user.email, testPassword)).headers.getSetCookie();
    expect(cookies.find((line) => line.startsWith('chasqui_device='))).toMatch(
      /^chasqui_device=[\w-]{43}; Max-Age=34560000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
  });
});
