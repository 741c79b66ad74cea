import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountBlock } from '#domain/account-oversight/account-block.entity';
import { User } from '#domain/accounts/account.entity';
import { lockPayer } from '#domain/accounts/account.repository';
import { Email } from '#domain/emails/email.entity';
import { Transfer } from '#domain/transfers/transfer.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { transferIn } from '../../testing/transfers.ts';
import { TestApi, testPassword, unlimited } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let api: TestApi;
let admin: { browser: TestBrowser; user: User };

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url });
  api = await TestApi.start(env, { rateLimitPoints: unlimited });
  admin = await api.person('admin', 'Ana Quispe');
});
afterAll(() => api?.close());

const setBlocked = (id: string, blocked: boolean, reason = 'Documentos falsos') =>
  admin.browser.send('POST', `/api/admin/users/${id}/block`, { blocked, reason });
const login = (email: string) => api.visitor().send('POST', '/api/auth/login', { email, password: testPassword });

describe('an account that an admin blocks', () => {
  it('is signed out everywhere and cannot sign in, but transfers under way continue', async () => {
    const { browser, user } = await api.person();
    const transfer = await transferIn(api.database, 'captured', { userId: user.id });
    const socket = io(api.url, {
      ...{ transports: ['websocket'], reconnection: false, forceNew: true },
      extraHeaders: { cookie: browser.cookie },
    });
    const hungUp = new Promise<string>((resolve) => socket.on('disconnect', resolve));
    await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
    const answer = await setBlocked(user.id, true);
    expect(answer.body.user).toMatchObject({
      blockedAt: expect.any(String),
      blocks: [{ blocked: true, reason: 'Documentos falsos', by: 'Ana Quispe' }],
    });
    expect(await hungUp).toBe('io server disconnect');
    expectFailure(await browser.send('GET', '/api/auth/me'), 401, 'unauthenticated');
    expectFailure(await login(user.email), 403, 'account_blocked');
    const wrong = { email: user.email, password: 'otra-clave-larga' };
    expectFailure(await api.visitor().send('POST', '/api/auth/login', wrong), 401, 'invalid_credentials');
    expect((await api.database.fork().findOneOrFail(Transfer, { id: transfer.id })).state).toBe('captured');
  });

  it('starts no payment, also with a call that was under way', async () => {
    const { user } = await api.person();
    await setBlocked(user.id, true);
    const paying = api.database.transaction((em) => lockPayer(em, user.id));
    await expect(paying).rejects.toMatchObject({ code: 'account_blocked' });
  });

  it('signs in again once the block is taken back, and each change is a row that says who and why', async () => {
    const { user } = await api.person();
    await setBlocked(user.id, true);
    // A repeated request, as from a double click, changes nothing.
    await setBlocked(user.id, true, 'Otra vez');
    const answer = await setBlocked(user.id, false, 'Trajo los documentos');
    expect(answer.body.user).toMatchObject({
      blockedAt: null,
      blocks: [
        { blocked: false, reason: 'Trajo los documentos', by: 'Ana Quispe' },
        { blocked: true, reason: 'Documentos falsos', by: 'Ana Quispe' },
      ],
    });
    expect((await login(user.email)).status).toBe(200);
    const rows = api.database.fork().nativeDelete(AccountBlock, { userId: user.id });
    await expect(rows).rejects.toThrow();
  });

  it('is never an admin’s, the own one neither, nor a closed one', async () => {
    const colleague = await api.person('admin');
    for (const id of [colleague.user.id, admin.user.id]) {
      expectFailure(await setBlocked(id, true), 403, 'admin_not_blockable');
    }
    expect((await login(colleague.user.email)).status).toBe(200);
    const closed = await api.person();
    await closed.browser.send('POST', '/api/account/close', { password: testPassword });
    expectFailure(await setBlocked(closed.user.id, true), 403, 'account_closed');
    expectFailure(await setBlocked(randomUUID(), true), 404, 'not_found');
    const { items } = (await admin.browser.send('GET', `/api/admin/users?search=${closed.user.email}`)).body;
    expect(items).toMatchObject([{ closedAt: expect.any(String), blockedAt: null }]);
  });
});

describe('a person as admins see them', () => {
  it('includes the current limits, and notes newest first', async () => {
    const { user } = await api.person();
    await transferIn(api.database, 'completed', { userId: user.id });
    const path = `/api/admin/users/${user.id}`;
    await admin.browser.send('POST', `${path}/notes`, { text: 'Llamó por su envío.' });
    await admin.browser.send('POST', `${path}/notes`, { text: ' Se le explicó. ' });
    const { body } = await admin.browser.send('GET', path);
    expect(body.user).toMatchObject({
      ...{ id: user.id, email: user.email, birthDate: '1990-05-17', transactionsCount: 1, blocks: [] },
      limits: { dayLimit: '5000.00', monthLimit: '10000.00' },
      notes: [
        { text: 'Se le explicó.', author: 'Ana Quispe' },
        { text: 'Llamó por su envío.', author: 'Ana Quispe' },
      ],
    });
  });
});

describe('a role that an owner gives', () => {
  const setRole = (by: TestBrowser, id: string, adminRole: string | null) =>
    by.send('POST', `/api/admin/users/${id}/role`, { adminRole });
  const decide = (by: TestBrowser, id: string, role: string, approve = true) =>
    by.send('POST', `/api/admin/users/${id}/role/decide`, { role, approve });
  const mailsTo = async (userId: string, about: string) => {
    const mails = await api.database.fork().find(Email, { userId }, { orderBy: { createdAt: 'asc' } });
    return mails.filter(({ data }) => data.userId === about).map(({ kind }) => kind);
  };
  let second: Awaited<ReturnType<typeof api.person>>;
  beforeAll(async () => {
    second = await api.person('admin', 'Luis Rojas');
  });

  it('waits for a second owner, ends sessions, notifies every owner, is audited, and one owner takes it away', async () => {
    const { browser, user } = await api.person();
    const requested = await setRole(admin.browser, user.id, 'treasurer');
    expect(requested.body.user).toMatchObject({
      ...{ role: 'user', adminRole: null, secondPersonFrom: null },
      roleRequest: { role: 'treasurer', requestedById: admin.user.id, requestedBy: 'Ana Quispe' },
    });
    expect((await browser.send('GET', '/api/auth/me')).status).toBe(200);
    expect([await mailsTo(admin.user.id, user.id), await mailsTo(second.user.id, user.id)]).toEqual([
      [],
      ['role_waiting'],
    ]);
    expectFailure(await decide(admin.browser, user.id, 'treasurer'), 403, 'own_request');
    expectFailure(await decide(second.browser, user.id, 'owner'), 409, 'request_ended');
    const given = await decide(second.browser, user.id, 'treasurer');
    expect(given.body.user).toMatchObject({
      ...{ role: 'admin', adminRole: 'treasurer', roleRequest: null, secondPersonFrom: expect.any(String) },
    });
    expect([await mailsTo(admin.user.id, user.id), await mailsTo(second.user.id, user.id)]).toEqual([
      ['role_changed'],
      ['role_waiting', 'role_changed'],
    ]);
    expectFailure(await decide(second.browser, user.id, 'treasurer'), 409, 'request_ended');
    expectFailure(await browser.send('GET', '/api/auth/me'), 401, 'unauthenticated');
    await browser.send('POST', '/api/auth/login', { email: user.email, password: testPassword });
    expect((await browser.send('GET', '/api/auth/me')).body.user).toMatchObject({ adminRole: 'treasurer' });
    expect((await browser.send('GET', '/api/admin/reconciliation')).status).toBe(200);
    for (const refused of [await setRole(browser, user.id, 'owner'), await decide(browser, user.id, 'owner')])
      expectFailure(refused, 403, 'forbidden');
    expect((await setRole(admin.browser, user.id, 'support')).body.user).toMatchObject({ adminRole: 'support' });
    await setRole(admin.browser, user.id, null);
    await browser.send('POST', '/api/auth/login', { email: user.email, password: testPassword });
    expectFailure(await browser.send('GET', '/api/admin/stats'), 403, 'forbidden');
    const { body } = await admin.browser.send('GET', `/api/admin/audit?subject=${user.id}`);
    const audited = body.items.map(({ kind, detail }: Record<string, string>) => [kind, JSON.parse(detail ?? '')]);
    expect(audited.filter(([kind]: [string]) => kind.startsWith('role_'))).toEqual([
      ['role_changed', { from: 'support', to: null }],
      ['role_changed', { from: 'treasurer', to: 'support' }],
      ['role_changed', { from: null, to: 'treasurer' }],
      ['role_requested', { from: null, to: 'treasurer' }],
    ]);
  });

  it('cannot act as second person for a day', async () => {
    const [asking, { user: made }] = [await api.person('admin'), await api.person()];
    const { user } = await api.person();
    await setRole(asking.browser, made.id, 'owner');
    expect((await decide(second.browser, made.id, 'owner')).status).toBe(200);
    const fresh = api.visitor();
    await fresh.send('POST', '/api/auth/login', { email: made.email, password: testPassword });
    await setRole(asking.browser, user.id, 'reviewer');
    const refused = await decide(fresh, user.id, 'reviewer');
    expectFailure(refused, 403, 'role_too_new');
    const hours = (Date.parse(refused.body.from) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    await api.setRates(admin.user, 13_380_000n);
    const rate = { rate: '13.40', currency: 'EUR', reason: 'Prueba' };
    const { change } = (await asking.browser.send('POST', '/api/admin/exchange-rate', rate)).body;
    const confirm = () => fresh.send('POST', `/api/admin/exchange-rate/changes/${change.id}/confirm`);
    expectFailure(await confirm(), 403, 'role_too_new');
    const since = new Date(Date.now() - 24 * 3_600_000);
    await api.database.fork().nativeUpdate(User, { id: made.id }, { adminRoleSince: since });
    expect([(await decide(fresh, user.id, 'reviewer')).status, (await confirm()).status]).toEqual([200, 200]);
  });

  it('can be declined, withdrawn by its author, and ends when its author loses the role', async () => {
    const asking = await api.person('admin');
    const { user } = await api.person();
    const waiting = async () => (await admin.browser.send('GET', `/api/admin/users/${user.id}`)).body.user.roleRequest;
    for (const by of [second.browser, asking.browser]) {
      await setRole(asking.browser, user.id, 'support');
      expect((await decide(by, user.id, 'support', false)).status).toBe(200);
      expect(await waiting()).toBeNull();
    }
    await setRole(asking.browser, user.id, 'support');
    await setRole(second.browser, user.id, 'owner');
    expect(await waiting()).toMatchObject({ role: 'owner', requestedById: second.user.id });
    await setRole(asking.browser, user.id, 'reviewer');
    await setRole(admin.browser, asking.user.id, 'support');
    expectFailure(await decide(second.browser, user.id, 'reviewer'), 409, 'request_ended');
  });

  it('needs another owner at all, and an address that was proven', async () => {
    const { user } = await api.person();
    const em = api.database.fork();
    const others = await em.find(User, { adminRole: 'owner', id: { $ne: admin.user.id }, blockedAt: null });
    const ids = others.map(({ id }) => id);
    await em.nativeUpdate(User, { id: { $in: ids } }, { blockedAt: new Date() });
    expectFailure(await setRole(admin.browser, user.id, 'support'), 409, 'second_owner_missing');
    await em.nativeUpdate(User, { id: { $in: ids } }, { blockedAt: null });
    await em.nativeUpdate(User, { id: user.id }, { emailVerifiedAt: null });
    expectFailure(await setRole(admin.browser, user.id, 'support'), 403, 'email_unproven');
  });

  it('is never one’s own, and of two owners who demote each other one stays', async () => {
    expectFailure(await setRole(admin.browser, admin.user.id, 'support'), 403, 'forbidden');
    const [one, other] = [await api.person('admin'), await api.person('admin')];
    const answers = await Promise.all([
      setRole(one.browser, other.user.id, null),
      setRole(other.browser, one.user.id, null),
    ]);
    const accounts = await api.database.fork().find(User, { id: { $in: [one.user.id, other.user.id] } });
    expect(accounts.filter(({ adminRole }) => adminRole === 'owner')).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is given to no closed or blocked account', async () => {
    const { user } = await api.person();
    await setBlocked(user.id, true);
    expectFailure(await setRole(admin.browser, user.id, 'support'), 403, 'account_blocked');
    await api.database.fork().nativeUpdate(User, { id: user.id }, { closedAt: new Date(), blockedAt: null });
    expectFailure(await setRole(admin.browser, user.id, 'support'), 403, 'account_closed');
  });
});
