import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#core/time/time';
import { Database } from '#platform/database/database';
import { Presence } from '#platform/database/presence';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { PasswordReset, User } from '../accounts/account.entity.ts';
import { setLocale } from '../accounts/account.repository.ts';
import {
  createResetLink,
  issuePasswordReset,
  readResetLink,
  requestPasswordReset,
  resetPassword,
} from '../accounts/password-reset.repository.ts';
import { openDatabase } from '../database.ts';
import type { JobContext } from '../job-context.ts';
import type { RateChange } from '../rates/rate.entity.ts';
import { purgeExpired } from '../retention.ts';
import { createTestUser } from '../testing/accounts.ts';
import { useSmtpServer } from '../testing/smtp-fixture.ts';
import { Email } from './email.entity.ts';
import { addEmail, emailWaitingChange, hasDueEmails, takeDueEmails } from './email.repository.ts';
import { connectMailServer, type Mailer } from './mailer.ts';
import { EmailRunner } from './send-email.ts';

const smtp = useSmtpServer();
let testDatabase: TestDatabase;
let database: Database;
let sender: User;
let logged: string[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 8 });
  sender = await createTestUser(database, { name: 'Lucía <b>Mamani</b>' });
  await database.fork().nativeUpdate(User, { id: sender.id }, { emailVerifiedAt: new Date() });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  logged = [];
  await database.fork().nativeDelete(Email, {});
  await database.fork().nativeDelete(OutboxRow, {});
});

function context(smtpUrl = smtp.url, now = new Date()): JobContext {
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const mailer = connectMailServer({ smtpUrl, from: 'Chasqui <avisos@chasqui.test>' });
  const part = { database, mailer, log, publicUrl: 'https://chasqui.test', presence, now: () => now };
  return part as Partial<JobContext> as JobContext;
}
/** A process that nobody shows: to others it is gone. */
const presence = 17;
const later = (ms: number) => new Date(Date.now() + ms);

const write = (at?: Date) => writeTo(sender.id, at);
async function writeTo(userId: string, at = new Date()): Promise<string> {
  const data = { currency: 'EUR', rate: '13.20', firedRate: '13.25' } as const;
  const key = `rate_alert-${randomUUID()}`;
  await database.transaction((em) => addEmail(em, { kind: 'rate_alert', key, data, userId, at }));
  return (await database.fork().findOneOrFail(Email, { key })).id;
}
/** Sends what is due. */
async function send(by = context()): Promise<void> {
  const runner = new EmailRunner(by, by.mailer as Mailer);
  await runner.take();
  await runner.idle();
}
const stored = (id: string) => database.fork().findOneOrFail(Email, { id });

test('an e-mail is written once per key, however many transactions ask for it', async () => {
  const data = { currency: 'USD', lastUpdatedAt: new Date().toISOString() } as const;
  const email = { kind: 'rates_paused', key: 'once', data, at: new Date(), userId: sender.id } as const;
  await Promise.all(Array.from({ length: 4 }, () => database.transaction((em) => addEmail(em, email))));
  expect(await database.fork().count(Email)).toBe(1);
});

test('an e-mail reaches its person as text and as HTML with every value escaped', async () => {
  const id = await write();
  await send();
  const [mail] = smtp.received;
  expect(mail?.to).toEqual([sender.email]);
  expect(mail?.raw).toMatch(new RegExp(`^Message-ID: <${id}@chasqui.test>`, 'm'));
  expect(mail?.raw).toMatch(/^From: Chasqui <avisos@chasqui.test>/m);
  expect(mail?.raw).toContain('https://chasqui.test/dashboard');
  expect(mail?.raw).not.toMatch(/<p[^>]*>Hola, Luc.{1,12}<b>/);
  expect((await stored(id)).sentAt).toBeInstanceOf(Date);
});

test('an e-mail greets by name only once the address was proven by a password reset', async () => {
  const stranger = await createTestUser(database, { name: 'Gana 500 USD' });
  const at = new Date();
  const sent = async () => {
    const id = await writeTo(stranger.id);
    await send();
    return smtp.received.find(({ raw }) => raw.includes(id))?.raw ?? '';
  };
  const before = await sent();
  expect(before).toContain('Hola:');
  expect(before).not.toContain('Gana');
  await database.transaction(async (em) => requestPasswordReset(em, { email: stranger.email, at }));
  const { id } = await database.fork().findOneOrFail(PasswordReset, { email: stranger.email });
  await database.transaction((em) => issuePasswordReset(em, id, at));
  const token = (await database.transaction((em) => createResetLink(em, id, at))) ?? '';
  await database.transaction((em) => resetPassword(em, { token, passwordHash: 'none', at }));
  expect(await sent()).toContain('Hola, Gana 500 USD:');
});

test('an e-mail is in the language that its person reads when it is sent', async () => {
  const reader = await createTestUser(database);
  const sentAfter = async (locale: 'es' | 'en') => {
    const key = `rates_paused-${randomUUID()}`;
    const data = { currency: 'EUR', lastUpdatedAt: '2026-11-29T14:05:00.000Z' } as const;
    await database.transaction((em) =>
      addEmail(em, { kind: 'rates_paused', key, data, userId: reader.id, at: new Date() }),
    );
    await setLocale(database.fork(), reader.id, locale);
    await send();
    return smtp.received.at(-1)?.raw ?? '';
  };
  expect(await sentAfter('en')).toMatch(/^Subject: Transfers in EUR are paused/m);
  const spanish = await sentAfter('es');
  expect(spanish).toContain('Hola:');
  expect(spanish).not.toContain('paused');
});

test('an e-mail is sent once, however many workers send at the same time', async () => {
  const ids = [await write(), await write(), await write()];
  await Promise.all(Array.from({ length: 4 }, () => send()));
  await send();
  expect(messageIds().sort()).toEqual(ids.sort());
});

const messageIds = () => smtp.received.map(({ raw }) => /^Message-ID: <([^@]+)@/m.exec(raw)?.[1]);

test.each([
  ['before it is sent', { sentTwice: false }],
  ['after the mail server took it, before that is written down', { sentTwice: true }],
  ['after it was written down', { sentTwice: false }],
])('an e-mail whose worker dies %s reaches its person, under one Message-ID', async (moment, { sentTwice }) => {
  const id = await write();
  const dying = context();
  const { mailer } = dying;
  const taken = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  const dead = {
    ...dying,
    mailer: {
      close: () => {},
      send: async (...args: Parameters<Mailer['send']>) => {
        if (moment.startsWith('before')) taken.resolve();
        else await mailer?.send(...args);
        if (moment.startsWith('after the')) taken.resolve();
        return moment.startsWith('after it') ? true : never;
      },
    },
  };
  const runner = new EmailRunner(dead, dead.mailer);
  await runner.take();
  await (moment.startsWith('after it') ? runner.idle() : taken.promise);
  // Another process takes it up as soon as the first one is gone, and not before.
  await send();
  expect(await hasDueEmails(database.fork(), new Date())).toBe(!moment.startsWith('after it'));
  await send();
  expect(messageIds()).toEqual(sentTwice ? [id, id] : [id]);
  expect(await stored(id)).toMatchObject({ sentAt: expect.any(Date), nextAttemptAt: null, takenBy: null });
  expect(await hasDueEmails(database.fork(), later(hourMs))).toBe(false);
});

test('an e-mail of a worker that lives is left to it until its lease ends', async () => {
  const id = await write();
  const other = await Presence.open(testDatabase.url, pino({ level: 'silent' }));
  const request = { now: new Date(), takenBy: other.number, limit: 1 };
  await database.statement((em) => takeDueEmails(em, request));
  expect(await hasDueEmails(database.fork(), new Date())).toBe(false);
  await send();
  expect(smtp.received).toEqual([]);
  await send(context(smtp.url, later(11 * minuteMs)));
  expect(messageIds()).toEqual([id]);
  await other.close();
});

test('hundreds of e-mails that wait are sent over a few connections that stay open', async () => {
  await database.fork().execute(
    `insert into mail (id, key, user_id, kind, data, created_at, next_attempt_at)
       select gen_random_uuid(), 'many-' || n, ?, 'rate_alert', ?::jsonb, now(), now() from generate_series(1, 300) as n`,
    [sender.id, JSON.stringify({ currency: 'EUR', rate: '13.20', firedRate: '13.25' })],
  );
  await send();
  expect(new Set(messageIds()).size).toBe(300);
  expect(smtp.connections).toBeLessThanOrEqual(8);
});

test('an e-mail that the mail server takes long for, or refuses, holds up no other', async () => {
  const [slow, other] = [await createTestUser(database), await createTestUser(database)];
  smtp.refused.set(sender.email, 451);
  const accepted = Promise.withResolvers<void>();
  smtp.slow.set(slow.email, accepted.promise);
  const refused = [await write(), await write()];
  const late = await writeTo(slow.id);
  const good = await writeTo(other.id);
  const sending = send();
  await expect.poll(async () => (await stored(good)).sentAt).not.toBeNull();
  expect((await stored(late)).sentAt).toBeNull();
  accepted.resolve();
  await sending;
  expect(messageIds()).toEqual([good, late]);
  for (const id of refused) expect(await stored(id)).toMatchObject({ sentAt: null, attempts: 1 });
});

test('an e-mail of a kind or with data that this version does not know waits, and holds up no other', async () => {
  const unknown = await write();
  await database.fork().nativeUpdate(Email, { id: unknown }, { kind: 'of_a_later_version' });
  const good = await write();
  await send();
  expect(messageIds()).toEqual([good]);
  expect(await stored(unknown)).toMatchObject({ sentAt: null, refusedAt: null, nextAttemptAt: expect.any(Date) });
});

test('an e-mail that the server refuses because of our configuration is tried again', async () => {
  const id = await write();
  smtp.refusals = [550];
  smtp.refusalStatus = '5.7.1 ';
  await send();
  expect(logged.join()).toContain('the mail server did not take it (EENVELOPE 550)');
  expect(await stored(id)).toMatchObject({ sentAt: null, refusedAt: null });
  await send(context(smtp.url, later(2_000)));
  expect(smtp.received).toHaveLength(1);
});

test('an e-mail is retried while the mail server is busy or down', async () => {
  const id = await write();
  smtp.refusals = [451];
  await send();
  expect(logged.join()).toContain('the mail server did not take it (EENVELOPE 451)');
  await send();
  expect((await stored(id)).attempts).toBe(1);
  await send(context('smtp://127.0.0.1:9', later(2_000)));
  expect(logged.at(-1)).toMatch(/the mail server did not take it \(E\w+\)/);
  expect(await stored(id)).toMatchObject({ sentAt: null, attempts: 2 });
  await send(context(smtp.url, later(5_000)));
  expect(smtp.received).toHaveLength(1);
  expect(logged.join()).not.toMatch(/example|Luc/);
});

test('an e-mail whose address the server refuses for good is never tried again, and the log says so without an address', async () => {
  const id = await write();
  smtp.refusals = [550];
  await send();
  expect(await stored(id)).toMatchObject({ sentAt: null, refusedAt: expect.any(Date), nextAttemptAt: null });
  expect(logged.join()).toContain('the mail server refused an address for good');
  expect(logged.join()).not.toMatch(/@|Luc/);
  await send(context(smtp.url, later(hourMs)));
  expect(smtp.received).toEqual([]);
});

test('an e-mail that stays unsent is tried ever more rarely, at last once an hour, and given up after two days', async () => {
  const at = new Date('2026-11-22T12:00:00Z');
  const id = await write(at);
  smtp.refused.set(sender.email, 451);
  const tries: number[] = [];
  let now: Date | null = at;
  const turned = { ...context(), now: () => now as Date };
  for (; now; now = (await stored(id)).nextAttemptAt ?? null) {
    tries.push((now.getTime() - at.getTime()) / 1000);
    await send(turned);
  }
  expect(tries.slice(0, 5)).toEqual([0, 1, 3, 7, 15]);
  expect(tries.at(-1)).toBeGreaterThan(46 * 3600);
  expect(tries.at(-1)).toBeLessThanOrEqual(48 * 3600);
  expect(tries.length).toBeLessThan(65);
  expect(await stored(id)).toMatchObject({ sentAt: null, refusedAt: null, nextAttemptAt: null });
});

test('an e-mail that waited for two days without a mail server is given up', async () => {
  const now = new Date();
  const [stale, young] = [await write(later(-2 * dayMs - 1000)), await write(later(-2 * dayMs + minuteMs))];
  await purgeExpired(context(smtp.url, now));
  expect((await stored(stale)).nextAttemptAt).toBeNull();
  expect((await stored(young)).nextAttemptAt).not.toBeNull();
});

test('an e-mail is deleted after 30 days', async () => {
  const now = new Date();
  const ago = (days: number) => new Date(now.getTime() - days * 24 * 3_600_000);
  const [kept] = [await write(ago(29)), await write(ago(31))];
  await purgeExpired(context(smtp.url, now));
  expect((await database.fork().find(Email, {})).map(({ id }) => id)).toEqual([kept]);
});

test('a rate change that waits for confirmation is e-mailed to every admin except the one who requested it', async () => {
  const asking = await createTestUser(database, { role: 'admin', name: 'Ana Quispe' });
  const other = await createTestUser(database, { role: 'admin' });
  const change = {
    id: 7n,
    currency: 'EUR',
    rate: 14_000_000n,
    previousRate: 13_380_000n,
    proposedById: asking.id,
    awaitingSince: new Date(),
    reason: 'Subió el mercado',
    guardRails: ['step_too_large', 'above_reference'],
  } as unknown as RateChange;
  const tell = () => database.transaction((em) => emailWaitingChange(em, change, new Date()));
  await tell();
  await tell();
  const mails = await database.fork().find(Email, {});
  expect(mails.map(({ userId }) => userId)).toEqual([other.id]);
  await send();
  expect(smtp.received[0]?.raw).toContain('Ana Quispe');
  expect(smtp.received[0]?.to).toEqual([other.email]);
});

/** The e-mail that answers a forgotten password. */
async function writePasswordReset(): Promise<{ mailId: string; resetId: string }> {
  const at = new Date();
  await database.transaction(async (em) => requestPasswordReset(em, { email: sender.email, at }));
  const { id } = await database.fork().findOneOrFail(PasswordReset, { email: sender.email });
  await database.transaction((em) => issuePasswordReset(em, id, new Date()));
  return { resetId: id, mailId: (await database.fork().findOneOrFail(Email, { kind: 'password_recovery' })).id };
}
/** The text part, whose long lines are folded with "=" at their ends. */
const tokensIn = (raw: string) =>
  raw.replaceAll('=\r\n', '').match(/(?<=https:\/\/chasqui\.test\/recuperar#)[\w-]{43}/g) ?? [];

test('the link of a password reset is in the email and nowhere else; sent twice, both copies have one that opens', async () => {
  const { mailId, resetId } = await writePasswordReset();
  await send();
  await database.fork().nativeUpdate(Email, { id: mailId }, { sentAt: null, nextAttemptAt: new Date() });
  await send();
  const tokens = smtp.received.map(({ raw }) => tokensIn(raw)[0] ?? '');
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) {
    const opened = await readResetLink(database.fork(), token, new Date());
    expect(opened).toEqual({ resetId, userId: sender.id });
  }
  const kept = JSON.stringify([
    await database.fork().find(Email, {}),
    await database.fork().find(OutboxRow, {}),
    logged,
  ]);
  for (const token of tokens) expect(kept).not.toContain(token);
});

test('a password reset e-mail whose link no longer works is neither sent nor kept', async () => {
  const { mailId, resetId } = await writePasswordReset();
  await send(context(smtp.url, later(hourMs)));
  expect(smtp.received).toEqual([]);
  expect(await database.fork().count(Email, { id: mailId })).toBe(0);
  expect(await database.fork().count(PasswordReset, { id: resetId })).toBe(1);
  const week = 8 * 24 * 3_600_000;
  await purgeExpired(context(smtp.url, new Date(Date.now() + week)));
  expect(await database.fork().count(PasswordReset)).toBe(0);
});

test('a new password is confirmed by e-mail', async () => {
  await writePasswordReset();
  await send();
  const token = tokensIn(smtp.received[0]?.raw ?? '')[0] ?? '';
  await database.transaction((em) => resetPassword(em, { token, passwordHash: 'none', at: new Date() }));
  await send();
  expect(smtp.received[1]?.raw).toContain('https://chasqui.test/login?recover');
  expect(smtp.received[1]?.raw).not.toContain(token);
});
