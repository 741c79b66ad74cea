import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import { User } from '#domain/accounts/account.entity';
import { lockPayer } from '#domain/accounts/account.repository';
import { openCase } from '#domain/desk/desk-case.repository';
import { Email } from '#domain/emails/email.entity';
import { closeAccount } from '#domain/own-account/close-account';
import { eraseClosedAccounts } from '#domain/own-account/closing.repository';
import { exportedTables, tablesNotExported } from '#domain/own-account/export.repository';
import { RateAlert } from '#domain/rates/rate.entity';
import { markReachedAlerts } from '#domain/rates/rate-alert.repository';
import { Recipient } from '#domain/recipients/recipient.entity';
import { KnownDevice } from '#domain/sign-in/known-device.entity';
import { PasswordReset } from '#domain/sign-in/password-reset.entity';
import { issuePasswordReset } from '#domain/sign-in/password-reset.repository';
import { Session } from '#domain/sign-in/session.entity';
import { Transfer } from '#domain/transfers/transfer.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { untilLockIsAwaited } from '../../infra/testing/lock-waits.ts';
import { createTestContext } from '../../testing/job-context.ts';
import { openTestTransfer, transferIn } from '../../testing/transfers.ts';
import { purgeExpired } from '../../worker/retention/retention.ts';
import { retentionRules } from '../../worker/retention/retention-rules.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { TestApi, testPassword, unlimited } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let api: TestApi;
let databaseUrl: string;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  databaseUrl = url;
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url });
  const points = { ...unlimited, passwordChecksPerPerson: 3, dataExportsPerPerson: 3 };
  api = await TestApi.start(env, { rateLimitPoints: points });
});
afterAll(() => api?.close());

const close = (browser: TestBrowser, password = testPassword) =>
  browser.send('POST', '/api/account/close', { password });
const login = (email: string) => api.visitor().send('POST', '/api/auth/login', { email, password: testPassword });
const find = (id: string) => api.database.fork().findOneOrFail(User, { id });
const addRecipient = (browser: TestBrowser) => browser.send('POST', '/api/recipients', sampleRecipient);

describe('the name on a transfer', () => {
  it('the name stays while a transfer is under way, everything else is changed, and afterwards the name too', async () => {
    const { browser, user } = await api.person();
    const change = (name: string) => browser.send('PUT', '/api/account', { name, city: 'Madrid' });
    const transfer = await transferIn(api.database, 'in_review', { userId: user.id });
    expectFailure(await change('Otra Persona'), 409, 'name_in_use');
    expect((await change('Carmen Rojas')).body.city).toBe('Madrid');
    await browser.send('POST', `/api/transactions/${transfer.id}/cancel`);
    expect((await change('Otra Persona')).body.name).toBe('Otra Persona');
  });
});

describe('the data of a person', () => {
  it('every table with a person or a transfer in it is in the export, or says why it is not', async () => {
    const rows = await api.database.fork().execute<{ name: string }[]>(
      `select distinct table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and column_name in ('user_id', 'sender_id', 'transfer_id')`,
    );
    const known = new Set([...exportedTables, ...Object.keys(tablesNotExported)]);
    expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
    expect(exportedTables.filter((name) => name in tablesNotExported)).toEqual([]);
  });

  it('every table has a rule of how long its rows are kept', async () => {
    const rows = await api.database
      .fork()
      .execute<{ name: string }[]>(
        `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migration'`,
      );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(retentionRules).toSorted());
  });

  it('the export has everything of its person, nothing of anybody else, and no secret', async () => {
    const { browser, user } = await api.person();
    const other = await api.person('user', 'Vecina Curiosa');
    for (const one of [browser, other.browser]) await addRecipient(one);
    const own = await transferIn(api.database, 'completed', { userId: user.id });
    await api.database.transaction(async (em) => openTestTransfer(em, { userId: user.id }));
    await transferIn(api.database, 'completed', { userId: other.user.id });
    const answer = await browser.send('GET', '/api/account/data');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="chasqui-\d{4}-\d\d-\d\d\.json"$/);
    const { account, recipients, transfers, transfer_steps: steps, sessions, ...rest } = answer.body;
    expect(account).toEqual([expect.objectContaining({ id: user.id, email: user.email, birth_date: '1990-05-17' })]);
    expect(recipients).toEqual([expect.objectContaining({ bank_account: sampleRecipient.bankAccount })]);
    expect(transfers).toHaveLength(2);
    expect(transfers).toContainEqual(expect.objectContaining({ id: own.id, amount: '100.00', rate: '13.380000' }));
    expect(steps.length).toBeGreaterThan(3);
    expect(sessions).toHaveLength(1);
    expect(rest.known_devices).toHaveLength(1);
    const text = JSON.stringify(answer.body);
    const { passwordHash } = await find(user.id);
    const { tokenHash } = await api.database.fork().findOneOrFail(Session, { userId: user.id });
    const { secretHash } = await api.database.fork().findOneOrFail(KnownDevice, { userId: user.id });
    for (const foreign of [other.user.id, 'Vecina', passwordHash, tokenHash, secretHash])
      expect(text).not.toContain(foreign);
  });

  it('the export is read in batches that leave nothing out', async () => {
    const { browser, user } = await api.person();
    const at = new Date('2026-11-20T15:00:00Z');
    await api.database.transaction(async (em) => {
      for (let n = 0; n < 1001; n += 1) {
        const email = { key: `many-${randomUUID()}`, userId: user.id, kind: 'rate_alert', data: {} };
        em.persist(em.create(Email, { id: randomUUID(), ...email, createdAt: at, nextAttemptAt: null }));
      }
    });
    const { emails } = (await browser.send('GET', '/api/account/data')).body;
    expect(emails).toHaveLength(1001);
  });

  it('exports the paid transfers as a table in the requested language', async () => {
    const { browser, user } = await api.person();
    const { id } = await transferIn(api.database, 'completed', { userId: user.id });
    const answer = await browser.send('GET', '/api/account/transfers?language=en');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = String(answer.body).trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('Identifier');
    expect(lines[1]).toContain(id);
  });

  it('limits exports to a few per hour', async () => {
    const { browser } = await api.person();
    const ask = () => browser.send('GET', '/api/account/data');
    for (let times = 0; times < 3; times += 1) expect((await ask()).status).toBe(200);
    expectFailure(await ask(), 429, 'too_many_requests');
  });
});

describe('the currency that a person prefers', () => {
  it('the currency that a person prefers is in their session on every browser until they take it back', async () => {
    const { browser } = await api.person();
    const bystander = await api.person();
    const prefer = (currency: string | null) => browser.send('PUT', '/api/account/currency', { currency });
    const preferred = async (of: TestBrowser) => (await of.send('GET', '/api/auth/me')).body.user.preferredCurrency;
    expect((await prefer('EUR')).body.user.preferredCurrency).toBe('EUR');
    expect([await preferred(browser), await preferred(bystander.browser)]).toEqual(['EUR', null]);
    await prefer(null);
    expect(await preferred(browser)).toBeNull();
  });
});

describe('a closed account', () => {
  it('closing ends every session, says so at sign-in and by e-mail, and removes what no law needs', async () => {
    const { browser, user } = await api.person();
    await browser.send('PUT', '/api/account', { name: 'Carmen Rojas', phone: '+34 600 000 000', city: 'Madrid' });
    await addRecipient(browser);
    await api.setRates((await api.person('admin')).user, 13_380_000n);
    expect((await browser.send('POST', '/api/rate-alerts', { currency: 'EUR', rate: '99' })).status).toBe(201);
    const paid = await transferIn(api.database, 'completed', { userId: user.id });
    const other = api.visitor();
    await other.send('POST', '/api/auth/login', { email: user.email, password: testPassword });
    const socket = io(api.url, {
      ...{ transports: ['websocket'], reconnection: false, forceNew: true },
      extraHeaders: { cookie: other.cookie },
    });
    const hungUp = new Promise<string>((resolve) => socket.on('disconnect', resolve));
    await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
    const rows = () =>
      Promise.all(
        [Session, KnownDevice, RateAlert].map((table) =>
          api.database.fork().count<{ userId: string }>(table as never, { userId: user.id }),
        ),
      );
    expect(await rows()).toEqual([2, 2, 1]);
    const answer = await close(browser);
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie().join()).toContain('chasqui_session=;');
    expect(await hungUp).toBe('io server disconnect');
    expectFailure(await other.send('GET', '/api/auth/me'), 401, 'unauthenticated');
    expectFailure(await login(user.email), 403, 'account_closed');
    const em = api.database.fork();
    expect(await find(user.id)).toMatchObject({ name: 'Carmen Rojas', phone: null, city: null });
    expect(await em.find(Recipient, { userId: user.id })).toEqual([
      expect.objectContaining({ name: '', ci: '', bankAccount: '', phone: '', address: '' }),
    ]);
    expect(await rows()).toEqual([0, 0, 0]);
    expect((await em.findOneOrFail(Transfer, { id: paid.id })).state).toBe('completed');
    const emails = await em.find(Email, { userId: user.id, kind: 'account_closed' });
    expect(emails).toHaveLength(1);
  });

  it('an account is closed only with its password, which is not to be guessed', async () => {
    const { browser, user } = await api.person();
    for (let tries = 0; tries < 3; tries += 1) expectFailure(await close(browser, 'mala'), 422, 'wrong_password');
    expectFailure(await close(browser), 429, 'too_many_requests');
    expect((await find(user.id)).closedAt).toBeNull();
  });

  it.each(['in_review', 'approved', 'captured', 'payout_failed', 'refunding'] as const)(
    'an account with a transfer in the state %s stays open, and says why',
    async (state) => {
      const { browser, user } = await api.person();
      await transferIn(api.database, state, { userId: user.id });
      const refused = await close(browser);
      expectFailure(refused, 409, 'account_busy');
      expect(refused.body).toMatchObject({ transfers: 1, complaints: 0, cases: 0 });
      expect((await find(user.id)).closedAt).toBeNull();
    },
  );

  it('an account about whose transfer something is being settled stays open until that is done', async () => {
    const { browser, user } = await api.person();
    const { id: transferId } = await transferIn(api.database, 'completed', { userId: user.id });
    await api.database.transaction((em) => openCase(em, { transferId, reason: 'contradiction', at: new Date() }));
    const refused = await close(browser);
    expectFailure(refused, 409, 'account_busy');
    expect(refused.body).toMatchObject({ transfers: 0, complaints: 0, cases: 1 });
  });

  it('a complaint that waits for its answer keeps the account open', async () => {
    const { browser, user } = await api.person();
    const { id } = await transferIn(api.database, 'completed', { userId: user.id });
    const report = { reason: 'late', wants: 'refund', description: 'El dinero llegó tarde.' };
    expect((await browser.send('POST', `/api/transactions/${id}/complaints`, report)).status).toBeLessThan(300);
    const refused = await close(browser);
    expectFailure(refused, 409, 'account_busy');
    expect(refused.body).toMatchObject({ complaints: 1 });
  });

  it('a transfer that was not paid is cancelled with the account', async () => {
    const { browser, user } = await api.person();
    const { id } = await api.database.transaction(async (em) => openTestTransfer(em, { userId: user.id }));
    expect((await close(browser)).status).toBe(204);
    expect((await api.database.fork().findOneOrFail(Transfer, { id })).state).toBe('cancelled');
  });

  it('a transfer that is being opened while the account closes is cancelled with it', async () => {
    const { user } = await api.person();
    const verified = await find(user.id);
    const isLocked = Promise.withResolvers<void>();
    const isClosing = Promise.withResolvers<void>();
    const opening = api.database.transaction(async (em) => {
      await lockPayer(em, user.id);
      const transfer = openTestTransfer(em, { userId: user.id });
      await em.flush();
      isLocked.resolve();
      await isClosing.promise;
      return transfer;
    });
    await isLocked.promise;
    const closing = closeAccount(api.database, { verified, at: new Date() });
    await untilLockIsAwaited(api.database).finally(isClosing.resolve);
    const { id } = await opening;
    await closing;
    expect((await api.database.fork().findOneOrFail(Transfer, { id })).state).toBe('cancelled');
    const open = api.database.transaction((em) => lockPayer(em, user.id));
    await expect(open).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('an account closed twice at the same instant is closed once', async () => {
    const { browser, user } = await api.person();
    const answers = await Promise.all([close(browser), close(browser)]);
    expect(answers.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    expect(await api.database.fork().count(Email, { userId: user.id, kind: 'account_closed' })).toBe(1);
  });

  it('an admin’s account is the operator’s and is not closed from here', async () => {
    const { browser } = await api.person('admin');
    expectFailure(await close(browser), 403, 'forbidden');
  });

  it('a closed account gets no link for a new password', async () => {
    const { browser, user } = await api.person();
    await close(browser);
    await api.visitor().send('POST', '/api/auth/recover', { email: user.email });
    const { id } = await api.database.fork().findOneOrFail(PasswordReset, { email: user.email });
    await api.database.transaction((em) => issuePasswordReset(em, id, new Date()));
    expect(await api.database.fork().count(Email, { userId: user.id, kind: 'password_recovery' })).toBe(0);
  });

  it('a complaint and its files stay after closing, also for admins to see, until their sender is erased', async () => {
    const { browser, user } = await api.person();
    const { id } = await transferIn(api.database, 'completed', { userId: user.id });
    const report = { reason: 'late', wants: 'refund', description: 'El dinero llegó tarde.' };
    const { body: complaint } = await browser.send('POST', `/api/transactions/${id}/complaints`, report);
    const pdf = { name: 'extracto.pdf', type: 'application/pdf', data: btoa('%PDF-1.7 extracto') };
    const { body: files } = await browser.send('POST', `/api/complaints/${complaint.id}/files`, pdf);
    expect(files.files).toHaveLength(1);
    await browser.send('POST', `/api/complaints/${complaint.id}/withdrawal`);
    expect((await close(browser)).status).toBe(204);
    const admin = await api.person('admin');
    const seen = await admin.browser.send('GET', `/api/admin/complaints/${complaint.id}`);
    expect(seen.body.complaint).toMatchObject({ description: report.description, files: files.files });
    const file = () => admin.browser.send('GET', `/api/admin/files/${files.files[0].id}`);
    expect((await file()).status).toBe(200);
    const remove = () => api.database.fork().execute('delete from attachment where uploaded_by_id = ?', [user.id]);
    await expect(remove()).rejects.toThrow('is kept until its sender is erased');
    const later = new Date(Date.now() + 60_000);
    await api.database.transaction((em) => eraseClosedAccounts(em, { never: later, paid: later }));
    expect((await file()).status).toBe(404);
    const kept = await admin.browser.send('GET', `/api/admin/complaints/${complaint.id}`);
    expect(kept.body.complaint).toMatchObject({ description: report.description, files: [] });
  });

  it('who never paid is erased some weeks after closing, and who did as long after as the law asks', async () => {
    const [never, paid] = [await api.person(), await api.person()];
    await transferIn(api.database, 'completed', { userId: paid.user.id });
    for (const { browser } of [never, paid]) expect((await close(browser)).status).toBe(204);
    const later = new Date(Date.now() + 60_000);
    await api.database.transaction((em) => eraseClosedAccounts(em, { never: later, paid: new Date(0) }));
    const erased = { name: '', birthDate: null, email: `${never.user.id}@closed.invalid` };
    expect(await find(never.user.id)).toMatchObject(erased);
    expect(await find(paid.user.id)).toMatchObject({ name: 'Carmen Rojas', email: paid.user.email });
    expectFailure(await login(never.user.email), 401, 'invalid_credentials');
    await api.database.transaction((em) => eraseClosedAccounts(em, { never: later, paid: later }));
    expect(await find(paid.user.id)).toMatchObject({ name: '', birthDate: null });
  });
});

describe('a person on legal hold', () => {
  /** A person with a row about them in each table that closing or the night deletes from, all of them past their time in ten years. */
  async function personWithTraces() {
    const { browser, user } = await api.person();
    await browser.send('PUT', '/api/account', { name: 'Carmen Rojas', phone: '+34 600 000 000', city: 'Madrid' });
    const { body: recipient } = await addRecipient(browser);
    const transfer = await transferIn(api.database, 'completed', { userId: user.id });
    await api.database.fork().execute('update transfer set payment_intent_id = id where id = ?', [transfer.id]);
    await api.database.fork().execute(
      `with person as (select u.id as user_id, s.id as session_id, t.id as transfer_id, t.payment_intent_id, r.id as recipient_id, now() as at, gen_random_uuid() as id
         from app_user as u join session as s on s.user_id = u.id join transfer as t on t.user_id = u.id join recipient as r on r.id = ? where u.id = ?),
       a as (insert into password_recovery (id, user_id, created_at, expires_at) select id, user_id, at, at from person),
       b as (insert into email_change (id, user_id, session_id, old_email, new_email, created_at, expires_at)
         select id, user_id, session_id, 'a@example.com', 'b@example.com', at, at from person),
       b2 as (insert into account_change (id, user_id, kind, email, factors, at, undo_until) select id, user_id, 'password', '', '{}', at, at from person),
       c as (insert into email_proof (token_hash, user_id, email, code_hash, created_at, expires_at) select id, user_id, '', '', at, at from person),
       d as (insert into idempotency_key (user_id, key, input_hash, transfer_id, created_at) select user_id, id, '', transfer_id, at from person),
       e as (insert into declined_attempt (charge_id, transfer_id, user_id, at) select id, transfer_id, user_id, at from person),
       f as (insert into payment_origin (transfer_id, at) select transfer_id, at from person on conflict do nothing),
       g as (insert into stripe_event (id, type, payment_intent_id, received_at, handled_at, attempts, next_attempt_at, outcome)
         select id, 'charge.succeeded', payment_intent_id, at, at, 1, at, 'handled' from person),
       h as (insert into push_subscription (id, user_id, session_id, endpoint, p256dh, auth, created_at) select id, user_id, session_id, id, '', '', at from person),
       i as (insert into web_push (id, key, subscription_id, transfer_id, kind, created_at, attempts) select id, id, id, transfer_id, 'paid', at, 1 from person),
       j as (insert into repeat_plan (id, user_id, recipient_id, state, fixed, amount_minor, currency, every, day, hour, zone, next_day, next_at, created_at, changed_at)
         select id, user_id, recipient_id, 'active', 'pay', 100, 'EUR', 'month', 1, 9, 'Europe/Madrid', at, at, at, at from person),
       k as (insert into crypto_order (id, user_id, status, version, amount_minor, wallet_address, input_hash, created_at, changed_at)
         select id, user_id, 'created', 1, 100, '', '', at, at from person),
       m as (insert into rate_alert (id, user_id, currency, rate, created_at) select id, user_id, 'EUR', 99000000, at from person),
       l as (insert into webhook_endpoint (id, url, description, events, secret, created_at, created_by_id)
         select id, '', '', '{}', '', at, user_id from person)
       insert into webhook_delivery (id, endpoint_id, event_id, event_type, transfer_id, body, created_at, status, attempts, expires_at)
       select id, id, id, '', transfer_id, '{}', at, 'delivered', 1, at from person`,
      [recipient.id, user.id],
    );
    return { browser, user };
  }

  const tables = [
    ...[
      'session',
      'known_device',
      'rate_alert',
      'repeat_plan',
      'password_recovery',
      'email_change',
      'account_change',
      'email_proof',
      'name_check',
    ],
    ...['idempotency_key', 'declined_attempt', 'push_subscription', 'crypto_order', 'mail'],
    ...['payment_origin', 'web_push', 'webhook_delivery', 'stripe_event'],
  ];
  /** How many rows of each of the tables are about a person. */
  async function traces(id: string) {
    const about = (table: string) => {
      if (table === 'stripe_event')
        return 'payment_intent_id in (select payment_intent_id from transfer where user_id = ?)';
      const byTransfer = ['payment_origin', 'web_push', 'webhook_delivery'].includes(table);
      return byTransfer ? 'transfer_id in (select id from transfer where user_id = ?)' : 'user_id = ?';
    };
    const counts = tables.map(
      (table) => `select '${table}' as name, count(*)::int as rows from ${table} where ${about(table)}`,
    );
    const rows = await api.database.fork().execute<{ name: string; rows: number }[]>(
      counts.join(' union all '),
      tables.map(() => id),
    );
    return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
  }
  const hold = async (id: string, held: boolean) => {
    const owner = await api.person('admin', 'Ana Quispe');
    return owner.browser.send('POST', `/api/admin/users/${id}/legal-hold`, { held, reason: 'Oficio de la fiscalía' });
  };

  it('closes the account as anybody, and is erased only after the hold is lifted', async () => {
    const [held, other] = [await personWithTraces(), await personWithTraces()];
    const before = await traces(held.user.id);
    for (const [table, rows] of Object.entries(before)) expect([table, rows > 0]).toEqual([table, true]);
    const answer = await hold(held.user.id, true);
    expect(answer.body.user.holds).toEqual([
      { held: true, reason: 'Oficio de la fiscalía', by: 'Ana Quispe', at: expect.any(String) },
    ]);
    expect(JSON.stringify((await held.browser.send('GET', '/api/account/data')).body)).not.toMatch(
      /legal|erasure|fiscal/,
    );
    for (const { browser } of [held, other]) expect((await close(browser)).status).toBe(204);
    expectFailure(await held.browser.send('GET', '/api/auth/me'), 401, 'unauthenticated');
    expectFailure(await login(held.user.email), 403, 'account_closed');

    const firing = { currency: 'EUR', rate: 99_000_000n as Rate, at: new Date(), limit: 10 } as const;
    expect(await api.database.transaction((em) => markReachedAlerts(em, firing))).toEqual([]);
    const tenYears = new Date(Date.now() + 4000 * dayMs);
    const night = () => purgeExpired(createTestContext(api.database, { databaseUrl, now: () => tenYears }).context);
    await night();
    const em = api.database.fork();
    const kept = await find(held.user.id);
    expect(kept).toMatchObject({ name: 'Carmen Rojas', city: 'Madrid', email: held.user.email });
    expect(kept.phone).not.toBeNull();
    expect(await em.find(Recipient, { userId: held.user.id })).toMatchObject([
      { name: sampleRecipient.name, removedAt: expect.any(Date) },
    ]);
    const closing = { mail: (before.mail ?? 0) + 1 };
    expect(await traces(held.user.id)).toEqual({ ...before, ...closing });
    const stopped = await em.execute('select state from repeat_plan where user_id = ?', [held.user.id]);
    expect(stopped).toEqual([{ state: 'ended' }]);
    const nothing = Object.fromEntries(tables.map((table) => [table, 0]));
    expect(await traces(other.user.id)).toEqual(nothing);

    expect((await hold(held.user.id, false)).status).toBe(200);
    await night();
    expect(await traces(held.user.id)).toEqual(nothing);
    const erased = { name: '', phone: null, city: null, email: `${held.user.id}@closed.invalid`, erasureDueAt: null };
    expect(await find(held.user.id)).toMatchObject(erased);
    const [recipient] = await api.database.fork().find(Recipient, { userId: held.user.id });
    expect(recipient).toMatchObject({ name: '', sealed: null });
  });

  it('owners cannot put themselves on hold, and unknown users give 404', async () => {
    const owner = await api.person('admin');
    const ask = (id: string) =>
      owner.browser.send('POST', `/api/admin/users/${id}/legal-hold`, { held: true, reason: 'Oficio' });
    expectFailure(await ask(owner.user.id), 403, 'forbidden');
    expectFailure(await ask(randomUUID()), 404, 'not_found');
  });
});
