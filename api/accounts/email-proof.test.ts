import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { User } from '#domain/accounts/account.entity';
import { AuditEntry } from '#domain/audit/audit.entity';
import { Email } from '#domain/emails/email.entity';
import { createEmailProof } from '#domain/sign-in/email-proof.repository';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { rateLimitRules } from '../access/rate-limit-rules.ts';
import { TestApi, testPassword } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let api: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
});

afterAll(() => api?.close());

/** A new user and the content of their e-mail; no worker runs here. */
async function signUp(at = new Date()) {
  const browser = api.visitor();
  const email = `${randomUUID()}@example.com`;
  const given = { name: 'Juana', email, password: testPassword, acceptedTerms: true };
  const { body } = await browser.send('POST', '/api/auth/register', given);
  const userId: string = body.user.id;
  return { browser, email, userId, proof: await proofFor(userId, at) };
}

async function proofFor(userId: string, at = new Date()) {
  const proof = await api.database.transaction((em) => createEmailProof(em, { userId, at }));
  if (!proof) throw new Error('there is nothing to prove');
  return proof;
}

const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const type = (browser: TestBrowser, code: string) => browser.send('POST', '/api/account/email/proof', { code });
const open = (token: string, path = '/api/auth/email-link') => api.visitor().send('POST', path, { token });
const isProven = async (browser: TestBrowser) => (await browser.send('GET', '/api/auth/me')).body.user.emailProven;
const pay = (browser: TestBrowser) =>
  browser.send('POST', '/api/new-account/create-payment-intent', { amount: '100', currency: 'eur', recipientId: '' });

test('signing up sends a code that must be entered before the first payment', async () => {
  const { browser, userId, proof } = await signUp();
  const written = await api.database.fork().find(Email, { userId });
  expect(written.map(({ kind, data }) => [kind, data])).toEqual([['email_proof', { code: '' }]]);
  expectFailure(await pay(browser), 403, 'email_unproven');
  expectFailure(await type(browser, other(proof.code)), 422, 'email_code_wrong');
  expect(await isProven(browser)).toBe(false);

  const { code } = proof;
  const proven = await type(browser, `${code.slice(0, 3)} ${code.slice(3)}`);
  expect(proven.body).toMatchObject({ user: { id: userId, emailProven: true } });
  expect(await isProven(browser)).toBe(true);
  // The next thing that is missing: there is no rate here.
  expectFailure(await pay(browser), 503, 'rate_unavailable');
  const audited = await api.database.fork().find(AuditEntry, { subject: userId, kind: 'email_proven' });
  expect(audited).toHaveLength(1);
});

test('a code proves the address of its account alone, and for a day', async () => {
  const day = 24 * 3_600_000;
  const [one, another] = [await signUp(new Date(Date.now() - day - 1)), await signUp()];
  for (const { code } of [one.proof, another.proof])
    expectFailure(await type(one.browser, code), 422, 'email_code_wrong');
  expectFailure(await open(one.proof.token), 410, 'email_link_dead');
  const { code } = await proofFor(one.userId);
  await api.database.fork().nativeUpdate(User, { id: one.userId }, { email: `${randomUUID()}@example.com` });
  expectFailure(await type(one.browser, code), 422, 'email_code_wrong');
});

test('the link proves the address on any device, and looking at it before does not', async () => {
  const { browser, email, proof } = await signUp();
  expect((await open(proof.token)).body).toMatchObject({ purpose: 'prove', email });
  expect(await isProven(browser)).toBe(false);
  const use = () => open(proof.token, '/api/auth/email-link/use');
  expect([(await use()).status, (await use()).status]).toEqual([204, 204]);
  expect(await isProven(browser)).toBe(true);
  expect((await open(proof.token)).body).toMatchObject({ purpose: 'prove', email });
});

test('another code is sent on request, some times a day and to who needs one', async () => {
  const { browser, userId } = await signUp();
  const ask = (who = browser) => who.send('POST', '/api/account/email/code');
  const { points } = rateLimitRules.emailProofsPerPerson;
  const answers = await Promise.all(Array.from({ length: points }, () => ask()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  expectFailure(await ask(), 429, 'too_many_requests');
  expect(await api.database.fork().count(Email, { userId, kind: 'email_proof' })).toBe(points + 1);
  const proven = await api.person();
  expect((await ask(proven.browser)).status).toBe(204);
  expect(await api.database.fork().count(Email, { userId: proven.user.id })).toBe(0);
});

test('codes cannot be guessed: after some in a day even the right one waits', async () => {
  const { browser, proof } = await signUp();
  const { points } = rateLimitRules.emailCodesPerPerson;
  const wrong = Array.from({ length: points }, () => type(browser, other(proof.code)));
  expect(new Set((await Promise.all(wrong)).map(({ status }) => status))).toEqual(new Set([422]));
  expectFailure(await type(browser, proof.code), 429, 'too_many_requests');
});
