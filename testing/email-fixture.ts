import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { User } from '#domain/accounts/account.entity';
import { Email } from '#domain/emails/email.entity';
import { addEmail } from '#domain/emails/email.repository';
import { connectMailServer } from '#domain/emails/mailer';
import type { JobContext } from '#domain/jobs/job-context';
import { sendEmail } from '#domain/notifications/send-email';
import type { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import type { JobResult } from '#platform/outbox/row-jobs';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { createTestUser } from './accounts.ts';
import { openDatabase } from './database.ts';
import { company } from './email-samples.ts';
import { useSmtpServer } from './smtp-fixture.ts';

/**
 * A database, a mail server and the e-mail job, for the tests of a file; e-mails do not carry over to the next test.
 */
export class EmailFixture {
  readonly smtp = useSmtpServer();
  database!: Database;
  databaseUrl = '';
  /** A user with a proven address. */
  sender!: User;
  /** Log lines of this test. */
  logged: string[] = [];

  context(smtpUrl = this.smtp.url, now = new Date()): JobContext {
    const { database, logged } = this;
    const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
    const mailer = connectMailServer({ smtpUrl, from: 'Chasqui <avisos@chasqui.test>', requiresTls: false });
    const part = { database, mailer, log, publicUrl: 'https://chasqui.test', company, now: () => now };
    return part as Partial<JobContext> as JobContext;
  }

  /** Writes an e-mail to the sender; returns its id. */
  write(at?: Date): Promise<string> {
    return this.writeTo(this.sender.id, at);
  }

  async writeTo(userId: string, at = new Date()): Promise<string> {
    const data = { currency: 'EUR', rate: '13.20', firedRate: '13.25' } as const;
    const key = `rate_alert-${randomUUID()}`;
    await this.database.transaction((em) => addEmail(em, { kind: 'rate_alert', key, data, userId, at }));
    return (await this.database.fork().findOneOrFail(Email, { key })).id;
  }

  /** Runs the last job of every open e-mail, one after the other. @throws what a job throws. */
  async send(by = this.context()): Promise<void> {
    const open = await this.database.fork().find(Email, { nextAttemptAt: { $ne: null } });
    for (const job of open) await sendEmail(by, job);
  }

  /** Runs the last job of one e-mail. */
  async run(id: string, by = this.context()): Promise<JobResult> {
    return sendEmail(by, await this.stored(id));
  }

  stored(id: string): Promise<Email> {
    return this.database.fork().findOneOrFail(Email, { id });
  }
}

export function useEmailFixture(): EmailFixture {
  const fixture = new EmailFixture();
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    fixture.databaseUrl = testDatabase.url;
    fixture.database = await openDatabase(testDatabase.url, { poolMax: 8 });
    fixture.sender = await createTestUser(fixture.database, { name: 'Lucía <b>Mamani</b>' });
    await fixture.database.fork().nativeUpdate(User, { id: fixture.sender.id }, { emailVerifiedAt: new Date() });
  });
  afterAll(async () => {
    await fixture.database.close();
    await testDatabase.drop();
  });
  beforeEach(async () => {
    fixture.logged = [];
    await fixture.database.fork().nativeDelete(Email, {});
    await fixture.database.fork().nativeDelete(OutboxRow, {});
  });
  return fixture;
}
