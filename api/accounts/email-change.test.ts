import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs, hourMs } from '#core/time/time';
import { setBlocked } from '#domain/account-oversight/account-oversight.repository';
import { User } from '#domain/accounts/account.entity';
import { createUndoLink } from '#domain/accounts/account-change.repository';
import { AuditEntry } from '#domain/audit/audit.entity';
import { Email } from '#domain/emails/email.entity';
import { EmailChange } from '#domain/sign-in/email-change.entity';
import { createEmailChangeLink } from '#domain/sign-in/email-change.repository';
import { SecondFactor } from '#domain/sign-in/second-factor.entity';
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
  api = await TestApi.start(env, { rateLimitPoints: { ...unlimited, emailChangesPerPerson: 3 } });
});
afterAll(() => api?.close());

let addresses = 0;
const newAddress = () => `nueva-${++addresses}@example.com`;
const ask = (browser: TestBrowser, email: string, password = testPassword) =>
  browser.send('POST', '/api/account/email', { email, password });
const look = (token: string) => api.visitor().send('POST', '/api/auth/email-link', { token });
const use = (token: string) => api.visitor().send('POST', '/api/auth/email-link/use', { token });
const login = (email: string) => api.visitor().send('POST', '/api/auth/login', { email, password: testPassword });
const me = async (browser: TestBrowser) => (await browser.send('GET', '/api/auth/me')).status;

/** The link in the newest e-mail of a kind that the worker would send to this person now; null: it sends none. */
async function linkOf(userId: string, purpose: 'confirm' | 'undo', at = new Date()): Promise<string | null> {
  const kind = purpose === 'confirm' ? 'email_change' : 'email_changed';
  const [email] = await api.database.fork().find(Email, { userId, kind }, { orderBy: { createdAt: 'desc' }, limit: 1 });
  if (email?.data.changeId == null) return null;
  const changeId = String(email.data.changeId);
  return api.database.transaction((em) =>
    purpose === 'confirm' ? createEmailChangeLink(em, { changeId, at }) : createUndoLink(em, changeId, at),
  );
}
/** E-mails about addresses, with their recipients; sign-ins with new browsers are notified, too. */
async function toAddresses(userId: string) {
  const where = { userId, kind: { $ne: 'new_device' as const } };
  const emails = await api.database.fork().find(Email, where, { orderBy: { createdAt: 'asc' } });
  return emails.map(({ kind, toAddress }) => [kind, toAddress]);
}

it('a new address takes effect once its link is used: other sessions end, this one continues, and the old address is notified', async () => {
  const { browser, user } = await api.person();
  await api.database.fork().nativeUpdate(User, { id: user.id }, { emailVerifiedAt: null });
  const other = api.visitor();
  await other.send('POST', '/api/auth/login', { email: user.email, password: testPassword });
  const email = newAddress();
  expect((await ask(browser, ` ${email.toUpperCase()} `)).status).toBe(204);
  expect((await login(user.email)).status).toBe(200);
  const token = (await linkOf(user.id, 'confirm')) ?? '';
  expect((await look(token)).body).toEqual({ purpose: 'confirm', email, since: null });
  const answers = await Promise.all([use(token), use(token)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 410]);
  expect([await me(browser), await me(other)]).toEqual([200, 401]);
  expect((await login(email)).status).toBe(200);
  expectFailure(await login(user.email), 401, 'invalid_credentials');
  expect(await toAddresses(user.id)).toEqual([
    ['email_change', email],
    ['email_changed', user.email],
  ]);
  // The old address was unverified: its reader is notified but gets no access to the account.
  expect(await linkOf(user.id, 'undo')).toBeNull();
});

it('asking answers the same for an address that has an account, which then gets no e-mail', async () => {
  const { browser, user } = await api.person();
  const other = await api.person();
  expect((await ask(browser, other.user.email)).status).toBe(204);
  expect(await linkOf(user.id, 'confirm')).toBeNull();
  // Also when the account came after the e-mail.
  const email = newAddress();
  await ask(browser, email);
  const token = (await linkOf(user.id, 'confirm')) ?? '';
  const signUp = { name: 'Otra Persona', email, password: testPassword, acceptedTerms: true };
  expect((await api.visitor().send('POST', '/api/auth/register', signUp)).status).toBe(201);
  expectFailure(await use(token), 409, 'email_taken');
  expect((await login(user.email)).status).toBe(200);
});

it('a change of address requires the password and a different address, and is limited to a few per hour', async () => {
  const { browser, user } = await api.person();
  expectFailure(await ask(browser, newAddress(), 'otra'), 422, 'wrong_password');
  expectFailure(await ask(browser, user.email), 409, 'email_unchanged');
  expect(await api.database.fork().count(EmailChange, { userId: user.id })).toBe(0);
  await ask(browser, newAddress());
  const older = (await linkOf(user.id, 'confirm')) ?? '';
  await ask(browser, newAddress());
  expectFailure(await use(older), 410, 'email_link_dead');
  expectFailure(await ask(browser, newAddress()), 429, 'too_many_requests');
  expect(await linkOf(user.id, 'confirm', new Date(Date.now() + hourMs))).toBeNull();
  expectFailure(await use('A'.repeat(43)), 410, 'email_link_dead');
});

it('who reads the old address takes the account back from who changed it, whatever they changed after it', async () => {
  const { browser, user } = await api.person();
  await ask(browser, newAddress());
  await use((await linkOf(user.id, 'confirm')) ?? '');
  const undo = (await linkOf(user.id, 'undo')) ?? '';
  // The old address stays reserved for its owner in the meantime.
  const signUp = { name: 'Quien Sea', email: user.email, password: testPassword, acceptedTerms: true };
  expectFailure(await api.visitor().send('POST', '/api/auth/register', signUp), 409, 'email_taken');
  await ask(browser, newAddress());
  await use((await linkOf(user.id, 'confirm')) ?? '');
  const later = (await linkOf(user.id, 'undo')) ?? '';
  const em = api.database.fork();
  await em.insert(SecondFactor, { userId: user.id, secret: '', startedAt: new Date(), confirmedAt: new Date() });
  expect((await look(undo)).body).toMatchObject({ purpose: 'undo', email: user.email });
  expect((await use(undo)).status).toBe(204);
  expect(await me(browser)).toBe(401);
  expect(await em.count(SecondFactor, { userId: user.id })).toBe(0);
  expectFailure(await login(user.email), 401, 'invalid_credentials');
  expectFailure(await use(later), 410, 'email_link_dead');
  expectFailure(await use(undo), 410, 'email_link_dead');
  expect((await api.database.fork().findOneOrFail(User, { id: user.id })).email).toBe(user.email);
  expect((await toAddresses(user.id)).slice(-2)).toEqual([
    ['email_restored', user.email],
    ['email_withdrawn', expect.stringContaining('nueva-')],
  ]);
  const where = { subject: user.id, kind: { $in: ['email_changed', 'account_change_undone'] as const } };
  const audited = await api.database.fork().find(AuditEntry, where, { orderBy: { at: 'asc' } });
  expect(audited.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['email_changed', '{}'],
    ['email_changed', '{}'],
    ['account_change_undone', '{"change":"email"}'],
  ]);
  expect(await linkOf(user.id, 'undo', new Date(Date.now() + 8 * dayMs))).toBeNull();
});

it('no link does anything to an account that is blocked, and one that takes a change back does again after the block', async () => {
  const { browser, user } = await api.person();
  await ask(browser, newAddress());
  await use((await linkOf(user.id, 'confirm')) ?? '');
  const undo = (await linkOf(user.id, 'undo')) ?? '';
  await ask(browser, newAddress());
  const confirm = (await linkOf(user.id, 'confirm')) ?? '';
  const adminId = (await api.person('admin')).user.id;
  const block = (blocked: boolean) =>
    api.database.transaction((em) =>
      setBlocked(em, { userId: user.id, blocked, reason: 'Robada', adminId, at: new Date() }),
    );
  await block(true);
  for (const token of [undo, confirm]) expectFailure(await use(token), 410, 'email_link_dead');
  expect([await linkOf(user.id, 'undo'), await linkOf(user.id, 'confirm')]).toEqual([null, null]);
  await block(false);
  expectFailure(await look(confirm), 410, 'email_link_dead');
  expect((await look(undo)).body).toMatchObject({ purpose: 'undo', email: user.email });
});
