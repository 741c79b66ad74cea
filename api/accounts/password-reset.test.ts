import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { User } from '#domain/accounts/account.entity';
import { Email } from '#domain/emails/email.entity';
import { PasswordReset, PasswordResetLink } from '#domain/sign-in/password-reset.entity';
import { createResetLink, issuePasswordReset } from '#domain/sign-in/password-reset.repository';
import { Session } from '#domain/sign-in/session.entity';
import { type ApiConfiguration, readApiConfiguration } from '#platform/configuration/api';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { untilLockIsAwaited } from '../../infra/testing/lock-waits.ts';
import { TestApi, testPassword } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';

const newPassword = 'otra-clave-mas-larga';
let testDatabase: TestDatabase;
let env: ApiConfiguration;
let api: TestApi;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: testDatabase.url });
  api = await TestApi.start(env, {
    rateLimitPoints: { passwordResetsPerNetwork: 200, passwordResetLinksPerNetwork: 200 },
  });
});

afterAll(() => api?.close());

const ask = (email: string, from = api) => from.visitor().send('POST', '/api/auth/recover', { email });
const reset = (token: string, password = newPassword) =>
  api.visitor().send('POST', '/api/auth/reset', { token, password });
const look = (token: string) => api.visitor().send('POST', '/api/auth/recovery-link', { token });
const login = (email: string, password: string) => api.visitor().send('POST', '/api/auth/login', { email, password });

/** Acts as the worker for the newest request of an address: handles it and creates a link for the e-mail. */
async function linkFor(email: string): Promise<{ token: string; resetId: string }> {
  expect((await ask(email)).status).toBe(204);
  const { id: resetId } = await api.database.fork().findOneOrFail(PasswordReset, { email });
  await api.database.transaction((em) => issuePasswordReset(em, resetId, new Date()));
  return { resetId, token: await linkOf(resetId) };
}
async function linkOf(resetId: string): Promise<string> {
  const token = await api.database.transaction((em) => createResetLink(em, resetId, new Date()));
  if (token === null) throw new Error('this password reset has ended');
  return token;
}

describe('asking for a link', () => {
  it('asking for a password reset answers the same for every address, and writes the same down', async () => {
    const { user } = await api.person();
    const stranger = `${randomUUID()}@example.com`;
    const [known, unknown] = [await ask(user.email), await ask(stranger)];
    const shown = ({ status, body, headers }: typeof known) => {
      const { date: _when, 'x-request-id': _id, ...same } = Object.fromEntries(headers);
      return { status, body, same };
    };
    expect(shown(known)).toEqual(shown(unknown));
    expect(known.status).toBe(204);
    const rows = await api.database.fork().find(PasswordReset, { email: { $in: [user.email, stranger] } });
    expect(rows.map(({ userId, endedAt }) => [userId, endedAt])).toEqual([
      [null, null],
      [null, null],
    ]);
    const jobs = await api.database.fork().find(OutboxRow, { name: 'issue-password-reset' });
    // The relay may have taken them already; the remaining ones carry only ids.
    for (const { data } of jobs) expect(Object.keys(data)).toEqual(['resetId', 'requestId']);
  });

  it('a password reset request reads no account: it answers while the table is locked', async () => {
    const { user } = await api.person();
    const constraint = 'alter table password_recovery drop constraint password_recovery_user_id_fkey';
    // Even for a null reference PostgreSQL opens the referenced table.
    await testDatabase.asOwner(constraint);
    try {
      await api.database.transaction(async (em) => {
        await em.execute(`set local idle_in_transaction_session_timeout = '10s'`);
        await em.execute('lock table app_user in access exclusive mode');
        const answers = await Promise.all([ask(user.email), ask('nadie@example.com')]);
        expect(answers.map(({ status }) => status)).toEqual([204, 204]);
      });
    } finally {
      await testDatabase.asOwner(`${constraint.replace('drop', 'add')}
        foreign key (user_id) references app_user (id) on delete cascade deferrable initially deferred`);
    }
  });

  it('asking for a password reset is counted per address as typed and per network address, account or not', async () => {
    const few = { passwordResetsPerEmail: 2, passwordResetsPerNetwork: 6, passwordResetLinksPerNetwork: 6 };
    // Counts are shared by all processes of a database.
    await api.database.fork().execute('delete from rate_limit');
    const strict = await TestApi.start(env, { rateLimitPoints: few });
    try {
      const { user } = await strict.person();
      for (const email of [user.email, 'nadie@example.com']) {
        const answers = [await ask(email, strict), await ask(email.toUpperCase(), strict), await ask(email, strict)];
        expect(answers.map(({ status }) => status)).toEqual([204, 204, 429]);
      }
      const shut = await ask('otra@example.com', strict);
      expectFailure(shut, 429, 'too_many_requests');
      expect(Number(shut.headers.get('retry-after'))).toBeGreaterThan(3000);
      const guess = () => strict.visitor().send('POST', '/api/auth/recovery-link', { token: 'A'.repeat(43) });
      for (let tries = 0; tries < 6; tries += 1) expectFailure(await guess(), 410, 'recovery_link_unknown');
      expectFailure(await guess(), 429, 'too_many_requests');
    } finally {
      await strict.close();
    }
  });

  it('asking for a password reset says so when no e-mail can be sent at all', async () => {
    const mute = await TestApi.start({ ...env, sendsMail: false });
    try {
      expectFailure(await ask('nadie@example.com', mute), 503, 'mail_unavailable');
    } finally {
      await mute.close();
    }
  });
});

describe('a link', () => {
  it('a password reset link sets the password once, and looking at it before uses nothing up', async () => {
    const { user } = await api.person();
    const { token } = await linkFor(user.email);
    expect((await look(token)).body).toEqual({ email: user.email, factorsChanged: false });
    expect((await look(token)).status).toBe(200);
    for (const guessable of ['corta', 'mariposa']) expectFailure(await reset(token, guessable), 400, 'invalid_input');
    expect((await reset(token)).status).toBe(204);
    expectFailure(await look(token), 410, 'recovery_link_used');
    expectFailure(await reset(token, 'una-tercera-clave'), 410, 'recovery_link_used');
    expectFailure(await login(user.email, testPassword), 401, 'invalid_credentials');
    expect((await login(user.email, newPassword)).status).toBe(200);
    const { passwordHash } = await api.database.fork().findOneOrFail(User, { id: user.id });
    expect(passwordHash).toMatch(/^\$argon2id\$/);
  });

  it('a password reset link used twice at the same instant changes the password once', async () => {
    const { user } = await api.person();
    const { token } = await linkFor(user.email);
    const passwords = ['primera-clave-larga', 'segunda-clave-larga', 'tercera-clave-larga'];
    const answers = await Promise.all(passwords.map((password) => reset(token, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 410, 410]);
    const winner = answers.findIndex(({ status }) => status === 204);
    const entered = await Promise.all(passwords.map((password) => login(user.email, password)));
    expect(entered.findIndex(({ status }) => status === 200)).toBe(winner);
    expect(entered.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await api.database.fork().count(Email, { userId: user.id, kind: 'password_changed' })).toBe(1);
  });

  it('a password reset e-mail sent twice has two links that end together', async () => {
    const { user } = await api.person();
    const { token, resetId } = await linkFor(user.email);
    const again = await linkOf(resetId);
    expect(again).not.toBe(token);
    for (const one of [token, again]) expect((await look(one)).status).toBe(200);
    expect((await reset(again)).status).toBe(204);
    expectFailure(await reset(token), 410, 'recovery_link_used');
  });

  it('a password reset link ends when a newer one is requested, and after an hour', async () => {
    const { user } = await api.person();
    const older = await linkFor(user.email);
    const newer = await linkFor(user.email);
    expectFailure(await reset(older.token), 410, 'recovery_link_replaced');
    expect((await look(newer.token)).status).toBe(200);
    const { createdAt, expiresAt } = await api.database.fork().findOneOrFail(PasswordReset, { id: newer.resetId });
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(3_600_000);
    await api.database
      .fork()
      .nativeUpdate(PasswordReset, { id: newer.resetId }, { expiresAt: new Date(Date.now() - 1) });
    expectFailure(await look(newer.token), 410, 'recovery_link_expired');
    expectFailure(await reset(newer.token), 410, 'recovery_link_expired');
    expect((await login(user.email, testPassword)).status).toBe(200);
  });

  it('a password reset link is written nowhere in the database or the log', async () => {
    const { user } = await api.person();
    const { token, resetId } = await linkFor(user.email);
    await look(token);
    await reset(token);
    const em = api.database.fork();
    const kept = JSON.stringify([
      await em.find(PasswordReset, { id: resetId }),
      await em.find(PasswordResetLink, { resetId }),
      await em.find(Email, { userId: user.id }),
      await em.find(OutboxRow, {}),
    ]);
    expect(kept).toContain('password_recovery');
    expect(kept).not.toContain(token);
    for (const personal of [token, newPassword, '@example']) expect(api.logged.join('')).not.toContain(personal);
  });
});

describe('a changed password', () => {
  it('a changed password ends every session of the person and disconnects their pages, and no one else’s', async () => {
    const { user, browser } = await api.person();
    const bystander = await api.person();
    const remembered = api.visitor();
    await remembered.send('POST', '/api/auth/login', { email: user.email, password: testPassword, remember: true });
    const connect = async (cookie: string) => {
      const socket = io(api.url, {
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
        extraHeaders: { cookie },
      });
      await new Promise<void>((resolve, reject) => {
        socket.on('connect', resolve);
        socket.on('connect_error', reject);
      });
      return socket;
    };
    const sockets = [await connect(browser.cookie), await connect(remembered.cookie)];
    const other = await connect(bystander.browser.cookie);
    const hungUp = Promise.all(
      sockets.map((socket) => new Promise<string>((resolve) => socket.on('disconnect', resolve))),
    );
    const { token } = await linkFor(user.email);
    expect((await reset(token)).status).toBe(204);
    expect(await hungUp).toEqual(['io server disconnect', 'io server disconnect']);
    expect(other.connected).toBe(true);
    other.disconnect();
    for (const one of [browser, remembered]) {
      expectFailure(await one.send('GET', '/api/auth/me'), 401, 'unauthenticated');
    }
    expect((await bystander.browser.send('GET', '/api/auth/me')).status).toBe(200);
  });

  it('a changed password shuts out a concurrent sign-in that is still verifying the old one', async () => {
    const { user } = await api.person();
    const before = await api.database.fork().count(Session, { userId: user.id });
    let entering: ReturnType<typeof login> | undefined;
    await api.database.transaction(async (em) => {
      await em.execute('update app_user set password_hash = ? where id = ?', ['none', user.id]);
      entering = login(user.email, testPassword);
      // It has read the old hash, found the password right, and waits for the transaction that changes it.
      await untilLockIsAwaited(api.database);
    });
    expectFailure(await (entering as ReturnType<typeof login>), 401, 'invalid_credentials');
    expect(await api.database.fork().count(Session, { userId: user.id })).toBe(before);
  });
});
