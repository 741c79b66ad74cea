import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#core/time/time';
import { Presence } from '#platform/database/presence';
import { setLocale } from '../accounts/account.repository.ts';
import type { RateChange } from '../rates/rate.entity.ts';
import { purgeExpired } from '../retention.ts';
import { createTestUser } from '../testing/accounts.ts';
import { useEmailFixture } from '../testing/email-fixture.ts';
import { Email } from './email.entity.ts';
import { addEmail, emailWaitingChange, hasDueEmails, takeDueEmails } from './email.repository.ts';
import { connectMailServer, type Mailer } from './mailer.ts';
import { EmailRunner } from './send-email.ts';

const fixture = useEmailFixture();
const { smtp } = fixture;
const later = (ms: number) => new Date(Date.now() + ms);

test('an e-mail is written once per key, however many transactions ask for it', async () => {
  const data = { currency: 'USD', lastUpdatedAt: new Date().toISOString() } as const;
  const email = { kind: 'rates_paused', key: 'once', data, at: new Date(), userId: fixture.sender.id } as const;
  await Promise.all(Array.from({ length: 4 }, () => fixture.database.transaction((em) => addEmail(em, email))));
  expect(await fixture.database.fork().count(Email)).toBe(1);
});

test('an e-mail reaches its person as text and as HTML with every value escaped', async () => {
  const id = await fixture.write();
  await fixture.send();
  const [mail] = smtp.received;
  expect(mail?.to).toEqual([fixture.sender.email]);
  expect(mail?.raw).toMatch(new RegExp(`^Message-ID: <${id}@chasqui.test>`, 'm'));
  expect(mail?.raw).toMatch(/^From: Chasqui <avisos@chasqui.test>/m);
  expect(mail?.raw).toContain('https://chasqui.test/dashboard');
  expect(mail?.raw).not.toMatch(/<p[^>]*>Hola, Luc.{1,12}<b>/);
  expect((await fixture.stored(id)).sentAt).toBeInstanceOf(Date);
});

test('an e-mail arrives as it was written, whatever its texts have in them', async () => {
  const mailer = connectMailServer({ smtpUrl: smtp.url, from: 'Chasqui Ñandú <a@chasqui.test>', requiresTls: false });
  const long = 'envío=ñandú 🦙 '.repeat(30);
  const message = {
    subject: `Tu envío: ${'ñandú 🦙 '.repeat(12)}fin`,
    text: `.\n..\n--\n${long}\nFrom here \n`,
    html: `<p>\n.${long}</p>\n`,
  };
  expect(await mailer?.send('id', 'carmen@example.com', message)).toBe(true);
  mailer?.close();
  const { from, to, subject, text, html, messageId } = await PostalMime.parse(smtp.received[0]?.raw ?? '');
  // The parser ends each part with the line break that belongs to the boundary.
  expect({ subject, text, html }).toEqual({ ...message, text: `${message.text}\n`, html: `${message.html}\n` });
  expect({ from, to, messageId }).toEqual({
    from: { name: 'Chasqui Ñandú', address: 'a@chasqui.test' },
    to: [{ name: '', address: 'carmen@example.com' }],
    messageId: '<id@chasqui.test>',
  });
});

test('an e-mail is in the language that its person reads when it is sent', async () => {
  const reader = await createTestUser(fixture.database);
  const sentAfter = async (locale: 'es' | 'en') => {
    const key = `rates_paused-${randomUUID()}`;
    const data = { currency: 'EUR', lastUpdatedAt: '2026-11-29T14:05:00.000Z' } as const;
    await fixture.database.transaction((em) =>
      addEmail(em, { kind: 'rates_paused', key, data, userId: reader.id, at: new Date() }),
    );
    await setLocale(fixture.database.fork(), reader.id, locale);
    await fixture.send();
    return smtp.received.at(-1)?.raw ?? '';
  };
  expect(await sentAfter('en')).toMatch(/^Subject: Transfers in EUR are paused/m);
  const spanish = await sentAfter('es');
  expect(spanish).toContain('Hola:');
  expect(spanish).not.toContain('paused');
});

test('an e-mail is sent once, however many workers send at the same time', async () => {
  const ids = [await fixture.write(), await fixture.write(), await fixture.write()];
  await Promise.all(Array.from({ length: 4 }, () => fixture.send()));
  await fixture.send();
  expect(messageIds().sort()).toEqual(ids.sort());
});

const messageIds = () => smtp.received.map(({ raw }) => /^Message-ID: <([^@]+)@/m.exec(raw)?.[1]);

test.each([
  ['before it is sent', { sentTwice: false }],
  ['after the mail server took it, before that is written down', { sentTwice: true }],
  ['after it was written down', { sentTwice: false }],
])('an e-mail whose worker dies %s reaches its person, under one Message-ID', async (moment, { sentTwice }) => {
  const id = await fixture.write();
  const dying = fixture.context();
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
  await fixture.send();
  expect(await hasDueEmails(fixture.database.fork(), new Date())).toBe(!moment.startsWith('after it'));
  await fixture.send();
  expect(messageIds()).toEqual(sentTwice ? [id, id] : [id]);
  expect(await fixture.stored(id)).toMatchObject({ sentAt: expect.any(Date), nextAttemptAt: null, takenBy: null });
  expect(await hasDueEmails(fixture.database.fork(), later(hourMs))).toBe(false);
});

test('an e-mail of a worker that lives is left to it until its lease ends', async () => {
  const id = await fixture.write();
  const other = await Presence.open(fixture.databaseUrl, pino({ level: 'silent' }));
  const request = { now: new Date(), takenBy: other.number, limit: 1 };
  await fixture.database.statement((em) => takeDueEmails(em, request));
  expect(await hasDueEmails(fixture.database.fork(), new Date())).toBe(false);
  await fixture.send();
  expect(smtp.received).toEqual([]);
  await fixture.send(fixture.context(smtp.url, later(11 * minuteMs)));
  expect(messageIds()).toEqual([id]);
  await other.close();
});

test('an e-mail is not given to a mail server that does not speak TLS, outside the sandbox', async () => {
  const mailer = connectMailServer({ smtpUrl: smtp.url, from: 'Chasqui <avisos@chasqui.test>', requiresTls: true });
  const message = { subject: 'x', text: 'x', html: 'x' };
  await expect(mailer?.send(randomUUID(), 'carmen@example.com', message)).rejects.toThrow('did not take it');
  mailer?.close();
  expect(smtp.received).toEqual([]);
});

test('hundreds of e-mails that wait are sent over a few connections that stay open', async () => {
  await fixture.database.fork().execute(
    `insert into mail (id, key, user_id, kind, data, created_at, next_attempt_at)
       select gen_random_uuid(), 'many-' || n, ?, 'rate_alert', ?::jsonb, now(), now() from generate_series(1, 300) as n`,
    [fixture.sender.id, JSON.stringify({ currency: 'EUR', rate: '13.20', firedRate: '13.25' })],
  );
  await fixture.send();
  expect(new Set(messageIds()).size).toBe(300);
  expect(smtp.connections).toBeLessThanOrEqual(8);
});

test('an e-mail that the mail server takes long for, or refuses, holds up no other', async () => {
  const [slow, other] = [await createTestUser(fixture.database), await createTestUser(fixture.database)];
  smtp.refused.set(fixture.sender.email, 451);
  const accepted = Promise.withResolvers<void>();
  smtp.slow.set(slow.email, accepted.promise);
  const refused = [await fixture.write(), await fixture.write()];
  const late = await fixture.writeTo(slow.id);
  const good = await fixture.writeTo(other.id);
  const sending = fixture.send();
  await expect.poll(async () => (await fixture.stored(good)).sentAt).not.toBeNull();
  expect((await fixture.stored(late)).sentAt).toBeNull();
  accepted.resolve();
  await sending;
  expect(messageIds()).toEqual([good, late]);
  for (const id of refused) expect(await fixture.stored(id)).toMatchObject({ sentAt: null, attempts: 1 });
});

test('an e-mail of a kind or with data that this version does not know waits, and holds up no other', async () => {
  const unknown = await fixture.write();
  await fixture.database.fork().nativeUpdate(Email, { id: unknown }, { kind: 'of_a_later_version' });
  const good = await fixture.write();
  await fixture.send();
  expect(messageIds()).toEqual([good]);
  expect(await fixture.stored(unknown)).toMatchObject({
    sentAt: null,
    refusedAt: null,
    nextAttemptAt: expect.any(Date),
  });
});

test('an e-mail that the server refuses because of our configuration is tried again', async () => {
  const id = await fixture.write();
  smtp.refusals = [550];
  smtp.refusalStatus = '5.7.1 ';
  await fixture.send();
  expect(fixture.logged.join()).toContain('the mail server did not take it (EENVELOPE 550)');
  expect(await fixture.stored(id)).toMatchObject({ sentAt: null, refusedAt: null });
  await fixture.send(fixture.context(smtp.url, later(2_000)));
  expect(smtp.received).toHaveLength(1);
});

test('an e-mail is retried while the mail server is busy or down', async () => {
  const id = await fixture.write();
  smtp.refusals = [451];
  await fixture.send();
  expect(fixture.logged.join()).toContain('the mail server did not take it (EENVELOPE 451)');
  await fixture.send();
  expect((await fixture.stored(id)).attempts).toBe(1);
  await fixture.send(fixture.context('smtp://127.0.0.1:9', later(2_000)));
  expect(fixture.logged.at(-1)).toMatch(/the mail server did not take it \(E\w+\)/);
  expect(await fixture.stored(id)).toMatchObject({ sentAt: null, attempts: 2 });
  await fixture.send(fixture.context(smtp.url, later(5_000)));
  expect(smtp.received).toHaveLength(1);
  expect(fixture.logged.join()).not.toMatch(/example|Luc/);
});

test('an e-mail whose address the server refuses for good is never tried again, and the log says so without an address', async () => {
  const id = await fixture.write();
  smtp.refusals = [550];
  await fixture.send();
  expect(await fixture.stored(id)).toMatchObject({ sentAt: null, refusedAt: expect.any(Date), nextAttemptAt: null });
  expect(fixture.logged.join()).toContain('the mail server refused an address for good');
  expect(fixture.logged.join()).not.toMatch(/@|Luc/);
  await fixture.send(fixture.context(smtp.url, later(hourMs)));
  expect(smtp.received).toEqual([]);
});

test('an e-mail that stays unsent is tried ever more rarely, at last once an hour, and given up after two days', async () => {
  const at = new Date('2026-11-22T12:00:00Z');
  const id = await fixture.write(at);
  smtp.refused.set(fixture.sender.email, 451);
  const tries: number[] = [];
  let now: Date | null = at;
  const turned = { ...fixture.context(), now: () => now as Date };
  for (; now; now = (await fixture.stored(id)).nextAttemptAt ?? null) {
    tries.push((now.getTime() - at.getTime()) / 1000);
    await fixture.send(turned);
  }
  expect(tries.slice(0, 5)).toEqual([0, 1, 3, 7, 15]);
  expect(tries.at(-1)).toBeGreaterThan(46 * 3600);
  expect(tries.at(-1)).toBeLessThanOrEqual(48 * 3600);
  expect(tries.length).toBeLessThan(65);
  expect(await fixture.stored(id)).toMatchObject({ sentAt: null, refusedAt: null, nextAttemptAt: null });
});

test('an e-mail that waited for two days without a mail server is given up', async () => {
  const now = new Date();
  const [stale, young] = [
    await fixture.write(later(-2 * dayMs - 1000)),
    await fixture.write(later(-2 * dayMs + minuteMs)),
  ];
  await purgeExpired(fixture.context(smtp.url, now));
  expect((await fixture.stored(stale)).nextAttemptAt).toBeNull();
  expect((await fixture.stored(young)).nextAttemptAt).not.toBeNull();
});

test('an e-mail is deleted after 30 days', async () => {
  const now = new Date();
  const ago = (days: number) => new Date(now.getTime() - days * 24 * 3_600_000);
  const [kept] = [await fixture.write(ago(29)), await fixture.write(ago(31))];
  await purgeExpired(fixture.context(smtp.url, now));
  expect((await fixture.database.fork().find(Email, {})).map(({ id }) => id)).toEqual([kept]);
});

test('a rate change that waits for confirmation is e-mailed to every admin except the one who requested it', async () => {
  const asking = await createTestUser(fixture.database, { role: 'admin', name: 'Ana Quispe' });
  const other = await createTestUser(fixture.database, { role: 'admin' });
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
  const tell = () => fixture.database.transaction((em) => emailWaitingChange(em, change, new Date()));
  await tell();
  await tell();
  const mails = await fixture.database.fork().find(Email, {});
  expect(mails.map(({ userId }) => userId)).toEqual([other.id]);
  await fixture.send();
  expect(smtp.received[0]?.raw).toContain('Ana Quispe');
  expect(smtp.received[0]?.to).toEqual([other.email]);
});
