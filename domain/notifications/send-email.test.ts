import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Database } from '#platform/database/database';
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
import { addEmail, claimEmail, emailWaitingChange } from './email.repository.ts';
import { connectMailServer } from './mailer.ts';
import { sendEmail } from './send-email.ts';
import { sweepEmails } from './sweep-emails.ts';

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

function context(smtpUrl: string | null = smtp.url, now = new Date()): JobContext {
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const mailer = connectMailServer({ smtpUrl: smtpUrl ?? undefined, from: 'Chasqui <avisos@chasqui.test>' });
  const part = { database, mailer, log, publicUrl: 'https://chasqui.test', sweepEveryMs: 30_000, now: () => now };
  return part as Partial<JobContext> as JobContext;
}

async function write(at = new Date()): Promise<string> {
  const data = { currency: 'EUR', rate: '13.20', firedRate: '13.25' } as const;
  const key = `rate_alert-${randomUUID()}`;
  await database.transaction((em) => addEmail(em, { kind: 'rate_alert', key, data, userId: sender.id, at }));
  return (await database.fork().findOneOrFail(Email, { key })).id;
}
const send = (mailId: string, by = context()) => sendEmail(by, mailId);
const stored = (id: string) => database.fork().findOneOrFail(Email, { id });

test('an e-mail is queued once per key, however many transactions ask for it', async () => {
  const data = { currency: 'USD', lastUpdatedAt: new Date().toISOString() } as const;
  const email = { kind: 'rates_paused', key: 'once', data, at: new Date(), userId: sender.id } as const;
  await Promise.all(Array.from({ length: 4 }, () => database.transaction((em) => addEmail(em, email))));
  expect(await database.fork().count(Email)).toBe(1);
  const [job, ...more] = await database.fork().find(OutboxRow, { name: 'send-mail' });
  expect(more).toEqual([]);
  const [mail] = await database.fork().find(Email, {});
  expect(job?.data).toEqual({ mailId: mail?.id });
});

test('an e-mail reaches its person as text and as HTML with every value escaped', async () => {
  const id = await write();
  await send(id);
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
  const writeTo = async () => {
    const key = `rate_alert-${randomUUID()}`;
    const data = { currency: 'EUR', rate: '13.20', firedRate: '13.25' } as const;
    await database.transaction((em) => addEmail(em, { kind: 'rate_alert', key, data, userId: stranger.id, at }));
    await send((await database.fork().findOneOrFail(Email, { key })).id);
    return smtp.received.at(-1)?.raw ?? '';
  };
  const before = await writeTo();
  expect(before).toContain('Hola:');
  expect(before).not.toContain('Gana');
  await database.transaction(async (em) => requestPasswordReset(em, { email: stranger.email, at }));
  const { id } = await database.fork().findOneOrFail(PasswordReset, { email: stranger.email });
  await database.transaction((em) => issuePasswordReset(em, id, at));
  const token = (await database.transaction((em) => createResetLink(em, id, at))) ?? '';
  await database.transaction((em) => resetPassword(em, { token, passwordHash: 'none', at }));
  expect(await writeTo()).toContain('Hola, Gana 500 USD:');
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
    await send((await database.fork().findOneOrFail(Email, { key })).id);
    return smtp.received.at(-1)?.raw ?? '';
  };
  expect(await sentAfter('en')).toMatch(/^Subject: Transfers in EUR are paused/m);
  const spanish = await sentAfter('es');
  expect(spanish).toContain('Hola:');
  expect(spanish).not.toContain('paused');
});

test('an e-mail is sent once, however many jobs ask', async () => {
  const id = await write();
  await Promise.all(Array.from({ length: 4 }, () => send(id)));
  await send(id);
  expect(smtp.received).toHaveLength(1);
});

test('an e-mail sent again after a crash has the same Message-ID', async () => {
  const id = await write();
  await send(id);
  // As after a crash between the server's answer and its record, once the claim has expired.
  await database.fork().nativeUpdate(Email, { id }, { sentAt: null, claimedAt: new Date(Date.now() - 3 * 60_000) });
  await send(id);
  const ids = smtp.received.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test('an e-mail that the server refuses because of our configuration is tried again', async () => {
  const id = await write();
  smtp.refusals = [550];
  smtp.refusalStatus = '5.7.1 ';
  await expect(send(id)).rejects.toThrow(/^the mail server did not take it \(EENVELOPE 550\)$/);
  expect(await stored(id)).toMatchObject({ sentAt: null, refusedAt: null });
  await send(id);
  expect(smtp.received).toHaveLength(1);
});

test('an e-mail that another worker is sending is not sent twice, and is taken over when that worker does not finish', async () => {
  const id = await write();
  const started = new Date();
  await database.transaction((em) => claimEmail(em, id, started));
  await send(id);
  expect(smtp.received).toEqual([]);
  await send(id, context(smtp.url, new Date(started.getTime() + 3 * 60_000)));
  expect(smtp.received).toHaveLength(1);
});

test('an e-mail is retried while the mail server is busy or down', async () => {
  const id = await write();
  smtp.refusals = [451];
  await expect(send(id)).rejects.toThrow(/^the mail server did not take it \(EENVELOPE 451\)$/);
  await expect(send(id, context('smtp://127.0.0.1:9'))).rejects.toThrow(/^the mail server did not take it \(E\w+\)$/);
  expect((await stored(id)).sentAt).toBeNull();
  await send(id);
  expect(smtp.received).toHaveLength(1);
});

test('an e-mail whose address the server refuses for good is never tried again, and its job fails', async () => {
  const id = await write();
  smtp.refusals = [550];
  await expect(send(id)).rejects.toMatchObject({ name: 'NonRetryableError' });
  expect(await stored(id)).toMatchObject({ sentAt: null, refusedAt: expect.any(Date) });
  await send(id);
  expect(smtp.received).toEqual([]);
});

test('without a mail server an e-mail stays unsent, and the log says so without a name', async () => {
  const id = await write();
  await send(id, context(null));
  expect((await stored(id)).sentAt).toBeNull();
  expect(logged.join()).toContain('no SMTP_URL');
  expect(logged.join()).not.toMatch(/example|Luc/);
});

test('the sweep requests unsent e-mails again, except those that are new, sent, refused or too old', async () => {
  const now = new Date();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const day = 24 * 3_600_000;
  const [young, hours, sent, refused] = [
    await write(ago(60_000)),
    await write(ago(5 * 3_600_000)),
    await write(ago(60_000)),
    await write(ago(60_000)),
  ];
  await write(now);
  await write(ago(2 * day + 1000));
  await database.fork().nativeUpdate(Email, { id: sent }, { sentAt: now });
  await database.fork().nativeUpdate(Email, { id: refused }, { refusedAt: now });
  await database.fork().nativeDelete(OutboxRow, {});
  await sweepEmails(context(null, now));
  expect(await database.fork().count(OutboxRow)).toBe(0);
  await sweepEmails(context(smtp.url, now));
  const asked = await database.fork().find(OutboxRow, { name: 'send-mail' });
  expect(asked.map(({ data }) => data.mailId).sort()).toEqual([young, hours].sort());
});

test('an e-mail that stays unsent is asked for ever more rarely in its first hour, then once an hour', async () => {
  const at = new Date('2026-11-22T12:00:00Z');
  await write(at);
  const sweepAfter = (seconds: number) => sweepEmails(context(smtp.url, new Date(at.getTime() + seconds * 1000)));
  const askedFor = async () => {
    const rows = await database.fork().find(OutboxRow, { name: 'send-mail', jobKey: { $like: '%-swept-%' } });
    return new Set(rows.map(({ jobKey }) => jobKey)).size;
  };
  // After 30 seconds, 1, 2, 4, 8 and 16 minutes: more jobs would only wait behind each other where the mail server is slow.
  for (let seconds = 30; seconds <= 20 * 60; seconds += 30) await sweepAfter(seconds);
  expect(await askedFor()).toBe(6);
  for (const minutes of [65, 90, 115, 125, 150, 175]) await sweepAfter(minutes * 60);
  expect(await askedFor()).toBe(8);
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
  await send(mails[0]?.id ?? '');
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
  await send(mailId);
  await database.fork().nativeUpdate(Email, { id: mailId }, { sentAt: null, claimedAt: null });
  await send(mailId);
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
  await send(mailId, context(smtp.url, new Date(Date.now() + 3_600_000)));
  expect(smtp.received).toEqual([]);
  expect(await database.fork().count(Email, { id: mailId })).toBe(0);
  expect(await database.fork().count(PasswordReset, { id: resetId })).toBe(1);
  const week = 8 * 24 * 3_600_000;
  await purgeExpired(context(smtp.url, new Date(Date.now() + week)));
  expect(await database.fork().count(PasswordReset)).toBe(0);
});

test('a new password is confirmed by e-mail', async () => {
  const { mailId } = await writePasswordReset();
  await send(mailId);
  const token = tokensIn(smtp.received[0]?.raw ?? '')[0] ?? '';
  await database.transaction((em) => resetPassword(em, { token, passwordHash: 'none', at: new Date() }));
  await send((await database.fork().findOneOrFail(Email, { kind: 'password_changed' })).id);
  expect(smtp.received[1]?.raw).toContain('https://chasqui.test/login?recover');
  expect(smtp.received[1]?.raw).not.toContain(token);
});
