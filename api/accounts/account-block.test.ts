import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockPayer, type User } from '#domain/accounts/account.repository';
import { AccountBlock } from '#domain/accounts/account-block.entity';
import { transferIn } from '#domain/testing/transfers';
import { Transfer } from '#domain/transfers/transfer.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
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
  it('is signed out everywhere and cannot sign in, and what is under way goes on', async () => {
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
    // Asked for twice, as by a double click, it changes once.
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
  it('comes with limits as they are now, and with notes, the newest first', async () => {
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
