import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#core/time/time';
import { dispatchAgain } from '#platform/outbox/row-jobs';
import { NonRetryableError } from '#platform/queues/retry';
import { createTestUser } from '../../testing/accounts.ts';
import { useEmailFixture } from '../../testing/email-fixture.ts';
import { jobsNamed } from '../../testing/steps.ts';
import { purgeExpired } from '../../worker/retention/retention.ts';
import { setLocale } from '../accounts/account.repository.ts';
import { Email } from '../emails/email.entity.ts';
import { addEmail, emailRows } from '../emails/email.repository.ts';
import { connectMailServer } from '../emails/mailer.ts';
import type { RateChange } from '../rates/rate.entity.ts';
import { emailWaitingChange } from '../rates/waiting-change-email.ts';
import { sweepLostJobs } from '../row-jobs/lost-jobs.ts';
import { sendEmail } from './send-email.ts';

const fixture = useEmailFixture();
const { smtp } = fixture;
const later = (ms: number) => new Date(Date.now() + ms);

test('an e-mail and its job are written once per key, however many transactions write it', async () => {
  const data = { currency: 'USD', lastUpdatedAt: new Date().toISOString() } as const;
  const email = { kind: 'rates_paused', key: 'once', data, at: new Date(), userId: fixture.sender.id } as const;
  await Promise.all(Array.from({ length: 4 }, () => fixture.database.transaction((em) => addEmail(em, email))));
  const written = await fixture.database.fork().find(Email, {});
  const jobs = written.map(({ id }) => ({ data: { id, dispatch: 1 }, jobKey: `send-email-${id}-1` }));
  expect(jobs).toHaveLength(1);
  expect(await jobsNamed(fixture.database, 'send-email')).toEqual(jobs);
});

test('an e-mail reaches its reader as text and as HTML with every value escaped', async () => {
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

test('an e-mail arrives unchanged, whatever its texts contain', async () => {
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

test('an e-mail is in its reader’s language at the time of sending', async () => {
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

const messageIds = () => smtp.received.map(({ raw }) => /^Message-ID: <([^@]+)@/m.exec(raw)?.[1]);

const dispatchNow = (id: string) => {
  const at = new Date();
  return fixture.database.transaction((em) => dispatchAgain(em, emailRows, id, { at, now: at }));
};

test('an e-mail is sent once, by its last job only, when it is due', async () => {
  const due = later(minuteMs);
  const id = await fixture.write(due);
  expect(await fixture.run(id)).toEqual({ at: due });
  await dispatchNow(id);
  expect((await jobsNamed(fixture.database, 'send-email')).at(-1)?.data).toEqual({ id, dispatch: 2 });
  expect(await sendEmail(fixture.context(), { id, dispatch: 1 })).toBeUndefined();
  expect(await fixture.stored(id)).toMatchObject({ attempts: 0, sentAt: null });
  expect(await sendEmail(fixture.context(), { id, dispatch: 2 })).toBeUndefined();
  expect(await sendEmail(fixture.context(), { id, dispatch: 2 })).toBeUndefined();
  expect(messageIds()).toEqual([id]);
  expect(await fixture.stored(id)).toMatchObject({ attempts: 1, sentAt: expect.any(Date), nextAttemptAt: null });
  await dispatchNow(id);
  expect((await fixture.stored(id)).dispatch).toBe(2);
});

test.each([
  ['before it is sent', { sentTwice: false }],
  ['after the mail server accepted it, before that is recorded', { sentTwice: true }],
])('an e-mail whose worker dies %s reaches its reader, under one Message-ID', async (_, { sentTwice }) => {
  const id = await fixture.write();
  const context = fixture.context();
  const dying = Promise.withResolvers<void>();
  const mailer = {
    close: () => {},
    send: async (...args: Parameters<NonNullable<typeof context.mailer>['send']>) => {
      if (sentTwice) await context.mailer?.send(...args);
      dying.resolve();
      return new Promise<never>(() => {});
    },
  };
  void fixture.run(id, { ...context, mailer });
  await dying.promise;
  // The queue gives its job to another worker.
  expect(await fixture.run(id)).toBeUndefined();
  expect(messageIds()).toEqual(sentTwice ? [id, id] : [id]);
  expect(await fixture.stored(id)).toMatchObject({ sentAt: expect.any(Date), nextAttemptAt: null });
});

test.each(['attempt', 'job'])('an attempt overtaken by a newer %s writes nothing', async (newer) => {
  const id = await fixture.write();
  const accepted = Promise.withResolvers<void>();
  smtp.slow.set(fixture.sender.email, accepted.promise);
  const slow = fixture.run(id);
  await expect.poll(() => smtp.connections).toBe(1);
  // It holds no row lock.
  if (newer === 'job') await dispatchNow(id);
  else expect(await fixture.run(id, fixture.context('smtp://127.0.0.1:9'))).toMatchObject({ at: expect.any(Date) });
  accepted.resolve();
  expect(await slow).toBeUndefined();
  expect(await fixture.stored(id)).toMatchObject({ sentAt: null, nextAttemptAt: expect.any(Date) });
  expect(messageIds()).toEqual([id]);
});

test('an e-mail waits without a job while no mail server is configured, and is sent once there is one', async () => {
  const id = await fixture.write(later(-hourMs));
  const queuedJobs = { has: async () => false };
  const without = { ...fixture.context(), mailer: null, queuedJobs, sweepEveryMs: 1_000 };
  expect(await fixture.run(id, without)).toBeUndefined();
  await sweepLostJobs(without);
  expect(await fixture.stored(id)).toMatchObject({ dispatch: 1, attempts: 0, nextAttemptAt: expect.any(Date) });
  await sweepLostJobs({ ...fixture.context(), queuedJobs, sweepEveryMs: 1_000 });
  expect((await jobsNamed(fixture.database, 'send-email')).at(-1)?.data).toMatchObject({ id, dispatch: 2 });
  await fixture.run(id);
  expect(messageIds()).toEqual([id]);
});

test('outside the sandbox an e-mail is not sent to a mail server without TLS', async () => {
  const mailer = connectMailServer({ smtpUrl: smtp.url, from: 'Chasqui <avisos@chasqui.test>', requiresTls: true });
  const message = { subject: 'x', text: 'x', html: 'x' };
  await expect(mailer?.send(randomUUID(), 'carmen@example.com', message)).rejects.toThrow('rejected it');
  mailer?.close();
  expect(smtp.received).toEqual([]);
});

test('e-mails are sent over a pooled connection', async () => {
  for (let count = 0; count < 10; count += 1) await fixture.write();
  await fixture.send();
  expect(new Set(messageIds()).size).toBe(10);
  expect(smtp.connections).toBe(1);
});

test('an e-mail with a kind or data unknown to this version waits', async () => {
  const id = await fixture.write();
  await fixture.database.fork().nativeUpdate(Email, { id }, { kind: 'of_a_later_version' });
  const again = await fixture.run(id);
  expect(again?.error).toEqual(expect.any(String));
  expect(await fixture.stored(id)).toMatchObject({ sentAt: null, refusedAt: null, nextAttemptAt: again?.at });
  expect(smtp.received).toEqual([]);
});

test('an e-mail that the server rejects because of our configuration is retried', async () => {
  const id = await fixture.write();
  smtp.refusals = [550];
  smtp.refusalStatus = '5.7.1 ';
  const again = await fixture.run(id);
  expect(again?.error).toBe('the mail server rejected it (EENVELOPE 550)');
  expect(await fixture.stored(id)).toMatchObject({ sentAt: null, refusedAt: null, nextAttemptAt: again?.at });
  await fixture.run(id, fixture.context(smtp.url, later(2_000)));
  expect(smtp.received).toHaveLength(1);
});

test('an e-mail is retried while the mail server is busy or down', async () => {
  const id = await fixture.write();
  smtp.refusals = [451];
  const again = await fixture.run(id);
  expect(again).toEqual({ at: expect.any(Date), error: 'the mail server rejected it (EENVELOPE 451)' });
  expect(await fixture.run(id)).toEqual({ at: again?.at });
  expect((await fixture.stored(id)).attempts).toBe(1);
  const down = await fixture.run(id, fixture.context('smtp://127.0.0.1:9', later(2_000)));
  expect(down?.error).toMatch(/^the mail server rejected it \(E\w+\)$/);
  expect(await fixture.stored(id)).toMatchObject({ sentAt: null, attempts: 2 });
  expect(await fixture.run(id, fixture.context(smtp.url, later(5_000)))).toBeUndefined();
  expect(smtp.received).toHaveLength(1);
});

test('an e-mail to a permanently rejected address is never retried, and the log entry contains no address', async () => {
  const id = await fixture.write();
  smtp.refusals = [550];
  expect(await fixture.run(id)).toBeUndefined();
  expect(await fixture.stored(id)).toMatchObject({ sentAt: null, refusedAt: expect.any(Date), nextAttemptAt: null });
  expect(fixture.logged.join()).toContain('the mail server permanently rejected an address');
  expect(fixture.logged.join()).not.toMatch(/@|Luc/);
  expect(await fixture.run(id, fixture.context(smtp.url, later(hourMs)))).toBeUndefined();
  expect(smtp.received).toEqual([]);
});

test('a failing e-mail is retried with back-off up to an hour, and given up after two days', async () => {
  const at = new Date('2026-11-22T12:00:00Z');
  const id = await fixture.write(at);
  smtp.refused.set(fixture.sender.email, 451);
  const tries: number[] = [];
  let now = at;
  const turned = { ...fixture.context(), now: () => now };
  const ended = async () => {
    while (tries.length < 100) {
      tries.push((now.getTime() - at.getTime()) / 1000);
      const again = await fixture.run(id, turned);
      if (again?.error) now = again.at;
    }
  };
  await expect(ended()).rejects.toThrow(NonRetryableError);
  expect(tries.slice(0, 5)).toEqual([0, 1, 3, 7, 15]);
  expect(tries.at(-1)).toBeGreaterThan(46 * 3600);
  expect(tries.at(-1)).toBeLessThanOrEqual(48 * 3600);
  expect(tries.length).toBeLessThan(65);
  expect(await fixture.run(id, turned)).toBeUndefined();
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
